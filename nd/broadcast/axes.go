package broadcast

import (
	"fmt"
	"slices"
)

// Axis returns the axis counted from the front; a negative axis counts from the back.
func Axis(axis, rank int) (int, error) {
	if axis < -rank || axis >= rank {
		return 0, fmt.Errorf("axis %d is outside the array's %d axes", axis, rank)
	}
	if axis < 0 {
		axis += rank
	}
	return axis, nil
}

// axisSet is a set of axes, one bit per axis; ranks are at most MaxRank.
type axisSet uint64

func (s axisSet) has(axis int) bool     { return s&(1<<uint(axis)) != 0 }
func (s axisSet) with(axis int) axisSet { return s | 1<<uint(axis) }
func setOf(axes []int) (members axisSet) {
	for _, axis := range axes {
		members = members.with(axis)
	}
	return members
}

// Axes returns the axes counted from the front, in the given order. Negative axes count from the back; a repeated axis
// is refused. No axes give no axes: see [AllAxes] for the other usual default.
func Axes(axes []int, rank int) ([]int, error) {
	if rank > MaxRank {
		return nil, fmt.Errorf("%d axes: an array has at most %d", rank, MaxRank)
	}
	out := make([]int, len(axes))
	var seen axisSet
	for i, given := range axes {
		axis, err := Axis(given, rank)
		if err != nil {
			return nil, err
		}
		if seen.has(axis) {
			return nil, fmt.Errorf("axes %s: one is named twice", FormatShape(axes))
		}
		seen = seen.with(axis)
		out[i] = axis
	}
	return out, nil
}

// AllAxes returns 0, 1, …, rank-1; as a permutation it changes nothing.
func AllAxes(rank int) []int {
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// ReduceShape returns the shape that remains after a reduction over the given axes, which are counted from the front
// (see [Axes]). With keepDims the reduced axes stay with length 1.
func ReduceShape(shape, axes []int, keepDims bool) []int {
	reduced := setOf(axes)
	out := make([]int, 0, len(shape))
	for axis, d := range shape {
		switch {
		case !reduced.has(axis):
			out = append(out, d)
		case keepDims:
			out = append(out, 1)
		}
	}
	return out
}

// Permute writes v[perm[0]], v[perm[1]], … into dst[:0] and returns it: the shape
// or strides of an array whose axes are permuted.
func Permute(dst, v, perm []int) []int {
	dst = dst[:0]
	for _, axis := range perm {
		dst = append(dst, v[axis])
	}
	return dst
}

// CheckPermutation returns the permutation with its axes counted from the front, or an error if perm is not a
// permutation of rank axes.
func CheckPermutation(perm []int, rank int) ([]int, error) {
	if len(perm) != rank {
		return nil, fmt.Errorf("axes %s: want a permutation of %d axes", FormatShape(perm), rank)
	}
	if rank > MaxRank {
		return nil, fmt.Errorf("%d axes: an array has at most %d", rank, MaxRank)
	}
	out := make([]int, rank)
	var seen axisSet
	for i, given := range perm {
		axis, err := Axis(given, rank)
		if err != nil {
			return nil, err
		}
		if seen.has(axis) {
			return nil, fmt.Errorf("axes %s: one is named twice", FormatShape(perm))
		}
		seen = seen.with(axis)
		out[i] = axis
	}
	return out, nil
}

// InversePermutation returns the permutation that undoes perm, whose axes are
// counted from the front.
func InversePermutation(perm []int) []int {
	inverse := make([]int, len(perm))
	for i, axis := range perm {
		inverse[axis] = i
	}
	return inverse
}

// ReversePermutation returns rank-1, …, 1, 0: the transposition of all axes.
func ReversePermutation(rank int) []int {
	perm := make([]int, rank)
	for i := range perm {
		perm[i] = rank - 1 - i
	}
	return perm
}

// MoveAxis returns the permutation that moves axis src[i] to index dst[i]; the other axes keep their order.
func MoveAxis(rank int, src, dst []int) ([]int, error) {
	if len(src) != len(dst) {
		return nil, fmt.Errorf("%d axes to move, but %d destinations", len(src), len(dst))
	}
	src, err := Axes(src, rank)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	dst, err = Axes(dst, rank)
	if err != nil {
		return nil, fmt.Errorf("destination: %w", err)
	}
	perm := make([]int, rank)
	for i, index := range dst {
		perm[index] = src[i]
	}
	moved, taken := setOf(src), setOf(dst)
	axis := 0
	for index := range perm {
		if taken.has(index) {
			continue
		}
		for moved.has(axis) {
			axis++
		}
		perm[index] = axis
		axis++
	}
	return perm, nil
}

// RollAxis returns the permutation that rolls axis back until it precedes the axis whose index is now start; start may
// be rank, the very end.
func RollAxis(rank, axis, start int) ([]int, error) {
	axis, err := Axis(axis, rank)
	if err != nil {
		return nil, err
	}
	if start < -rank || start > rank {
		return nil, fmt.Errorf("start %d: want one from %d to %d", start, -rank, rank)
	}
	if start < 0 {
		start += rank
	}
	if axis < start {
		start-- // removing the axis shifts its destination
	}
	return MoveAxis(rank, []int{axis}, []int{start})
}

// SwapAxes returns the permutation that exchanges two axes.
func SwapAxes(rank, axis1, axis2 int) ([]int, error) {
	axis1, err := Axis(axis1, rank)
	if err != nil {
		return nil, err
	}
	axis2, err = Axis(axis2, rank)
	if err != nil {
		return nil, err
	}
	perm := AllAxes(rank)
	perm[axis1], perm[axis2] = axis2, axis1
	return perm, nil
}

// Ones returns the shape of n axes of length 1.
func Ones(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = 1
	}
	return all
}

// MovedLast orders the axes so that the given ones come last.
func MovedLast(rank int, axes []int) []int {
	order := make([]int, 0, rank)
	for k := range rank {
		if !slices.Contains(axes, k) {
			order = append(order, k)
		}
	}
	return append(order, axes...)
}
