package fft

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
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
	size := 2 * int(unsafe.Sizeof(*new(T)))
	length := roundUp(c.m, simd.Lanes[T]())
	room := memory.TakeScratch((length + c.m) * size)
	defer room.Recycle()
	parts, row := memory.Slice[T](room.At(0), 2*length), room.At(length*size)
	own := parts[:len(c.chirp)]
	simd.LoadColumns(1, c.n, x, 0, own, swap)
	simd.Multiply(own, c.chirp, own, false)
	simd.StoreColumns(1, c.n, row, 0, own, false, 1)
	clear(memory.Slice[T](unsafe.Add(row, c.n*size), 2*(c.m-c.n)))
	c.plan.apply(row, row, false, 1, sharing)
	simd.LoadColumns(1, c.m, row, 0, parts, false)
	simd.Multiply(parts, c.kernel, parts, false)
	simd.StoreColumns(1, c.m, row, 0, parts, false, 1)
	c.plan.apply(row, row, true, 1, sharing)
	simd.LoadColumns(1, c.n, row, 0, own, false)
	simd.Multiply(own, c.chirp, own, false)
	simd.StoreColumns(1, c.n, y, 0, own, swap, scale)
}
