package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// roundingRows is the chapter of rounding and of the parts of floats.
var roundingRows = []Row{
	{Signature: "cupy.floor(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Floor, NoGrad: true},
	{Signature: "cupy.ceil(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Ceil, NoGrad: true},
	{Signature: "cupy.trunc(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Trunc, NoGrad: true},
	{Signature: "cupy.rint(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Rint, NoGrad: true},
	{Signature: "numpy.round(a, decimals=0, out=None)", Func: ops.Round, NoGrad: true},
	{Signature: "cupy.signbit(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.SignBit, NoGrad: true},
	{Signature: "cupy.copysign(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.CopySign)},
	{Signature: "cupy.nextafter(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.NextAfter)},
	{Signature: "cupy.ldexp(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Ldexp)},
	{Signature: "cupy.frexp(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Frexp},
	{Signature: "cupy.modf(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Modf},
	{Signature: "numpy.spacing(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Spacing, NoGrad: true},
	{Signature: "numpy.heaviside(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Heaviside)},
	{Signature: "numpy.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)", Func: ops.NaNToNum, Ignores: []string{"copy"}},

	{Signature: "nnabla.functions.round(x)", Func: ops.RoundHalfAway, StraightThrough: true},
	{Signature: "nnabla.functions.floor(x)", Func: ops.FloorSTE, StraightThrough: true},
	{Signature: "nnabla.functions.ceil(x)", Func: ops.CeilSTE, StraightThrough: true},
	{Signature: "nnabla.functions.sign(x, alpha=1.0)", Func: ops.SignSTE, StraightThrough: true},
	{Signature: "nnabla.functions.reset_nan(x0, val=0)", Func: ops.ResetNaN},
	{Signature: "nnabla.functions.reset_inf(x0, val=0)", Func: ops.ResetInf},

	{Signature: "chainer.functions.floor(x)", Func: ops.Floor},
	{Signature: "chainer.functions.ceil(x)", Func: ops.Ceil},

	{Signature: "mxnet.npx.round_ste(data)", Func: ops.RoundHalfAway, StraightThrough: true},
	{Signature: "mxnet.npx.sign_ste(data)", Func: func(data *nd.Array) *nd.Array {
		return ops.SignSTE(data, ops.SignSTEOptions{Alpha: new(0.0)})
	}, StraightThrough: true},
}
