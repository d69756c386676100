package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// elementwise are the operators that compute each element from those at the same index.
func elementwise() map[string]operator {
	return map[string]operator{
		"Abs": unary(ops.Absolute), "Neg": unary(ops.Negative), "Sign": unary(ops.Sign), "Reciprocal": unary(ops.Reciprocal),
		"Ceil": unary(ops.Ceil), "Floor": unary(ops.Floor), "Round": unary(ops.Rint),
		"Sqrt": unary(ops.Sqrt), "Exp": unary(ops.Exp), "Log": unary(ops.Log), "Erf": unary(ops.Erf),
		"Sin": unary(ops.Sin), "Cos": unary(ops.Cos), "Tan": unary(ops.Tan),
		"Asin": unary(ops.Arcsin), "Acos": unary(ops.Arccos), "Atan": unary(ops.Arctan),
		"Sinh": unary(ops.Sinh), "Cosh": unary(ops.Cosh), "Tanh": unary(ops.Tanh),
		"Asinh": unary(ops.Arcsinh), "Acosh": unary(ops.Arccosh), "Atanh": unary(ops.Arctanh),
		"Sigmoid": unary(ops.Sigmoid), "Softsign": unary(ops.Softsign), "Mish": unary(ops.Mish), "HardSwish": unary(ops.HardSwish),
		"Relu":     plain(func(c *call) []model.Value { return one(ops.ReLU(c.x(0))) }),
		"Softplus": plain(func(c *call) []model.Value { return one(ops.Softplus(c.x(0))) }),
		"IsNaN":    unary(ops.IsNaN), "IsInf": isInf,
		"Add": pairwise(ops.Add), "Sub": pairwise(ops.Subtract), "Mul": pairwise(ops.Multiply), "Div": ofTwo(divide),
		"Pow": ofTwo(power), "Mod": modulo,
		"Max": folded(ops.Maximum), "Min": folded(ops.Minimum), "Sum": folded(ops.Add),
		"Mean": plain(func(c *call) []model.Value {
			return one(ops.Divide(fold(c, ops.Add), nd.Scalar(len(c.in))))
		}),
		"And": pairwise(ops.LogicalAnd), "Or": pairwise(ops.LogicalOr), "Xor": pairwise(ops.LogicalXor), "Not": unary(ops.LogicalNot),
		"Equal": equal, "Less": pairwise(ops.Less), "Greater": pairwise(ops.Greater),
		"LessOrEqual": pairwise(ops.LessEqual), "GreaterOrEqual": pairwise(ops.GreaterEqual),
		"BitwiseAnd": pairwise(ops.BitwiseAnd), "BitwiseOr": pairwise(ops.BitwiseOr), "BitwiseXor": pairwise(ops.BitwiseXor),
		"BitwiseNot": unary(ops.Invert), "BitShift": bitShift,
		"Elu": func(n *node) run {
			alpha := n.float("alpha", 1)
			return func(c *call) []model.Value { return one(ops.ELU(c.x(0), ops.ELUOptions{Alpha: &alpha})) }
		},
		"LeakyRelu": func(n *node) run {
			slope := n.float("alpha", 0.01)
			return func(c *call) []model.Value {
				x := c.x(0)
				return one(ops.Where(ops.Less(x, nd.Scalar(0)), ops.Multiply(x, nd.Scalar(slope)), x))
			}
		},
		"ThresholdedRelu": func(n *node) run {
			alpha := nd.Scalar(n.float("alpha", 1))
			return func(c *call) []model.Value {
				x := c.x(0)
				return one(ops.Where(ops.Greater(x, alpha), x, nd.Scalar(0)))
			}
		},
		"Selu": func(n *node) run {
			alpha, gamma := n.float("alpha", 1.67326319217681884765625), n.float("gamma", 1.05070102214813232421875)
			return func(c *call) []model.Value {
				return one(ops.Multiply(ops.ELU(c.x(0), ops.ELUOptions{Alpha: &alpha}), nd.Scalar(gamma)))
			}
		},
		"Celu": func(n *node) run {
			alpha := n.float("alpha", 1)
			return func(c *call) []model.Value {
				x := ops.Divide(c.x(0), nd.Scalar(alpha))
				return one(ops.Multiply(ops.ELU(x), nd.Scalar(alpha)))
			}
		},
		"HardSigmoid": func(n *node) run {
			alpha, beta := n.float("alpha", 0.2), n.float("beta", 0.5)
			return func(c *call) []model.Value {
				y := ops.Add(ops.Multiply(c.x(0), nd.Scalar(alpha)), nd.Scalar(beta))
				return one(ops.Clip(y, 0, 1))
			}
		},
		"Gelu": func(n *node) run {
			f := ops.GELUErf
			if n.text("approximate", "none", "none", "tanh") == "tanh" {
				f = ops.GELU
			}
			return func(c *call) []model.Value { return one(f(c.x(0))) }
		},
		"Swish": func(n *node) run {
			alpha := nd.Scalar(n.float("alpha", 1))
			return func(c *call) []model.Value {
				x := c.x(0)
				return one(ops.Multiply(x, ops.Sigmoid(ops.Multiply(x, alpha))))
			}
		},
		"Shrink": func(n *node) run {
			bias, lambda := nd.Scalar(n.float("bias", 0)), n.float("lambd", 0.5)
			return func(c *call) []model.Value {
				x := c.x(0)
				y := ops.Where(ops.Less(x, nd.Scalar(-lambda)), ops.Add(x, bias), ops.Multiply(x, nd.Scalar(0)))
				return one(ops.Where(ops.Greater(x, nd.Scalar(lambda)), ops.Subtract(x, bias), y).AsType(x.DType()))
			}
		},
		"PRelu": func(n *node) run {
			return func(c *call) []model.Value {
				x, slope := c.x(0), c.x(1)
				if n.opset < 7 && slope.Rank() == 1 && slope.Size() > 1 {
					slope = ops.AlignLike(slope, x, ops.Over(1))
				}
				return one(ops.Where(ops.Less(x, nd.Scalar(0)), ops.Multiply(x, slope), x))
			}
		},
		"Clip": clip,
		"Where": structural(plain(func(c *call) []model.Value {
			return one(ops.Where(c.x(0), c.x(1), c.x(2)))
		})),
	}
}

// divide is a/b; integers are divided towards zero.
func divide(a, b *nd.Array) *nd.Array {
	if !a.DType().IsInteger() {
		return ops.Divide(a, b)
	}
	return ops.FloorDivide(ops.Subtract(a, ops.Fmod(a, b)), b) // exact, so that rounding down changes nothing
}

// power is a to the power b, in the dtype of a.
func power(a, b *nd.Array) *nd.Array {
	if a.DType() == b.DType() && a.DType().IsInexact() {
		return ops.Power(a, b)
	}
	if a.DType().IsInexact() {
		return ops.Power(a, b.AsType(a.DType()))
	}
	wide := ops.FloatPower(a, b)
	if b.DType().IsInteger() {
		wide = ops.Power(a, ops.Maximum(b, nd.Scalar(0)).AsType(a.DType()))
	}
	return wide.AsType(a.DType())
}

func modulo(n *node) run {
	if n.flag("fmod") {
		return pairwise(ops.Fmod)(n)
	}
	return pairwise(ops.Remainder)(n)
}

func isInf(n *node) run {
	negative, positive := n.int("detect_negative", 1) != 0, n.int("detect_positive", 1) != 0
	return func(c *call) []model.Value {
		x := c.x(0)
		switch {
		case negative && positive:
			return one(ops.IsInf(x))
		case negative:
			return one(ops.IsNegInf(x))
		case positive:
			return one(ops.IsPosInf(x))
		}
		return one(ops.NotEqual(x, x).AsType(dtype.Int8).AsType(dtype.Bool))
	}
}

// equal also compares texts.
func equal(n *node) run {
	numbers := pairwise(ops.Equal)(n)
	return func(c *call) []model.Value {
		a, isTexts := c.value(0).(Texts)
		if !isTexts {
			return numbers(c)
		}
		b := c.text(1)
		codes := map[string]int{}
		encode := func(t Texts) *nd.Array {
			numbers := make([]int, len(t.Values))
			for i, s := range t.Values {
				if _, known := codes[s]; !known {
					codes[s] = len(codes)
				}
				numbers[i] = codes[s]
			}
			return nd.FromSlice(numbers, t.Shape...)
		}
		return one(ops.Equal(encode(a), encode(b)))
	}
}

func bitShift(n *node) run {
	if n.text("direction", "", "LEFT", "RIGHT") == "RIGHT" {
		return pairwise(ops.RightShift)(n)
	}
	return pairwise(ops.LeftShift)(n)
}

// clip has its bounds as attributes before opset 11, and as inputs since then.
func clip(n *node) run {
	n.ints("consumed_inputs")
	if n.opset < 11 {
		low, high := n.float("min", -math.MaxFloat32), n.float("max", math.MaxFloat32)
		return func(c *call) []model.Value {
			return one(ops.ClipMax(ops.ClipMin(c.x(0), nd.Scalar(low)), nd.Scalar(high)))
		}
	}
	return func(c *call) []model.Value {
		x := c.x(0)
		if low := c.optional(1); low != nil {
			x = ops.ClipMin(x, low)
		}
		if high := c.optional(2); high != nil {
			x = ops.ClipMax(x, high)
		}
		return one(x)
	}
}
