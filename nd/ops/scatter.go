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
)

// Gather returns the elements of x at positions along an axis, other ones for every place of the leading axes: the first
// batch axes of x and indices go together, and the other axes of the indices replace the axis. With batch 0 it is Take.
// nnabla gather.
//
// Shapes: x (B…, L…, n, R…), indices (B…, M…); the result (B…, L…, M…, R…).
func Gather(x, indices *nd.Array, axis, batch int) *nd.Array {
	const fn nd.Func = "ops.Gather"
	fn.Check(x, indices)
	axis = argument.Axis(fn, x, &axis, 0)
	if batch < 0 || batch > axis || batch > indices.Rank() || !slices.Equal(x.Shape()[:batch], indices.Shape()[:batch]) {
		panic(fn.Errorf([]*nd.Array{x, indices}, "%d batch axes: want as many equal leading axes, before axis %d", batch, axis))
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
	// The axis stands beside the batch while it is replaced; then what replaced it moves behind the axes between.
	y := fn.Gather(x.MoveAxis([]int{axis}, []int{batch}), append(axes, batch), 0, append(positions, indices), device.BoundsRaise)
	own := indices.Rank() - batch
	from, to := make([]int, own), make([]int, own)
	for k := range own {
		from[k], to[k] = batch+k, axis+k
	}
	return made.Keep(release.Replace(y, y.MoveAxis(from, to)))
}

// GatherND returns the parts of x at the positions that the columns of a matrix (or more axes) of indices hold: row k of the
// indices counts along axis k. nnabla gather_nd, mxnet gather_nd.
//
// Shapes: x (N1, … Nm, R…), indices (m, M…); the result (M…, R…).
func GatherND(x, indices *nd.Array) *nd.Array {
	const fn nd.Func = "ops.GatherND"
	fn.Check(x, indices)
	made := fn.Temporaries(&indices)
	defer made.Release()
	return x.Index(places(fn, x.Shape(), indices)...)
}

// places is an index by the rows of a matrix of positions.
func places(fn nd.Func, shape []int, indices *nd.Array) []nd.Index {
	fn.Check(indices)
	if indices.Rank() < 2 || indices.Dim(0) > len(shape) || indices.Dim(0) == 0 || !indices.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{indices}, "want integer indices of two axes or more, of which the first has length 1 to %d", len(shape)))
	}
	ix := make([]nd.Index, indices.Dim(0))
	for k, row := range Unstack(indices) {
		ix[k] = nd.Pick(row)
	}
	return ix
}

// ScatterOptions are the options of ScatterND.
type ScatterOptions struct {
	// Add adds up values for one place; else the last of them counts.
	Add bool
}

// ScatterND returns zeros of a shape with values at the places that GatherND would read. With and AddAt write to an array
// in place of zeros. nnabla scatter_nd.
func ScatterND(values, indices *nd.Array, shape []int, opts ...ScatterOptions) *nd.Array {
	const fn nd.Func = "ops.ScatterND"
	fn.Check(values, indices)
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf([]*nd.Array{values, indices}, "%v", err))
	}
	made := fn.Temporaries(&values, &indices)
	defer made.Release()
	zeros := fn.NewFilled(values.DType(), shape, 0, values)
	ix := places(fn, shape, indices)
	if options.Read(fn, opts).Add {
		return made.Keep(AddAt(zeros, values, ix...))
	}
	return made.Keep(zeros.With(values, ix...))
}

// AddAlongAxis returns x with values added at positions along an axis: the value at a place of the indices goes to that
// place with the position in place of the axis' coordinate, and values for one place add up. Indices may be shorter than x
// along the other axes, and values longer than the indices: what is beyond does not count. nnabla scatter_add,
// torch.scatter_add.
func AddAlongAxis(x, indices, values *nd.Array, axis int) *nd.Array {
	const fn nd.Func = "ops.AddAlongAxis"
	made, at, used := placesAlong(fn, &x, &indices, &values, axis)
	defer made.Release()
	y := fn.Scatter(device.CombineSum, x.Reshape(-1), []int{0}, 0, []*nd.Array{at}, used, device.BoundsRaise)
	return made.Keep(release.Replace(y, y.Reshape(x.Shape()...)))
}

// placesAlong checks the arguments of AddAlongAxis, and returns the values that count, and the numbers of the elements of x that
// they go to.
func placesAlong(fn nd.Func, x, indices, values **nd.Array, axis int) (made *nd.Temporaries, at, used *nd.Array) {
	fn.Check(*x, *indices, *values)
	given := []*nd.Array{*x, *indices, *values}
	axis = argument.Axis(fn, *x, &axis, 0)
	shape := (*x).Shape()
	if (*indices).Rank() != len(shape) || (*values).Rank() != len(shape) {
		panic(fn.Errorf(given, "want as many axes in all"))
	}
	window, part := make([]nd.Index, len(shape)), make([]nd.Index, len(shape))
	for k, n := range (*indices).Shape() {
		if k != axis && n > shape[k] || n > (*values).Dim(k) {
			panic(fn.Errorf(given, "the indices have length %d along axis %d, more than the others", n, k))
		}
		part[k] = nd.Until(n)
		if k != axis {
			window[k] = nd.Until(n)
		}
	}
	made = fn.Temporaries(x, indices, values)
	numbers := made.Own(nd.ArangeInt(0, (*x).Size(), 1, nd.ArrayOptions{Device: (*x).Device()})).Reshape(shape...)
	return made, TakeAlongAxis(numbers.Index(window...), *indices, axis), (*values).Index(part...)
}

// OneHot returns zeros with a one at the position that the last axis of integer indices holds, for every place of the
// others. Without a DType in the options the result is bool. No gradient flows. nnabla one_hot, torch.nn.functional.one_hot.
//
// Shapes: indices (M…, m) and a shape of m axes; the result (M…, shape…).
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
