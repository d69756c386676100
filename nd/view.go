package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// deriveView makes a view of x with f, a pure function on layouts. If x is recorded, f applied to the contiguous layout of
// x's shape tells which elements the view shows, whatever x's strides are.
func (x *Array) deriveView(fn Func, f func(broadcast.View) (broadcast.View, error)) *Array {
	return x.deriveViewAs(fn, f, func(base []int, view broadcast.View) Op { return viewOp{base, view} })
}

// deriveViewAs is derive with a choice of the recorded operation.
func (x *Array) deriveViewAs(fn Func, f func(broadcast.View) (broadcast.View, error), op func(base []int, view broadcast.View) Op) *Array {
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	v, err := f(x.Layout())
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	y := x.header(x.fn, v)
	if x.node != nil {
		base := contiguousView(x.shape)
		shown, _ := f(base)
		fn.Record(op(base.Shape, shown), []*Array{x}, y)
	}
	return y
}

func contiguousView(shape []int) broadcast.View {
	shape = append([]int{}, shape...)
	return broadcast.View{Shape: shape, Strides: broadcast.Strides(shape)}
}

// viewOp shows some elements of an array: view is their layout in a contiguous array of shape base.
type viewOp struct {
	base []int
	view broadcast.View
}

func (op viewOp) Claims() Claims { return Claims{} }
func (op viewOp) Traced() any    { return traced.View{Base: op.base, View: op.view} }
func (op viewOp) VJP(c *Call)    { c.SetGx(0, scatterView(c.Gy(0), op.base, op.view)) }

var sums = device.Programs{Source: device.Source{Name: "sum", Inputs: "T a, T b", Outputs: "T y", Body: "y = a + b"}}

// AddTo adds g to the elements that the view shows.
func (op viewOp) AddTo(c *Call, gx *Array) {
	g := c.Gy(0)
	shown := gx.header(c.Func(), composeViews(gx.Layout(), op.base, op.view))
	addInto(c.Func(), shown, g)
	shown.Release()
}

// addInto adds g to y, which has its shape. It records nothing.
func addInto(fn Func, y, g *Array) {
	l := fn.Launch(y.store.dev, g.shape)
	l.Program = sums.Of(dtype.ComputeType(y.dtype))
	l.Write(y)
	l.Read(y)
	l.Read(g)
	l.Run(device.Device.Elementwise)
}

// scatterView is the transpose of a view: zeros, with g at the elements that the view shows.
func scatterView(g *Array, base []int, v broadcast.View) *Array {
	const fn Func = "nd.unview"
	if v.Offset == 0 && g.Size() == broadcast.Size(base) && broadcast.IsContiguous(v.Shape, v.Strides) {
		return g.reshape(fn, base, false)
	}
	y := fn.NewLike(g.dtype, base, g)
	if g.Size() < y.Size() {
		y.fill(fn, scalarValueOf(0))
	}
	shown := y.header(fn, v)
	copyInto(fn, shown, g)
	shown.Release()
	fn.Record(scatterViewOp{base: base, view: v}, []*Array{g}, y)
	return y
}

type scatterViewOp struct {
	base []int
	view broadcast.View
}

func (op scatterViewOp) Claims() Claims { return Claims{} }
func (op scatterViewOp) Traced() any    { return traced.ScatterView{Base: op.base, View: op.view} }
func (op scatterViewOp) VJP(c *Call) {
	c.SetGx(0, c.Gy(0).deriveView("nd.view", func(whole broadcast.View) (broadcast.View, error) {
		return composeViews(whole, op.base, op.view), nil
	}))
}

// composeViews converts the view v of a contiguous array of shape base to a view of an array of that shape with other
// strides. Each axis of v moves along base by a whole number of steps of one or several axes, whose strides add up.
func composeViews(whole broadcast.View, base []int, v broadcast.View) broadcast.View {
	convertOffset := func(offset int) int { // converts an offset in the contiguous array to an offset in whole
		composed := 0
		for k := len(base) - 1; k >= 0; k-- {
			composed += offset % base[k] * whole.Strides[k]
			offset /= base[k]
		}
		return composed
	}
	out := broadcast.View{Offset: whole.Offset, Shape: v.Shape, Strides: make([]int, len(v.Strides))}
	if broadcast.Size(v.Shape) == 0 {
		return out
	}
	out.Offset += convertOffset(v.Offset)
	for k, n := range v.Shape {
		if n > 1 {
			out.Strides[k] = convertOffset(v.Offset+v.Strides[k]) - convertOffset(v.Offset)
		}
	}
	return out
}

// Transpose returns a view of x with its axes permuted: axis k of the result is axis perm[k] of x. Without arguments it
// reverses the order of the axes.
// NumPy: transpose. PyTorch: permute.
func (x *Array) Transpose(perm ...int) *Array {
	const fn Func = "Array.Transpose"
	x.check(fn)
	if len(perm) == 0 {
		return x.turned(fn)
	}
	order, err := broadcast.CheckPermutation(perm, len(x.shape))
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	return x.permuted(fn, order)
}

// T returns a view of x with its axes reversed.
// NumPy: ndarray.T.
func (x *Array) T() *Array { return x.turned("Array.T") }

func (x *Array) turned(fn Func) *Array {
	x.check(fn)
	var room [MaxRank]int
	order := room[:len(x.shape)]
	for k := range order {
		order[k] = len(order) - 1 - k
	}
	return x.permuted(fn, order)
}

func (x *Array) permuted(fn Func, order []int) *Array {
	x.check(fn)
	x = materialize(x)
	y := newHeader(x.fn, len(x.shape))
	for k, from := range order {
		y.shape[k], y.strides[k] = x.shape[from], x.strides[from]
	}
	y.onStorage(x.store, x.dtype, x.offset)
	x.arena.own(y)
	if x.node != nil {
		fn.Record(transposeOp{perm: slices.Clone(order)}, []*Array{x}, y)
	}
	return y
}

type transposeOp struct {
	perm []int
}

func (op transposeOp) Claims() Claims { return Claims{} }
func (op transposeOp) Traced() any    { return traced.Transpose{Perm: op.perm} }
func (op transposeOp) VJP(c *Call) {
	c.SetGx(0, c.Gy(0).permuted(c.Func(), broadcast.InversePermutation(op.perm)))
}

// SwapAxes returns a view with two axes exchanged.
// NumPy: swapaxes. PyTorch: transpose, swapdims.
func (x *Array) SwapAxes(a, b int) *Array {
	return x.reordered("Array.SwapAxes", func(rank int) ([]int, error) { return broadcast.SwapAxes(rank, a, b) })
}

// MoveAxis returns a view in which axis from[k] becomes axis to[k]; the other axes keep their order.
// NumPy: moveaxis. PyTorch: movedim.
func (x *Array) MoveAxis(from, to []int) *Array {
	return x.reordered("Array.MoveAxis", func(rank int) ([]int, error) { return broadcast.MoveAxis(rank, from, to) })
}

// RollAxis returns a view in which axis precedes the axis that was at start.
// NumPy: rollaxis.
func (x *Array) RollAxis(axis, start int) *Array {
	return x.reordered("Array.RollAxis", func(rank int) ([]int, error) { return broadcast.RollAxis(rank, axis, start) })
}

func (x *Array) reordered(fn Func, order func(rank int) ([]int, error)) *Array {
	x.check(fn)
	perm, err := order(len(x.shape))
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	return x.permuted(fn, perm)
}

// Reshape returns the elements of x, in row-major order, in another shape; one length may be -1. The result is a view
// if the strides allow it, else a copy.
// NumPy: reshape.
func (x *Array) Reshape(shape ...int) *Array { return x.reshape("Array.Reshape", shape, false) }

// ReshapeFortran is Reshape with the elements read and stored in column-major order.
// NumPy: reshape (with order "F").
func (x *Array) ReshapeFortran(shape ...int) *Array {
	return x.reshape("Array.ReshapeFortran", shape, true)
}

func (x *Array) reshape(fn Func, shape []int, fortran bool) *Array {
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	if !fortran && broadcast.IsContiguous(x.shape, x.strides) {
		if y := x.reshapeContiguous(fn, shape); y != nil {
			return y
		}
	}
	full, err := broadcast.ResolveShape(shape, x.Size())
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	if fortran {
		turned := x.T()
		y := turned.reshape(fn, reversed(full), false)
		turned.Release()
		return replaceHeader(y, y.T())
	}
	strides, ok := broadcast.Reshape(x.shape, x.strides, full)
	src := x
	if !ok {
		src = duplicate(fn, x)
		strides = broadcast.Strides(full)
	}
	y := src.header(src.fn, broadcast.View{Offset: src.offset, Shape: full, Strides: strides})
	if src != x {
		src.Release() // y holds the memory now
	}
	if x.node != nil {
		fn.Record(reshapeOp{}, []*Array{x}, y)
	}
	return y
}

// reshapeContiguous reshapes a contiguous array. It returns nil if the shape contains -1 or does not fit.
func (x *Array) reshapeContiguous(fn Func, shape []int) *Array {
	size := 1
	for _, n := range shape {
		if n < 0 || n > 1<<30 || size > 1<<30 {
			return nil
		}
		size *= n
	}
	if size != x.Size() || size == 0 || len(shape) > MaxRank {
		return nil
	}
	y := newHeader(x.fn, len(shape))
	copy(y.shape, shape)
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		y.strides[k] = step
		step *= shape[k]
	}
	y.onStorage(x.store, x.dtype, x.offset)
	x.arena.own(y)
	if x.node != nil {
		fn.Record(reshapeOp{}, []*Array{x}, y)
	}
	return y
}

func reversed(shape []int) []int {
	r := make([]int, len(shape))
	for k, n := range shape {
		r[len(shape)-1-k] = n
	}
	return r
}

type reshapeOp struct{}

func (reshapeOp) Claims() Claims { return Claims{} }
func (reshapeOp) Traced() any    { return traced.Reshape{} }
func (reshapeOp) VJP(c *Call)    { c.SetGx(0, c.Gy(0).reshape(c.Func(), c.Shape(0), false)) }

// MergeAxes returns a view of x with as few axes as its strides allow, and the elements in the same order: neighbouring
// axes become one if a step of the outer one continues the inner one, and axes of length 1 are dropped. A contiguous array
// becomes one axis. Arrays with fewer than two axes keep their shape.
// CuPy: ndarray.reduced_view.
func (x *Array) MergeAxes() *Array {
	const fn Func = "Array.MergeAxes"
	x.check(fn)
	if x.Rank() < 2 {
		return x.reshape(fn, x.shape, false)
	}
	shape, strides := slices.Clone(x.shape), slices.Clone(x.strides)
	rank := broadcast.Coalesce(shape, [][]int{strides})
	if rank == 0 { // of one element
		shape[0], rank = 1, 1
	}
	return x.reshape(fn, shape[:rank], false)
}

// Ravel returns x as a contiguous array with one axis: as a view if possible, else as a copy. Reshape(-1) also returns
// views that are not contiguous.
// NumPy: ravel.
func (x *Array) Ravel() *Array {
	y := x.reshape("Array.Ravel", []int{-1}, false)
	return replaceHeader(y, y.Contiguous())
}

// Flatten returns a copy of x with one axis.
// NumPy: ndarray.flatten.
func (x *Array) Flatten() *Array {
	y := x.Ravel()
	if y.SharesMemory(x) {
		return replaceHeader(y, y.Copy())
	}
	return y
}

// ExpandDims returns a view with new axes of length 1; axes are their indices in the result.
// NumPy: expand_dims. PyTorch: unsqueeze.
func (x *Array) ExpandDims(axes ...int) *Array {
	return x.deriveView("Array.ExpandDims", func(v broadcast.View) (broadcast.View, error) { return v.ExpandDims(axes) })
}

// Squeeze returns a view without the given axes, which must have length 1. Without arguments it removes all axes of
// length 1.
// NumPy: squeeze.
func (x *Array) Squeeze(axes ...int) *Array {
	return x.deriveView("Array.Squeeze", func(v broadcast.View) (broadcast.View, error) { return v.Squeeze(axes) })
}

// Flip returns a view with the elements reversed along the given axes; without arguments, along all axes.
// NumPy: flip.
func (x *Array) Flip(axes ...int) *Array {
	return x.deriveView("Array.Flip", func(v broadcast.View) (broadcast.View, error) {
		if axes == nil {
			for k := range v.Shape {
				axes = append(axes, k)
			}
		}
		return v.Flip(axes)
	})
}

// Diagonal returns a view of the elements (i, i+offset) of two axes. The diagonal becomes the last axis and replaces
// the two axes.
// NumPy: diagonal.
func (x *Array) Diagonal(offset, axis1, axis2 int) *Array {
	return x.deriveView("Array.Diagonal", func(v broadcast.View) (broadcast.View, error) { return v.Diagonal(offset, axis1, axis2) })
}

// BroadcastTo returns a read-only view of x repeated to a shape. Its gradient is [Func.SumTo].
// NumPy: broadcast_to.
func (x *Array) BroadcastTo(shape ...int) *Array {
	const fn Func = "Array.BroadcastTo"
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	v, err := x.Layout().BroadcastTo(shape)
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	y := x.header(x.fn, v)
	fn.Record(broadcastOp{}, []*Array{x}, y)
	return y
}

type broadcastOp struct{}

func (broadcastOp) Claims() Claims { return Claims{} }
func (broadcastOp) Traced() any    { return traced.Broadcast{} }
func (broadcastOp) VJP(c *Call)    { c.SetGx(0, c.Func().SumTo(c.Gy(0), c.Shape(0))) }
