package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// SpaceOptions are the options of Linspace, Logspace and Geomspace.
type SpaceOptions struct {
	// Endpoint says whether stop is the last number; nil means true.
	Endpoint *bool
	// Axis is the axis of the result along which the numbers are laid out, 0 by default.
	Axis Axes
	// DType is the dtype of the result; the default is the dtype to which start, stop and a float promote. Integer
	// dtypes round the numbers of Linspace down, and truncate powers; they refuse an end that is infinite or NaN.
	DType dtype.DType
}

// SpaceOption is a [SpaceOptions], or the axis alone.
type SpaceOption interface {
	space(SpaceOptions) SpaceOptions
}

func (o SpaceOptions) space(SpaceOptions) SpaceOptions { return o }
func (a Axes) space(o SpaceOptions) SpaceOptions       { o.Axis = a; return o }

var evenly = ufunc.Definition{Fn: "ops.Linspace", In: "T first, T last, int64 k", Scalars: "R parts, R end",
	Body: "all = last - first; step = all / parts; part = R(k) / parts; far = isinf(all) && !isinf(first) && !isinf(last); " +
		"y = R(k) == end ? last : far ? part * last + (1 - part) * first : (step == 0 ? part * all : R(k) * step) + first",
	Complex: "all = last - first; step = all / parts; y = R(k) == end ? last : (step == 0 ? R(k) / parts * all : R(k) * step) + first"}

// Linspace returns n evenly spaced arrays from start to stop, which broadcast, joined along a new axis. start and stop
// may be complex, and arrays or Scalars. For two Go floats, nd.Linspace does the same.
// NumPy: linspace.
func Linspace(start, stop *nd.Array, n int, opts ...SpaceOption) *nd.Array {
	const fn nd.Func = "ops.Linspace"
	fn.Check(start, stop)
	o := options.Of(fn, opts, Axes.space)
	made := fn.Temporaries(&start, &stop)
	defer made.Release()
	y := evenSpace(fn, made, start, stop, nil, n, o)
	if o.DType.IsInteger() && y.DType().IsFloat() {
		y = Floor(y)
	}
	return made.Keep(o.converted(fn, y))
}

// Logspace returns powers of a base. The exponents are the result of Linspace; the base broadcasts with them.
// NumPy: logspace.
func Logspace(start, stop *nd.Array, n int, base *nd.Array, opts ...SpaceOption) *nd.Array {
	const fn nd.Func = "ops.Logspace"
	fn.Check(start, stop, base)
	o := options.Of(fn, opts, Axes.space)
	made := fn.Temporaries(&start, &stop, &base)
	defer made.Release()
	return made.Keep(o.converted(fn, Power(base, evenSpace(fn, made, start, stop, base, n, o))))
}

var geometric = ufunc.Definition{Fn: "ops.Geomspace", In: "T x, T first, T last, int64 k", Scalars: "R end",
	Body: "k == 0 ? first : R(k) == end ? last : x"}

// Geomspace returns n arrays from start to stop, joined along a new axis. start and stop broadcast and contain no 0.
// Each array is a constant multiple of the one before. Both ends have the same sign, or they are complex: then the
// numbers follow the spiral from one end to the other. The dtype is at least float64, unless the options set another.
// It waits for the device.
// NumPy: geomspace.
func Geomspace(start, stop *nd.Array, n int, opts ...SpaceOption) *nd.Array {
	const fn nd.Func = "ops.Geomspace"
	fn.Check(start, stop)
	o := options.Of(fn, opts, Axes.space)
	given := []*nd.Array{start, stop}
	dev := start.Device()
	if dev == nil {
		dev = stop.Device()
	}
	made := fn.Temporaries(&start, &stop)
	defer made.Release()
	wide := dtype.Float64
	if o.DType.Valid() {
		wide = o.DType
	}
	t := dtype.Promote(spaceType(start, stop), wide)
	for _, end := range []**nd.Array{&start, &stop} {
		if *end = made.Own((*end).AsType(t)); dev != nil {
			*end = (*end).To(dev)
		}
		if anyZero(*end) {
			panic(fn.Errorf(given, "an end is 0"))
		}
	}
	sign := Sign(start.Detach())
	exponents := evenSpace(fn, made, Log10(Divide(start, sign)), Log10(Divide(stop, sign)), nil, n, o)
	y := Multiply(Power(10, exponents), sign)
	end := -1.0
	if argument.ValueOr(o.Endpoint, true) {
		end = float64(n - 1)
	}
	y = numbered(fn, &geometric, made, t, []float64{end}, n, y.Rank()-1, y, start, stop)
	return made.Keep(o.converted(fn, y))
}

// spaceType returns the dtype of numbers between two ends.
func spaceType(start, stop *nd.Array) dtype.DType {
	return dtype.ResultType(start.Operand(), stop.Operand(), nd.Scalar(1.0).Operand())
}

// numbered runs a function on operands of dtype t and on the numbers 0…n-1, laid out along the first of 1 + rank axes.
func numbered(fn nd.Func, d *ufunc.Definition, made *nd.Temporaries, t dtype.DType, scalars []float64, n, rank int, in ...*nd.Array) *nd.Array {
	var on nd.ArrayOptions
	for _, x := range in {
		if !x.IsScalar() {
			on.Device = x.Device()
		}
	}
	k := made.Own(nd.ArangeInt(0, n, 1, on))
	k = made.Own(k.Reshape(append([]int{n}, broadcast.Ones(rank)...)...))
	return ufunc.Run(fn, d.Program(t), ufunc.Scalars(t, scalars...), ufunc.Options{}, append(in, k))
}

// evenSpace is Linspace along axis 0. The ends also broadcast with a third array, unless that is nil.
func evenSpace(fn nd.Func, made *nd.Temporaries, start, stop, with *nd.Array, n int, o SpaceOptions) *nd.Array {
	if n < 0 {
		panic(fn.Errorf([]*nd.Array{start, stop}, "%d numbers: want at least 0", n))
	}
	rank := max(start.Rank(), stop.Rank())
	if with != nil {
		rank = max(rank, with.Rank())
	}
	if o.DType.IsInteger() && !(allFinite(start) && allFinite(stop)) {
		panic(fn.Errorf([]*nd.Array{start, stop}, "an end is infinite or NaN: want finite ends for %s", o.DType))
	}
	parts, end := float64(n), -1.0
	if argument.ValueOr(o.Endpoint, true) {
		parts, end = float64(n-1), float64(n-1)
	}
	if n == 1 {
		parts, end = 1, -1
	}
	return numbered(fn, &evenly, made, spaceType(start, stop), []float64{parts, end}, n, rank, start, stop)
}

// allFinite reports whether all elements of x are finite.
func allFinite(x *nd.Array) bool {
	if !x.DType().IsInexact() {
		return true
	}
	x = x.Detach()
	defer x.Release()
	is := IsFinite(x)
	defer is.Release()
	return !anyZero(is)
}

// converted converts y, whose numbers lie along axis 0, to the requested axis and dtype.
func (o SpaceOptions) converted(fn nd.Func, y *nd.Array) *nd.Array {
	if o.DType.Valid() {
		y = y.AsType(o.DType)
	}
	if axis := fn.Axis(y, o.Axis, 0); axis != 0 {
		y = y.MoveAxis([]int{0}, []int{axis}).Contiguous()
	}
	return y
}
