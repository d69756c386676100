package fft

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
)

// A row of n = 2h real numbers is a row of h complex numbers z. From Z, the transform of z, follow those of the even and
// of the odd elements: E[k] = (Z[k] + conj Z[h-k])/2 and O[k] = (Z[k] - conj Z[h-k])/2i; and the transform of the row is
// E[k] + w^k·O[k], with w = exp(∓2πi/n). The other direction undoes these steps.

// realPlan has the sines and cosines of 2πk/n, as the real and imaginary parts of complex vectors, for k from 1 to n/4.
type realPlan[T simd.Float] struct{ turns []T }

func (p *realPlan[T]) size() int { return len(p.turns) }

func realPlanOf[T simd.Float](n int) *realPlan[T] {
	return planOf[*realPlan[T], T](ofReal, n, func() *realPlan[T] {
		return &realPlan[T]{vectorsOf[T](n/4, func(i int) (sin, cos float64) {
			re, im := root(i+1, n)
			return -im, re
		})}
	})
}

// mirror combines all numbers of a row with their counterparts.
func (p *realPlan[T]) mirror(h int, x, y unsafe.Pointer, sin, cos, sum T, sharing bool) {
	const vectors = 512 // of a piece
	length := vectors * simd.Lanes[T]()
	if !sharing || h/2 <= length {
		simd.Mirror(h, 1, h/2, x, y, p.turns, sin, cos, sum)
		return
	}
	inPieces((h/2+length-1)/length, 2*pieceCost*vectors, sharing, func(from, to int) {
		simd.Mirror(h, 1+from*length, (to-from)*length, x, y, p.turns, sin, cos, sum)
	})
}

// fromReal transforms contiguous rows of an even number of real numbers.
func (t *task[T]) fromReal() {
	plan, h := realPlanOf[T](t.n), t.n/2
	sign := T(-0.5)
	if t.swap {
		sign = 0.5
	}
	t.n, t.source = h, t.x
	t.after = func(_, y unsafe.Pointer, sharing bool) {
		first := memory.Slice[T](y, 2)
		sum, difference := first[0]+first[1], first[0]-first[1]
		plan.mirror(h, y, y, sign, -0.5, 0.5, sharing)
		last := memory.Slice[T](unsafe.Add(y, h*numberBytes[T]()), 2)
		first[0], first[1], last[0], last[1] = sum, 0, difference, 0
	}
	t.contiguousRows()
}

// toReal transforms contiguous rows of the frequencies from 0 to n/2 to an even number n of real numbers.
func (t *task[T]) toReal() {
	plan, h := realPlanOf[T](t.n), t.n/2
	sign := T(1)
	if t.swap {
		sign = -1
	}
	t.n, t.source = h, t.x
	t.x = t.y
	t.before = func(x, y unsafe.Pointer, sharing bool) {
		first, last := memory.Slice[T](x, 1)[0], memory.Slice[T](unsafe.Add(x, h*numberBytes[T]()), 1)[0]
		plan.mirror(h, x, y, sign, 1, 1, sharing)
		z := memory.Slice[T](y, 2)
		z[0], z[1] = first+last, first-last
	}
	t.contiguousRows()
}

// mirrored fills a row of n complex numbers from the numbers 0 to n/2: x[n-k] is the conjugate of x[k]. The imaginary
// parts of numbers that are their own conjugates become 0.
func mirrored[T simd.Float](x []T, n int) {
	x[1] = 0
	for k := 1; 2*k <= n; k++ {
		re, im := x[2*k], x[2*k+1]
		if 2*k == n {
			im = 0
			x[2*k+1] = 0
		}
		x[2*(n-k)], x[2*(n-k)+1] = re, -im
	}
}
