package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Split cuts x into equal parts along an axis (the default is 0), as views. The length of the axis must be divisible by
// the number of parts.
// NumPy: split. Chainer: split_axis.
func Split(x *nd.Array, parts int, over ...Axes) []*nd.Array {
	const fn nd.Func = "ops.Split"
	axis := splitAxis(fn, x, parts, over)
	if x.Dim(axis)%parts != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d parts of an axis of length %d are not equal: use ArraySplit", parts, x.Dim(axis)))
	}
	return cut(fn, x, parts, axis)
}

// ArraySplit cuts x into parts along an axis (the default is 0), as views. If the length is not divisible, the first
// parts are longer by one.
// NumPy: array_split. PyTorch: tensor_split.
func ArraySplit(x *nd.Array, parts int, over ...Axes) []*nd.Array {
	const fn nd.Func = "ops.ArraySplit"
	return cut(fn, x, parts, splitAxis(fn, x, parts, over))
}

func splitAxis(fn nd.Func, x *nd.Array, parts int, over []Axes) int {
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), 0)
	if parts <= 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d parts: want at least one", parts))
	}
	return axis
}

func cut(fn nd.Func, x *nd.Array, parts, axis int) []*nd.Array {
	n := x.Dim(axis)
	fn.CheckAllocatable(dtype.Int64, broadcast.Sum(parts, 1))
	bounds := make([]int, parts+1)
	for k := range parts {
		bounds[k+1] = bounds[k] + n/parts
		if k < n%parts {
			bounds[k+1]++
		}
	}
	return split(fn, x, axis, bounds, false)
}

// split returns the views of x between neighbouring bounds along an axis, without that axis if drop is true. All parts
// are recorded as one operation, so that their gradients form one array in one step.
func split(fn nd.Func, x *nd.Array, axis int, bounds []int, drop bool) []*nd.Array {
	from := x
	if ufunc.Recorded(x) && !x.Links() {
		from = x.Detach()
		defer from.Release()
	}
	ix := make([]nd.Index, axis+1)
	ys := make([]*nd.Array, len(bounds)-1)
	for k := range ys {
		if ix[axis] = nd.Span(bounds[k], bounds[k+1]); drop {
			ix[axis] = nd.At(bounds[k])
		}
		ys[k] = from.Index(ix...)
	}
	fn.Record(splitOp{axis, drop}, []*nd.Array{x}, ys...)
	return ys
}

// splitOp cuts an array into neighbouring parts that together cover it.
type splitOp struct {
	axis int
	drop bool // the parts lack the axis
}

func (op splitOp) Claims() nd.Claims { return nd.Claims{} }

func (op splitOp) Traced() any { return traced.Split{Axis: op.axis, Drop: op.drop} }

// VJP joins the gradients of the parts. A missing gradient is zero.
func (op splitOp) VJP(c *nd.Call) {
	zero := ufunc.Zeros(c, nil)
	parts := make([]*nd.Array, c.Outputs())
	for k := range parts {
		if parts[k] = c.Gy(k); parts[k] == nil {
			parts[k] = zero.BroadcastTo(c.OutShape(k)...)
		}
		if op.drop {
			parts[k] = parts[k].ExpandDims(op.axis)
		}
	}
	c.SetGx(0, concatenate(c.Func(), parts, JoinOptions{Axis: Over(op.axis)}))
}

// SplitAt cuts x before the given positions along an axis (the default is 0), as views. Positions are those of nd.Span:
// negative ones count from the end, and parts may be empty.
// NumPy: split (with a list), array_split (with a list). PyTorch: tensor_split (with positions).
func SplitAt(x *nd.Array, positions []int, over ...Axes) []*nd.Array {
	const fn nd.Func = "ops.SplitAt"
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), 0)
	if bounds := boundsAt(positions, x.Dim(axis)); slices.IsSorted(bounds) {
		return split(fn, x, axis, bounds, false)
	}
	ix := make([]nd.Index, axis+1)
	ys := make([]*nd.Array, 0, len(positions)+1)
	from := 0
	for _, to := range positions {
		ix[axis] = nd.Span(from, to)
		ys = append(ys, x.Index(ix...))
		from = to
	}
	ix[axis] = nd.From(from)
	return append(ys, x.Index(ix...))
}

// boundsAt returns the beginnings of the parts between positions of an axis of length n, and the end of the last part.
func boundsAt(positions []int, n int) []int {
	bounds := make([]int, 1, len(positions)+2)
	for _, at := range positions {
		if at < 0 {
			at += n
		}
		bounds = append(bounds, min(max(at, 0), n))
	}
	return append(bounds, n)
}

// Unstack returns the views of x at every index of an axis (the default is 0). The views lack that axis. It is the
// inverse of Stack.
// NumPy: unstack. PyTorch: unbind. NNabla: split. Chainer: separate.
func Unstack(x *nd.Array, over ...Axes) []*nd.Array {
	const fn nd.Func = "ops.Unstack"
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), 0)
	bounds := make([]int, x.Dim(axis)+1)
	for k := range bounds {
		bounds[k] = k
	}
	return split(fn, x, axis, bounds, true)
}
