package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// SortOptions are the options of functions that sort.
type SortOptions struct {
	// Axis is the axis to sort along; a negative axis counts from the end. Nil means the last one.
	Axis Axes
	// Descending puts the largest elements first. NaNs always come last. Complex numbers that contain a NaN are ordered
	// by the part that is not NaN: those with a real part come first, those with neither part last.
	Descending bool
}

// Sort returns x sorted along an axis, stably; complex numbers are ordered by their real parts, then by their imaginary
// parts. The gradient goes to the original elements.
// NumPy: sort. NNabla: sort.
func Sort(x *nd.Array, opts ...SortOption) *nd.Array {
	const fn nd.Func = "ops.Sort"
	return sorted(fn, x, options.Of(fn, opts, Axes.sort))
}

func sorted(fn nd.Func, x *nd.Array, o SortOptions) *nd.Array {
	x, axis := sortable(fn, x, o)
	if ufunc.Recorded(x) {
		y, positions := SortWithIndex(x, o)
		positions.Release()
		return y
	}
	y := fn.NewLike(x.DType(), x.Shape(), x)
	sortInto(fn, y, nil, x, axis, o.Descending)
	return y
}

// SortComplex returns x sorted along its last axis, as complex numbers: complex64 for integers of at most 16 bits,
// otherwise complex128.
// NumPy: sort_complex.
func SortComplex(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.SortComplex"
	fn.Check(x)
	y := sorted(fn, x, SortOptions{})
	switch t := x.DType(); {
	case t.IsComplex():
		return fn.Made(y)
	case t.IsInteger() && t.Size() <= 2:
		return fn.Made(release.Replace(y, y.AsType(dtype.Complex64)))
	}
	return fn.Made(release.Replace(y, y.AsType(dtype.Complex128)))
}

// ArgSort returns the indices (int64) along an axis that sort x, stably. A 0-d array counts as an array of one element.
// No gradient flows.
// NumPy: argsort.
func ArgSort(x *nd.Array, opts ...SortOption) *nd.Array {
	const fn nd.Func = "ops.ArgSort"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.sort)
	given := x
	x = AtLeast1D(x)
	defer release.Unless(x, given)
	x, axis := sortable(fn, x, o)
	at := fn.NewLike(dtype.Int64, x.Shape(), x)
	sortInto(fn, nil, at, x, axis, o.Descending)
	if x.Links() {
		fn.Link(sortOp{axis, o.Descending}, []*nd.Array{x}, nil, at)
	}
	return at
}

// SortWithIndex returns the results of Sort and ArgSort.
// PyTorch: sort. NNabla: sort (with with_index).
func SortWithIndex(x *nd.Array, opts ...SortOption) (sorted, indices *nd.Array) {
	const fn nd.Func = "ops.SortWithIndex"
	o := options.Of(fn, opts, Axes.sort)
	x, axis := sortable(fn, x, o)
	y := fn.NewLike(x.DType(), x.Shape(), x)
	at := fn.NewLike(dtype.Int64, x.Shape(), x)
	sortInto(fn, y, at, x, axis, o.Descending)
	op := sortOp{axis, o.Descending}
	if x.Links() {
		fn.Link(op, []*nd.Array{x}, y, at)
		return y, at
	}
	fn.Record(op, []*nd.Array{x, at}, y)
	return y, at
}

func sortable(fn nd.Func, x *nd.Array, o SortOptions) (*nd.Array, int) {
	fn.Check(x)
	if x.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "axis -1 is outside the array's 0 axes"))
	}
	return x, fn.Axis(x, o.Axis, -1)
}

// sortInto runs the kernel; either y or at may be nil.
func sortInto(fn nd.Func, y, at, x *nd.Array, axis int, descending bool) {
	l := rowSort(fn, y, at, x, axis)
	l.Descending = descending
	l.Run(device.Device.Sort)
}

// rowSort begins a launch of the kernel.
func rowSort(fn nd.Func, y, at, x *nd.Array, axis int) *alongaxis.Launch {
	l := alongaxis.New(fn, x.Device(), x.Shape(), axis)
	for _, out := range []*nd.Array{y, at} {
		if out == nil {
			l.Skip()
		} else {
			l.Write(out)
		}
	}
	l.Read(x)
	return l
}

// sortOp is a sort with the indices as its second input.
type sortOp struct {
	axis       int
	descending bool
}

func (op sortOp) Claims() nd.Claims { return nd.Claims{In: 2} }

func (op sortOp) Traced() any { return traced.Sort{Axis: op.axis, Descending: op.descending} }

// VJP moves the gradient back: the indices that sort the indices are the inverse permutation.
func (op sortOp) VJP(c *nd.Call) {
	inverse := ArgSort(c.In(1), Over(op.axis))
	c.SetGx(0, TakeAlongAxis(c.Gy(0), inverse, Over(op.axis)))
}

// TopKOptions are the options of TopK.
type TopKOptions struct {
	// Axis is the axis to search; a negative axis counts from the end. Nil means the last one.
	Axis Axes
	// Smallest returns the smallest elements instead.
	Smallest bool
}

// TopK returns the k largest elements along an axis, the largest first, and their indices (int64). NaN counts as the
// smallest.
// PyTorch: topk. MXNet: topk.
func TopK(x *nd.Array, k int, opts ...TopKOption) (values, indices *nd.Array) {
	const fn nd.Func = "ops.TopK"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.topK)
	axis := fn.Axis(x, o.Axis, -1)
	if k < 0 || k > x.Dim(axis) {
		panic(fn.Errorf([]*nd.Array{x}, "k = %d: want 0 to %d", k, x.Dim(axis)))
	}
	shape := x.Shape()
	shape[axis] = k
	values, indices = fn.NewLike(x.DType(), shape, x), fn.NewLike(dtype.Int64, shape, x)
	if k == 0 {
		return values, indices
	}
	l := alongaxis.New(fn, x.Device(), x.Shape(), axis)
	l.Descending, l.Keep = !o.Smallest, k
	l.Write(values)
	l.Write(indices)
	l.Read(x)
	l.Run(device.Device.Sort)
	op := topKOp{axis, !o.Smallest, k}
	if x.Links() {
		fn.Link(op, []*nd.Array{x}, values, indices)
		return values, indices
	}
	fn.Record(op, []*nd.Array{x, indices}, values)
	return values, indices
}

// TopKMask returns, for each element of x, whether it is one of the k largest along an axis: of those that TopK returns
// with the same options. No gradient flows.
//
// Shapes: x; the result, of bools, like x.
// MXNet: topk (with ret_typ mask).
func TopKMask(x *nd.Array, k int, opts ...TopKOption) *nd.Array {
	const fn nd.Func = "ops.TopKMask"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.topK)
	axis := fn.Axis(x, o.Axis, -1)
	made := fn.Temporaries(&x)
	defer made.Release()
	_, at := TopK(x.Detach(), k, TopKOptions{Axis: Over(axis), Smallest: o.Smallest})
	none := made.Own(fn.NewFilled(dtype.Bool, x.Shape(), 0, x))
	return made.Keep(PutAlongAxis(none, at, nd.Scalar(true), Over(axis)))
}

// topKOp has the indices as its second input.
type topKOp struct {
	axis       int
	descending bool
	k          int
}

func (op topKOp) Claims() nd.Claims { return nd.Claims{In: 2} }

func (op topKOp) Traced() any {
	return traced.Sort{Axis: op.axis, Descending: op.descending, Keep: op.k}
}

// VJP moves the gradient to the original elements.
func (op topKOp) VJP(c *nd.Call) {
	gy := c.Gy(0)
	zeros := ufunc.Zeros(c, c.Shape(0))
	c.SetGx(0, PutAlongAxis(zeros, c.In(1), gy, Over(op.axis)))
}

// LexSort returns the indices (int64) that sort along the last axis by the last key; ties are ordered by the key before
// it, and so on. For 0-d keys the index is 0.
// NumPy: lexsort.
func LexSort(keys []*nd.Array) *nd.Array {
	const fn nd.Func = "ops.LexSort"
	if len(keys) == 0 {
		panic(fn.Errorf(nil, "want at least one key"))
	}
	fn.Check(keys...)
	for i, key := range keys {
		if !broadcast.Equal(key.Shape(), keys[0].Shape()) {
			panic(fn.Errorf(keys, "key %d has another shape than key 0", i))
		}
	}
	if keys[0].Rank() == 0 {
		return fn.NewFilled(dtype.Int64, nil, 0, keys[0])
	}
	order := ArgSort(keys[0])
	for _, key := range keys[1:] {
		key = key.Detach()
		sorted := TakeAlongAxis(key, order, Over(-1))
		next := ArgSort(sorted)
		order = release.Replace(order, TakeAlongAxis(order, next, Over(-1)))
		release.Operands(nil, key, sorted, next)
	}
	return fn.Made(order)
}
