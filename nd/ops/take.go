package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// IndexMode says what an index out of range means.
type IndexMode string

const (
	IndexRaise IndexMode = "raise" // an error
	IndexWrap  IndexMode = "wrap"  // the index modulo the length of the axis
	IndexClip  IndexMode = "clip"  // the nearest index of the axis
)

// bounds returns the handling of indices out of range; the operands are for the message.
func (mode IndexMode) bounds(fn nd.Func, operands ...*nd.Array) device.Bounds {
	switch mode {
	case "", IndexRaise:
		return device.BoundsRaise
	case IndexWrap:
		return device.BoundsWrap
	case IndexClip:
		return device.BoundsClip
	}
	panic(fn.Errorf(slices.Clone(operands), "mode %q: want raise, wrap or clip", mode)) // a clone, so that operands stays on the stack
}

// TakeOptions are the options of Take.
type TakeOptions struct {
	// Axis is the axis to take along; a negative axis counts from the end. Nil means the flattened array.
	Axis Axes
	// Mode says what an index out of range means; the default is IndexRaise.
	Mode IndexMode
}

// Take returns the elements of x at the given indices along an axis. The shape of the indices replaces the axis.
// NumPy: take. PyTorch: take, index_select.
func Take(x, indices *nd.Array, opts ...TakeOption) *nd.Array {
	const fn nd.Func = "ops.Take"
	fn.Check(x, indices)
	o := options.Of(fn, opts, Axes.take)
	bounds := o.Mode.bounds(fn, x, indices)
	if indices.DType().IsBool() {
		indices = indices.AsType(dtype.Int64)
		defer indices.Release()
	}
	flat, axis := flatOr(fn, x, o.Axis)
	y := fn.Gather(flat, []int{axis}, axis, []*nd.Array{indices}, bounds)
	release.Unless(flat, x)
	return y
}

// TakeAlongOptions are the options of TakeAlongAxis.
type TakeAlongOptions struct {
	// Mode says what an index out of range means; the default is IndexRaise.
	Mode IndexMode
}

// TakeAlongAxis returns, for every element of indices, the element of x whose index along the axis is that element.
// indices and x broadcast along the other axes. With the Mode IndexWrap or IndexClip, indices out of range stand for
// elements of x too, whose gradients they get; -1 is the last element with IndexWrap, the first with IndexClip.
// NumPy: take_along_axis. PyTorch: take_along_dim, gather. Chainer: select_item. MXNet: pick (with IndexClip).
func TakeAlongAxis(x, indices *nd.Array, axis Axes, opts ...TakeAlongOptions) *nd.Array {
	const fn nd.Func = "ops.TakeAlongAxis"
	fn.Check(x, indices)
	bounds := options.Read(fn, opts).Mode.bounds(fn, x, indices)
	at := oneAxis(fn, x, axis)
	if indices.Rank() != x.Rank() {
		panic(fn.Errorf([]*nd.Array{x, indices}, "want indices with as many axes as the array"))
	}
	rows, back := alongRows(fn, x, indices, at)
	defer rows.release()
	return back(fn.Gather(rows.x, []int{0, 1}, 0, []*nd.Array{rows.number, rows.indices}, bounds))
}

// alongAxis holds the operands of functions along an axis with separate indices per row: a matrix with one row for each
// index of the other axes, the row numbers as a column, and the indices of each row.
type alongAxis struct{ x, number, indices *nd.Array }

func (rows alongAxis) release() { release.Operands(nil, rows.x, rows.number, rows.indices) }

func alongRows(fn nd.Func, x, indices *nd.Array, axis int) (rows alongAxis, back func(*nd.Array) *nd.Array) {
	shape, shape2 := x.Shape(), indices.Shape()
	width := shape[axis]
	shape[axis], shape2[axis] = 1, 1
	outer, err := broadcast.Shapes(shape, shape2)
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x, indices}, "%v", err))
	}
	count := broadcast.Size(outer)
	spread := func(a *nd.Array, n int) *nd.Array {
		full := append([]int{}, outer...)
		full[axis] = n
		y := a.BroadcastTo(full...)
		y = release.Replace(y, y.MoveAxis([]int{axis}, []int{-1}))
		return release.Replace(y, y.Reshape(count, n))
	}
	n := indices.Dim(axis)
	number := nd.ArangeInt(0, count, 1, nd.ArrayOptions{Device: x.Device()})
	rows = alongAxis{x: spread(x, width), number: release.Replace(number, number.Reshape(count, 1)), indices: spread(indices, n)}
	return rows, func(y *nd.Array) *nd.Array {
		y = release.Replace(y, y.Reshape(append(broadcast.Permute(nil, outer, broadcast.MovedLast(len(outer), []int{axis}))[:len(outer)-1], n)...))
		y = release.Replace(y, y.MoveAxis([]int{-1}, []int{axis}))
		return release.Replace(y, y.Contiguous())
	}
}

// Compress returns the slices of x along an axis (of the flattened array, if no axis is given) at which a bool vector
// is true. Slices beyond the end of the vector are left out. It waits for the device.
// NumPy: compress.
func Compress(condition, x *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Compress"
	fn.Check(condition, x)
	if condition.Rank() != 1 {
		panic(fn.Errorf([]*nd.Array{condition, x}, "want a condition of one axis"))
	}
	flat, axis := flatOr(fn, x, options.Read(fn, over))
	defer release.Unless(flat, x)
	at := fn.Nonzero(condition)
	defer at[0].Release()
	return fn.Gather(flat, []int{axis}, axis, at, device.BoundsRaise)
}

// AddAt returns x with v, broadcast, added to the elements that an index selects. Values for one element add up. It is
// differentiable in both x and v.
// NumPy: add.at. CuPy: scatter_add. PyTorch: index_add. MXNet: index_add.
func AddAt(x, v *nd.Array, ix ...nd.Index) *nd.Array {
	const fn nd.Func = "ops.AddAt"
	given := v
	v = addend(fn, x, v)
	defer release.Unless(v, given)
	if slices.ContainsFunc(ix, nd.Index.IsPick) {
		return fn.AddAt(x, v, ix...)
	}
	sum := addedTo(fn, x.Index(ix...), v)
	defer sum.Release()
	return x.With(sum, ix...)
}

// AccumulateAt is AddAt that writes to x itself, by the rules of [nd.Array.Assign].
// NumPy: add.at.
func AccumulateAt(x, v *nd.Array, ix ...nd.Index) {
	const fn nd.Func = "ops.AccumulateAt"
	given := v
	v = addend(fn, x, v)
	defer release.Unless(v, given)
	if slices.ContainsFunc(ix, nd.Index.IsPick) {
		fn.AddAtInPlace(x, v, ix...)
		return
	}
	sum := addedTo(fn, x.Index(ix...), v)
	x.Assign(sum, ix...)
	sum.Release()
}

// addedTo returns the part of an array that an index selects, with v added.
func addedTo(fn nd.Func, part, v *nd.Array) *nd.Array {
	made := fn.Temporaries(&v)
	defer made.Release()
	defer part.Release()
	v = view.DropLeading(v, part.Rank())
	if full, err := broadcast.Shapes(v.Shape(), part.Shape()); err != nil || !broadcast.Equal(full, part.Shape()) {
		panic(fn.Errorf([]*nd.Array{part, v}, "the index selects a part of shape %s, to which the addend does not broadcast", broadcast.FormatShape(part.Shape())))
	}
	return made.Keep(Add(part, v))
}

// addend checks the value that AddAt adds to x, and converts it to x's dtype.
func addend(fn nd.Func, x, v *nd.Array) *nd.Array {
	fn.Check(x, v)
	if x.IsScalar() {
		panic(fn.Errorf([]*nd.Array{x}, "a Scalar has no elements to index"))
	}
	if !ufunc.Takes(x.DType(), v) {
		panic(fn.Errorf([]*nd.Array{x, v}, "cannot cast the addend from %s to %s with casting rule same_kind", v.DType(), x.DType()))
	}
	return argument.As(fn, x, v, x.DType())
}

// PutAlongAxis returns x with values stored at indices along an axis: for every element of indices, the element of x
// with that index along the axis becomes the corresponding value. Indices and values broadcast along the other axes. If
// several values go to one element, the last one counts. Unlike NumPy's put_along_axis, it does not change its
// argument.
// NumPy: put_along_axis. PyTorch: scatter.
func PutAlongAxis(x, indices, values *nd.Array, axis Axes) *nd.Array {
	const fn nd.Func = "ops.PutAlongAxis"
	fn.Check(x, indices, values)
	along := oneAxis(fn, x, axis)
	if indices.Rank() != x.Rank() {
		panic(fn.Errorf([]*nd.Array{x, indices}, "want indices with as many axes as the array"))
	}
	n := indices.Dim(along)
	shape := x.Shape()
	shape[along] = n
	full, err := broadcast.Shapes(shape, indices.Shape())
	if err != nil || !broadcast.Equal(full, shape) {
		panic(fn.Errorf([]*nd.Array{x, indices}, "the indices do not broadcast to the array along the other axes"))
	}
	made := fn.Temporaries(&x, &values)
	defer made.Release()
	rows, _ := alongRows(fn, x, indices, along)
	defer rows.release()
	put := argument.As(fn, x, values, x.DType()).BroadcastTo(shape...).MoveAxis([]int{along}, []int{-1}).Reshape(rows.indices.Shape()...)
	y := fn.Scatter(device.CombineAssign, rows.x, []int{0, 1}, 0, []*nd.Array{rows.number, rows.indices}, put, device.BoundsRaise)
	y = release.Replace(y, y.Reshape(broadcast.Permute(nil, x.Shape(), broadcast.MovedLast(x.Rank(), []int{along}))...))
	return made.Keep(y.MoveAxis([]int{-1}, []int{along}).Contiguous())
}
