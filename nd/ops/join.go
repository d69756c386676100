package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// JoinOptions are the options of Concatenate and Stack.
type JoinOptions struct {
	// Axis is the axis along which the arrays are joined (for Stack, the index of the new axis in the result), negative
	// ones counted from the end. The default is 0, as in NumPy and in NNabla's Stack; NNabla's concatenate has -1,
	// Chainer's 1.
	Axis Axes
	// Flat joins the flattened arrays, whatever their shapes, like axis=None of NumPy's concatenate. Only Concatenate
	// supports it, and not together with Axis.
	Flat bool
	// DType is the dtype of the result, to which Casting must allow converting all arrays; by default the dtype that
	// the arrays promote to.
	DType dtype.DType
	// Out receives the result, converted to its dtype (which Casting must allow). It must have the shape of the result.
	Out *nd.Array
	// Casting says which conversions are allowed; the default is dtype.CastSameKind. No gradient flows through floats
	// converted to integers.
	Casting dtype.Casting
}

// Concatenate joins arrays along an existing axis; their other axes must have equal lengths.
// NumPy: concatenate. PyTorch: cat. NNabla: concatenate. Chainer: concat.
func Concatenate(xs []*nd.Array, opts ...JoinOption) *nd.Array {
	const fn nd.Func = "ops.Concatenate"
	return concatenate(fn, xs, options.OfTwo(fn, opts, Axes.join, Output.join))
}

func concatenate(fn nd.Func, xs []*nd.Array, o JoinOptions) *nd.Array {
	if o.Flat {
		if o.Axis != nil {
			panic(fn.Errorf(xs, "flattened arrays have no axes to choose from: want Axis or Flat"))
		}
		fn.Check(xs...)
		flat := each((*nd.Array).Ravel, xs)
		defer release.AllUnless(flat, xs)
		o.Flat, xs = false, flat
	}
	if len(xs) == 0 {
		panic(fn.Errorf(nil, "want at least one array"))
	}
	fn.Check(xs...)
	if xs[0].Rank() == 0 {
		panic(fn.Errorf(xs, "0-d arrays cannot be joined: use Stack"))
	}
	axis := fn.Axis(xs[0], o.Axis, 0)
	shape := joinedShape(fn, xs, axis)
	t := o.DType
	if !t.Valid() {
		t = ufunc.CommonType(xs)
	}
	y := o.Out
	if o.Casting == 0 {
		for _, x := range xs {
			if !ufunc.Takes(t, x) {
				panic(fn.Errorf(xs, "cannot cast %s to %s with casting rule same_kind", x.DType(), t))
			}
		}
		if y != nil {
			ufunc.CheckOutCast(fn, xs[0], y, shape, t)
		}
	} else {
		if y != nil {
			ufunc.CheckOut(fn, xs[0], y, shape)
			t = y.DType()
		}
		rule := ufunc.Options{Casting: o.Casting}
		rule.CheckCasting(fn, xs)
		rule.CheckInputs(fn, xs, t)
	}
	if y == nil || ufunc.Recorded(xs...) || anySharesMemory(y, xs) {
		y = fn.NewLike(t, shape, xs...)
	}
	if !joinInTurns(fn, y, xs, axis) {
		from := 0
		for _, x := range xs {
			n := x.Dim(axis)
			to := view.Span(y, axis, from, from+n)
			copyInto(fn, to, x)
			to.Release()
			from += n
		}
	}
	if o.Casting != dtype.CastUnsafe || y.DType().IsInexact() {
		fn.Record(concatOp{axis}, xs, y)
	} else {
		fn.Link(concatOp{axis}, xs, y)
	}
	if o.Out != nil && y != o.Out {
		o.Out.Assign(y)
		y.Release()
		return o.Out
	}
	return y
}

// inTurns are programs that store their inputs unchanged, by the number of these.
var inTurns = [...]device.Programs{
	2: {Source: device.Source{Name: "concatenate", Inputs: "T a, T b", Outputs: "T w, T x", Body: "w = a; x = b"}},
	3: {Source: device.Source{Name: "concatenate", Inputs: "T a, T b, T c", Outputs: "T w, T x, T y", Body: "w = a; x = b; y = c"}},
	4: {Source: device.Source{Name: "concatenate", Inputs: "T a, T b, T c, T d", Outputs: "T w, T x, T y, T z", Body: "w = a; x = b; y = c; z = d"}},
}

// joinInTurns joins a few arrays whose elements follow each other in turns in y, since they have length 1 along the last axis, in one
// launch. It reports whether the arrays are so.
func joinInTurns(fn nd.Func, y *nd.Array, xs []*nd.Array, axis int) bool {
	if !onCPU(y) || axis != y.Rank()-1 || len(xs) < 2 || len(xs) >= len(inTurns) || y.Size() == 0 {
		return false
	}
	for _, x := range xs {
		if x.IsScalar() || x.Dim(axis) != 1 || x.DType() != y.DType() {
			return false
		}
	}
	l := fn.Launch(y.Device(), xs[0].Shape())
	l.Program = inTurns[len(xs)].Of(y.DType())
	for k := range xs {
		to := view.Span(y, axis, k, k+1)
		l.Write(to)
		defer to.Release()
	}
	for _, x := range xs {
		l.Read(x)
	}
	l.Run(device.Device.Elementwise)
	return true
}

// anySharesMemory reports whether writing a part of y might change elements of xs that are read later.
func anySharesMemory(y *nd.Array, xs []*nd.Array) bool {
	return slices.ContainsFunc(xs, y.SharesMemory)
}

// joinedShape returns the shape of the joined arrays.
func joinedShape(fn nd.Func, xs []*nd.Array, axis int) []int {
	shape := xs[0].Shape()
	for i, x := range xs[1:] {
		if x.Rank() != len(shape) {
			panic(fn.Errorf(xs, "array %d has %d axes, array 0 has %d: want equally many", i+1, x.Rank(), len(shape)))
		}
		for k := range shape {
			switch {
			case k == axis:
				shape[k] = broadcast.Sum(shape[k], x.Dim(k))
			case shape[k] != x.Dim(k):
				panic(fn.Errorf(xs, "along axis %d array 0 has length %d, array %d has %d: want equal lengths except along axis %d", k, shape[k], i+1, x.Dim(k), axis))
			}
		}
	}
	return shape
}

// copyInto copies x, converted, to y of the same shape. It records nothing.
func copyInto(fn nd.Func, y, x *nd.Array) {
	l := fn.Launch(y.Device(), y.Shape())
	l.Write(y)
	l.Read(x)
	l.Run(device.Device.Copy)
}

type concatOp struct{ axis int }

func (op concatOp) Claims() nd.Claims { return nd.Claims{} }
func (op concatOp) Traced() any       { return traced.Concat{Axis: op.axis} }
func (op concatOp) VJP(c *nd.Call) {
	bounds := make([]int, c.Inputs()+1)
	for i := range c.Inputs() {
		bounds[i+1] = bounds[i] + c.Shape(i)[op.axis]
	}
	for i, g := range split(c.Func(), c.Gy(0), op.axis, bounds, false) {
		if c.Needs(i) {
			c.SetGx(i, g)
		}
	}
}

// Stack joins arrays of one shape along a new axis.
// NumPy: stack. NNabla: stack. Chainer: stack.
func Stack(xs []*nd.Array, opts ...JoinOption) *nd.Array {
	const fn nd.Func = "ops.Stack"
	if len(xs) == 0 {
		panic(fn.Errorf(nil, "want at least one array"))
	}
	fn.Check(xs...)
	o := options.OfTwo(fn, opts, Axes.join, Output.join)
	if o.Flat {
		panic(fn.Errorf(xs, "flattened arrays are joined by Concatenate"))
	}
	axis := fn.AxisOf(xs[0].Rank()+1, o.Axis, 0, xs...)
	o.Axis = Over(axis)
	expanded := make([]*nd.Array, len(xs))
	for i, x := range xs {
		if !broadcast.Equal(x.Shape(), xs[0].Shape()) {
			panic(fn.Errorf(xs, "array %d does not have the shape of array 0", i))
		}
		expanded[i] = x.ExpandDims(axis)
	}
	return release.Operands(concatenate(fn, expanded, o), expanded...)
}

// HStack joins arrays along axis 1; it joins 0-d and 1-d arrays along axis 0.
// NumPy: hstack. Chainer: hstack.
func HStack(xs []*nd.Array) *nd.Array {
	defer argument.ShowInErrors(xs...)
	rows := each(AtLeast1D, xs)
	defer release.AllUnless(rows, xs)
	axis := 1
	if len(rows) > 0 && rows[0].Rank() == 1 {
		axis = 0
	}
	return concatenate("ops.HStack", rows, JoinOptions{Axis: Over(axis)})
}

// VStack joins arrays along axis 0; 0-d and 1-d arrays become rows.
// NumPy: vstack, row_stack. Chainer: vstack.
func VStack(xs []*nd.Array) *nd.Array {
	defer argument.ShowInErrors(xs...)
	rows := each(AtLeast2D, xs)
	defer release.AllUnless(rows, xs)
	return concatenate("ops.VStack", rows, JoinOptions{})
}

// DStack joins the arrays that AtLeast3D returns along axis 2.
// NumPy: dstack. Chainer: dstack.
func DStack(xs []*nd.Array) *nd.Array {
	defer argument.ShowInErrors(xs...)
	planes := each(AtLeast3D, xs)
	defer release.AllUnless(planes, xs)
	return concatenate("ops.DStack", planes, JoinOptions{Axis: Over(2)})
}

// ColumnStack joins arrays along axis 1; 0-d and 1-d arrays become columns.
// NumPy: column_stack.
func ColumnStack(xs []*nd.Array) *nd.Array {
	defer argument.ShowInErrors(xs...)
	columns := each(func(x *nd.Array) *nd.Array {
		if x.Rank() < 2 {
			return x.Reshape(-1, 1)
		}
		return x
	}, xs)
	defer release.AllUnless(columns, xs)
	return concatenate("ops.ColumnStack", columns, JoinOptions{Axis: Over(1)})
}

func each(f func(*nd.Array) *nd.Array, xs []*nd.Array) []*nd.Array {
	ys := make([]*nd.Array, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// AtLeast1D returns x, or for a 0-d x a view of shape (1,).
// NumPy: atleast_1d.
func AtLeast1D(x *nd.Array) *nd.Array {
	nd.Func("ops.AtLeast1D").Check(x)
	if x.Rank() == 0 {
		return x.Reshape(1)
	}
	return x
}

// AtLeast2D returns x, or if it has fewer than two axes a view with new axes in front.
// NumPy: atleast_2d.
func AtLeast2D(x *nd.Array) *nd.Array {
	nd.Func("ops.AtLeast2D").Check(x)
	switch x.Rank() {
	case 0:
		return x.Reshape(1, 1)
	case 1:
		return x.ExpandDims(0)
	}
	return x
}

// AtLeast3D returns x, or if it has fewer than three axes a view of shape (1, 1, 1), (1, n, 1) or (m, n, 1).
// NumPy: atleast_3d.
func AtLeast3D(x *nd.Array) *nd.Array {
	nd.Func("ops.AtLeast3D").Check(x)
	switch x.Rank() {
	case 0:
		return x.Reshape(1, 1, 1)
	case 1:
		return x.ExpandDims(0, 2)
	case 2:
		return x.ExpandDims(2)
	}
	return x
}

// BroadcastArrays returns views of the arrays with the shape that they broadcast to.
// NumPy: broadcast_arrays. PyTorch: broadcast_tensors. Chainer: broadcast.
func BroadcastArrays(xs ...*nd.Array) []*nd.Array {
	const fn nd.Func = "ops.BroadcastArrays"
	fn.Check(xs...)
	shapes := make([][]int, len(xs))
	for i, x := range xs {
		shapes[i] = x.Shape()
	}
	shape, err := broadcast.Shapes(shapes...)
	if err != nil {
		panic(fn.Errorf(xs, "%v", err))
	}
	return each(func(x *nd.Array) *nd.Array { return x.BroadcastTo(shape...) }, xs)
}
