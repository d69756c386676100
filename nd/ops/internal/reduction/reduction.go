// Package reduction is the framework of functions that combine values along axes: a [Definition] is a map, an
// associative operation, and a final function of the combined value, in one launch.
package reduction

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Options are the options of a call; the functions' own options have the same fields.
type Options struct {
	Axes     []int
	KeepDims bool
	DType    dtype.DType
	Out      *nd.Array
	Kink     uint8 // the gradient at ties
}

// Definition is the definition of a reduction: a map, an associative operation, and a final function of the combined
// value. The number of combined elements is available as the scalar count.
type Definition struct {
	Fn      nd.Func
	In      string // the declaration of the map's input; empty means "T x"
	Body    string // the map; empty means "x"
	Post    string // the final function of the combined value x and of count; empty means none
	Guarded bool   // Post also reads unit, as the guarded sums of device.Kernels' Reduce
	Squares bool   // squared magnitudes of the map's values are added up, which are real
	Combine device.Combine
	Result  func(dtype.DType) dtype.DType // the dtype of the result for the array's dtype; nil means the same
	Widens  bool                          // integers and bools widen to 64 bits, unless Out has another width
	Filled  bool                          // the operation has no identity: an empty reduction panics
	Strict  bool                          // a 0-d array does not accept axis 0 either

	VJP func(op Op, c *nd.Call) // nil means that no gradient flows

	flat           nd.Flat
	once           sync.Once
	mapping, after ufunc.Definition
}

// ToBool is the Result of All and Any.
func ToBool(dtype.DType) dtype.DType { return dtype.Bool }

// mayBeFlat reports whether a call combines all elements of x in their dtype, and nothing else.
func (d *Definition) mayBeFlat(x *nd.Array, o *Options) bool {
	if x == nil || o.Axes != nil || o.KeepDims || o.DType.Valid() || o.Out != nil || d.In != "" || d.Body != "" || d.Post != "" || d.Squares {
		return false
	}
	t := x.DType()
	return (d.Result == nil || d.Result(t) == t) && (!d.Widens || dtype.SumType(t) == t)
}

// Call runs the reduction.
func (d *Definition) Call(x *nd.Array, o Options) *nd.Array {
	if d.mayBeFlat(x, &o) {
		if y := d.flat.Reduce(d.Fn, d.Combine, x); y != nil {
			return y
		}
	}
	d.Fn.Check(x)
	if x.IsScalar() {
		x = x.Copy()
	}
	if !d.Strict {
		o.Axes = WithoutAxes(x, o.Axes)
	}
	var room [2][8]int
	axes, shape := appendReducedAxes(room[0][:0], room[1][:0], d.Fn, x, o.Axes, o.KeepDims)
	result := d.loop(x, o)
	loop := result
	mapping, after := d.programs(result)
	if d.Squares {
		result = result.Real()
	}
	if loaded := ufunc.Loaded(x, mapping.Inputs[0].Stored); loaded != x {
		x = loaded
		defer loaded.Release()
	}
	if d.Filled && x.Size() == 0 && Count(x.Layout().Shape, axes) == 0 {
		panic(d.Fn.Errorf([]*nd.Array{x}, "there are no elements to reduce, and the operation has no identity"))
	}
	y := o.Out
	if y != nil {
		ufunc.CheckOut(d.Fn, x, y, shape)
	}
	if y == nil || ufunc.Recorded(x) || !dtype.CanCast(result, y.DType(), dtype.CastSameKind) {
		y = d.Fn.NewLike(result, shape, x)
	}
	var scalars [1]device.Scalar
	if after != nil {
		scalars[0] = device.ScalarOf(float64(Count(x.Layout().Shape, axes)), dtype.ComputeType(result))
	}
	if d.Squares {
		d.Fn.SumSquares(mapping, after, axes, scalars[:], y, x)
	} else {
		d.Fn.Reduce(mapping, after, d.Combine, axes, scalars[:], y, x)
	}
	if x.Links() || d.VJP != nil && ufunc.Recorded(x) {
		d.Fn.Record(Op{Definition: d, Axes: slices.Clone(axes), Kink: o.Kink, loop: loop}, []*nd.Array{x}, y)
	}
	if y != o.Out {
		return Into(o.Out, y)
	}
	return y
}

// loop returns the dtype that a reduction computes in.
func (d *Definition) loop(x *nd.Array, o Options) dtype.DType {
	t := x.DType()
	if d.Result != nil {
		t = d.Result(t)
	}
	switch {
	case o.DType.Valid():
		return o.DType
	case d.In != "": // the map's input is converted to a dtype of its own
		return t
	case d.Widens && o.Out == nil:
		return dtype.SumType(t)
	}
	return WithOut(t, o.Out)
}

// WithOut returns the dtype that a reduction of dtype t computes in by default: what t and Out's dtype promote to, as
// in NumPy, so that wide results are not sums of narrow values.
func WithOut(t dtype.DType, out *nd.Array) dtype.DType {
	if out == nil {
		return t
	}
	return dtype.Promote(t, out.DType())
}

// programs returns the map, and the final function or nil, for a result's dtype.
func (d *Definition) programs(t dtype.DType) (mapping, after *device.Program) {
	d.once.Do(func() {
		d.mapping.Fn, d.mapping.In, d.mapping.Body = d.Fn, d.In, cmp.Or(d.Body, "x")
		d.after.Fn, d.after.Scalars, d.after.Body = d.Fn, "T count", d.Post
		if d.Guarded {
			d.after.In = "T x, R unit"
		}
	})
	switch {
	case d.Post == "":
	case d.Squares:
		after = d.after.Program(t.Real())
	default:
		after = d.after.Program(t)
	}
	return d.mapping.Program(t), after
}

// WithoutAxes allows the axes 0 and -1 for a 0-d array, as NumPy's reductions do.
func WithoutAxes(x *nd.Array, axes []int) []int {
	if x.Rank() == 0 && len(axes) == 1 && (axes[0] == 0 || axes[0] == -1) {
		return []int{}
	}
	return axes
}

// ReducedAxes normalises axes (nil means all) in increasing order, and returns the shape of the result.
func ReducedAxes(fn nd.Func, x *nd.Array, axes []int, keep bool) (norm, shape []int) {
	return appendReducedAxes([]int{}, []int{}, fn, x, axes, keep)
}

// appendReducedAxes is ReducedAxes in the caller's memory.
func appendReducedAxes(norm, shape []int, fn nd.Func, x *nd.Array, axes []int, keep bool) ([]int, []int) {
	full := x.Layout().Shape
	reduced := ^uint64(0)
	if axes != nil {
		reduced = 0
		for _, given := range axes {
			axis, err := broadcast.Axis(given, len(full))
			if err == nil && reduced>>axis&1 != 0 {
				_, err = broadcast.Axes(axes, len(full)) // whose error says that an axis occurs twice
			}
			if err != nil {
				panic(fn.Errorf([]*nd.Array{x}, "%v", err))
			}
			reduced |= 1 << axis
		}
	}
	for axis, n := range full {
		if reduced>>axis&1 == 0 {
			shape = append(shape, n)
			continue
		}
		norm = append(norm, axis)
		if keep {
			shape = append(shape, 1)
		}
	}
	return norm, shape
}

// Op is a recorded reduction.
type Op struct {
	Definition *Definition
	Axes       []int
	Kink       uint8 // the call's

	loop dtype.DType // in which the reduction computes
}

// Traced describes the reduction to translators.
func (op Op) Traced() any {
	mapping, after := op.Definition.programs(op.loop)
	return traced.Reduction{Map: mapping, After: after, Combine: op.Definition.Combine, Squares: op.Definition.Squares, Axes: op.Axes}
}

func (op Op) VJP(c *nd.Call) { op.Definition.VJP(op, c) }

// Spread gives y, a result or its gradient, the input's rank, so that it broadcasts to the input.
func (op Op) Spread(c *nd.Call, y *nd.Array) *nd.Array {
	return y.Reshape(broadcast.ReduceShape(c.Shape(0), op.Axes, true)...)
}

// Count returns the number of elements that a reduction over the axes combines.
func Count(shape, axes []int) int {
	n := 1
	for _, k := range axes {
		n *= shape[k]
	}
	return n
}

// Into assigns a result to an optional Out, which CheckOut has checked.
func Into(out, y *nd.Array) *nd.Array {
	if out == nil {
		return y
	}
	out.Assign(y)
	y.Release()
	return out
}

// IntoChecked is [Into] that refuses an Out of another shape, or of a dtype to which y is not cast.
func IntoChecked(fn nd.Func, out, y *nd.Array) *nd.Array {
	if out != nil {
		ufunc.CheckOutCast(fn, y, out, y.Shape(), y.DType())
	}
	return Into(out, y)
}
