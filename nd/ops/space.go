package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// SpaceOptions are the options of Linspace, Logspace and Geomspace.
type SpaceOptions struct {
	// Endpoint says whether stop is the last number; nil means it is.
	Endpoint *bool
	// Axis is the axis of the result along which the numbers follow each other, 0 by default.
	Axis Axes
	// DType is the dtype of the result, by default the one that start, stop and a float promote to. As integers, the numbers
	// of Linspace are rounded down, powers lose their fraction.
	DType dtype.DType
}

// SpaceOption is a [SpaceOptions], or the axis alone.
type SpaceOption interface {
	space(SpaceOptions) SpaceOptions
}

func (o SpaceOptions) space(SpaceOptions) SpaceOptions { return o }
func (a Axes) space(o SpaceOptions) SpaceOptions       { o.Axis = a; return o }

var evenly = ufunc.Definition{Fn: "ops.Linspace", In: "T first, T last, int64 k", Scalars: "R parts, R end",
	Body: "all = last - first; step = all / parts; y = R(k) == end ? last : (step == 0 ? R(k) / parts * all : R(k) * step) + first"}

// Linspace returns n arrays at equal distances from start to stop, which broadcast, joined along a new axis. They may be
// complex numbers, and arrays or Scalars; of two Go floats, nd.Linspace does the same. numpy.linspace.
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
	return made.Keep(o.placed(fn, y))
}

// Logspace returns the powers of a base, which broadcasts with them, whose exponents are those that Linspace returns.
// numpy.logspace.
func Logspace(start, stop *nd.Array, n int, base *nd.Array, opts ...SpaceOption) *nd.Array {
	const fn nd.Func = "ops.Logspace"
	fn.Check(start, stop, base)
	o := options.Of(fn, opts, Axes.space)
	made := fn.Temporaries(&start, &stop, &base)
	defer made.Release()
	return made.Keep(o.placed(fn, Power(base, evenSpace(fn, made, start, stop, base, n, o))))
}

var geometric = ufunc.Definition{Fn: "ops.Geomspace", In: "T x, T first, T last, int64 k", Scalars: "R end",
	Body: "k == 0 ? first : R(k) == end ? last : x"}

// Geomspace returns n arrays from start to stop, which broadcast and are nowhere 0, each a constant multiple of the one
// before, joined along a new axis. Both ends have one sign, or are complex: those follow the spiral from one to the other. The
// dtype is at least float64, unless the options say otherwise. It waits for the device. numpy.geomspace.
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
		if !nd.Value[bool](All((*end).Detach())) {
			panic(fn.Errorf(given, "an end is 0"))
		}
	}
	sign := Sign(start.Detach())
	exponents := evenSpace(fn, made, Log10(Divide(start, sign)), Log10(Divide(stop, sign)), nil, n, o)
	y := Multiply(Power(nd.Scalar(10), exponents), sign)
	end := -1.0
	if argument.ValueOr(o.Endpoint, true) {
		end = float64(n - 1)
	}
	y = numbered(fn, &geometric, made, t, []float64{end}, n, y.Rank()-1, y, start, stop)
	return made.Keep(o.placed(fn, y))
}

// spaceType is the dtype that numbers between two ends have.
func spaceType(start, stop *nd.Array) dtype.DType {
	return dtype.ResultType(start.Operand(), stop.Operand(), nd.Scalar(1.0).Operand())
}

// numbered runs a function of operands of dtype t and of their numbers 0…n-1 along the first of 1 + rank axes.
func numbered(fn nd.Func, d *ufunc.Definition, made *nd.Temporaries, t dtype.DType, scalars []float64, n, rank int, in ...*nd.Array) *nd.Array {
	var on nd.ArrayOptions
	for _, x := range in {
		if !x.IsScalar() {
			on.Device = x.Device()
		}
	}
	k := made.Own(nd.ArangeInt(0, n, 1, on))
	k = made.Own(k.Reshape(append([]int{n}, broadcast.Ones(rank)...)...))
	values := make([]device.Scalar, len(scalars))
	for i, v := range scalars {
		values[i] = device.ScalarOf(v, dtype.ComputeType(t))
	}
	return ufunc.Run(fn, d.Program(t), values, ufunc.Options{}, append(in, k))
}

// evenSpace is Linspace along axis 0, of ends that also broadcast with a third array, unless that is nil.
func evenSpace(fn nd.Func, made *nd.Temporaries, start, stop, with *nd.Array, n int, o SpaceOptions) *nd.Array {
	if n < 0 {
		panic(fn.Errorf([]*nd.Array{start, stop}, "%d numbers: want none below 0", n))
	}
	rank := max(start.Rank(), stop.Rank())
	if with != nil {
		rank = max(rank, with.Rank())
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

// placed gives y, along whose axis 0 the numbers are, the axis and the dtype that are asked for.
func (o SpaceOptions) placed(fn nd.Func, y *nd.Array) *nd.Array {
	if o.DType.Valid() {
		y = y.AsType(o.DType)
	}
	if axis := fn.Axis(y, o.Axis, 0); axis != 0 {
		y = y.MoveAxis([]int{0}, []int{axis})
	}
	return y
}
