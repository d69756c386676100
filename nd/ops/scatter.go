package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Gather returns the elements of x at indices along an axis, with separate indices for each index of the leading axes.
// The first batch axes of x and indices correspond; the other axes of the indices replace the axis. With batch 0 it is
// Take.
//
// Shapes: x (B…, L…, n, R…), indices (B…, M…); the result (B…, L…, M…, R…).
// NNabla: gather.
func Gather(x, indices *nd.Array, axis Axes, batch int) *nd.Array {
	const fn nd.Func = "ops.Gather"
	fn.Check(x, indices)
	at := oneAxis(fn, x, axis)
	if batch < 0 || batch > at || batch > indices.Rank() || !slices.Equal(x.Shape()[:batch], indices.Shape()[:batch]) {
		panic(fn.Errorf([]*nd.Array{x, indices}, "%d batch axes: want as many equal leading axes, before axis %d", batch, at))
	}
	made := fn.Temporaries(&x, &indices)
	defer made.Release()
	axes, positions := make([]int, 0, batch+1), make([]*nd.Array, 0, batch+1)
	for k := range batch {
		along := broadcast.Ones(indices.Rank())
		along[k] = x.Dim(k)
		axes = append(axes, k)
		number := made.Own(nd.ArangeInt(0, x.Dim(k), 1, nd.ArrayOptions{Device: x.Device()}))
		positions = append(positions, number.Reshape(along...))
	}
	// The axis is moved next to the batch axes while it is replaced. Then the axes that replace it move behind the axes
	// between.
	y := fn.Gather(x.MoveAxis([]int{at}, []int{batch}), append(axes, batch), 0, append(positions, indices), device.BoundsRaise)
	own := indices.Rank() - batch
	from, to := make([]int, own), make([]int, own)
	for k := range own {
		from[k], to[k] = batch+k, at+k
	}
	return made.Keep(y.MoveAxis(from, to).Contiguous())
}

// GatherND returns the parts of x at the indices in the columns of a matrix (or more axes): row k of the indices refers
// to axis k.
//
// Shapes: x (N1, … Nm, R…), indices (m, M…); the result (M…, R…).
// NNabla: gather_nd. MXNet: gather_nd.
func GatherND(x, indices *nd.Array) *nd.Array {
	const fn nd.Func = "ops.GatherND"
	fn.Check(x, indices)
	made := fn.Temporaries(&indices)
	defer made.Release()
	return fn.Made(x.Index(indexRows(fn, x.Shape(), indices)...))
}

// indexRows converts the rows of a matrix of indices to one nd.Index for each axis.
func indexRows(fn nd.Func, shape []int, indices *nd.Array) []nd.Index {
	fn.Check(indices)
	if indices.Rank() < 2 || indices.Dim(0) > len(shape) || indices.Dim(0) == 0 || !indices.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{indices}, "want integer indices with at least two axes, the first of length 1 to %d", len(shape)))
	}
	ix := make([]nd.Index, indices.Dim(0))
	for k, row := range Unstack(indices) {
		ix[k] = nd.Pick(row)
	}
	return ix
}

// ScatterOptions are the options of ScatterND.
type ScatterOptions struct {
	// Add adds up the values for one element; otherwise the last value counts.
	Add bool
	// Onto is the array to a copy of which the values are written or added, converted to its dtype; nil means zeros. The
	// shape then must be that of Onto, or nil.
	Onto *nd.Array
}

// ScatterND returns zeros of the given shape, or a copy of the array Onto, with values at the elements that GatherND
// would read. [nd.Array.With] and AddAt take other kinds of indices.
//
// Shapes: values (M…, R…), indices (m, M…), shape (N1, … Nm, R…).
// NNabla: scatter_nd. MXNet: index_add, index_update.
func ScatterND(values, indices *nd.Array, shape []int, opts ...ScatterOptions) *nd.Array {
	const fn nd.Func = "ops.ScatterND"
	fn.Check(values, indices)
	o := options.Read(fn, opts)
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf([]*nd.Array{values, indices}, "%v", err))
	}
	if o.Onto != nil {
		fn.Check(values, indices, o.Onto)
		if shape != nil && !broadcast.Equal(shape, o.Onto.Shape()) {
			panic(fn.Errorf([]*nd.Array{values, indices, o.Onto}, "shape %s, and Onto has another", broadcast.FormatShape(shape)))
		}
		shape = o.Onto.Shape()
	}
	made := fn.Temporaries(&values, &indices, &o.Onto)
	defer made.Release()
	if o.Onto == nil {
		o.Onto = made.Own(fn.NewFilled(values.DType(), shape, 0, values))
	}
	ix := indexRows(fn, shape, indices)
	if o.Add {
		return made.Keep(AddAt(o.Onto, values, ix...))
	}
	return made.Keep(o.Onto.With(values, ix...))
}

// AddAlongAxis returns x with values added at indices along an axis. The value at an index of the indices array is
// added to the element of x whose index along the axis is the one stored there, and whose other indices are the same.
// Values for one element add up. Indices may be shorter than x along the other axes, and values longer than indices;
// elements beyond do not count.
// PyTorch: scatter_add. NNabla: scatter_add.
func AddAlongAxis(x, indices, values *nd.Array, axis Axes) *nd.Array {
	const fn nd.Func = "ops.AddAlongAxis"
	made, at, used := flatTargets(fn, &x, &indices, &values, axis)
	defer made.Release()
	y := fn.Scatter(device.CombineSum, x.Reshape(-1), []int{0}, 0, []*nd.Array{at}, used, device.BoundsRaise)
	return made.Keep(release.Replace(y, y.Reshape(x.Shape()...)))
}

// flatTargets checks the arguments of AddAlongAxis. It returns the values that count, and the flat indices of their
// elements of x.
func flatTargets(fn nd.Func, x, indices, values **nd.Array, axis Axes) (made *nd.Temporaries, at, used *nd.Array) {
	fn.Check(*x, *indices, *values)
	given := []*nd.Array{*x, *indices, *values}
	along := oneAxis(fn, *x, axis)
	shape := (*x).Shape()
	if (*indices).Rank() != len(shape) || (*values).Rank() != len(shape) {
		panic(fn.Errorf(given, "want arrays with the same number of axes"))
	}
	window, part := make([]nd.Index, len(shape)), make([]nd.Index, len(shape))
	for k, n := range (*indices).Shape() {
		if k != along && n > shape[k] || n > (*values).Dim(k) {
			panic(fn.Errorf(given, "the indices have length %d along axis %d, more than the others", n, k))
		}
		part[k] = nd.Until(n)
		if k != along {
			window[k] = nd.Until(n)
		}
	}
	made = fn.Temporaries(x, indices, values)
	numbers := made.Own(nd.ArangeInt(0, (*x).Size(), 1, nd.ArrayOptions{Device: (*x).Device()})).Reshape(shape...)
	return made, TakeAlongAxis(numbers.Index(window...), *indices, Over(along)), (*values).Index(part...)
}

// OneHot returns zeros with a one at the index that the last axis of integer indices holds, for each index of the other
// axes. Without a DType in the options the result is bool. No gradient flows.
//
// Shapes: indices (M…, m) and a shape of m axes; the result (M…, shape…).
// PyTorch: nn.functional.one_hot. NNabla: one_hot.
func OneHot(indices *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "ops.OneHot"
	fn.Check(indices)
	if indices.Rank() == 0 || indices.Dim(-1) != len(shape) || !indices.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{indices}, "want integer indices whose last axis has length %d", len(shape)))
	}
	t := fn.ArrayOptions(opts).DType
	if !t.Valid() {
		t = dtype.Bool
	}
	if len(shape) > device.MaxIndices {
		panic(fn.Errorf([]*nd.Array{indices}, "%d axes: want at most %d", len(shape), device.MaxIndices))
	}
	made := fn.Temporaries(&indices)
	defer made.Release()
	indices = indices.Detach().AsType(dtype.Int64)
	outer := indices.Shape()[:indices.Rank()-1]
	hot := fn.NewLike(t, append(slices.Clone(outer), shape...), indices)
	one := fn.NewFilled(t, nil, 1, indices)
	l := fn.Launch(indices.Device(), outer)
	l.Combine, l.Bounds, l.Fresh, l.Cleared = device.CombineAssign, device.BoundsExact, true, true
	l.WriteStrides(hot, hot.Strides()[:len(outer)])
	l.Read(one)
	var positions [device.MaxIndices]*nd.Array
	for k, n := range shape {
		l.Axes[k] = device.IndexAxis{Stride: hot.Strides()[len(outer)+k], Size: n}
		positions[k] = indices.Index(nd.Ellipsis(), nd.At(k))
		l.Read(positions[k])
	}
	if err := nd.Catch(func() { l.Run(device.Device.Scatter) }); err != nil {
		refuseHot(fn, indices, shape)
		panic(err)
	}
	return made.Keep(hot)
}

// refuseHot panics with the error of the first axis for which an index of OneHot is out of bounds.
func refuseHot(fn nd.Func, indices *nd.Array, shape []int) {
	for k, n := range shape {
		at := indices.Index(nd.Ellipsis(), nd.At(k))
		if at.Size() > 0 && (nd.Value[int64](Min(at)) < 0 || nd.Value[int64](Max(at)) >= int64(n)) {
			panic(fn.Errorf([]*nd.Array{indices}, "an index is outside axis %d, of length %d", k, n))
		}
	}
}
