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

// hasFront reports whether there is a frontPlan for rows of n numbers. Workers can share long rows, which have none.
func hasFront[T simd.Float](n int) bool {
	front, ok := simd.FrontOf[T](n)
	if !ok || n >= sharedRow || !smooth(n) {
		return false
	}
	radices := radicesOf(front.M, true)
	last := simd.Pass[T]{Radix: radices[len(radices)-1], M: 1}
	return !front.Mixed() || last.WritesPairs()
}

func frontPlanOf[T simd.Float](n int) *frontPlan[T] {
	return planOf[*frontPlan[T], T](ofFront, n, func() *frontPlan[T] {
		front, _ := simd.FrontOf[T](n)
		front.Prepare(func(k int) (re, im float64) { return root(k, n) })
		return &frontPlan[T]{front, newColumnPlan[T](front.M)}
	})
}

// fronts transforms contiguous rows.
func (t *task[T]) fronts() {
	const group = 16 // rows
	plan := frontPlanOf[T](t.n)
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
