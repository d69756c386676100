// Package fft computes discrete Fourier transforms along the last axis: the kernel FFT.
package fft

import (
	"math"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FFT transforms the rows one by one in complex128, and rounds once.
func FFT(l *device.Launch) {
	if l.Size() == 0 {
		return
	}
	last := l.Rank - 1
	n := l.Shape[last]
	y, x := strided.Within(l, 0, 0, last), strided.Within(l, 1, 0, last)
	yStep, xStep := l.Operands[0].Strides[last], l.Operands[1].Strides[last]
	inverse := l.Inverse
	cost := stageCost * float64(n) * float64(bits.Len(uint(n)))
	workers.ForRanges(broadcast.Size(l.Shape[:last]), cost, func(from, to int) {
		t := takeTransform(n)
		room := memory.TakeScratch(n * dtype.Complex128.Size())
		row := memory.Slice[complex128](room.At(0), n)
		for i := from; i < to; i++ {
			dtype.Convert(dtype.Complex128, room.At(0), 1, x.DType, x.At(i), xStep, n)
			t.apply(row, inverse)
			dtype.Convert(y.DType, y.At(i), yStep, dtype.Complex128, room.At(0), 1, n)
		}
		room.Recycle()
		t.recycle()
	})
}

// stageCost is the cost per element for each doubling of the length, in nanoseconds.
const stageCost = 3

// transform computes transforms of one length. It has its own memory, and so serves one goroutine at a time.
type transform struct {
	n          int
	mixedRadix *fourier.CmplxFFT // nil if Bluestein's algorithm is faster
	bluestein  *bluestein
}

// transforms holds the idle transforms of each length; the GC frees those that stay idle.
var transforms sync.Map // int → *sync.Pool

func takeTransform(n int) *transform {
	idle, ok := transforms.Load(n)
	if !ok {
		idle, _ = transforms.LoadOrStore(n, &sync.Pool{New: func() any { return newTransform(n) }})
	}
	return idle.(*sync.Pool).Get().(*transform)
}

func (t *transform) recycle() {
	idle, _ := transforms.Load(t.n)
	idle.(*sync.Pool).Put(t)
}

func newTransform(n int) *transform {
	if largestPrimeFactor(n) > largestRadix {
		return &transform{n: n, bluestein: newBluestein(n)}
	}
	return &transform{n: n, mixedRadix: fourier.NewCmplxFFT(n)}
}

// largestRadix is the largest prime factor of a length for which the mixed-radix transform is used. The mixed-radix
// transform takes as many steps per element as the factor; beyond this factor Bluestein's algorithm is faster.
const largestRadix = 200

func largestPrimeFactor(n int) int {
	largest := 1
	for p := 2; p <= n/p; p++ {
		for n%p == 0 {
			largest, n = p, n/p
		}
	}
	return max(largest, n)
}

// apply replaces row by its transform.
func (t *transform) apply(row []complex128, inverse bool) {
	switch {
	case t.bluestein == nil && inverse:
		t.mixedRadix.Sequence(row, row)
	case t.bluestein == nil:
		t.mixedRadix.Coefficients(row, row)
	case inverse: // the conjugate of the conjugate's transform
		conjugate(row)
		t.bluestein.apply(row)
		conjugate(row)
	default:
		t.bluestein.apply(row)
	}
}

func conjugate(row []complex128) {
	for i, z := range row {
		row[i] = complex(real(z), -imag(z))
	}
}

// bluestein computes a transform as a convolution (Bluestein 1970): with jk = (j² + k² - (k-j)²)/2 and w[j] =
// exp(-πi·j²/n), y[k] = w[k] · Σ x[j]·w[j]·conj(w[k-j]). The convolution's length is a power of two, for which the
// transform is fast.
type bluestein struct {
	chirp  []complex128
	kernel []complex128 // the transform of conj(w), divided by its length
	room   []complex128
	fft    *fourier.CmplxFFT
}

func newBluestein(n int) *bluestein {
	length := 1 << bits.Len(uint(2*n-2))
	c := &bluestein{
		chirp: make([]complex128, n), kernel: make([]complex128, length), room: make([]complex128, length),
		fft: fourier.NewCmplxFFT(length),
	}
	scale := 1 / float64(length)
	for j := range n {
		turn := uint64(j) * uint64(j) % uint64(2*n) // exact: the angle itself would lose all its digits
		sin, cos := math.Sincos(math.Pi * float64(turn) / float64(n))
		c.chirp[j] = complex(cos, -sin)
		c.kernel[j] = complex(cos*scale, sin*scale)
		if j > 0 {
			c.kernel[length-j] = c.kernel[j]
		}
	}
	c.fft.Coefficients(c.kernel, c.kernel)
	return c
}

func (c *bluestein) apply(row []complex128) {
	for j, z := range row {
		c.room[j] = z * c.chirp[j]
	}
	clear(c.room[len(row):])
	c.fft.Coefficients(c.room, c.room)
	for k, z := range c.kernel {
		c.room[k] *= z
	}
	c.fft.Sequence(c.room, c.room)
	for k := range row {
		row[k] = c.room[k] * c.chirp[k]
	}
}
