package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// DiffOptions are the options of Diff.
type DiffOptions struct {
	// N is the number of times to take differences; nil means 1.
	N *int
	// Axis is the axis to work along; a negative axis counts from the end. Nil means the last one.
	Axis Axes
	// Prepend and Append are joined to the beginning and end of x first: arrays, or scalars for one element each.
	Prepend, Append *nd.Array
}

// Diff returns the differences of neighbours along an axis, each element minus the one before; for bools, whether they
// differ.
// NumPy: diff.
func Diff(x *nd.Array, opts ...DiffOption) *nd.Array {
	const fn nd.Func = "ops.Diff"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.diff)
	times := argument.ValueOr(o.N, 1)
	if times == 0 {
		return x
	}
	if times < 0 || x.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "N = %d: want at least 0, and at least one axis", times))
	}
	made := fn.Temporaries(&x, &o.Prepend, &o.Append)
	defer made.Release()
	axis := fn.Axis(x, o.Axis, -1)
	x = extended(fn, made, x, axis, o)
	for range times {
		n := x.Dim(axis)
		if n == 0 {
			return made.Keep(x)
		}
		later, earlier := view.Span(x, axis, 1, n), view.Span(x, axis, 0, n-1)
		if x.DType().IsBool() {
			x = NotEqual(later, earlier)
		} else {
			x = Subtract(later, earlier)
		}
	}
	return made.Keep(x)
}

// extended joins Prepend and Append to x.
func extended(fn nd.Func, made *nd.Temporaries, x *nd.Array, axis int, o DiffOptions) *nd.Array {
	var parts []*nd.Array
	for _, side := range []*nd.Array{o.Prepend, x, o.Append} {
		if side == nil {
			continue
		}
		fn.Check(x, side)
		if side.Rank() == 0 {
			shape := x.Shape()
			shape[axis] = 1
			side = made.Own(argument.As(fn, x, side, dtype.ResultType(x.Operand(), side.Operand()))).BroadcastTo(shape...)
		}
		parts = append(parts, side)
	}
	if len(parts) == 1 {
		return x
	}
	return concatenate(fn, parts, JoinOptions{Axis: Over(axis)})
}

// EDiff1DOptions are the options of EDiff1D.
type EDiff1DOptions struct {
	// ToBegin and ToEnd are joined to the beginning and end of the differences; they must be castable to x's dtype
	// (same_kind).
	ToBegin, ToEnd *nd.Array
}

// EDiff1D returns the differences of neighbours in the flattened array.
// NumPy: ediff1d.
func EDiff1D(x *nd.Array, opts ...EDiff1DOptions) *nd.Array {
	const fn nd.Func = "ops.EDiff1D"
	fn.Check(x)
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &o.ToBegin, &o.ToEnd)
	defer made.Release()
	if x = x.Ravel(); x.Size() == 0 {
		x = fn.NewFilled(x.DType(), []int{1}, 0, x)
	}
	parts := []*nd.Array{Subtract(x.Index(nd.From(1)), x.Index(nd.Until(-1)))}
	for _, side := range []*nd.Array{o.ToBegin, o.ToEnd} {
		if side == nil {
			continue
		}
		fn.Check(x, side)
		if !ufunc.Takes(x.DType(), side) {
			panic(fn.Errorf([]*nd.Array{x, side}, "cannot cast %s to %s with casting rule same_kind", side.DType(), x.DType()))
		}
		flat := made.Own(argument.As(fn, x, side, x.DType())).Ravel()
		if side == o.ToBegin {
			parts = slices.Insert(parts, 0, flat)
		} else {
			parts = append(parts, flat)
		}
	}
	return made.Keep(concatenate(fn, parts, JoinOptions{}))
}

// GradientOptions are the options of Gradient.
type GradientOptions struct {
	// Axes are the axes to differentiate along, negative ones counted from the end; nil means all.
	Axes Axes
	// DX is the distance between samples along all axes; nil means 1.
	DX *float64
	// Spacing is the distance between samples for each axis, or for all: a number, or the samples' coordinates. It
	// replaces DX.
	Spacing []*nd.Array
	// EdgeOrder is the order of the differences at both ends, 1 (the default) or 2.
	EdgeOrder int
}

// Gradient returns the derivatives of sampled values, one array per axis: second-order central differences inside,
// one-sided ones at the ends. It refuses bools. It does not use tapes: see nd/grad for gradients of functions.
// NumPy: gradient.
func Gradient(x *nd.Array, opts ...GradientOption) []*nd.Array {
	const fn nd.Func = "ops.Gradient"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.gradient)
	axes := broadcast.AllAxes(x.Rank())
	if o.Axes != nil {
		var err error
		if axes, err = broadcast.Axes(o.Axes, x.Rank()); err != nil {
			panic(fn.Errorf([]*nd.Array{x}, "%v", err))
		}
	}
	if o.DX != nil && o.Spacing != nil {
		panic(fn.Errorf([]*nd.Array{x}, "want DX or Spacing, not both"))
	}
	if len(o.Spacing) > 1 && len(o.Spacing) != len(axes) {
		panic(fn.Errorf([]*nd.Array{x}, "%d spacings for %d axes: want one for all, or one each", len(o.Spacing), len(axes)))
	}
	if len(o.Spacing) == 1 && len(axes) > 1 && o.Spacing[0] != nil && o.Spacing[0].Rank() > 0 {
		panic(fn.Errorf([]*nd.Array{x, o.Spacing[0]}, "coordinates along one axis for %d axes: want one number for all, or coordinates for each", len(axes)))
	}
	if o.EdgeOrder < 0 || o.EdgeOrder > 2 {
		panic(fn.Errorf([]*nd.Array{x}, "EdgeOrder = %d: want 1 or 2", o.EdgeOrder))
	}
	if x.DType().IsBool() && len(axes) > 0 {
		panic(fn.Errorf([]*nd.Array{x}, "bools have no differences"))
	}
	order := max(o.EdgeOrder, 1)
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.AsType(ufunc.Quotient(x.DType()))
	derivatives := make([]*nd.Array, len(axes))
	for i, axis := range axes {
		if x.Dim(axis) < order+1 {
			panic(fn.Errorf([]*nd.Array{x}, "axis %d has %d elements: want at least %d", axis, x.Dim(axis), order+1))
		}
		spacing := nd.Scalar(argument.ValueOr(o.DX, 1))
		if len(o.Spacing) > 0 {
			spacing = o.Spacing[i%len(o.Spacing)]
		}
		derivatives[i] = made.Keep(derivative(fn, x, spacing, axis, order).AsType(x.DType()))
	}
	return derivatives
}

// derivative computes Gradient along one axis.
func derivative(fn nd.Func, x, spacing *nd.Array, axis, order int) *nd.Array {
	fn.Check(x, spacing)
	made := fn.Temporaries(&x, &spacing)
	defer made.Release()
	if spacing.IsScalar() {
		spacing = made.Own(argument.As(fn, x, spacing, x.DType()))
	}
	n := x.Dim(axis)
	at := func(i int) *nd.Array { return view.Span(x, axis, i, i+1) }
	step := func(i int) *nd.Array { return spacing } // step(i) is the distance from sample i to the next
	var inside *nd.Array
	switch {
	case spacing.Rank() == 0:
		inside = Divide(Subtract(view.Span(x, axis, 2, n), view.Span(x, axis, 0, n-2)), Multiply(spacing, 2))
	case spacing.Rank() == 1 && spacing.Dim(0) == n:
		shape := broadcast.ReduceShape(x.Shape(), broadcast.AllAxes(x.Rank()), true)
		shape[axis] = n - 1
		steps := Diff(spacing.AsType(ufunc.Quotient(spacing.DType()))).Reshape(shape...)
		step = func(i int) *nd.Array { return view.Span(steps, axis, i, i+1) }
		inside = unevenSlope(x, view.Span(steps, axis, 0, n-2), view.Span(steps, axis, 1, n-1), axis)
	default:
		panic(fn.Errorf([]*nd.Array{x, spacing}, "want a number, or the coordinates of the samples along axis %d", axis))
	}
	slope := func(i int) *nd.Array { return Divide(Subtract(at(i+1), at(i)), step(i)) }
	first, last := slope(0), slope(n-2)
	if order == 2 { // fits a parabola through three samples
		first = Subtract(first, curvature(slope(0), slope(1), step(0), step(1)))
		last = Add(last, curvature(slope(n-3), slope(n-2), step(n-2), step(n-3)))
	}
	return made.Keep(concatenate(fn, []*nd.Array{first, inside, last}, JoinOptions{Axis: Over(axis)}))
}

// curvature is the second divided difference of two neighbouring slopes over steps a and b, times a.
func curvature(slope, next, a, b *nd.Array) *nd.Array {
	return Multiply(Divide(Subtract(next, slope), Add(a, b)), a)
}

// unevenSlope returns the weighted mean of the slopes to both sides: over steps a and b, (b·left + a·right)/(a + b).
func unevenSlope(x, a, b *nd.Array, axis int) *nd.Array {
	n := x.Dim(axis)
	slopes := Subtract(view.Span(x, axis, 1, n), view.Span(x, axis, 0, n-1))
	left, right := Divide(view.Span(slopes, axis, 0, n-2), a), Divide(view.Span(slopes, axis, 1, n-1), b)
	return Divide(Add(Multiply(b, left), Multiply(a, right)), Add(a, b))
}

// TrapezoidOptions are the options of Trapezoid and CumulativeTrapezoid.
type TrapezoidOptions struct {
	// X are the samples' coordinates, along the axis or of a shape that broadcasts with y's; nil means samples at the
	// distance DX.
	X *nd.Array
	// DX is the distance between samples; nil means 1.
	DX *float64
	// Axis is the axis to integrate along, negative ones counted from the end; nil means the last one.
	Axis Axes
}

// Trapezoid returns the integral of sampled values along an axis by the trapezoidal rule.
// NumPy: trapezoid.
func Trapezoid(y *nd.Array, opts ...TrapezoidOption) *nd.Array {
	const fn nd.Func = "ops.Trapezoid"
	fn.Check(y)
	o := options.Of(fn, opts, Axes.trapezoid)
	made := fn.Temporaries(&y, &o.X)
	defer made.Release()
	areas, along := trapezoids(fn, y, o)
	return made.Keep(Sum(areas, along))
}

// CumulativeTrapezoid returns the integrals of sampled values along an axis from the first sample to each later one, by
// the trapezoidal rule: running sums, one fewer than samples. Options are as for [Trapezoid].
// PyTorch: cumulative_trapezoid.
func CumulativeTrapezoid(y *nd.Array, opts ...TrapezoidOption) *nd.Array {
	const fn nd.Func = "ops.CumulativeTrapezoid"
	fn.Check(y)
	o := options.Of(fn, opts, Axes.trapezoid)
	made := fn.Temporaries(&y, &o.X)
	defer made.Release()
	areas, along := trapezoids(fn, y, o)
	return made.Keep(CumSum(areas, along))
}

// trapezoids returns the areas between neighbouring samples, and the axis along which they lie.
func trapezoids(fn nd.Func, y *nd.Array, o TrapezoidOptions) (areas *nd.Array, along Axes) {
	along = o.Axis // the axis, counted within each array's own axes
	if along == nil {
		along = Over(-1)
	}
	axis := fn.Axis(y, along, -1)
	width := nd.Scalar(argument.ValueOr(o.DX, 1))
	if o.X != nil {
		fn.Check(y, o.X)
		if o.X.Rank() == 1 {
			shape := slices.Repeat([]int{1}, y.Rank())
			shape[axis] = -1
			width = Diff(o.X).Reshape(shape...)
		} else {
			width = Diff(o.X, along)
		}
	}
	n := y.Dim(axis)
	pairs := Add(view.Span(y, axis, min(n, 1), n), view.Span(y, axis, 0, max(n-1, 0)))
	return Divide(Multiply(width, pairs), 2), along
}
