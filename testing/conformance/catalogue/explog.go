package catalogue

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// expLogRows is the chapter of exponentials, logarithms and roots.
var expLogRows = []Row{
	{Signature: "cupy.exp(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Exp},
	{Signature: "cupy.exp2(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Exp2},
	{Signature: "cupy.expm1(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Expm1},
	{Signature: "cupy.log(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Log, Domain: positive},
	{Signature: "cupy.log2(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Log2, Domain: positive},
	{Signature: "cupy.log10(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Log10, Domain: positive},
	{Signature: "cupy.log1p(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Log1p, Domain: map[string]Interval{"x": {-1, math.Inf(1)}}},
	{Signature: "cupy.sqrt(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Sqrt, Domain: positive},
	{Signature: "cupy.logaddexp(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)",
		Func: func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array {
			if a.DType().IsComplex() || b.DType().IsComplex() {
				panic(nd.Func("cupy.logaddexp").Errorf([]*nd.Array{a, b}, "NumPy has no logaddexp for complex numbers"))
			}
			return ops.LogAddExp(a, b, opts...)
		}},
	{Signature: "cupy.logaddexp2(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.LogAddExp2)},
	{Signature: "numpy.exp2(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Exp2},
	{Signature: "numpy.cbrt(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Cbrt},

	{Signature: "nnabla.functions.exp(x)", Func: ops.Exp},
	{Signature: "nnabla.functions.log(x)", Func: ops.Log, Domain: positive},

	{Signature: "chainer.functions.exp(x)", Func: ops.Exp},
	{Signature: "chainer.functions.log(x)", Func: ops.Log},
	{Signature: "chainer.functions.log2(x)", Func: ops.Log2},
	{Signature: "chainer.functions.log10(x)", Func: ops.Log10},
	{Signature: "chainer.functions.log1p(x)", Func: ops.Log1p, Domain: map[string]Interval{"x": {-1, math.Inf(1)}}},
	{Signature: "chainer.functions.sqrt(x)", Func: ops.Sqrt},
	{Signature: "chainer.functions.rsqrt(x)", Func: ops.Rsqrt},

	{Signature: "accuracy.exp10(x)", Func: ops.Exp10},
}
