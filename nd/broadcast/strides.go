package broadcast

import (
	"fmt"
)

// Strides returns the strides of a fresh array in C order: the last axis is the
// nearest in memory. An axis of length 0 counts as 1, as in NumPy.
func Strides(shape []int) []int {
	return AppendStrides(make([]int, 0, len(shape)), shape)
}

// FortranStrides returns the strides of a fresh array in Fortran order: the first
// axis is the nearest in memory.
func FortranStrides(shape []int) []int {
	return AppendFortranStrides(make([]int, 0, len(shape)), shape)
}

// AppendStrides appends the strides of [Strides] to dst.
func AppendStrides(dst, shape []int) []int {
	start := len(dst)
	dst = append(dst, shape...)
	strides := dst[start:]
	step := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		strides[axis] = step
		step *= max(shape[axis], 1)
	}
	return dst
}

// AppendFortranStrides appends the strides of [FortranStrides] to dst.
func AppendFortranStrides(dst, shape []int) []int {
	step := 1
	for _, d := range shape {
		dst = append(dst, step)
		step *= max(d, 1)
	}
	return dst
}

// BroadcastStrides writes into dst[:0] the strides with which an array of the given shape and strides is viewed as the
// shape target, and returns them. Axes that are new or have length 1 get stride 0.
func BroadcastStrides(dst, shape, strides, target []int) ([]int, error) {
	lead := len(target) - len(shape)
	if lead < 0 {
		return nil, fmt.Errorf("shape %s has more axes than %s, to which it should broadcast", compact(shape), compact(target))
	}
	dst = dst[:0]
	for range lead {
		dst = append(dst, 0)
	}
	for axis, d := range shape {
		switch d {
		case 1:
			dst = append(dst, 0)
		case target[lead+axis]:
			dst = append(dst, strides[axis])
		default:
			return nil, fmt.Errorf("shape %s does not broadcast to %s", compact(shape), compact(target))
		}
	}
	return dst, nil
}

// IsContiguous reports whether the elements are adjacent in C order. Strides of axes of length 1 do not matter; an
// empty array is contiguous.
func IsContiguous(shape, strides []int) bool {
	if isEmpty(shape) {
		return true
	}
	step := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		if shape[axis] == 1 {
			continue
		}
		if strides[axis] != step {
			return false
		}
		step *= shape[axis]
	}
	return true
}

// IsFortran reports whether the elements are adjacent in Fortran order, by the rule of [IsContiguous].
func IsFortran(shape, strides []int) bool {
	if isEmpty(shape) {
		return true
	}
	step := 1
	for axis, d := range shape {
		if d == 1 {
			continue
		}
		if strides[axis] != step {
			return false
		}
		step *= d
	}
	return true
}

// MemoryOrder returns the axes sorted by the distance of neighbours along them in memory, the largest first: the
// permutation that makes the array as contiguous as possible. Axes with stride 0 or length 1 keep their index.
func MemoryOrder(shape, strides []int) []int {
	order := AllAxes(len(shape))
	if IsContiguous(shape, strides) {
		return order
	}
	far := func(axis int) int { return max(strides[axis], -strides[axis]) }
	for i := range order { // insertion sort: an axis moves in front of nearer ones, past the axes that keep their index
		index := i
		for j := i - 1; j >= 0; j-- {
			a, b := order[j], order[i]
			if shape[a] < 2 || shape[b] < 2 || strides[a] == 0 || strides[b] == 0 {
				continue
			}
			if far(b) <= far(a) {
				break
			}
			index = j
		}
		axis := order[i]
		copy(order[index+1:i+1], order[index:i])
		order[index] = axis
	}
	return order
}
