package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// Roll returns x with its elements shifted along an axis; elements beyond the end reappear at the beginning. Without an
// axis, it rolls the flattened array. The shift is a number, which applies to each of several axes, or a list with one
// number for each axis: Roll(x, []int{1, -2}, Over(0, 1)). Several shifts along one axis, or without an axis, add up, and
// so do the shifts of an axis that is given twice.
// NumPy: roll. PyTorch: roll.
func Roll[S int | []int](x *nd.Array, shift S, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Roll"
	fn.Check(x)
	axes := options.Read(fn, over)
	var shifts []int
	switch s := any(shift).(type) {
	case int:
		shifts = []int{s}
	case []int:
		shifts = s
	}
	if axes == nil {
		return fn.Made(rollFlat(fn, x, shifts))
	}
	by := shiftsPerAxis(fn, x, shifts, axes)
	if y := fn.DeferRoll(x, by); y != nil {
		return fn.Made(y)
	}
	given := x
	for axis, shift := range by {
		if shift == 0 {
			continue
		}
		next := rollAlong(fn, x, axis, shift)
		release.Unless(x, given)
		x = next
	}
	if x == given {
		return fn.Made(x.Copy())
	}
	return fn.Made(x)
}

// shiftsPerAxis returns the sum of the shifts along every axis of x, each from 0 to the length of the axis minus 1.
func shiftsPerAxis(fn nd.Func, x *nd.Array, shifts []int, axes Axes) []int {
	if len(shifts) != len(axes) && len(shifts) != 1 && len(axes) != 1 {
		panic(fn.Errorf([]*nd.Array{x}, "%d shifts along %d axes: want as many, or one", len(shifts), len(axes)))
	}
	by := make([]int, x.Rank())
	for i := range axes {
		axis := fn.Axis(x, axes[i:i+1], 0)
		if len(axes) == 1 {
			by[axis] = turned(x.Dim(axis), shifts...)
		} else {
			by[axis] = turned(x.Dim(axis), by[axis], shifts[i%len(shifts)])
		}
	}
	return by
}

// turned returns the sum of shifts along an axis of length n, from 0 to n-1. No sum overflows.
func turned(n int, shifts ...int) int {
	sum := 0
	for _, s := range shifts {
		if n > 0 {
			sum = (sum + (s%n+n)%n) % n
		}
	}
	return sum
}

// rollFlat rolls the flattened x.
func rollFlat(fn nd.Func, x *nd.Array, shifts []int) *nd.Array {
	shape := x.Shape()
	by := turned(x.Size(), shifts...)
	if by == 0 {
		return x.Copy()
	}
	flat := x.Ravel()
	defer release.Unless(flat, x)
	y := rollAlong(fn, flat, 0, by)
	return release.Replace(y, y.Reshape(shape...))
}

// rollAlong rolls x along an axis by a number from 1 to its length minus 1.
func rollAlong(fn nd.Func, x *nd.Array, axis, by int) *nd.Array {
	n := x.Dim(axis)
	parts := []*nd.Array{view.Span(x, axis, n-by, n), view.Span(x, axis, 0, n-by)}
	return release.Operands(concatenate(fn, parts, JoinOptions{Axis: Over(axis)}), parts...)
}

// ShiftOptions are the options of Shift.
type ShiftOptions struct {
	// Mode says what fills the gap: PadConstant, which is the default, PadEdge, PadReflect, PadSymmetric or PadWrap.
	Mode PadMode
	// Value is the constant, an nd.Scalar or a 0-d array, converted to the dtype of the array; the default is 0.
	// Gradients flow to it.
	Value *nd.Array
}

// Shift returns x with its elements moved along its last axes, by shifts[k] along axis k of the last len(shifts) axes:
// towards the end if the shift is positive. Elements beyond the end are dropped, and the gap at the other end is
// filled as [Pad] pads the array: index i of an axis shows what the padded array has at index i-shift. NNabla's border
// mode "nearest" is PadEdge, and "reflect" is PadSymmetric.
// NNabla: shift.
func Shift(x *nd.Array, shifts []int, opts ...ShiftOptions) *nd.Array {
	const fn nd.Func = "ops.Shift"
	fn.Check(x)
	o := options.Read(fn, opts)
	o.check(fn, x)
	first := x.Rank() - len(shifts)
	if first < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d shifts: want at most one for every axis", len(shifts)))
	}
	given := x
	for k, shift := range shifts {
		if shift == 0 || x.Dim(first+k) == 0 {
			continue
		}
		next := shiftAlong(fn, x, first+k, shift, o)
		release.Unless(x, given)
		x = next
	}
	if x == given {
		return x.Copy()
	}
	return x
}

func (o *ShiftOptions) check(fn nd.Func, x *nd.Array) {
	switch o.Mode {
	case "", PadConstant:
	case PadEdge, PadReflect, PadSymmetric, PadWrap:
		if o.Value != nil {
			panic(fn.Errorf([]*nd.Array{x}, "mode %q has no use for Value", o.Mode))
		}
	default:
		panic(fn.Errorf([]*nd.Array{x}, "mode %q: want constant, edge, reflect, symmetric or wrap", o.Mode))
	}
	if v := o.Value; v != nil {
		fn.Check(x, v)
		if v.Rank() != 0 {
			panic(fn.Errorf([]*nd.Array{x, v}, "a Value of shape %s: want one number", broadcast.FormatShape(v.Shape())))
		}
		fn.CheckFits(x.DType(), x, v)
	}
}

// shiftAlong shifts x along one axis, which has elements.
func shiftAlong(fn nd.Func, x *nd.Array, axis, shift int, o ShiftOptions) *nd.Array {
	n := x.Dim(axis)
	if o.Mode == "" || o.Mode == PadConstant {
		most := max(min(shift, n), -n)
		kept := view.Span(x, axis, max(-most, 0), n-max(most, 0))
		defer kept.Release()
		widths := make([][2]int, x.Rank())
		widths[axis] = [2]int{max(most, 0), max(-most, 0)}
		return padConstant(fn, kept, widths, o.Value)
	}
	fn.CheckAllocatable(dtype.Int64, n)
	positions := make([]int, n)
	period := max(2*n, 1)
	if o.Mode == PadReflect {
		period = max(2*(n-1), 1)
	}
	if o.Mode == PadEdge {
		shift = max(min(shift, n), -n)
	} else {
		shift %= period
	}
	for i := range positions {
		positions[i] = paddedPosition(o.Mode, n, i-shift)
	}
	return takeFrom(fn, x, axis, positions)
}
