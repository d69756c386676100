package catalogue

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/ops"
)

// Domains of functions that are undefined or have poles elsewhere.
var (
	belowOne     = map[string]Interval{"": {-1, 1}}
	fromOne      = map[string]Interval{"": {1, math.Inf(1)}}
	positive     = map[string]Interval{"": {0, math.Inf(1)}}
	betweenPoles = map[string]Interval{"": {-1.4, 1.4}}
)

// trigonometryRows is the chapter of angles, circular and hyperbolic functions.
var trigonometryRows = []Row{
	{Signature: "cupy.sin(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Sin},
	{Signature: "cupy.cos(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Cos},
	{Signature: "cupy.tan(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Tan, Domain: betweenPoles},
	{Signature: "cupy.arcsin(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Arcsin, Domain: belowOne},
	{Signature: "cupy.arccos(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Arccos, Domain: belowOne},
	{Signature: "cupy.arctan(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Arctan},
	{Signature: "cupy.sinh(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Sinh},
	{Signature: "cupy.cosh(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Cosh},
	{Signature: "cupy.tanh(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Tanh},
	{Signature: "cupy.arcsinh(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Arcsinh},
	{Signature: "cupy.arccosh(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Arccosh, Domain: fromOne},
	{Signature: "cupy.arctanh(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Arctanh, Domain: belowOne},
	{Signature: "cupy.deg2rad(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Deg2Rad},
	{Signature: "cupy.radians(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Deg2Rad},
	{Signature: "cupy.rad2deg(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Rad2Deg},
	{Signature: "cupy.degrees(x, /, out=None, where=True, casting='same_kind', dtype=None)", Func: ops.Rad2Deg},
	{Signature: "cupy.arctan2(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Arctan2)},
	{Signature: "cupy.hypot(x1, x2, /, out=None, where=True, casting='same_kind', dtype=None)", Func: pair(ops.Hypot)},
	{Signature: "numpy.sinc(x)", Func: ops.Sinc},

	{Signature: "nnabla.functions.sin(x)", Func: ops.Sin},
	{Signature: "nnabla.functions.cos(x)", Func: ops.Cos},
	{Signature: "nnabla.functions.tan(x)", Func: ops.Tan, Domain: betweenPoles},
	{Signature: "nnabla.functions.asin(x)", Func: ops.Arcsin, Domain: belowOne},
	{Signature: "nnabla.functions.acos(x)", Func: ops.Arccos, Domain: belowOne},
	{Signature: "nnabla.functions.atan(x)", Func: ops.Arctan},
	{Signature: "nnabla.functions.atan2(x0, x1)", Func: pair(ops.Arctan2)},
	{Signature: "nnabla.functions.sinh(x)", Func: ops.Sinh},
	{Signature: "nnabla.functions.cosh(x)", Func: ops.Cosh},
	{Signature: "nnabla.functions.tanh(x)", Func: ops.Tanh},
	{Signature: "nnabla.functions.tanh#alias_math(x)", Func: ops.Tanh},
	{Signature: "nnabla.functions.asinh(x)", Func: ops.Arcsinh},
	{Signature: "nnabla.functions.acosh(x)", Func: ops.Arccosh, Domain: fromOne},
	{Signature: "nnabla.functions.atanh(x)", Func: ops.Arctanh, Domain: belowOne},
	{Signature: "nnabla.functions.sinc(x)", Func: ops.UnnormalizedSinc},

	{Signature: "chainer.functions.sin(x)", Func: ops.Sin},
	{Signature: "chainer.functions.cos(x)", Func: ops.Cos},
	{Signature: "chainer.functions.tan(x)", Func: ops.Tan},
	{Signature: "chainer.functions.arcsin(x)", Func: ops.Arcsin, Domain: belowOne},
	{Signature: "chainer.functions.arccos(x)", Func: ops.Arccos, Domain: belowOne},
	{Signature: "chainer.functions.arctan(x)", Func: ops.Arctan},
	{Signature: "chainer.functions.sinh(x)", Func: ops.Sinh},
	{Signature: "chainer.functions.cosh(x)", Func: ops.Cosh},
	{Signature: "chainer.functions.tanh(x, use_cudnn=True)", Func: ops.Tanh, Ignores: []string{"use_cudnn"}},
}
