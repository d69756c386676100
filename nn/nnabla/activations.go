package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func activations() []entry {
	return []entry{
		{typ: "Sigmoid", name: "sigmoid", make: unary(ops.Sigmoid)},
		{typ: "Swish", name: "swish", make: unary(ops.Swish)},
		{typ: "Tanh", name: "tanh", make: unary(ops.Tanh)},
		{typ: "ReLU", name: "relu", make: unary(ops.ReLU)},
		{typ: "LeakyReLU", name: "leaky_relu", make: func(a *arguments) operation {
			o := ops.LeakyReLUOptions{Alpha: new(a.float("alpha"))}
			return one(func(x *nd.Array) *nd.Array { return ops.LeakyReLU(x, o) })
		}},
		{typ: "Softmax", name: "softmax", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return one(func(x *nd.Array) *nd.Array { return ops.Softmax(x, axis) })
		}},
		{typ: "LogSoftmax", name: "log_softmax", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return one(func(x *nd.Array) *nd.Array { return ops.LogSoftmax(x, axis) })
		}},
		{typ: "ELU", name: "elu", make: func(a *arguments) operation {
			o := ops.ELUOptions{Alpha: new(a.float("alpha"))}
			return one(func(x *nd.Array) *nd.Array { return ops.ELU(x, o) })
		}},
		{typ: "SELU", name: "selu", make: func(a *arguments) operation {
			o := ops.SELUOptions{Scale: new(a.float("scale")), Alpha: new(a.float("alpha"))}
			return one(func(x *nd.Array) *nd.Array { return ops.SELU(x, o) })
		}},
		{typ: "CReLU", name: "crelu", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return one(func(x *nd.Array) *nd.Array { return ops.CReLU(x, axis) })
		}},
		{typ: "CELU", name: "celu", make: func(a *arguments) operation {
			o := ops.CELUOptions{Alpha: new(a.float("alpha")), Axis: a.axis("axis")}
			return one(func(x *nd.Array) *nd.Array { return ops.CELU(x, o) })
		}},
		{typ: "GELU", name: "gelu", make: unary(ops.GELU)},
		{typ: "Mish", name: "mish", make: unary(ops.Mish)},
		{typ: "PReLU", name: "prelu", make: func(a *arguments) operation {
			o := ops.PReLUOptions{BaseAxis: new(a.int("base_axis")), Kink: ops.KinkRight}
			return two(func(x, w *nd.Array) *nd.Array { return ops.PReLU(x, w, o) })
		}},
		{typ: "ReLU6", name: "relu6", make: unary(ops.ReLU6)},
		{typ: "HardSigmoid", name: "hard_sigmoid", make: unary(ops.HardSigmoid)},
		{typ: "HardTanh", name: "hard_tanh", make: unary(ops.HardTanh)},
		{typ: "LogSigmoid", name: "log_sigmoid", make: unary(ops.LogSigmoid)},
		{typ: "SoftPlus", name: "softplus", make: func(a *arguments) operation {
			o := ops.SoftplusOptions{Beta: new(a.float("beta"))}
			return one(func(x *nd.Array) *nd.Array { return ops.Softplus(x, o) })
		}},
		{typ: "SoftSign", name: "softsign", make: unary(ops.Softsign)},
		{typ: "TanhShrink", name: "tanh_shrink", make: unary(ops.TanhShrink)},
		{typ: "Sinc", name: "sinc", make: unary(ops.UnnormalizedSinc)},
	}
}
