package catalogue

import "github.com/ndgrad/ndgrad/nd/ops"

// bitRows is the chapter of bits and of logic.
var bitRows = []Row{
	{Signature: "cupy.bitwise_and(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.BitwiseAnd), NoGrad: true},
	{Signature: "cupy.bitwise_or(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.BitwiseOr), NoGrad: true},
	{Signature: "cupy.bitwise_xor(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.BitwiseXor), NoGrad: true},
	{Signature: "cupy.left_shift(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.LeftShift), NoGrad: true},
	{Signature: "cupy.right_shift(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.RightShift), NoGrad: true},
	{Signature: "cupy.invert(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Invert, NoGrad: true},
	{Signature: "cupy.logical_and(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.LogicalAnd), NoGrad: true},
	{Signature: "cupy.logical_or(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.LogicalOr), NoGrad: true},
	{Signature: "cupy.logical_xor(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.LogicalXor), NoGrad: true},
	{Signature: "cupy.logical_not(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.LogicalNot, NoGrad: true},
	{Signature: "cupy.isinf(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.IsInf, NoGrad: true},
	{Signature: "cupy.isfinite(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.IsFinite, NoGrad: true},

	{Signature: "nnabla.functions.logical_and(x0, x1)", Func: pair(ops.LogicalAnd), NoGrad: true},
	{Signature: "nnabla.functions.logical_or(x0, x1)", Func: pair(ops.LogicalOr), NoGrad: true},
	{Signature: "nnabla.functions.logical_xor(x0, x1)", Func: pair(ops.LogicalXor), NoGrad: true},
	{Signature: "nnabla.functions.logical_not(x0)", Func: ops.LogicalNot, NoGrad: true},
	{Signature: "nnabla.functions.logical_and_scalar(x0, val)", Func: withNumber[bool](ops.LogicalAnd), NoGrad: true},
	{Signature: "nnabla.functions.logical_or_scalar(x0, val)", Func: withNumber[bool](ops.LogicalOr), NoGrad: true},
	{Signature: "nnabla.functions.logical_xor_scalar(x0, val)", Func: withNumber[bool](ops.LogicalXor), NoGrad: true},
	{Signature: "nnabla.functions.isinf(x0)", Func: ops.IsInf, NoGrad: true},
}
