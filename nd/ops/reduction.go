package ops

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ReduceOptions are the options of reductions.
type ReduceOptions struct {
	// Axes are the axes to reduce, negative ones counted from the end; nil means all, an empty slice none.
	Axes []int
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
	// DType is the dtype of the result, in which it is also computed; by default sums and products of small integers
	// are 64 bits wide, means of integers float64, and all else has the dtype of the array.
	DType dtype.DType
	// Out receives the result, converted to its dtype, whatever that is. It must have the shape. Without DType the
	// computation is in the dtype that the array and Out promote to.
	Out *nd.Array
}

// reduction is the definition of a reduction: a map, an associative operation, and what happens to its result, with the
// number of combined elements count as a scalar.
type reduction struct {
	fn      nd.Func
	in      string // declaration of the map's input; empty means "T x"
	body    string // the map; empty means "x"
	post    string // of the combined value x and count; empty for none
	combine device.Combine
	result  func(dtype.DType) dtype.DType // of the array's dtype; nil means that itself
	widens  bool                          // integers and bools become 64 bits wide, unless Out says how wide
	filled  bool                          // a reduction of nothing is refused, having no identity
	strict  bool                          // an array without axes has no axis 0 either

	vjp func(op reduceOp, c *nd.Call) // nil: no gradient flows

	once           sync.Once
	mapping, after elementwise
}

// toBool is the result of All and Any.
func toBool(dtype.DType) dtype.DType { return dtype.Bool }

func (d *reduction) call(x *nd.Array, opts []ReduceOptions) *nd.Array {
	o := firstOf(opts)
	d.fn.Check(x)
	if x.IsScalar() {
		x = x.Copy()
	}
	if !d.strict {
		o.Axes = withoutAxes(x, o.Axes)
	}
	var room [2][8]int
	axes, shape := appendReducedAxes(room[0][:0], room[1][:0], d.fn, x, o.Axes, o.KeepDims)
	result := d.loop(x, o)
	mapping, after := d.programs(result)
	x = loaded(x, mapping.Inputs[0].Stored)
	if d.filled && x.Size() == 0 && count(x.Layout().Shape, axes) == 0 {
		panic(d.fn.Errorf([]*nd.Array{x}, "there are no elements to reduce, and the operation has no identity"))
	}
	y := o.Out
	if y != nil {
		checkOut(d.fn, x, y, shape)
	}
	if y == nil || recorded(x) || !dtype.CanCast(result, y.DType(), dtype.CastSameKind) {
		y = d.fn.NewLike(result, shape, x)
	}
	var scalars [1]device.Scalar
	if after != nil {
		scalars[0] = device.ScalarOf(float64(count(x.Layout().Shape, axes)), dtype.ComputeType(result))
	}
	d.fn.Reduce(mapping, after, d.combine, axes, scalars[:], y, x)
	if d.vjp != nil && recorded(x) {
		d.fn.Record(reduceOp{d: d, axes: slices.Clone(axes)}, []*nd.Array{x}, y)
	}
	if y != o.Out {
		return into(o.Out, y)
	}
	return y
}

// loop is the dtype that a reduction computes in.
func (d *reduction) loop(x *nd.Array, o ReduceOptions) dtype.DType {
	t := x.DType()
	if d.result != nil {
		t = d.result(t)
	}
	switch {
	case o.DType.Valid():
		return o.DType
	case d.in != "": // what the map takes is converted to a dtype of its own
		return t
	case d.widens && o.Out == nil:
		return dtype.SumType(t)
	}
	return withOut(t, o.Out)
}

// withOut is the dtype that a reduction of dtype t computes in where none is asked for: what t and Out's promote to, as in
// NumPy, so that wide results are not made of narrow sums.
func withOut(t dtype.DType, out *nd.Array) dtype.DType {
	if out == nil {
		return t
	}
	return dtype.Promote(t, out.DType())
}

// programs returns the map, and what follows it or nil, for a result's dtype.
func (d *reduction) programs(t dtype.DType) (mapping, after *device.Program) {
	d.once.Do(func() {
		d.mapping.fn, d.mapping.in, d.mapping.body = d.fn, d.in, cmp.Or(d.body, "x")
		d.after.fn, d.after.scalars, d.after.body = d.fn, "T count", d.post
	})
	if d.post != "" {
		after = d.after.program(t)
	}
	return d.mapping.program(t), after
}

// checkOut refuses an Out that cannot receive a result of a shape. The result of a reduction is converted to any dtype, as
// NumPy's are.
func checkOut(fn nd.Func, x, out *nd.Array, shape []int) {
	fn.Check(x, out)
	fn.CheckWritable(out)
	if !broadcast.Equal(out.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result has shape %s, Out %s", broadcast.FormatShape(shape), broadcast.FormatShape(out.Shape())))
	}
}

// checkOutCast is checkOut of results that are converted where same_kind casting allows it.
func checkOutCast(fn nd.Func, x, out *nd.Array, shape []int, result dtype.DType) {
	checkOut(fn, x, out, shape)
	checkCast(fn, x, out, result)
}

// checkTaken is checkOut of elements or positions that are taken, for which NumPy wants an Out that they hold.
func checkTaken(fn nd.Func, x, out *nd.Array, shape []int, result dtype.DType) {
	checkOut(fn, x, out, shape)
	if !dtype.CanCast(out.DType(), result, dtype.CastSafe) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result is %s: want an Out of a dtype whose values this holds, not %s", result, out.DType()))
	}
}

func checkCast(fn nd.Func, x, out *nd.Array, result dtype.DType) {
	if !dtype.CanCast(result, out.DType(), dtype.CastSameKind) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result is %s, which same_kind casting does not turn into %s", result, out.DType()))
	}
}

// withoutAxes allows the axes 0 and -1 of an array that has none, as NumPy's reductions do.
func withoutAxes(x *nd.Array, axes []int) []int {
	if x.Rank() == 0 && len(axes) == 1 && (axes[0] == 0 || axes[0] == -1) {
		return []int{}
	}
	return axes
}

// reducedAxes normalises axes (nil: all) in increasing order, and gives the shape of the result.
func reducedAxes(fn nd.Func, x *nd.Array, axes []int, keep bool) (norm, shape []int) {
	return appendReducedAxes([]int{}, []int{}, fn, x, axes, keep)
}

// appendReducedAxes is reducedAxes in the caller's memory.
func appendReducedAxes(norm, shape []int, fn nd.Func, x *nd.Array, axes []int, keep bool) ([]int, []int) {
	full := x.Layout().Shape
	reduced := ^uint64(0)
	if axes != nil {
		reduced = 0
		for _, given := range axes {
			axis, err := broadcast.Axis(given, len(full))
			if err == nil && reduced>>axis&1 != 0 {
				_, err = broadcast.Axes(axes, len(full)) // which says that it is named twice
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

// reduceOp is a recorded reduction.
type reduceOp struct {
	d    *reduction
	axes []int
}

func (op reduceOp) VJP(c *nd.Call) { op.d.vjp(op, c) }

// spread gives y, a result or its gradient, the input's rank again, so that it broadcasts to the input.
func (op reduceOp) spread(c *nd.Call, y *nd.Array) *nd.Array {
	return y.Reshape(broadcast.ReduceShape(c.Shape(0), op.axes, true)...)
}
