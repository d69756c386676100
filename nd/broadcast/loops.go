package broadcast

// Next advances index to the next element of an array of the given shape in C order. After the last element it returns
// false and index is all zeros again. The shape must not be empty.
func Next(index, shape []int) bool {
	for axis := len(shape) - 1; axis >= 0; axis-- {
		index[axis]++
		if index[axis] < shape[axis] {
			return true
		}
		index[axis] = 0
	}
	return false
}

// Dot returns the sum of index[i]·strides[i]: the distance of the element at index from the first.
func Dot(index, strides []int) int {
	offset := 0
	for axis, i := range index {
		offset += i * strides[axis]
	}
	return offset
}

// Unravel writes into dst[:0] the index of element i in C order and returns it;
// i lies in 0…Size(shape)-1.
func Unravel(i int, shape, dst []int) []int {
	dst = append(dst[:0], shape...)
	for axis := len(shape) - 1; axis >= 0; axis-- {
		dst[axis] = i % shape[axis]
		i /= shape[axis]
	}
	return dst
}

// Ravel returns the number of the element at index in C order.
func Ravel(index, shape []int) int {
	i := 0
	for axis, d := range shape {
		i = i*d + index[axis]
	}
	return i
}

// Simplify prepares an elementwise loop, which may visit the elements in any
// order: [Reorder] and then [Coalesce]. It returns the new rank.
func Simplify(shape []int, ops [][]int) int {
	Reorder(shape, ops)
	return Coalesce(shape, ops)
}

// Reorder permutes the axes of a loop in place so that the strides of ops[0] decrease in magnitude from the outermost
// axis to the innermost. Ties are decided by ops[1], and so on, and finally by the order of the axes. Pass the output
// first. Axes of length 1 move outwards.
//
// Each of ops holds the strides of one operand over shape.
func Reorder(shape []int, ops [][]int) {
	// Insertion sort: ranks are small, and most arrays are sorted already.
	for end := 1; end < len(shape); end++ {
		for axis := end; axis > 0 && isInner(axis-1, axis, shape, ops); axis-- {
			shape[axis-1], shape[axis] = shape[axis], shape[axis-1]
			for _, strides := range ops {
				strides[axis-1], strides[axis] = strides[axis], strides[axis-1]
			}
		}
	}
}

// isInner reports whether axis a belongs further inside than axis b.
func isInner(a, b int, shape []int, ops [][]int) bool {
	if shape[a] == 1 || shape[b] == 1 {
		return shape[a] != 1
	}
	for _, strides := range ops {
		strideA, strideB := magnitude(strides[a]), magnitude(strides[b])
		if strideA != strideB {
			return strideA < strideB
		}
	}
	return false
}

func magnitude(stride int) int {
	if stride < 0 {
		return -stride
	}
	return stride
}

// Coalesce shortens a loop in place without changing the order of its elements, and returns the new rank. Axes of
// length 1 are dropped. Neighbouring axes are fused if, for every operand, a step of the outer axis continues the inner
// axis. A loop over one element becomes rank 0; an empty loop becomes rank 1 and length 0. The rest of the slices is
// undefined.
//
// Each of ops holds the strides of one operand over shape.
func Coalesce(shape []int, ops [][]int) int {
	if isEmpty(shape) {
		shape[0] = 0
		return 1
	}
	rank := 0
	for axis, d := range shape {
		if d == 1 {
			continue
		}
		if rank > 0 && canFuse(rank-1, axis, d, ops) {
			shape[rank-1] *= d
			for _, strides := range ops {
				strides[rank-1] = strides[axis]
			}
			continue
		}
		if rank != axis {
			shape[rank] = d
			for _, strides := range ops {
				strides[rank] = strides[axis]
			}
		}
		rank++
	}
	return rank
}

// canFuse reports whether, for every operand, a step on the outer axis equals length steps on the inner one.
func canFuse(outer, inner, length int, ops [][]int) bool {
	for _, strides := range ops {
		if strides[outer] != strides[inner]*length {
			return false
		}
	}
	return true
}
