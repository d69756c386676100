package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

func reductions() []entry {
	return []entry{
		{typ: "Sum", name: "sum", make: reduction(ops.Sum)},
		{typ: "Mean", name: "mean", make: reduction(ops.Mean)},
		{typ: "Max", name: "max", make: extreme(ops.MaxWithIndex)},
		{typ: "Min", name: "min", make: extreme(ops.MinWithIndex)},
		{typ: "Norm", name: "norm", make: func(a *arguments) operation {
			o := ops.NormOptions{P: new(a.float("p")), Axes: a.axes("axes"), KeepDims: a.bool("keep_dims")}
			return one(func(x *nd.Array) *nd.Array { return ops.Norm(x, o) })
		}},
		{typ: "Prod", name: "prod", make: reduction(ops.Prod)},
		{typ: "ReduceSum", name: "reduce_sum", make: plain(func(x *nd.Array) *nd.Array { return ops.Sum(x) })},
		{typ: "ReduceMean", name: "reduce_mean", make: plain(func(x *nd.Array) *nd.Array { return ops.Mean(x) })},
		{typ: "CumSum", name: "cumsum", make: scan(ops.CumSum)},
		{typ: "CumProd", name: "cumprod", make: scan(ops.CumProd)},
	}
}

func reduction(f func(x *nd.Array, opts ...ops.ReduceOption) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		o := ops.ReduceOptions{Axes: a.axes("axes"), KeepDims: a.bool("keep_dims")}
		return one(func(x *nd.Array) *nd.Array { return f(x, o) })
	}
}

func extreme(f func(x *nd.Array, opts ...ops.ExtremeOption) (values, positions *nd.Array)) func(*arguments) operation {
	return func(a *arguments) operation {
		o := ops.ExtremeOptions{Axes: a.axes("axes"), KeepDims: a.bool("keep_dims")}
		return withIndex(a, func(x *nd.Array) (values, positions *nd.Array) { return f(x, o) })
	}
}

// withIndex makes an operation whose results are values, their indices, or both.
func withIndex(a *arguments, f func(x *nd.Array) (values, positions *nd.Array)) operation {
	with, only := a.bool("with_index"), a.bool("only_index")
	return operation{1, 1, func(c *call) []*nd.Array {
		values, positions := f(c.in[0])
		at := c.floats(positions)
		switch {
		case only:
			values.Release()
			return []*nd.Array{at}
		case with:
			return []*nd.Array{values, at}
		}
		at.Release()
		return []*nd.Array{values}
	}}
}

func scan(f func(x *nd.Array, opts ...ops.ScanOption) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		o := ops.ScanOptions{Axis: a.axis("axis"), Exclusive: a.bool("exclusive"), Reverse: a.bool("reverse")}
		return one(func(x *nd.Array) *nd.Array { return f(x, o) })
	}
}

func arithmetic() []entry {
	return []entry{
		{typ: "Add2", name: "add2", make: binary(ops.Add)},
		{typ: "BcAdd2", name: "bc_add2", make: binary(ops.Add)},
		{typ: "AddN", name: "add_n", make: many(ops.AddN)},
		{typ: "Sub2", name: "sub2", make: binary(ops.Subtract)},
		{typ: "Mul2", name: "mul2", make: binary(ops.Multiply)},
		{typ: "MulN", name: "mul_n", make: many(ops.MulN)},
		{typ: "Div2", name: "div2", make: binary(ops.Divide)},
		{typ: "Pow2", name: "pow2", make: binary(ops.Power)},
		{typ: "AddScalar", name: "add_scalar", make: withScalar(ops.Add)},
		{typ: "MulScalar", name: "mul_scalar", make: withScalar(ops.Multiply)},
		{typ: "PowScalar", name: "pow_scalar", make: withScalar(ops.Power)},
		{typ: "RSubScalar", name: "r_sub_scalar", make: reversed(ops.Subtract)},
		{typ: "RDivScalar", name: "r_div_scalar", make: reversed(ops.Divide)},
		{typ: "RPowScalar", name: "r_pow_scalar", make: reversed(ops.Power)},
	}
}

func logic() []entry {
	return []entry{
		{typ: "Equal", name: "equal", make: logical(binary(ops.Equal))},
		{typ: "EqualScalar", name: "equal_scalar", make: logical(withScalar(ops.Equal))},
		{typ: "NotEqual", name: "not_equal", make: logical(binary(ops.NotEqual))},
		{typ: "NotEqualScalar", name: "not_equal_scalar", make: logical(withScalar(ops.NotEqual))},
		{typ: "Greater", name: "greater", make: logical(binary(ops.Greater))},
		{typ: "GreaterScalar", name: "greater_scalar", make: logical(withScalar(ops.Greater))},
		{typ: "GreaterEqual", name: "greater_equal", make: logical(binary(ops.GreaterEqual))},
		{typ: "GreaterEqualScalar", name: "greater_equal_scalar", make: logical(withScalar(ops.GreaterEqual))},
		{typ: "Less", name: "less", make: logical(binary(ops.Less))},
		{typ: "LessScalar", name: "less_scalar", make: logical(withScalar(ops.Less))},
		{typ: "LessEqual", name: "less_equal", make: logical(binary(ops.LessEqual))},
		{typ: "LessEqualScalar", name: "less_equal_scalar", make: logical(withScalar(ops.LessEqual))},
		{typ: "LogicalAnd", name: "logical_and", make: logical(binary(ops.LogicalAnd))},
		{typ: "LogicalAndScalar", name: "logical_and_scalar", make: logical(withBool(ops.LogicalAnd))},
		{typ: "LogicalOr", name: "logical_or", make: logical(binary(ops.LogicalOr))},
		{typ: "LogicalOrScalar", name: "logical_or_scalar", make: logical(withBool(ops.LogicalOr))},
		{typ: "LogicalXor", name: "logical_xor", make: logical(binary(ops.LogicalXor))},
		{typ: "LogicalXorScalar", name: "logical_xor_scalar", make: logical(withBool(ops.LogicalXor))},
		{typ: "LogicalNot", name: "logical_not", make: logical(unary(ops.LogicalNot))},
		{typ: "IsNaN", name: "isnan", make: logical(unary(ops.IsNaN))},
		{typ: "IsInf", name: "isinf", make: logical(unary(ops.IsInf))},
		{typ: "Sign", name: "sign", make: func(a *arguments) operation {
			o := ops.SignSTEOptions{Alpha: new(a.float("alpha"))}
			return one(func(x *nd.Array) *nd.Array { return ops.SignSTE(x, o) })
		}},
		{typ: "Minimum2", name: "minimum2", make: binary(ops.Minimum, ops.UfuncOptions{Kink: ops.KinkLast})},
		{typ: "Maximum2", name: "maximum2", make: binary(ops.Maximum, ops.UfuncOptions{Kink: ops.KinkLast})},
		{typ: "MinimumScalar", name: "minimum_scalar", make: reversed(ops.Minimum)},
		{typ: "MaximumScalar", name: "maximum_scalar", make: reversed(ops.Maximum)},
		{typ: "ResetNaN", name: "reset_nan", make: reset(ops.ResetNaN)},
		{typ: "ResetInf", name: "reset_inf", make: reset(ops.ResetInf)},
		{typ: "Where", name: "where", make: func(*arguments) operation {
			return taking(3, 3, func(c *call) *nd.Array {
				mask := c.in[0] // of lower rank: along the first axes
				for mask.Rank() < c.in[1].Rank() {
					wider := mask.ExpandDims(-1)
					defer wider.Release()
					mask = wider
				}
				return ops.Where(mask, c.in[1], c.in[2])
			})
		}},
	}
}

func withBool(f func(x, y *nd.Array, opts ...ops.UfuncOption) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		v := nd.Scalar(a.bool("val"))
		return one(func(x *nd.Array) *nd.Array { return f(x, v) })
	}
}

func reset(f func(x *nd.Array, opts ...ops.ResetOptions) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		o := ops.ResetOptions{Val: a.float("val")}
		return one(func(x *nd.Array) *nd.Array { return f(x, o) })
	}
}

func mathematics() []entry {
	return []entry{
		{typ: "Constant", name: "constant", make: func(a *arguments) operation {
			v, shape := a.float("val"), a.shape("shape")
			return taking(0, 0, func(c *call) *nd.Array { return nd.Full(c.shape(shape), v, c.like()) })
		}},
		{typ: "Arange", name: "arange", make: func(a *arguments) operation {
			start, stop, step := a.float("start"), a.float("stop"), a.float("step")
			return taking(0, 0, func(c *call) *nd.Array { return nd.Arange(start, stop, step, c.like()) })
		}},
		{typ: "Linspace", name: "linspace", make: func(a *arguments) operation {
			start, stop, n := a.float("start"), a.float("stop"), a.int("num")
			return taking(0, 0, func(c *call) *nd.Array {
				return nd.Linspace(start, stop, n, nd.SpaceOptions{DType: c.scope.DType(), Device: c.scope.Device()})
			})
		}},
		{typ: "Abs", name: "abs", make: unary(ops.Absolute, ops.UfuncOptions{Kink: ops.KinkRight})},
		{typ: "Exp", name: "exp", make: unary(ops.Exp)},
		{typ: "Log", name: "log", make: unary(ops.Log)},
		{typ: "Round", name: "round", make: unary(ops.RoundHalfAway)},
		{typ: "Ceil", name: "ceil", make: unary(ops.CeilSTE)},
		{typ: "Floor", name: "floor", make: unary(ops.FloorSTE)},
		{typ: "Identity", name: "identity", make: plain(func(x *nd.Array) *nd.Array { return x })},
		{typ: "Unlink", name: "unlink", make: plain(func(x *nd.Array) *nd.Array { return x.Detach() })},
		{typ: "MatrixDiag", name: "matrix_diag", make: plain(ops.MatrixDiag)},
		{typ: "MatrixDiagPart", name: "matrix_diag_part", make: plain(func(x *nd.Array) *nd.Array { return x.Diagonal(0, -2, -1) })},
		{typ: "BatchMatmul", name: "batch_matmul", make: func(a *arguments) operation {
			o := ops.BatchMatMulOptions{TransposeA: a.bool("transpose_a"), TransposeB: a.bool("transpose_b")}
			return two(func(x, y *nd.Array) *nd.Array { return ops.BatchMatMul(x, y, o) })
		}},
		{typ: "Sin", name: "sin", make: unary(ops.Sin)},
		{typ: "Cos", name: "cos", make: unary(ops.Cos)},
		{typ: "Tan", name: "tan", make: unary(ops.Tan)},
		{typ: "Sinh", name: "sinh", make: unary(ops.Sinh)},
		{typ: "Cosh", name: "cosh", make: unary(ops.Cosh)},
		{typ: "ASin", name: "asin", make: unary(ops.Arcsin)},
		{typ: "ACos", name: "acos", make: unary(ops.Arccos)},
		{typ: "ATan", name: "atan", make: unary(ops.Arctan)},
		{typ: "ATan2", name: "atan2", make: binary(ops.Arctan2)},
		{typ: "ASinh", name: "asinh", make: unary(ops.Arcsinh)},
		{typ: "ACosh", name: "acosh", make: unary(ops.Arccosh)},
		{typ: "ATanh", name: "atanh", make: unary(ops.Arctanh)},
		{typ: "Erf", name: "erf", make: unary(ops.Erf)},
		{typ: "BatchInv", name: "batch_inv", make: plain(linalg.Inv)},
		{typ: "BatchDet", name: "batch_det", make: plain(linalg.Det)},
		{typ: "BatchLogdet", name: "batch_logdet", make: plain(func(x *nd.Array) *nd.Array {
			sign, logAbs := linalg.SlogDet(x)
			sign.Release()
			return logAbs
		})},
		{typ: "BatchCholesky", name: "batch_cholesky", make: func(a *arguments) operation {
			o := linalg.CholeskyOptions{Upper: a.bool("upper")}
			return one(func(x *nd.Array) *nd.Array { return linalg.Cholesky(x, o) })
		}},
	}
}
