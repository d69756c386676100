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

// Put writes values, converted to x's dtype, to the elements of the flattened x at the indices, in place: the first
// value to the first index, and so on. Fewer values than indices repeat from the beginning; without values Put writes
// nothing. If several values go to one element, the last one counts. Of the options only Mode counts.
// NumPy: put.
func Put(x, indices, values *nd.Array, opts ...TakeOption) {
	const fn nd.Func = "ops.Put"
	fn.CheckWritable(x)
	fn.Check(x, indices, values)
	made := fn.Temporaries(&indices, &values)
	defer made.Release()
	if indices.DType().IsBool() {
		indices = indices.AsType(dtype.Int64)
	}
	bounds := options.Of(fn, opts, Axes.take).Mode.bounds(fn, x, indices)
	if x.Size() == 0 && indices.Size() > 0 {
		panic(fn.Errorf([]*nd.Array{x, indices}, "there are no elements to write to"))
	}
	switch bounds {
	case device.BoundsWrap:
		indices = Remainder(indices, x.Size())
	case device.BoundsClip:
		indices = Clip(indices, 0, x.Size()-1)
	}
	fn.CheckFits(x.DType(), x, values)
	if indices.Size() == 0 || values.Size() == 0 {
		return
	}
	written, at := made.Own(repeated(fn, x, values, indices.Size())), nd.Pick(indices.Ravel())
	detached := x.Detach()
	flat := release.Replace(detached, detached.Ravel())
	defer flat.Release()
	if flat.SharesMemory(x) && !ufunc.Recorded(x, values) {
		flat.Assign(written, at)
		return
	}
	y := x.Copy()
	y = release.Replace(y, y.Ravel())
	y = release.Replace(y, y.With(written, at))
	y = release.Replace(y, y.Reshape(x.Shape()...))
	x.Assign(y)
	y.Release()
}

// repeated returns n values converted to x's dtype, repeating the given values, of which there must be at least one.
func repeated(fn nd.Func, x, values *nd.Array, n int) *nd.Array {
	count := values.Size()
	made := fn.Temporaries(&values)
	defer made.Release()
	flat := made.Own(argument.As(fn, x, values, x.DType())).Ravel()
	return made.Keep(flat.BroadcastTo((n+count-1)/count, count).Ravel().Index(nd.Until(n)))
}

// Place writes values to the elements of x at which a mask of x's size is true, in place: the first value to the first
// of these elements, and so on. Fewer values repeat from the beginning. It waits for the device.
// NumPy: place.
func Place(x, mask, values *nd.Array) {
	const fn nd.Func = "ops.Place"
	fn.CheckWritable(x)
	fn.Check(x, mask, values)
	if mask.Size() != x.Size() {
		panic(fn.Errorf([]*nd.Array{x, mask}, "want a mask of x's size"))
	}
	fn.CheckFits(x.DType(), x, values)
	made := fn.Temporaries(&mask)
	defer made.Release()
	at := fn.Nonzero(mask.Ravel())[0]
	if at.Size() == 0 {
		return
	}
	if values.Size() == 0 {
		panic(fn.Errorf([]*nd.Array{x, mask, values}, "there are no values to write"))
	}
	Put(x, at, values)
}

// PutMask writes values to the elements of x at which a mask of x's shape is true, in place. Each element gets the
// value at its own flat index; fewer values repeat from the beginning.
// NumPy: putmask.
func PutMask(x, mask, values *nd.Array) {
	const fn nd.Func = "ops.PutMask"
	fn.CheckWritable(x)
	fn.Check(x, mask, values)
	if !broadcast.Equal(mask.Shape(), x.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, mask}, "want a mask of x's shape"))
	}
	fn.CheckFits(x.DType(), x, values)
	if x.Size() == 0 || values.Size() == 0 {
		return
	}
	made := fn.Temporaries(&mask, &values)
	defer made.Release()
	y := Where(mask, made.Own(repeated(fn, x, values, x.Size())).Reshape(x.Shape()...), x)
	x.Assign(y)
	y.Release()
}

// CopyToOptions are the options of CopyTo.
type CopyToOptions struct {
	// Where is a mask of bools that broadcasts to the shape of the array that is written: only elements at which it is
	// true are written. Nil means all.
	Where *nd.Array
	// Casting says which conversions are allowed; the default is dtype.CastSameKind.
	Casting dtype.Casting
}

// CopyTo writes src, converted to x's dtype and broadcast, to x in place. src may be an nd.Scalar, such as a Go number:
// its kind counts for Casting, and an integer must fit x's dtype. [nd.Array.Assign] also writes to parts of an array, and
// converts without a casting rule.
//
// At the elements that are written, the gradient goes to src instead of the old x.
// NumPy: copyto.
func CopyTo(x, src *nd.Array, opts ...CopyToOptions) {
	const fn nd.Func = "ops.CopyTo"
	fn.CheckWritable(x)
	o := options.Read(fn, opts)
	fn.Check(x, src)
	rule := ufunc.Options{Casting: o.Casting}
	rule.CheckCasting(fn, []*nd.Array{x, src})
	rule.CheckInputs(fn, []*nd.Array{src}, x.DType())
	made := fn.Temporaries(&src)
	defer made.Release()
	src = view.DropLeading(src, x.Rank())
	refuseUnlessInto(fn, "src", x, src)
	if o.Where == nil {
		x.Assign(src)
		return
	}
	fn.Check(x, o.Where)
	if !o.Where.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x, o.Where}, "a mask of dtype %s: want bools", o.Where.DType()))
	}
	refuseUnlessInto(fn, "the mask", x, o.Where)
	y := made.Own(Where(o.Where, made.Own(argument.As(fn, x, src, x.DType())), x))
	x.Assign(y)
}

// refuseUnlessInto panics unless y broadcasts to the shape of x.
func refuseUnlessInto(fn nd.Func, what string, x, y *nd.Array) {
	if _, err := y.Layout().BroadcastTo(x.Shape()); err != nil {
		panic(fn.Errorf([]*nd.Array{x, y}, "%s does not broadcast to shape %s", what, broadcast.FormatShape(x.Shape())))
	}
}

// FillDiagonal writes value to the main diagonal of x in place: to the elements whose indices along all axes are equal.
// With wrap, the diagonal of a matrix with more rows than columns starts again after skipping a row. All axes of an
// array with more than two axes must have equal lengths. The value is a number, or an array whose elements are written
// in turn.
// NumPy: fill_diagonal.
func FillDiagonal(x, value *nd.Array, wrap bool) {
	const fn nd.Func = "ops.FillDiagonal"
	fn.CheckWritable(x)
	fn.Check(x, value)
	if x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x, value}, "want at least two axes"))
	}
	shape := x.Shape()
	step, stride := 0, 1
	for k, n := range slices.Backward(shape) {
		if x.Rank() > 2 && n != shape[0] {
			panic(fn.Errorf([]*nd.Array{x, value}, "axis %d has length %d, axis 0 %d: want equal lengths", k, n, shape[0]))
		}
		step += stride
		stride *= n
	}
	end := x.Size()
	if x.Rank() == 2 && !wrap {
		end = min(end, shape[1]*shape[1])
	}
	at := nd.ArangeInt(0, end, step, nd.ArrayOptions{Device: x.Device()})
	Put(x, at, value)
	at.Release()
}

// WithDiagonal returns a copy of x in which v is the diagonal that x.Diagonal(offset, axis1, axis2) shows: the axis of the
// diagonal is the last one of v, which broadcasts to the diagonal's shape. Gradients flow to x, but for its diagonal, and
// to v. v is converted to the dtype of x.
// PyTorch: diagonal_scatter.
func WithDiagonal(x, v *nd.Array, offset, axis1, axis2 int) *nd.Array {
	const fn nd.Func = "ops.WithDiagonal"
	fn.Check(x, v)
	given := []*nd.Array{x, v}
	axes, err := broadcast.Axes([]int{axis1, axis2}, x.Rank())
	if err != nil {
		panic(fn.Errorf(given, "%v", err))
	}
	made := fn.Temporaries(&x, &v)
	defer made.Release()
	shape := x.Diagonal(offset, axis1, axis2).Shape()
	rowOffset, columnOffset := max(-offset, 0), max(offset, 0)
	last := len(shape) - 1
	if !v.IsScalar() {
		if _, err := v.Layout().BroadcastTo(shape); err != nil {
			panic(fn.Errorf(given, "the diagonal has shape %s: %v", broadcast.FormatShape(shape), err))
		}
		v = v.BroadcastTo(shape...).MoveAxis([]int{last}, []int{diagonalAxis(axes)})
	}
	index := make([]nd.Index, x.Rank())
	for k, from := range []int{rowOffset, columnOffset} {
		index[axes[k]] = nd.Pick(made.Own(nd.ArangeInt(from, from+shape[last], 1, nd.ArrayOptions{Device: x.Device()})))
	}
	return made.Keep(x.With(v, index...))
}

// diagonalAxis returns the axis at which an index of both axes has its elements: that of the first one if they are
// neighbours, else 0.
func diagonalAxis(axes []int) int {
	if first := min(axes[0], axes[1]); max(axes[0], axes[1]) == first+1 {
		return first
	}
	return 0
}

// Extract returns the elements of x at which a condition of x's size is true (not 0), in row-major order. It waits for
// the device.
// NumPy: extract.
func Extract(condition, x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.Extract"
	fn.Check(condition, x)
	made := fn.Temporaries(&condition, &x)
	defer made.Release()
	if condition.Size() > x.Size() && nd.Value[bool](Any(condition.Ravel().Index(nd.From(x.Size())))) {
		panic(fn.Errorf([]*nd.Array{condition, x}, "the condition is true beyond the end"))
	}
	x, condition = x.Ravel(), condition.Ravel()
	if condition.DType().IsBool() && condition.Size() == x.Size() {
		return made.Keep(x.Index(nd.Pick(condition)))
	}
	return made.Keep(fn.Gather(x, []int{0}, 0, fn.Nonzero(condition), device.BoundsRaise))
}

// Choose returns, for every element of index, the corresponding element of choices[index]; index and arrays broadcast.
// Of the options only Mode counts. It waits for the device unless Mode is "wrap" or "clip".
// NumPy: choose.
func Choose(index *nd.Array, choices []*nd.Array, opts ...TakeOption) *nd.Array {
	const fn nd.Func = "ops.Choose"
	if len(choices) == 0 {
		panic(fn.Errorf([]*nd.Array{index}, "want at least one array to choose from"))
	}
	fn.Check(append([]*nd.Array{index}, choices...)...)
	if index.DType().IsInexact() {
		panic(fn.Errorf(append([]*nd.Array{index}, choices...), "the index must be of integers"))
	}
	n := len(choices)
	made := fn.Temporaries(&index)
	defer made.Release()
	index = index.Detach().AsType(dtype.Int64)
	switch options.Of(fn, opts, Axes.take).Mode.bounds(fn, index) {
	case device.BoundsWrap:
		index = Remainder(index, n)
	case device.BoundsClip:
		index = Clip(index, 0, n-1)
	default:
		outside := LogicalOr(Less(index, 0), GreaterEqual(index, n))
		if index.Size() > 0 && nd.Value[bool](Any(outside)) {
			panic(fn.Errorf(append([]*nd.Array{index}, choices...), "an index is not among the %d choices", n))
		}
	}
	conditions := make([]*nd.Array, n-1)
	for k := range conditions {
		conditions[k] = Equal(index, k)
	}
	operands := append([]*nd.Array{index}, choices...)
	all := BroadcastArrays(operands...)
	defer release.AllUnless(all, operands)
	y := firstTrue(fn, conditions, choices)
	full := y.BroadcastTo(all[0].Shape()...)
	release.Unless(y, choices[n-1])
	return made.Keep(full)
}

// Select returns, per element, the element of the first choice whose condition, a bool, is true there. If no condition
// is true, it returns the element of otherwise, which may be a Scalar; nil means 0. Conditions and arrays broadcast.
// NumPy: select.
func Select(conditions, choices []*nd.Array, otherwise *nd.Array) *nd.Array {
	const fn nd.Func = "ops.Select"
	if len(conditions) != len(choices) || len(conditions) == 0 {
		panic(fn.Errorf(choices, "%d conditions for %d arrays: want at least one, and one each", len(conditions), len(choices)))
	}
	fn.Check(conditions...)
	for k, c := range conditions {
		if !c.DType().IsBool() {
			panic(fn.Errorf(conditions, "condition %d is of dtype %s: want bools", k, c.DType()))
		}
	}
	if otherwise == nil {
		otherwise = nd.Scalar(0)
	}
	return firstTrue(fn, conditions, append(slices.Clone(choices), otherwise))
}

// firstTrue is Select with otherwise as the last of the choices.
func firstTrue(fn nd.Func, conditions, choices []*nd.Array) *nd.Array {
	fn.Check(append(slices.Clone(conditions), choices...)...)
	t := ufunc.CommonType(choices)
	fn.CheckFits(t, choices...)
	y := choices[len(conditions)]
	for k := len(conditions) - 1; k >= 0; k-- {
		next := ufunc.Run(fn, ufunc.Where.Program(t), nil, ufunc.Options{}, []*nd.Array{conditions[k], choices[k], y})
		release.Unless(y, choices[len(conditions)])
		y = next
	}
	return y
}
