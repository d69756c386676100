package conv

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var product3 = ufunc.Definition{Fn: "ops.Multiply", In: "T a, T b, T c", Body: "a * b * c"}

// sumOfProducts multiplies two or three arrays of the same dtype and rank, which broadcast, and sums over some axes,
// which must be in increasing order. It runs one launch and does not store the products in memory. Its gradients are
// sums of products again.
func sumOfProducts(fn nd.Func, axes []int, in ...*nd.Array) *nd.Array {
	shapes := make([][]int, len(in))
	for k, x := range in {
		shapes[k] = x.Shape()
	}
	full, err := broadcast.Shapes(shapes...)
	if err != nil {
		panic(fn.Errorf(in, "%v", err))
	}
	t := in[0].DType()
	product := ufunc.Multiply.Program(t)
	if len(in) == 3 {
		product = product3.Program(t)
	}
	y := fn.NewLike(t, broadcast.ReduceShape(full, axes, false), in...)
	fn.Reduce(product, nil, device.CombineSum, axes, nil, y, in...)
	fn.Record(productSumOp{full, axes}, in, y)
	return y
}

type productSumOp struct{ shape, axes []int }

func (op productSumOp) Claims() nd.Claims { return nd.Claims{In: ^uint64(0)} }

func (op productSumOp) Traced() any { return traced.ProductSum{Shape: op.shape, Axes: op.axes} }

func (op productSumOp) VJP(c *nd.Call) {
	gy := c.Gy(0).Reshape(broadcast.ReduceShape(op.shape, op.axes, true)...)
	for i := range c.Inputs() {
		if !c.Needs(i) {
			continue
		}
		factors := []*nd.Array{gy}
		for j := range c.Inputs() {
			if j != i {
				factors = append(factors, ops.Conj(c.In(j)))
			}
		}
		var axes []int // axes that this operand lacks
		for axis, n := range c.Shape(i) {
			if n == 1 && op.shape[axis] != 1 {
				axes = append(axes, axis)
			}
		}
		var g *nd.Array
		switch {
		case axes != nil:
			g = sumOfProducts(c.Func(), axes, factors...)
			g = g.Reshape(broadcast.ReduceShape(op.shape, axes, true)...)
		case len(factors) == 2:
			g = ops.Multiply(factors[0], factors[1])
		default:
			g = product3.Compute(nil, factors...)
		}
		c.SetGx(i, g)
	}
}
