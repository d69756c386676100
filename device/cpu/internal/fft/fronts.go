package fft

import (
	"unsafe"

	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// frontPlan transforms rows one by one or two by two (AVX-512), with buffers in the first-level cache: a routine does the
// first half of the transform as a matrix, which rowPlan does in several steps, and columnPlan the second half.
type frontPlan[T simd.Float] struct {
	front simd.Front[T]
	rest  *columnPlan[T]
}

func (p *frontPlan[T]) size() int { return p.front.Size() + p.rest.size() }

// frontPlanOf returns the plan for rows of n numbers, or nil if they are transformed otherwise: workers can share long
// rows then.
func frontPlanOf[T simd.Float](n int) *frontPlan[T] {
	front, ok := simd.FrontOf[T](n)
	if !ok || n >= sharedRow || !smooth(n) {
		return nil
	}
	if radices := radicesOf(front.M, true); front.Mixed() && !(&simd.Pass[T]{Radix: radices[len(radices)-1], M: 1}).WritesPairs() {
		return nil
	}
	return planOf[*frontPlan[T], T](ofFront, n, func() *frontPlan[T] {
		front.Prepare(func(k int) (re, im float64) { return root(k, n) })
		return &frontPlan[T]{front, newColumnPlan[T](front.M)}
	})
}

// fronts transforms contiguous rows.
func (t *task[T]) fronts(plan *frontPlan[T]) {
	const group = 16 // rows
	together, lanes := plan.front.Together(), simd.Lanes[T]()
	vectors := plan.front.M * max(1, plan.front.Radix/lanes)
	workers.ForRanges((t.rows+group-1)/group, t.cost()*group, func(from, to int) {
		var buffers buffers[T]
		a, b := buffers.take(together * vectors)
		for i := from * group; i < min(to*group, t.rows); i += together {
			rows := min(together, t.rows-i)
			t.each(t.before, i, rows, false)
			plan.front.Run(t.x.At(i), apartBy(t.x.At, i, rows), a, t.swap)
			if plan.front.Mixed() {
				plan.rest.storePairs(a, b, t.y.At(i), apartBy(t.y.At, i, rows), t.swap, t.scale)
			} else {
				for r := range rows {
					x := a[r*2*vectors*lanes : (r+1)*2*vectors*lanes]
					plan.rest.store(0, plan.front.Radix, x, vectors/plan.front.M, x, b, t.y.At(i+r), plan.front.Radix, t.swap, t.scale, true)
				}
			}
			t.each(t.after, i, rows, false)
		}
		buffers.recycle()
	})
}

// apartBy returns how many bytes the last of some rows comes after the first. A row alone is its own neighbour.
func apartBy(at func(i int) unsafe.Pointer, first, rows int) int {
	return int(uintptr(at(first+rows-1)) - uintptr(at(first)))
}
