package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var sinh = ufunc.Definition{Fn: "ops.Sinh", Body: "sinh(x)", Loop: ufunc.FloatOf}

// Sinh returns the hyperbolic sine of x.
// NumPy: sinh. NNabla: sinh. Chainer: sinh.
func Sinh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&sinh, x, opts) }

var cosh = ufunc.Definition{Fn: "ops.Cosh", Body: "cosh(x)", Loop: ufunc.FloatOf}

// Cosh returns the hyperbolic cosine of x.
// NumPy: cosh. NNabla: cosh. Chainer: cosh.
func Cosh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&cosh, x, opts) }

var tanh = ufunc.Definition{Fn: "ops.Tanh", Body: "tanh(x)", Loop: ufunc.FloatOf}

// Tanh returns the hyperbolic tangent of x.
// NumPy: tanh. NNabla: tanh. Chainer: tanh.
func Tanh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&tanh, x, opts) }

var arcsinh = ufunc.Definition{Fn: "ops.Arcsinh", Body: "asinh(x)", Loop: ufunc.FloatOf}

// Arcsinh returns the inverse hyperbolic sine of x.
// NumPy: arcsinh. NNabla: asinh.
func Arcsinh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&arcsinh, x, opts) }

var arccosh = ufunc.Definition{Fn: "ops.Arccosh", Body: "acosh(x)", Loop: ufunc.FloatOf}

// Arccosh returns the inverse hyperbolic cosine of x, which is not negative.
// NumPy: arccosh. NNabla: acosh.
func Arccosh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&arccosh, x, opts) }

var arctanh = ufunc.Definition{Fn: "ops.Arctanh", Body: "atanh(x)", Loop: ufunc.FloatOf}

// Arctanh returns the inverse hyperbolic tangent of x.
// NumPy: arctanh. NNabla: atanh.
func Arctanh(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&arctanh, x, opts) }
