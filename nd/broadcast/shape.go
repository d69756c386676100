package broadcast

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// MaxRank is the largest number of axes that an array may have.
const MaxRank = 32

// Size returns the number of elements of an array of the given shape: the
// product of the lengths, 1 for rank 0.
func Size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// CheckShape returns an error if a shape has too many axes, a negative length, or more elements than an int can count.
// As in NumPy, a length of 0 does not excuse the others: the product of the nonzero lengths must fit too, so that
// strides never overflow.
func CheckShape(shape []int) error {
	if len(shape) > MaxRank {
		return fmt.Errorf("%d axes: an array has at most %d", len(shape), MaxRank)
	}
	for _, d := range shape {
		if d < 0 {
			return fmt.Errorf("shape %s has a negative length", FormatShape(shape))
		}
	}
	if _, fits := span(shape); !fits {
		return fmt.Errorf("shape %s has more elements than an int can count", FormatShape(shape))
	}
	return nil
}

// span returns the product of the nonzero lengths, and whether an int holds the product.
func span(shape []int) (int, bool) {
	n := uint(1)
	for _, d := range shape {
		if d == 0 {
			continue
		}
		hi, lo := bits.Mul(n, uint(d))
		if hi != 0 || lo > math.MaxInt {
			return 0, false
		}
		n = lo
	}
	return int(n), true
}

// Equal reports whether two shapes are the same.
func Equal(a, b []int) bool { return slices.Equal(a, b) }

// isEmpty reports whether an array of this shape is empty.
func isEmpty(shape []int) bool { return slices.Contains(shape, 0) }

// Shapes returns the shape that all the given shapes broadcast to. Shapes are aligned at their last axes; lengths on
// one axis must agree or be 1. Without arguments it returns the shape of rank 0.
// NumPy: broadcast_shapes.
func Shapes(shapes ...[]int) ([]int, error) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make([]int, rank)
	for axis := range out {
		out[axis] = 1
		decidedBy := 0
		for arg, s := range shapes {
			k := axis - (rank - len(s))
			switch {
			case k < 0 || s[k] == 1 || s[k] == out[axis]:
			case out[axis] == 1:
				out[axis] = s[k]
				decidedBy = arg
			default:
				return nil, fmt.Errorf("operand %d of shape %s and operand %d of shape %s do not broadcast to one shape",
					decidedBy, FormatShape(shapes[decidedBy]), arg, FormatShape(s))
			}
		}
	}
	if err := CheckShape(out); err != nil {
		return nil, err
	}
	return out, nil
}

// Into writes the shape that a and b broadcast to into dst[:0] and returns it. It is [Shapes] for two operands, without
// an allocation if dst has room.
func Into(dst []int, a, b []int) ([]int, error) {
	long, short := a, b
	if len(b) > len(a) {
		long, short = b, a
	}
	dst = append(dst[:0], long...)
	tail := dst[len(long)-len(short):]
	for i, d := range short {
		switch {
		case tail[i] == d || d == 1:
		case tail[i] == 1:
			tail[i] = d
		default:
			return nil, fmt.Errorf("shapes %s and %s do not broadcast to one shape", compact(a), compact(b))
		}
	}
	if _, fits := span(dst); !fits {
		return nil, fmt.Errorf("shapes %s and %s broadcast to more elements than an int can count", compact(a), compact(b))
	}
	return dst, nil
}

// SumAxes returns the axes of from to sum over to get back to the shape to, which broadcasts to from: the leading axes
// that to lacks, and those that were stretched from length 1. It is the adjoint of broadcasting. A sum that keeps the
// summed axes still has the leading ones, with length 1.
func SumAxes(from, to []int) []int {
	lead := len(from) - len(to)
	axes := make([]int, 0, len(from))
	for axis, d := range from {
		if axis < lead || (to[axis-lead] == 1 && d != 1) {
			axes = append(axes, axis)
		}
	}
	return axes
}

// FormatShape writes a shape as NumPy does: "()", "(3,)", "(2, 3)".
func FormatShape(shape []int) string { return format(shape, ", ") }

// compact writes a shape as most of NumPy's error messages do: "(2,3)".
func compact(shape []int) string { return format(shape, ",") }

func format(shape []int, separator string) string {
	text := []byte{'('}
	for i, d := range shape {
		if i > 0 {
			text = append(text, separator...)
		}
		text = strconv.AppendInt(text, int64(d), 10)
	}
	if len(shape) == 1 {
		text = append(text, ',')
	}
	return string(append(text, ')'))
}
