package onnx

import (
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nn/model"
)

// products are the operators of linear algebra.
func products() map[string]operator {
	return map[string]operator{
		"MatMul": plain(func(c *call) []model.Value { return one(c.affine(c.x(0), c.x(1), nil)) }),
		"Gemm":   gemm,
		"Det":    plain(func(c *call) []model.Value { return one(linalg.Det(c.x(0))) }),
		"Einsum": func(n *node) run {
			equation := strings.ReplaceAll(n.text("equation", ""), " ", "")
			return func(c *call) []model.Value { return one(ops.Einsum(equation, c.xs(0)...)) }
		},
		"MatMulInteger": plain(func(c *call) []model.Value {
			return one(ops.MatMul(c.centred(0, 2, -1), c.centred(1, 3, -2)))
		}),
		"QLinearMatMul": plain(qLinearMatMul),
	}
}

// gemm is alpha·a·b + beta·c, where a and b may be transposed.
func gemm(n *node) run {
	alpha, beta := n.float("alpha", 1), n.float("beta", 1)
	turnA, turnB := n.flag("transA"), n.flag("transB")
	if n.opset < 7 {
		n.int("broadcast", 0)
	}
	return func(c *call) []model.Value {
		a, b := c.x(0), c.x(1)
		if a.Rank() != 2 || b.Rank() != 2 {
			c.refuse("want two matrices")
		}
		if turnA {
			a = a.T()
		}
		if turnB {
			b = b.T()
		}
		bias := c.optional(2)
		if bias != nil && beta != 1 {
			bias = scaled(bias, beta)
		}
		if alpha == 1 && (bias == nil || bias.Size() == b.Dim(1) && bias.Rank() > 0 && bias.Dim(-1) == b.Dim(1)) {
			if bias != nil {
				bias = bias.Reshape(-1)
			}
			return one(c.affine(a, b, bias))
		}
		y := ops.MatMul(a, b)
		if alpha != 1 {
			y = scaled(y, alpha)
		}
		if bias != nil {
			y = ops.Add(y, bias)
		}
		return one(c.finished(y))
	}
}

// affine is the matrix product x·w + bias, and what the call applies to it. The bias may be nil.
func (c *call) affine(x, w, bias *nd.Array) *nd.Array {
	if w.Rank() == 2 && x.Rank() > 0 && (bias != nil || c.then != nil) {
		return ops.Affine(x, w, ops.AffineOptions{Bias: bias, BaseAxis: new(-1), Then: c.then})
	}
	return c.finished(ops.MatMul(x, w))
}

// finished applies what the call does with its result to a new array.
func (c *call) finished(y *nd.Array) *nd.Array {
	if c.then == nil {
		return y
	}
	if isRecorded(y) {
		return c.then.Call(y)
	}
	c.then.CallInto([]*nd.Array{y}, y)
	return y
}

// scaled multiplies by a factor, in x's dtype.
func scaled(x *nd.Array, factor float64) *nd.Array {
	if x.DType().IsInteger() {
		return ops.Multiply(x.AsType(dtype.Float64), nd.Scalar(factor)).AsType(x.DType())
	}
	return ops.Multiply(x, nd.Scalar(factor))
}

// centred returns an input of small integers minus its zero point, in int32. A vector of zero points has one for each index
// of the axis before the given one from the end: for each row of the left operand, and for each column of the right one.
func (c *call) centred(i, zero, axis int) *nd.Array {
	x := c.x(i).AsType(dtype.Int32)
	if z := c.optional(zero); z != nil {
		x = ops.Subtract(x, c.each(z, axis).AsType(dtype.Int32))
	}
	return x
}

// each returns parameters of rows or columns so that they broadcast along the given axis.
func (c *call) each(p *nd.Array, axis int) *nd.Array {
	if p.Rank() == 1 && p.Size() > 1 && axis == -1 {
		return p.ExpandDims(1)
	}
	return p
}

// qLinearMatMul multiplies quantised matrices.
func qLinearMatMul(c *call) []model.Value {
	product := ops.MatMul(c.centred(0, 2, -1), c.centred(3, 5, -2))
	factor := ops.Divide(ops.Multiply(c.each(c.x(1), -1), c.each(c.x(4), -2)), c.x(6))
	y := ops.Multiply(product.AsType(dtype.Float32), factor.AsType(dtype.Float32))
	return one(saturated(ops.Rint(y), c.x(7)))
}

// saturated adds a zero point to whole numbers, and converts them to its dtype.
func saturated(y, zero *nd.Array) *nd.Array {
	t := zero.DType()
	limits := dtype.Info(t)
	y = ops.Add(y, zero.AsType(y.DType()))
	return ops.Clip(y, nd.Scalar(limits.MinInt), nd.Scalar(limits.MaxInt)).AsType(t)
}
