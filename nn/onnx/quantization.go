package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// quantizations are the operators between floats and small integers.
func quantizations() map[string]operator {
	return map[string]operator{"QuantizeLinear": quantizeLinear, "DequantizeLinear": dequantizeLinear,
		"DynamicQuantizeLinear": plain(dynamicQuantizeLinear)}
}

// granularity says for which elements a scale and a zero point count: for all, for those of an index of an axis, or for
// blocks along it.
type granularity struct{ axis, block int }

func (n *node) granularity() granularity {
	return granularity{n.int("axis", 1), n.int("block_size", 0)}
}

// spread returns parameters so that they broadcast to x.
func (g granularity) spread(c *call, p *nd.Array, shape []int) *nd.Array {
	if p.Size() == 1 && g.block == 0 {
		return p.Reshape()
	}
	if p.Rank() == 0 || len(shape) == 0 {
		return p
	}
	if p.Rank() == 1 && g.block == 0 {
		at, along := c.fn.AxisOf(len(shape), []int{g.axis}, 0), broadcast.Ones(len(shape))
		if len(shape) == 1 {
			at = 0
		}
		along[at] = p.Size()
		return p.Reshape(along...)
	}
	at := c.fn.AxisOf(len(shape), []int{g.axis}, 0)
	if p.Rank() != len(shape) {
		c.refuse("parameters of shape %s for an array of shape %s", broadcast.FormatShape(p.Shape()), broadcast.FormatShape(shape))
	}
	block := g.block
	if block == 0 {
		block = (shape[at] + max(p.Dim(at), 1) - 1) / max(p.Dim(at), 1)
	}
	repeated := ops.Repeat(p, block, ops.Over(at))
	if repeated.Dim(at) < shape[at] {
		c.refuse("%d blocks of %d elements for an axis of length %d", p.Dim(at), block, shape[at])
	}
	return repeated.MoveAxis([]int{at}, []int{0}).Index(nd.Until(shape[at])).MoveAxis([]int{0}, []int{at})
}

func quantizeLinear(n *node) run {
	g, how := n.granularity(), n.conversion()
	output, precision := n.elementType("output_dtype", 0), n.elementType("precision", 0)
	return func(c *call) []model.Value {
		x, scale := c.x(0), arrayIn(c.value(1))
		to := output
		var zero *nd.Array
		if c.given(2) {
			zero = arrayIn(c.in[2])
			if narrow, ok := c.in[2].(Narrow); ok {
				to = narrow.Type
			} else {
				to = ElementTypeOf(zero.DType())
			}
		}
		if to == 0 {
			to = Uint8
		}
		t := scale.DType()
		if precision != 0 {
			t = precision.DType()
		}
		y := ops.Divide(x.AsType(t), g.spread(c, scale, x.Shape()).AsType(t))
		if _, float := floatFormats[to]; float {
			if zero != nil {
				y = ops.Add(y, g.spread(c, zero, x.Shape()).AsType(y.DType()))
			}
			return []model.Value{how.narrow(y, to)}
		}
		y = ops.Rint(y).AsType(dtype.Float32)
		if zero != nil {
			y = ops.Add(y, g.spread(c, zero, x.Shape()).AsType(dtype.Float32))
		}
		low, high := to.bounds()
		y = ops.Clip(y, nd.Scalar(low), nd.Scalar(high))
		if to.IsNarrow() {
			return []model.Value{how.narrow(y, to)}
		}
		return one(y.AsType(to.DType()))
	}
}

// bounds returns the smallest and the largest integer of a type.
func (e ElementType) bounds() (low, high float64) {
	switch bits := integerBits[e]; {
	case bits == 0:
		limits := dtype.Info(e.DType())
		return float64(limits.MinInt), float64(limits.MaxInt)
	case e.narrowDType() == dtype.Int8:
		return -float64(int(1) << (bits - 1)), float64(int(1)<<(bits-1) - 1)
	default:
		return 0, float64(int(1)<<bits - 1)
	}
}

func dequantizeLinear(n *node) run {
	g, output := n.granularity(), n.elementType("output_dtype", 0)
	return func(c *call) []model.Value {
		x, scale := arrayIn(c.value(0)), arrayIn(c.value(1))
		if x == nil || scale == nil {
			c.refuse("input 0 is a %s, and input 1 a %s", describe(c.in[0]), describe(c.in[1]))
		}
		t := scale.DType()
		if output != 0 {
			t = output.DType()
		}
		if c.given(2) {
			zero := arrayIn(c.in[2])
			if x.DType().IsInteger() {
				x, zero = x.AsType(dtype.Int32), zero.AsType(dtype.Int32)
			}
			x = ops.Subtract(x, g.spread(c, zero, x.Shape()))
		}
		return one(ops.Multiply(x.AsType(t), g.spread(c, scale, x.Shape()).AsType(t)))
	}
}

// dynamicQuantizeLinear chooses the scale and the zero point by the smallest and the largest element, and 0.
func dynamicQuantizeLinear(c *call) []model.Value {
	const levels = 255
	x := c.x(0)
	low, high := ops.Minimum(ops.Min(x), nd.Scalar(0)), ops.Maximum(ops.Max(x), nd.Scalar(0))
	scale := ops.Divide(ops.Subtract(high, low), nd.Scalar(levels))
	zero := ops.Rint(ops.Clip(ops.Divide(ops.Negative(low), scale), 0, levels)).AsType(dtype.Uint8)
	return some(saturated(ops.Rint(ops.Divide(x, scale)), zero), scale, zero)
}
