package fft

import (
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// squarePlan has the factors of rows that are transformed in registers.
type squarePlan[T simd.Float] struct{ factors []T }

func (p *squarePlan[T]) size() int { return len(p.factors) }

func squarePlanOf[T simd.Float]() *squarePlan[T] {
	return planOf[*squarePlan[T], T](ofSquare, simd.SquareRow, func() *squarePlan[T] {
		return &squarePlan[T]{simd.SquareFactors[T](func(k int) (re, im float64) { return root(k, simd.SquareRow) })}
	})
}

// squares transforms contiguous rows of 64 numbers, which are equally far apart.
func (t *task[T]) squares() {
	const group = 16 // rows
	plan := squarePlanOf[T]()
	xStride, yStride := t.x.Strides[0]*t.x.Size, t.y.Strides[0]*t.y.Size
	workers.ForRanges((t.rows+group-1)/group, t.cost()*group, func(from, to int) {
		for i := from * group; i < min(to*group, t.rows); i += group {
			rows := min(group, t.rows-i)
			t.each(t.before, i, rows, false)
			simd.Squares(rows, t.x.At(i), xStride, t.y.At(i), yStride, plan.factors, t.swap, t.scale)
			t.each(t.after, i, rows, false)
		}
	})
}
