package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// compareRows is the chapter of comparisons, logic and choices.
var compareRows = []Row{
	{Signature: "cupy.equal(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Equal), NoGrad: true},
	{Signature: "cupy.not_equal(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.NotEqual), NoGrad: true},
	{Signature: "cupy.less(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Less), NoGrad: true},
	{Signature: "cupy.less_equal(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.LessEqual), NoGrad: true},
	{Signature: "cupy.greater(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Greater), NoGrad: true},
	{Signature: "cupy.greater_equal(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.GreaterEqual), NoGrad: true},
	{Signature: "numpy.isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", Func: ops.IsClose[*nd.Array, *nd.Array], NoGrad: true},
	{Signature: "numpy.allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", Func: ops.AllClose[*nd.Array, *nd.Array], NoGrad: true},
	{Signature: "cupy.isnan(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.IsNaN, NoGrad: true},
	{Signature: "cupy.where(condition, x=None, y=None)", Func: whereOrNonzero},

	{Signature: "nnabla.functions.equal(x0, x1)", Func: pair(ops.Equal), NoGrad: true},
	{Signature: "nnabla.functions.not_equal(x0, x1)", Func: pair(ops.NotEqual), NoGrad: true},
	{Signature: "nnabla.functions.less(x0, x1)", Func: pair(ops.Less), NoGrad: true},
	{Signature: "nnabla.functions.less_equal(x0, x1)", Func: pair(ops.LessEqual), NoGrad: true},
	{Signature: "nnabla.functions.greater(x0, x1)", Func: pair(ops.Greater), NoGrad: true},
	{Signature: "nnabla.functions.greater_equal(x0, x1)", Func: pair(ops.GreaterEqual), NoGrad: true},
	{Signature: "nnabla.functions.equal_scalar(x0, val=1)", Func: withNumber[float64](ops.Equal), NoGrad: true},
	{Signature: "nnabla.functions.not_equal_scalar(x0, val=1)", Func: withNumber[float64](ops.NotEqual), NoGrad: true},
	{Signature: "nnabla.functions.less_scalar(x0, val=1)", Func: withNumber[float64](ops.Less), NoGrad: true},
	{Signature: "nnabla.functions.less_equal_scalar(x0, val=1)", Func: withNumber[float64](ops.LessEqual), NoGrad: true},
	{Signature: "nnabla.functions.greater_scalar(x0, val=1)", Func: withNumber[float64](ops.Greater), NoGrad: true},
	{Signature: "nnabla.functions.greater_equal_scalar(x0, val=1)", Func: withNumber[float64](ops.GreaterEqual), NoGrad: true},
	{Signature: "nnabla.functions.isnan(x0)", Func: ops.IsNaN, NoGrad: true},
	{Signature: "nnabla.functions.where(condition, x_true, x_false)", Func: func(condition, a, b *nd.Array) *nd.Array {
		return ops.Where(ops.AlignLike(condition, a, ops.Over(0)), a, b)
	}},

	{Signature: "chainer.functions.where(condition, x, y)", Func: ops.Where[*nd.Array, *nd.Array]},
}

// whereOrNonzero is NumPy's where: with only a condition, it returns the indices of the true elements.
func whereOrNonzero(condition, x, y *nd.Array) []*nd.Array {
	if x == nil && y == nil {
		return ops.Nonzero(condition)
	}
	return []*nd.Array{ops.Where(condition, x, y)}
}
