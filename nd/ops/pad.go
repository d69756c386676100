package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// PadMode says what the new elements of Pad are.
type PadMode string

const (
	PadConstant   PadMode = "constant"    // PadOptions.Value
	PadEdge       PadMode = "edge"        // the outermost element; NNabla's "repeat"
	PadReflect    PadMode = "reflect"     // mirrored at the outermost element
	PadSymmetric  PadMode = "symmetric"   // mirrored beyond the outermost element
	PadWrap       PadMode = "wrap"        // from the other end
	PadMean       PadMode = "mean"        // the mean of the axis
	PadMedian     PadMode = "median"      // the median of the axis
	PadMaximum    PadMode = "maximum"     // the maximum of the axis
	PadMinimum    PadMode = "minimum"     // the minimum of the axis
	PadLinearRamp PadMode = "linear_ramp" // from the outermost element down to PadOptions.Value
	PadEmpty      PadMode = "empty"       // anything
)

// ReflectType says how PadReflect and PadSymmetric mirror elements.
type ReflectType string

const (
	ReflectEven ReflectType = "even" // unchanged
	ReflectOdd  ReflectType = "odd"  // twice the outermost element minus the mirrored one, so that slopes continue
)

// PadOptions are the options of Pad.
type PadOptions struct {
	// Mode says what the new elements are; the default is PadConstant.
	Mode PadMode
	// Value is the constant, or the end value of a linear ramp, converted to the dtype of the array; the default is 0.
	// It is an nd.Scalar or a 0-d array for all sides, an array of two numbers for the front and the back of every
	// axis, or an array of shape (axes, 2); shape (axes, 1) gives both sides of an axis the same value. Gradients flow
	// to it.
	Value *nd.Array
	// StatLength says how many elements next to the front and to the back of an axis the mean, median, maximum or
	// minimum covers: one pair for each axis, or one pair for all. Nil, or more than the length of the axis, means all
	// elements.
	StatLength [][2]int
	// ReflectType belongs to the modes PadReflect and PadSymmetric; the default is ReflectEven.
	ReflectType ReflectType
}

// PadWidths is how much Pad adds. A pair is the number of elements in front of an axis and the number behind it:
//   - a number is added on both sides of every axis;
//   - a pair [2]int is for every axis;
//   - a list of pairs [][2]int has one for each axis;
//   - a list of numbers []int has pairs, one after the other, for the last axes, as NNabla and MXNet write them.
type PadWidths interface {
	int | [2]int | [][2]int | []int
}

// Pad returns x with new elements in front of its axes and behind them. With widths of type [][2]int, widths[k][0] elements
// are in front of axis k and widths[k][1] behind it; the other types are short forms, such as Pad(x, 1). Axes are padded in
// order; a later axis also pads the elements that earlier axes added. Pad panics if an option is set that the mode does not
// read.
// NumPy: pad. NNabla: pad. Chainer: pad. MXNet: pad.
func Pad[W PadWidths](x *nd.Array, widths W, opts ...PadOptions) *nd.Array {
	const fn nd.Func = "ops.Pad"
	fn.Check(x)
	o := options.Read(fn, opts)
	switch w := any(widths).(type) {
	case int:
		return pad(fn, x, slices.Repeat([][2]int{{w, w}}, x.Rank()), o)
	case [2]int:
		return pad(fn, x, slices.Repeat([][2]int{w}, x.Rank()), o)
	case []int:
		return pad(fn, x, lastPairs(fn, x, w), o)
	default:
		return pad(fn, x, any(w).([][2]int), o)
	}
}

// lastPairs returns a pair for every axis from flat pairs for the last axes.
func lastPairs(fn nd.Func, x *nd.Array, flat []int) [][2]int {
	first := x.Rank() - len(flat)/2
	if len(flat)%2 != 0 || first < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d widths: want pairs, at most one for every axis", len(flat)))
	}
	pairs := make([][2]int, x.Rank())
	for k := range len(flat) / 2 {
		pairs[first+k] = [2]int(flat[2*k:])
	}
	return pairs
}

// pad is Pad with a pair for each axis.
func pad(fn nd.Func, x *nd.Array, widths [][2]int, o PadOptions) *nd.Array {
	if len(widths) != x.Rank() {
		panic(fn.Errorf([]*nd.Array{x}, "%d pairs of widths: want one for every axis", len(widths)))
	}
	padded := make([]int, len(widths))
	for k, w := range widths {
		if w[0] < 0 || w[1] < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "widths %v of axis %d: want at least 0", w, k))
		}
		padded[k] = max(broadcast.Sum(w[0], x.Dim(k), w[1]), 1)
	}
	fn.CheckAllocatable(x.DType(), padded...)
	o.check(fn, x)
	if x.IsScalar() {
		x = x.Copy()
	}
	switch o.Mode {
	case "", PadConstant, PadEmpty:
		return padConstant(fn, x, widths, o.Value)
	}
	for k, w := range widths {
		if w != [2]int{} && x.Dim(k) == 0 {
			panic(fn.Errorf([]*nd.Array{x}, "axis %d has no elements to pad with: only a constant can", k))
		}
	}
	if o.copiesElements() && x.Size() > 0 && !ufunc.Recorded(x) {
		return padCopies(fn, x, widths, padded, o.Mode)
	}
	given := x
	for k, w := range widths {
		if w == [2]int{} {
			continue
		}
		next := padAxis(fn, x, k, w, o)
		release.Unless(x, given)
		x = next
	}
	return x
}

// check panics on options that the mode does not read, and on values and lengths that do not fit the axes.
func (o *PadOptions) check(fn nd.Func, x *nd.Array) {
	values, lengths, types := false, false, false
	switch o.Mode {
	case "", PadConstant, PadLinearRamp:
		values = true
	case PadMean, PadMedian, PadMaximum, PadMinimum:
		lengths = true
	case PadReflect, PadSymmetric:
		types = true
	case PadEmpty, PadEdge, PadWrap:
	default:
		panic(fn.Errorf([]*nd.Array{x}, "mode %q: want constant, edge, reflect, symmetric, wrap, mean, median, maximum, minimum, linear_ramp or empty", o.Mode))
	}
	unread := ""
	switch {
	case o.Value != nil && !values:
		unread = "Value"
	case o.StatLength != nil && !lengths:
		unread = "StatLength"
	case o.ReflectType != "" && !types:
		unread = "ReflectType"
	}
	if unread != "" {
		panic(fn.Errorf([]*nd.Array{x}, "mode %q has no use for %s", o.Mode, unread))
	}
	if v := o.Value; v != nil {
		fn.Check(x, v)
		if _, err := v.Layout().BroadcastTo([]int{x.Rank(), 2}); err != nil {
			panic(fn.Errorf([]*nd.Array{x, v}, "a Value of shape %s: want one number, or a pair for the array or each of its %d axes",
				broadcast.FormatShape(v.Shape()), x.Rank()))
		}
		fn.CheckFits(x.DType(), x, v)
	}
	if n := len(o.StatLength); n > 1 && n != x.Rank() {
		panic(fn.Errorf([]*nd.Array{x}, "%d pairs of StatLength: want one, or one for every axis", n))
	}
	for _, pair := range o.StatLength[:min(len(o.StatLength), x.Rank())] { // a 0-d array has no axis that needs elements
		if least := min(pair[0], pair[1]); least < 0 || least == 0 && (o.Mode == PadMaximum || o.Mode == PadMinimum) {
			panic(fn.Errorf([]*nd.Array{x}, "StatLength %v: with so few elements there is no %s", pair, o.Mode))
		}
	}
	switch o.ReflectType {
	case "", ReflectEven, ReflectOdd:
	default:
		panic(fn.Errorf([]*nd.Array{x}, "ReflectType %q: want even or odd", o.ReflectType))
	}
}

// smallPadded is the number of bytes of results that are cleared as a whole, although x overwrites most of them: that is one launch.
const smallPadded = 1 << 18

// padConstant writes value, which may differ per side, to the sides in the order of the axes, and then writes x.
func padConstant(fn nd.Func, x *nd.Array, widths [][2]int, value *nd.Array) *nd.Array {
	shape := x.Shape()
	middle := make([]nd.Index, len(shape))
	for k, w := range widths {
		middle[k] = nd.Span(w[0], w[0]+shape[k])
		shape[k] += w[0] + w[1]
	}
	var y *nd.Array
	switch {
	case value == nil && broadcast.Size(shape)*x.DType().Size() <= smallPadded:
		y = fn.NewFilled(x.DType(), shape, 0, x)
	case value == nil:
		zero := fn.NewFilled(x.DType(), nil, 0, x)
		zeros := release.Replace(zero, zero.BroadcastTo(len(shape), 2))
		defer zeros.Release()
		return padConstant(fn, x, widths, zeros)
	case value.Rank() == 0:
		y = fn.NewLike(x.DType(), shape, x)
		y.Assign(value)
	default:
		y = fn.NewLike(x.DType(), shape, x)
		for k, w := range widths {
			for side, slab := range []nd.Index{nd.Until(w[0]), nd.From(shape[k] - w[1])} {
				one := sideOf(value, len(shape), k, side)
				y.Assign(one, append(slices.Repeat([]nd.Index{nd.All()}, k), slab)...)
				one.Release()
			}
		}
	}
	y.Assign(x, middle...)
	return y
}

// sideOf returns the element of values for one side of an axis. values is a number or broadcasts to shape (axes, 2).
func sideOf(values *nd.Array, rank, axis, side int) *nd.Array {
	if values.IsScalar() {
		return values
	}
	all := values.BroadcastTo(rank, 2)
	return release.Operands(all.Index(nd.At(axis), nd.At(side)), all)
}

// padAxis pads one axis in a mode that depends on the elements.
func padAxis(fn nd.Func, x *nd.Array, axis int, w [2]int, o PadOptions) *nd.Array {
	made := fn.Temporaries(&x, &o.Value)
	defer made.Release()
	var front, back *nd.Array
	switch o.Mode {
	case PadMean, PadMedian, PadMaximum, PadMinimum:
		front, back = padStatistics(x, axis, w, o)
	case PadLinearRamp:
		front, back = padRamps(made, x, axis, w, o.Value)
	default:
		if n := x.Dim(axis); o.ReflectType == ReflectOdd && n > 1 {
			return made.Keep(padOdd(fn, x, axis, w, o.Mode == PadSymmetric))
		}
		return made.Keep(takeFrom(fn, x, axis, paddedPositions(o.Mode, x.Dim(axis), w)))
	}
	return made.Keep(concatenate(fn, []*nd.Array{front.AsType(x.DType()), x, back.AsType(x.DType())}, JoinOptions{Axis: Over(axis)}))
}

// padStatistics returns a statistic of the elements next to each side, repeated to the width of that side.
func padStatistics(x *nd.Array, axis int, w [2]int, o PadOptions) (front, back *nd.Array) {
	n := x.Dim(axis)
	lengths := [2]int{n, n}
	if len(o.StatLength) > 0 {
		given := o.StatLength[axis%len(o.StatLength)]
		lengths = [2]int{min(n, given[0]), min(n, given[1])}
	}
	along := Over(axis).KeepDims()
	statistic := func(x *nd.Array) (y *nd.Array) {
		switch o.Mode {
		case PadMaximum:
			return Max(x, along)
		case PadMinimum:
			return Min(x, along)
		case PadMean:
			y = Mean(x, along)
		case PadMedian:
			y = Median(x, along)
		}
		if x.DType().IsInteger() {
			y = nearest.Apply1(y)
		}
		return y
	}
	wide := func(y *nd.Array, n int) *nd.Array {
		shape := x.Shape()
		shape[axis] = n
		return y.AsType(x.DType()).BroadcastTo(shape...)
	}
	front = statistic(view.Span(x, axis, 0, lengths[0]))
	if back = front; lengths != [2]int{n, n} {
		back = statistic(view.Span(x, axis, n-lengths[1], n))
	}
	return wide(front, w[0]), wide(back, w[1])
}

// padRamps returns ramps from the ends, or from 0, to the outermost elements.
func padRamps(made *nd.Temporaries, x *nd.Array, axis int, w [2]int, ends *nd.Array) (front, back *nd.Array) {
	var sides [2]*nd.Array
	n := x.Dim(axis)
	for side, edge := range []*nd.Array{view.Span(x, axis, 0, 1), view.Span(x, axis, n-1, n)} {
		steps := func(dt dtype.DType, of int) *nd.Array { return made.Own(ramp(x, axis, w[side], of, dt)) }
		if dt := dtype.Promote(x.DType(), dtype.Float64); ends == nil {
			sides[side] = Multiply(edge, steps(ufunc.Quotient(x.DType()), w[side]))
		} else { // as NumPy's linspace computes it
			end := sideOf(ends, x.Rank(), axis, side)
			if !end.IsScalar() {
				end = end.AsType(dt)
			}
			step := Divide(Subtract(edge.AsType(dt), end), max(w[side], 1))
			sides[side] = Add(Multiply(steps(dtype.Float64, 1), step), end)
		}
		if x.DType().IsInteger() {
			sides[side] = Floor(sides[side])
		}
	}
	return sides[0], sides[1].Flip(axis)
}

// padOdd mirrors the elements about the outermost one, in position and in value. Like NumPy, it needs several rounds
// for widths beyond the length of x.
func padOdd(fn nd.Func, x *nd.Array, axis int, w [2]int, edgeToo bool) *nd.Array {
	period, first := x.Dim(axis)-1, 1
	if edgeToo {
		period, first = x.Dim(axis), 0
	}
	mirrored := func(chunk, edge *nd.Array) *nd.Array {
		return Subtract(Multiply(edge, 2), chunk.Flip(axis)).AsType(x.DType())
	}
	for w[0] > 0 || w[1] > 0 {
		n := x.Dim(axis)
		most := (n - first) / period * period
		l, r := min(most, w[0]), min(most, w[1])
		x = concatenate(fn, []*nd.Array{
			mirrored(view.Span(x, axis, first, first+l), view.Span(x, axis, 0, 1)), x,
			mirrored(view.Span(x, axis, n-first-r, n-first), view.Span(x, axis, n-1, n)),
		}, JoinOptions{Axis: Over(axis)})
		w = [2]int{w[0] - l, w[1] - r}
	}
	return x
}

var nearest = ufunc.Definition{Fn: "ops.Pad", Body: "rint(x)"}

// ramp returns 0, 1/of, … (n-1)/of along an axis.
func ramp(x *nd.Array, axis, n, of int, dt dtype.DType) *nd.Array {
	shape := broadcast.ReduceShape(x.Shape(), broadcast.AllAxes(x.Rank()), true)
	shape[axis] = n
	steps := nd.Arange(0, float64(n), 1, nd.ArrayOptions{Device: x.Device(), DType: dt})
	if of > 1 {
		steps = release.Replace(steps, Divide(steps, of))
	}
	return release.Replace(steps, steps.Reshape(shape...))
}

// paddedPositions returns, for each position of the padded axis, the index of the element of the axis of length n that
// it shows.
func paddedPositions(mode PadMode, n int, w [2]int) []int {
	nd.Func("ops.Pad").CheckAllocatable(dtype.Int64, w[0]+n+w[1])
	positions := make([]int, 0, w[0]+n+w[1])
	for at := -w[0]; at < n+w[1]; at++ {
		positions = append(positions, paddedPosition(mode, n, at))
	}
	return positions
}

// paddedPosition returns the index of the element that a padded axis shows at an index outside of its n elements.
func paddedPosition(mode PadMode, n, at int) int {
	switch {
	case mode == PadEdge || n == 1:
		return max(0, min(at, n-1))
	case mode == PadWrap:
		return (at%n + n) % n
	case mode == PadSymmetric:
		k := (at%(2*n) + 2*n) % (2 * n)
		return min(k, 2*n-1-k)
	}
	period := 2 * (n - 1)
	k := (at%period + period) % period
	return min(k, period-k)
}
