package broadcast

import (
	"fmt"
	"slices"
)

// ResolveShape returns the shape to which an array of size elements is reshaped. One length may be -1: it is computed
// from the others. The sizes must agree. -1 beside a length of 0 is refused, because any length would fit.
func ResolveShape(newShape []int, size int) ([]int, error) {
	out := slices.Clone(newShape)
	if out == nil {
		out = []int{}
	}
	unknown := -1
	for axis, d := range newShape {
		switch {
		case d >= 0:
		case d != -1:
			return nil, fmt.Errorf("shape %s has a negative length", FormatShape(newShape))
		case unknown >= 0:
			return nil, fmt.Errorf("shape %s: only one length can be -1", FormatShape(newShape))
		default:
			unknown = axis
			out[axis] = 1
		}
	}
	if err := CheckShape(out); err != nil {
		return nil, err
	}
	known := Size(out)
	if unknown >= 0 && known > 0 && size%known == 0 {
		out[unknown] = size / known
		return out, nil
	}
	if unknown >= 0 || known != size {
		return nil, fmt.Errorf("%d elements do not fill shape %s", size, compact(newShape))
	}
	return out, nil
}

// Reshape returns the strides with which an array of the given shape and strides is viewed as newShape in C order. ok
// is false if no strides do that, so that the elements must be copied, or if the sizes differ.
func Reshape(shape, strides, newShape []int) (newStrides []int, ok bool) {
	return ReshapeOrder(shape, strides, newShape, false)
}

// ReshapeOrder is [Reshape] with the elements read from the old shape and written to the new one in C order or in
// Fortran order.
func ReshapeOrder(shape, strides, newShape []int, fortran bool) (newStrides []int, ok bool) {
	if CheckShape(newShape) != nil || Size(newShape) != Size(shape) {
		return nil, false
	}
	if Size(shape) <= 1 {
		if fortran {
			return FortranStrides(newShape), true
		}
		return Strides(newShape), true
	}
	var runs [MaxRank]run
	count := findRuns(&runs, shape, strides, fortran)
	newStrides = make([]int, len(newShape))
	if !splitRuns(newStrides, newShape, runs[:count], fortran) {
		return nil, false
	}
	return newStrides, true
}

// run is a sequence of equally spaced elements.
type run struct{ length, stride int }

// nearest maps k = 0, 1, … to the axes from the fastest varying to the slowest.
func nearest(k, rank int, fortran bool) int {
	if fortran {
		return k
	}
	return rank - 1 - k
}

// findRuns cuts the array into the longest runs, the fastest varying one first, and returns their number. Axes of
// length 1 vanish.
func findRuns(runs *[MaxRank]run, shape, strides []int, fortran bool) int {
	count := 0
	for k := range shape {
		axis := nearest(k, len(shape), fortran)
		if shape[axis] == 1 {
			continue
		}
		if count > 0 {
			last := &runs[count-1]
			if strides[axis] == last.stride*last.length {
				last.length *= shape[axis]
				continue
			}
		}
		runs[count] = run{shape[axis], strides[axis]}
		count++
	}
	return count
}

// splitRuns gives each axis of shape its part of a run. It fails if an axis would have to extend beyond the end of a
// run: runs are maximal, so the step at their end differs from the steps inside.
func splitRuns(strides, shape []int, runs []run, fortran bool) bool {
	at, used := 0, 1 // used counts the elements of runs[at] that the axes so far span
	stride := runs[0].stride
	for k := range shape {
		axis := nearest(k, len(shape), fortran)
		d := shape[axis]
		if d != 1 && used == runs[at].length {
			at++
			used = 1
			stride = runs[at].stride
		}
		strides[axis] = stride
		if runs[at].length/used%d != 0 {
			return false
		}
		used *= d
		stride *= d
	}
	return true
}
