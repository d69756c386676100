package ops

import "github.com/ndgrad/ndgrad/nd"

var exp = elementwise{fn: "ops.Exp", body: "exp(x)", loop: floatOf}

// Exp returns e to the power x. numpy.exp, nnabla exp, chainer exp.
func Exp(x *nd.Array, opts ...UfuncOptions) *nd.Array { return exp.call1(x, opts) }

var exp2 = elementwise{fn: "ops.Exp2", body: "exp2(x)", loop: floatOf}

// Exp2 returns 2 to the power x. numpy.exp2.
func Exp2(x *nd.Array, opts ...UfuncOptions) *nd.Array { return exp2.call1(x, opts) }

var exp10 = elementwise{fn: "ops.Exp10", body: "exp10(x)", loop: realFloat}

// Exp10 returns 10 to the power x.
func Exp10(x *nd.Array, opts ...UfuncOptions) *nd.Array { return exp10.call1(x, opts) }

var expm1 = elementwise{fn: "ops.Expm1", body: "expm1(x)", loop: floatOf}

// Expm1 returns exp(x) - 1, exact for small x too. numpy.expm1.
func Expm1(x *nd.Array, opts ...UfuncOptions) *nd.Array { return expm1.call1(x, opts) }

var logarithm = elementwise{fn: "ops.Log", body: "log(x)", loop: floatOf}

// Log returns the natural logarithm of x: -Inf for 0, not-a-number for negative numbers. numpy.log, nnabla log.
func Log(x *nd.Array, opts ...UfuncOptions) *nd.Array { return logarithm.call1(x, opts) }

var log2 = elementwise{fn: "ops.Log2", body: "log2(x)", loop: floatOf}

// Log2 returns the logarithm of x to base 2. numpy.log2, chainer log2.
func Log2(x *nd.Array, opts ...UfuncOptions) *nd.Array { return log2.call1(x, opts) }

var log10 = elementwise{fn: "ops.Log10", body: "log10(x)", loop: floatOf}

// Log10 returns the logarithm of x to base 10. numpy.log10, chainer log10.
func Log10(x *nd.Array, opts ...UfuncOptions) *nd.Array { return log10.call1(x, opts) }

var log1p = elementwise{fn: "ops.Log1p", body: "log1p(x)", loop: floatOf}

// Log1p returns log(1 + x), exact for small x too. numpy.log1p, chainer log1p.
func Log1p(x *nd.Array, opts ...UfuncOptions) *nd.Array { return log1p.call1(x, opts) }

var logAddExp = elementwise{fn: "ops.LogAddExp", two: true, body: "logaddexp(a, b)", loop: realFloat}

// LogAddExp returns log(exp(a) + exp(b)) without overflow, within 4 ulp where the result does not cancel.
// numpy.logaddexp.
func LogAddExp(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return logAddExp.call2(a, b, opts) }

var logAddExp2 = elementwise{fn: "ops.LogAddExp2", two: true, body: "logaddexp2(a, b)", loop: realFloat}

// LogAddExp2 returns log2(2**a + 2**b) without overflow, within 4 ulp where the result does not cancel.
// numpy.logaddexp2.
func LogAddExp2(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return logAddExp2.call2(a, b, opts) }

var sqrt = elementwise{fn: "ops.Sqrt", body: "sqrt(x)", loop: floatOf}

// Sqrt returns the square root of x; not-a-number for negative numbers. numpy.sqrt, chainer sqrt.
func Sqrt(x *nd.Array, opts ...UfuncOptions) *nd.Array { return sqrt.call1(x, opts) }

var rsqrt = elementwise{fn: "ops.Rsqrt", body: "rsqrt(x)", loop: realFloat}

// Rsqrt returns 1/√x. chainer rsqrt.
func Rsqrt(x *nd.Array, opts ...UfuncOptions) *nd.Array { return rsqrt.call1(x, opts) }

var cbrt = elementwise{fn: "ops.Cbrt", body: "cbrt(x)", loop: realFloat}

// Cbrt returns the real cube root of x. numpy.cbrt.
func Cbrt(x *nd.Array, opts ...UfuncOptions) *nd.Array { return cbrt.call1(x, opts) }
