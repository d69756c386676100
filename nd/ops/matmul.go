package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// MatMul returns the matrix product. The last two axes of both operands are matrices; the axes before them broadcast. A
// vector a is a row and a vector b a column, and its axis is left out of the result. The option Axes chooses other axes.
//
// Shapes: (…, m, k) and (…, k, n) give (…, m, n).
// NumPy: matmul, linalg.matmul. PyTorch: mm, bmm, mv. NNabla: batch_matmul. Chainer: matmul.
func MatMul(a, b *nd.Array, opts ...ProductOption) *nd.Array {
	const fn nd.Func = "ops.MatMul"
	o := options.Of(fn, opts, Output.product)
	if o.Axes == nil && o.Out == nil {
		return product(fn, o.DType, a, b)
	}
	fn.Check(a, b)
	core := [3]int{min(a.Rank(), 2), min(b.Rank(), 2)}
	core[2] = max(core[0]+core[1]-2, 0)
	return productOf(fn, o, a, b, core, func(a, b *nd.Array) *nd.Array { return product(fn, o.DType, a, b) })
}

// product is MatMul in a dtype; Unspecified means the dtype that the operands promote to.
func product(fn nd.Func, t dtype.DType, a, b *nd.Array) *nd.Array {
	if t == dtype.Unspecified {
		if y := fn.FlatMatMul(a, b); y != nil {
			return y
		}
	}
	fn.Check(a, b)
	if a.Rank() == 0 || b.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{a, b}, "want operands of at least one axis"))
	}
	left, right := a, b
	if a.Rank() == 1 {
		left = a.ExpandDims(0)
	}
	if b.Rank() == 1 {
		right = b.ExpandDims(1)
	}
	if left.Dim(-1) != right.Dim(-2) {
		panic(fn.Errorf([]*nd.Array{a, b}, "the last axis of a has length %d, the last but one of b %d: want the same",
			left.Dim(-1), right.Dim(-2)))
	}
	y := matMulAdd(fn, t, left, right, nil)
	release.Unless(left, a)
	release.Unless(right, b)
	switch {
	case a.Rank() == 1 && b.Rank() == 1:
		return release.Replace(y, y.Reshape())
	case a.Rank() == 1:
		return release.Replace(y, y.Squeeze(-2))
	case b.Rank() == 1:
		return release.Replace(y, y.Squeeze(-1))
	}
	return y
}

// matMul is MatMul for operands that have at least two axes and matching shapes.
func matMul(fn nd.Func, a, b *nd.Array) *nd.Array {
	return matMulAdd(fn, dtype.Unspecified, a, b, nil)
}

// matMulAdd is matMul plus d, which broadcasts, in one pass; a nil d adds nothing. d does not decide the dtype: the
// product is computed in dtype t; Unspecified means the dtype that a and b promote to.
func matMulAdd(fn nd.Func, t dtype.DType, a, b, d *nd.Array) *nd.Array {
	return matMulThen(fn, t, a, b, d, nil)
}

// matMulThen is matMulAdd, followed by a program that is applied to each element, if it is not nil. No tape may have recorded
// the operands of a product with a program.
func matMulThen(fn nd.Func, t dtype.DType, a, b, d *nd.Array, then *device.Program) *nd.Array {
	sa, sb := a.Layout().Shape, b.Layout().Shape
	m, k, n := sa[len(sa)-2], sa[len(sa)-1], sb[len(sb)-1]
	var room [2][6]int
	batch, err := broadcast.Into(room[0][:0], sa[:len(sa)-2], sb[:len(sb)-2])
	if err != nil {
		refuseBatch(fn, a, b)
	}
	loop := append(append(room[1][:0], batch...), m, n)
	if t.Valid() {
		ufunc.RefuseCast(fn, t, a, b)
	} else {
		t = ufunc.CommonType([]*nd.Array{a, b})
	}
	y := fn.NewLike(t, loop, a, b)
	l := fn.Launch(y.Device(), append(loop, k))
	var strides [nd.MaxRank]int
	l.WriteStrides(y, matrixStrides(strides[:0], y, batch, 0, 1, -1))
	l.ReadStrides(a, matrixStrides(strides[:0], a, batch, 0, -1, 1))
	l.ReadStrides(b, matrixStrides(strides[:0], b, batch, -1, 1, 0))
	if d != nil {
		l.ReadStrides(d, addendStrides(strides[:0], d, loop))
	}
	l.Post = then
	l.Run(device.Device.MatMul)
	switch {
	case d != nil && ufunc.Recorded(a, b, d):
		fn.Record(matMulOp{}, []*nd.Array{a, b, d}, y)
	case ufunc.Recorded(a, b):
		fn.Record(matMulOp{}, []*nd.Array{a, b}, y)
	}
	return y
}

// refuseBatch panics if the axes before the matrices do not broadcast.
func refuseBatch(fn nd.Func, a, b *nd.Array) {
	_, err := broadcast.Shapes(a.Shape()[:a.Rank()-2], b.Shape()[:b.Rank()-2])
	panic(fn.Errorf([]*nd.Array{a, b}, "%v", err))
}

// matrixStrides appends x's strides along the loop (batch..., m, n, k) to dst. m, n and k each say which axis of the
// matrices the loop's axis is: 0 for rows, 1 for columns, -1 for neither.
func matrixStrides(dst []int, x *nd.Array, batch []int, m, n, k int) []int {
	v := x.Layout()
	outer := len(v.Shape) - 2
	all, err := broadcast.BroadcastStrides(dst, v.Shape[:outer], v.Strides[:outer], batch)
	if err != nil {
		panic(err) // the batch shape is the operands' broadcast shape
	}
	for _, which := range [...]int{m, n, k} {
		step := 0
		if which >= 0 {
			step = v.Strides[outer+which]
		}
		all = append(all, step)
	}
	return all
}

// addendStrides appends the addend's strides along the loop (batch..., m, n, k) to dst.
func addendStrides(dst []int, d *nd.Array, shape []int) []int {
	v := d.Layout()
	all, err := broadcast.BroadcastStrides(dst, v.Shape, v.Strides, shape)
	if err != nil {
		panic(err) // the callers check shapes
	}
	return append(all, 0)
}

// matMulOp is a product; a third input is added to it.
type matMulOp struct{}

func (matMulOp) Claims() nd.Claims { return nd.Claims{In: 0b11} }

func (matMulOp) Traced() any { return traced.MatMul{} }

func (op matMulOp) VJP(c *nd.Call) {
	if c.Needs(0) {
		c.SetGx(0, summedProduct(c.Func(), c.Gy(0), adjoint(c.In(1)), c.Shape(0)))
	}
	if c.Needs(1) {
		c.SetGx(1, op.rightGradient(c))
	}
	if c.Inputs() == 3 && c.Needs(2) {
		c.SetGx(2, c.Func().SumTo(c.Gy(0), c.Shape(2)))
	}
}

// rightGradient merges all matrices of the batch into one product if they share the right factor.
func (op matMulOp) rightGradient(c *nd.Call) *nd.Array {
	a, gy := c.In(0), c.Gy(0)
	if len(c.Shape(1)) == 2 && a.Rank() > 2 {
		rows := broadcast.Size(gy.Shape()[:gy.Rank()-1])
		a, gy = a.Reshape(rows, a.Dim(-1)), gy.Reshape(rows, gy.Dim(-1))
	}
	return summedProduct(c.Func(), adjoint(a), gy, c.Shape(1))
}

// mostProducts is the size of the products of a batch, relative to that of the factors, up to which they are computed
// before they are added up.
const mostProducts = 4

// summedProduct returns SumTo(matMul(a, b), shape). If the products are much larger than the factors, it adds them up within
// one product: for matrices (…, B, m, k) and (…, B, k, n) whose products are added up along B, it multiplies (…, m, B·k)
// by (…, B·k, n).
func summedProduct(fn nd.Func, a, b *nd.Array, shape []int) *nd.Array {
	m, n, most := a.Dim(-2), b.Dim(-1), mostProducts*(a.Size()+b.Size())
	if a.Rank() == 2 && b.Rank() == 2 {
		return fn.SumTo(matMul(fn, a, b), shape)
	}
	batch, _ := broadcast.Shapes(a.Shape()[:a.Rank()-2], b.Shape()[:b.Rank()-2]) // they do broadcast
	rank := len(batch)
	var summed, kept []int
	for axis := range batch {
		own := axis - (rank + 2 - len(shape)) // of the result
		if batch[axis] != 1 && (own < 0 || shape[own] == 1) {
			summed = append(summed, axis)
		} else {
			kept = append(kept, axis)
		}
	}
	if summed == nil || broadcast.Product(broadcast.Size(batch), m, n) <= most {
		return fn.SumTo(matMul(fn, a, b), shape)
	}
	full := slices.Clone(batch)
	for _, axis := range summed {
		full[axis] = 1
	}
	y := matMul(fn, joined(a, batch, summed, kept, true), joined(b, batch, summed, kept, false))
	return fn.SumTo(y.Reshape(append(full, m, n)...), shape)
}

// joined returns matrices with the summed axes of the batch joined with their columns, or with their rows.
func joined(x *nd.Array, batch, summed, kept []int, columns bool) *nd.Array {
	rank := len(batch)
	shape := append(broadcast.Ones(rank+2-x.Rank()), x.Shape()...)
	x = x.Reshape(shape...)
	var order, lengths []int
	count := 1
	for _, axis := range kept {
		lengths = append(lengths, shape[axis])
	}
	for _, axis := range summed {
		shape[axis] = batch[axis]
		count *= batch[axis]
	}
	if rows, width := shape[rank], shape[rank+1]; columns {
		order, lengths = slices.Concat(kept, []int{rank}, summed, []int{rank + 1}), append(lengths, rows, count*width)
	} else {
		order, lengths = slices.Concat(kept, summed, []int{rank, rank + 1}), append(lengths, count*rows, width)
	}
	return x.BroadcastTo(shape...).Transpose(order...).Reshape(lengths...)
}

// adjoint returns the conjugate transpose of matrices.
func adjoint(x *nd.Array) *nd.Array { return Conj(x.SwapAxes(-1, -2)) }
