package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// SlidingWindows returns a view of all windows of x. A window has length lengths[i] along axes[i]; its elements are
// along new axes at the end. Without axes, windows are along all axes, and lengths has one entry per axis. An axis of
// length n has n - length + 1 windows; Index(All().By(2)) selects every second one. Windows share elements, so writing
// to them is refused. Gradients of shared elements add up.
//
// Shapes: (5, 7) with lengths 2, 3 gives (4, 5, 2, 3).
// NumPy: lib.stride_tricks.sliding_window_view. PyTorch: Tensor.unfold.
func (x *Array) SlidingWindows(lengths []int, axes ...int) *Array {
	return x.deriveSharedView("Array.SlidingWindows", func(v broadcast.View) (broadcast.View, error) {
		if len(axes) == 0 {
			axes = broadcast.AllAxes(len(v.Shape))
		}
		return v.Windows(lengths, axes)
	})
}

// AsStrided returns a view of x, which must be contiguous, that begins at its first element: neighbours along axis k of
// the result are strides[k] elements (not bytes) of x apart. The view must stay within x. If it shows elements more
// than once, writing to the view is refused, and their gradients add up.
// NumPy: lib.stride_tricks.as_strided. PyTorch: as_strided.
func (x *Array) AsStrided(shape, strides []int) *Array {
	return x.deriveSharedView("Array.AsStrided", func(v broadcast.View) (broadcast.View, error) { return v.AsStrided(shape, strides) })
}

// deriveSharedView is derive for views that may show an element more than once.
func (x *Array) deriveSharedView(fn Func, f func(broadcast.View) (broadcast.View, error)) *Array {
	return x.deriveViewAs(fn, f, func(base []int, view broadcast.View) Op { return sharedViewOp{base, view} })
}

// sharedViewOp is viewOp for views that may show an element more than once.
type sharedViewOp struct {
	base []int
	view broadcast.View
}

func (op sharedViewOp) Claims() Claims { return Claims{} }
func (op sharedViewOp) Traced() any    { return traced.View{Base: op.base, View: op.view} }
func (op sharedViewOp) VJP(c *Call) {
	g := c.Gy(0)
	y := c.Func().NewFilled(g.dtype, op.base, 0, g)
	op.addTo(c.Func(), y, g)
	c.Func().Record(scatterSharedViewOp(op), []*Array{g}, y)
	c.SetGx(0, y)
}

// AddTo adds g to the elements that the view shows.
func (op sharedViewOp) AddTo(c *Call, gx *Array) { op.addTo(c.Func(), gx, c.Gy(0)) }

// addTo adds g to the elements of y, which is contiguous, that the view shows. It works in parts that show no element
// twice: it adds along the longest axes at once, and steps through the indices of the other axes.
func (op sharedViewOp) addTo(fn Func, y, g *Array) {
	if g.Size() == 0 {
		return
	}
	from, order := g.Layout(), broadcast.AllAxes(len(op.view.Shape))
	slices.SortStableFunc(order, func(a, b int) int { return op.view.Shape[b] - op.view.Shape[a] })
	var part, added broadcast.View // of y and of g
	apart := slices.Clone(op.view.Shape)
	for _, k := range order {
		part.Shape, part.Strides = append(part.Shape, apart[k]), append(part.Strides, op.view.Strides[k])
		if last := len(part.Shape) - 1; broadcast.MaySelfOverlap(part.Shape, part.Strides) {
			part.Shape, part.Strides = part.Shape[:last], part.Strides[:last]
		} else {
			apart[k], added.Strides = 1, append(added.Strides, from.Strides[k])
		}
	}
	added.Shape = part.Shape
	for at := make([]int, len(apart)); ; {
		part.Offset = y.offset + op.view.Offset + broadcast.Dot(at, op.view.Strides)
		added.Offset = from.Offset + broadcast.Dot(at, from.Strides)
		to, values := y.header(fn, part), g.header(fn, added)
		addInto(fn, to, values)
		to.Release()
		values.Release()
		if !broadcast.Next(at, apart) {
			return
		}
	}
}

// scatterSharedViewOp is the gradient of a sharingOp: it sums the gradients of the elements that the view shows.
type scatterSharedViewOp sharedViewOp

func (op scatterSharedViewOp) Claims() Claims { return Claims{} }
func (op scatterSharedViewOp) VJP(c *Call) {
	c.SetGx(0, c.Gy(0).Contiguous().deriveSharedView("nd.view", func(whole broadcast.View) (broadcast.View, error) {
		return broadcast.View{Offset: whole.Offset + op.view.Offset, Shape: op.view.Shape, Strides: op.view.Strides}, nil
	}))
}
