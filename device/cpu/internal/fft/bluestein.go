package fft

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// bluestein computes a transform of any length as a convolution (Bluestein 1970): with jk = (j² + k² - (k-j)²)/2 and
// w[j] = exp(-πi·j²/n), y[k] = w[k] · Σ x[j]·w[j]·conj(w[k-j]). The convolution has a length m for which the transform
// is fast.
type bluestein[T simd.Float] struct {
	n, m   int
	plan   *rowPlan[T]
	chirp  []T // w, as complex vectors
	kernel []T // the transform of conj(w), divided by m, as complex vectors
}

func newBluestein[T simd.Float](n int) *bluestein[T] {
	n1, n2 := convolutionLength[T](2*n - 1)
	c := &bluestein[T]{n: n, m: n1 * n2, plan: newRowPlan[T](n1, n2)}
	c.chirp = vectorsOf[T](n, func(j int) (re, im float64) { return squareRoot(j, n) })
	wide := newRowPlan[float64](n1, n2)
	row := make([]complex128, c.m)
	for j := range n {
		re, im := squareRoot(j, n)
		row[j] = complex(re, -im)
		if j > 0 {
			row[c.m-j] = row[j]
		}
	}
	at := unsafe.Pointer(&row[0])
	wide.apply(at, at, false, 1/float64(c.m), false)
	c.kernel = vectorsOf[T](c.m, func(k int) (re, im float64) { return real(row[k]), imag(row[k]) })
	return c
}

// convolutionLength returns the factors of a length from n on for which the transform takes the least time.
func convolutionLength[T simd.Float](n int) (n1, n2 int) {
	best := 0.0
	for m := n; m < 2*n+32; m++ {
		if !smooth(m) {
			continue
		}
		if a, b, cost := splitOf[T](m); a > 0 && (n1 == 0 || cost < best) {
			n1, n2, best = a, b, cost
		}
	}
	return n1, n2
}

func (c *bluestein[T]) size() int { return c.plan.size() + len(c.chirp) + len(c.kernel) }

func (c *bluestein[T]) apply(x, y unsafe.Pointer, swap simd.Swapped, scale T, sharing bool) {
	size := numberBytes[T]()
	room := memory.TakeScratch(c.m * size)
	defer room.Recycle()
	row := room.At(0)
	multiplied(c.n, x, swap, c.chirp, row, false, 1, sharing)
	clear(memory.Slice[T](unsafe.Add(row, c.n*size), 2*(c.m-c.n)))
	c.plan.apply(row, row, false, 1, sharing)
	multiplied(c.m, row, false, c.kernel, row, false, 1, sharing)
	c.plan.apply(row, row, true, 1, sharing)
	multiplied(c.n, row, false, c.chirp, y, swap, scale, sharing)
}

// multiplied stores n complex numbers x, multiplied by the vectors w and by scale, in y, which may be x.
func multiplied[T simd.Float](n int, x unsafe.Pointer, swapX simd.Swapped, w []T, y unsafe.Pointer, swapY simd.Swapped, scale T, sharing bool) {
	const vectors = 256 // of a piece
	size, lanes := numberBytes[T](), simd.Lanes[T]()
	inPieces((n+vectors*lanes-1)/(vectors*lanes), pieceCost*vectors, sharing, func(from, to int) {
		var buffers buffers[T]
		z, _ := buffers.take(vectors)
		for piece := from; piece < to; piece++ {
			at := piece * vectors * lanes
			length := min(n-at, vectors*lanes)
			part := z[:2*roundUp(length, lanes)]
			simd.LoadColumns(1, length, unsafe.Add(x, at*size), 0, part, swapX)
			simd.Multiply(part, w[2*at:], part, false)
			simd.StoreColumns(1, length, unsafe.Add(y, at*size), 0, part, swapY, scale)
		}
		buffers.recycle()
	})
}

// pieceCost is the time for a vector of a piece, in nanoseconds.
const pieceCost = 10

// inPieces calls body for ranges of pieces, which workers share if sharing is set.
func inPieces(pieces int, nanoseconds float64, sharing bool, body func(from, to int)) {
	if sharing && pieces > 1 {
		workers.ForRanges(pieces, nanoseconds, body)
	} else {
		body(0, pieces)
	}
}
