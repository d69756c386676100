package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var exp = ufunc.Definition{Fn: "ops.Exp", Body: "exp(x)", Loop: ufunc.FloatOf}

// Exp returns e to the power x.
// NumPy: exp. NNabla: exp. Chainer: exp.
func Exp(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&exp, x, opts) }

var exp2 = ufunc.Definition{Fn: "ops.Exp2", Body: "exp2(x)", Loop: ufunc.FloatOf}

// Exp2 returns 2 to the power x.
// NumPy: exp2.
func Exp2(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&exp2, x, opts) }

var exp10 = ufunc.Definition{Fn: "ops.Exp10", Body: "exp10(x)", Loop: ufunc.RealFloat}

// Exp10 returns 10 to the power x.
func Exp10(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&exp10, x, opts) }

var expm1 = ufunc.Definition{Fn: "ops.Expm1", Body: "expm1(x)", Loop: ufunc.FloatOf}

// Expm1 returns exp(x) - 1, accurate for small x, too.
// NumPy: expm1.
func Expm1(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&expm1, x, opts) }

var logarithm = ufunc.Definition{Fn: "ops.Log", Body: "log(x)", Loop: ufunc.FloatOf}

// Log returns the natural logarithm of x: -Inf for 0, NaN for negative numbers.
// NumPy: log. NNabla: log.
func Log(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&logarithm, x, opts) }

var log2 = ufunc.Definition{Fn: "ops.Log2", Body: "log2(x)", Loop: ufunc.FloatOf}

// Log2 returns the logarithm of x to base 2.
// NumPy: log2. Chainer: log2.
func Log2(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&log2, x, opts) }

var log10 = ufunc.Definition{Fn: "ops.Log10", Body: "log10(x)", Loop: ufunc.FloatOf}

// Log10 returns the logarithm of x to base 10.
// NumPy: log10. Chainer: log10.
func Log10(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&log10, x, opts) }

var log1p = ufunc.Definition{Fn: "ops.Log1p", Body: "log1p(x)", Loop: ufunc.FloatOf}

// Log1p returns log(1 + x), accurate for small x, too.
// NumPy: log1p. Chainer: log1p.
func Log1p(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&log1p, x, opts) }

var logAddExp = ufunc.Definition{Fn: "ops.LogAddExp", Two: true, Body: "logaddexp(a, b)", Loop: ufunc.FloatOf,
	Complex: "first = real(a) >= real(b); more = first ? a : b; less = first ? b : a; " +
		"y = isinf(real(more)) ? more : more + log1p(exp(less - more))"}

// LogAddExp returns log(exp(a) + exp(b)) without overflow, within 4 ulp where the result does not cancel. Unlike
// NumPy's function it accepts complex numbers.
// NumPy: logaddexp.
func LogAddExp[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logAddExp, a, b, opts)
}

var logAddExp2 = ufunc.Definition{Fn: "ops.LogAddExp2", Two: true, Body: "logaddexp2(a, b)", Loop: ufunc.RealFloat}

// LogAddExp2 returns log2(2**a + 2**b) without overflow, within 4 ulp where the result does not cancel.
// NumPy: logaddexp2.
func LogAddExp2[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&logAddExp2, a, b, opts)
}

var sqrt = ufunc.Definition{Fn: "ops.Sqrt", Body: "sqrt(x)", Loop: ufunc.FloatOf}

// Sqrt returns the square root of x; NaN for negative numbers.
// NumPy: sqrt. Chainer: sqrt.
func Sqrt(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&sqrt, x, opts) }

var rsqrt = ufunc.Definition{Fn: "ops.Rsqrt", Body: "rsqrt(x)", Complex: "T(1) / sqrt(x)", Loop: ufunc.FloatOf}

// Rsqrt returns 1/√x, also of complex numbers.
// PyTorch: rsqrt. Chainer: rsqrt.
func Rsqrt(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&rsqrt, x, opts) }

var cbrt = ufunc.Definition{Fn: "ops.Cbrt", Body: "cbrt(x)", Loop: ufunc.RealFloat}

// Cbrt returns the real cube root of x.
// NumPy: cbrt.
func Cbrt(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&cbrt, x, opts) }
