package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// A rolled array is a pending copy of an array whose elements are shifted along its axes. A program that reads it reads the array itself:
// its loop is cut into boxes, in each of which the elements lie at regular distances (group.boxes). So a sum of shifted arrays is one pass over memory
// without a copy of them.

// mostBoxes is the largest number of boxes into which a loop is cut.
const mostBoxes = 16

// mostRolled is the largest number of shifted axes of a rolled array, whose own loop has at most 4 boxes.
const mostRolled = 2

// shortestRow is the smallest length of contiguous elements that are shifted. Shorter rows are copied faster.
const shortestRow = 64

// DeferRoll returns x rolled by by[k], from 0 to the length minus 1, along each axis k, as an array that is computed when its memory is
// needed. It returns nil if the result must be computed at once: see [Func.Defer].
func (fn Func) DeferRoll(x *Array, by []int) *Array {
	if x.arena.deferrals() == nil || tracing.Load() != nil || x.node != nil || broadcast.Size(x.shape) < leastDeferred ||
		!broadcast.IsContiguous(x.shape, x.strides) || !regular(x.shape, by) {
		return nil
	}
	p, set := device.Identities.Of(x.dtype), x.arena.set
	engines := joinable(p, []*Array{x}, x.store.dev)
	if engines == 0 {
		return nil
	}
	of := x
	if d := x.store.pending.Load(); d != nil && (d.set != set || d.rolled == nil || !x.isAll(d)) {
		x.store.computeFor(needed + string(fn))
	}
	set.Lock()
	defer set.Unlock()
	if d := x.store.pending.Load(); d != nil {
		if sums := d.rolledAgain(by); regular(x.shape, sums) {
			of, by = d.in[0], sums
		} else {
			set.compute([]*deferred{d}, needed+string(fn))
		}
	}
	return set.add(fn, p, engines, nil, x.shape, []*Array{of}, x.arena, by)
}

// rolledAgain returns by how many indices d is rolled if it is rolled once more.
func (d *deferred) rolledAgain(by []int) []int {
	sums := slices.Clone(by)
	for k, n := range d.y.shape {
		sums[k] = (sums[k] + d.rolled[k]) % n
	}
	return sums
}

// regular reports whether the boxes of an array rolled by the given numbers are few and have long rows.
func regular(shape, by []int) bool {
	rolled, row := 0, 1
	for k := len(shape) - 1; k >= 0; k-- {
		row *= shape[k]
		if by[k] != 0 {
			if rolled++; row < shortestRow {
				return false
			}
		}
	}
	return rolled <= mostRolled
}

// box is a region of a loop: some neighbouring indices of every axis.
type box struct{ start, shape []int }

// boxes cuts the loop of a group such that every leaf has regular distances in each box. It returns no boxes if nothing need be cut, and false if
// there were too many.
func (g *group) boxes(shape []int) ([]box, bool) {
	if !g.isRolled() {
		return nil, true
	}
	all := []box{{make([]int, len(shape)), shape}}
	for k, n := range shape {
		cuts := []int{0, n}
		for _, x := range g.leaves {
			if x.rolled != nil && x.rolled[k] != 0 && !slices.Contains(cuts, x.rolled[k]) {
				cuts = append(cuts, x.rolled[k])
			}
		}
		if len(cuts) == 2 {
			continue
		}
		slices.Sort(cuts)
		if len(all)*(len(cuts)-1) > mostBoxes {
			return nil, false
		}
		var parts []box
		for _, r := range all {
			for i, start := range cuts[:len(cuts)-1] {
				part := box{slices.Clone(r.start), slices.Clone(r.shape)}
				part.start[k], part.shape[k] = start, cuts[i+1]-start
				parts = append(parts, part)
			}
		}
		all = parts
	}
	return all, true
}

// isRolled reports whether a leaf is rolled.
func (g *group) isRolled() bool {
	return slices.ContainsFunc(g.leaves, func(x leaf) bool { return x.rolled != nil })
}

// offset returns how many elements after the array's first one the box begins in a leaf.
func (b *box) offset(x leaf, shape, strides []int) (offset int) {
	for k, start := range b.start {
		if x.rolled != nil {
			start = (start - x.rolled[k] + shape[k]) % shape[k]
		}
		offset += start * strides[k]
	}
	return offset
}
