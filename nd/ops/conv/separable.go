package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// AdaptiveSeparableConvolution convolves every channel of images with a separate window for each pixel: the outer
// product of a column and a row. y[b, c, h, w] = Σ vertical[b, j, h, w] · horizontal[b, i, h, w] · x[b, c, h+j, w+i]
// over j and i.
//
// Shapes: x (B, C, H, W), vertical (B, J, …), horizontal (B, I, …); the result (B, C, H', W') with H' = H-J+1 and W' =
// W-I+1. vertical and horizontal have at least H' rows and W' columns, of which the first ones count.
//
// Source: S. Niklaus, L. Mai, F. Liu, Video Frame Interpolation via Adaptive Separable Convolution, 2017.
// NNabla: adaptive_separable_convolution.
func AdaptiveSeparableConvolution(x, vertical, horizontal *nd.Array) *nd.Array {
	const fn nd.Func = "conv.AdaptiveSeparableConvolution"
	in := []*nd.Array{x, vertical, horizontal}
	fn.Check(in...)
	if slices.ContainsFunc(in, func(x *nd.Array) bool { return x.Rank() != 4 || x.DType().IsBool() }) ||
		vertical.Dim(0) != x.Dim(0) || horizontal.Dim(0) != x.Dim(0) {
		panic(fn.Errorf(in, "want numbers (B, C, H, W), (B, J, …) and (B, I, …)"))
	}
	op := adaptiveOp{vertical.Dim(1), horizontal.Dim(1)}
	height, width := x.Dim(2)-op.rows+1, x.Dim(3)-op.columns+1
	if op.rows < 1 || op.columns < 1 || height < 0 || width < 0 {
		panic(fn.Errorf(in, "a window of %d by %d does not fit into the image", op.rows, op.columns))
	}
	for _, kernel := range in[1:] {
		if kernel.Dim(2) < height || kernel.Dim(3) < width {
			panic(fn.Errorf(in, "want windows for %d by %d pixels", height, width))
		}
	}
	made := fn.Temporaries(&x, &vertical, &horizontal)
	defer made.Release()
	t := ufunc.CommonType(in)
	x = x.AsType(t)
	inside := []nd.Index{nd.All(), nd.All(), nd.Until(height), nd.Until(width)}
	vertical, horizontal = vertical.AsType(t).Index(inside...), horizontal.AsType(t).Index(inside...)
	y := fn.NewLike(t, []int{x.Dim(0), x.Dim(1), height, width}, x)
	windows, columns, rows := op.operands(x.Detach(), vertical.Detach(), horizontal.Detach())
	fn.Reduce(product3.Program(t), nil, device.CombineSum, []int{4, 5}, nil, y, windows, columns, rows)
	fn.Record(op, []*nd.Array{x, vertical, horizontal}, y)
	return made.Keep(y)
}

// adaptiveOp computes the gradient with respect to x without storing the contributions of the windows, as sumOfProducts
// would.
type adaptiveOp struct{ rows, columns int }

func (op adaptiveOp) Claims() nd.Claims { return nd.Claims{In: ^uint64(0)} }

// operands returns the factors of all products, with axes (B, C, H', W', J, I).
func (op adaptiveOp) operands(x, vertical, horizontal *nd.Array) (windows, columns, rows *nd.Array) {
	return x.SlidingWindows([]int{op.rows, op.columns}, 2, 3),
		vertical.Transpose(0, 2, 3, 1).ExpandDims(1, -1), horizontal.Transpose(0, 2, 3, 1).ExpandDims(1, -2)
}

func (op adaptiveOp) VJP(c *nd.Call) {
	fn, gy := c.Func(), c.Gy(0)
	x, vertical, horizontal := ops.Conj(c.In(0)), ops.Conj(c.In(1)), ops.Conj(c.In(2))
	windows, columns, rows := op.operands(x, vertical, horizontal)
	each := gy.ExpandDims(-1, -2)
	if c.Needs(0) {
		c.SetGx(0, op.image(fn, gy, vertical, horizontal))
	}
	if c.Needs(1) {
		c.SetGx(1, sumOfProducts(fn, []int{1, 5}, windows, rows, each).Transpose(0, 3, 1, 2))
	}
	if c.Needs(2) {
		c.SetGx(2, sumOfProducts(fn, []int{1, 4}, windows, columns, each).Transpose(0, 3, 1, 2))
	}
}

// image returns the gradient with respect to x. A pixel of x lies in the windows of the pixels above and to the left of
// it, the last window element first. So the gradient is again a sum over windows: those of gy and of the weights,
// padded by all but one of the window's elements.
func (op adaptiveOp) image(fn nd.Func, gy, vertical, horizontal *nd.Array) *nd.Array {
	around := func(x *nd.Array) *nd.Array {
		j, i := op.rows-1, op.columns-1
		return ops.Pad(x, [][2]int{{0, 0}, {0, 0}, {j, j}, {i, i}}).SlidingWindows([]int{op.rows, op.columns}, 2, 3)
	}
	columns := around(vertical.Flip(1)).Diagonal(0, 1, 4) // (B, H, W, I, J)
	rows := around(horizontal.Flip(1)).Diagonal(0, 1, 5)  // (B, H, W, J, I)
	return sumOfProducts(fn, []int{4, 5}, around(gy), columns.SwapAxes(-1, -2).ExpandDims(1), rows.ExpandDims(1))
}
