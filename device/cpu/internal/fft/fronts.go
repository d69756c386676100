package fft

import (
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// frontPlan transforms rows one by one (AVX-512), with buffers in the first-level cache: a routine does the first half of
// the transform as a matrix, which rowPlan does in several steps, and columnPlan the second half.
type frontPlan[T simd.Float] struct {
	front *simd.Front[T]
	rest  *columnPlan[T]
}

func (p *frontPlan[T]) size() int { return p.front.Size() + p.rest.size() }

// frontPlanOf returns the plan for rows of n numbers, or nil if they are transformed otherwise: workers can share long
// rows then.
func frontPlanOf[T simd.Float](n int) *frontPlan[T] {
	m := n / simd.FrontRadix
	if n%simd.FrontRadix != 0 || n >= sharedRow || !simd.HasFront[T](m) || !smooth(m) {
		return nil
	}
	return planOf[*frontPlan[T], T](ofFront, n, func() *frontPlan[T] {
		return &frontPlan[T]{simd.NewFront[T](m, func(k int) (re, im float64) { return root(k, n) }), newColumnPlan[T](m)}
	})
}

// fronts transforms contiguous rows.
func (t *task[T]) fronts(plan *frontPlan[T]) {
	const group = 16 // rows
	together, c := plan.front.Together(), simd.FrontRadix/simd.Lanes[T]()
	vectors := c * plan.rest.n
	row := 2 * vectors * simd.Lanes[T]() // elements
	workers.ForRanges((t.rows+group-1)/group, t.cost()*group, func(from, to int) {
		var buffers buffers[T]
		a, b := buffers.take(together * vectors)
		for i := from * group; i < min(to*group, t.rows); i += together {
			rows := min(together, t.rows-i)
			t.each(t.before, i, rows, false)
			x := t.x.At(i)
			stride := int(uintptr(t.x.At(i+rows-1)) - uintptr(x))
			plan.front.Run(x, stride, a, t.swap)
			for r := range rows {
				x := a[r*row : (r+1)*row]
				plan.rest.store(0, simd.FrontRadix, x, c, x, b, t.y.At(i+r), simd.FrontRadix, t.swap, t.scale, true)
			}
			t.each(t.after, i, rows, false)
		}
		buffers.recycle()
	})
}
