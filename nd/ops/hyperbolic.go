package ops

import "github.com/ndgrad/ndgrad/nd"

var sinh = elementwise{fn: "ops.Sinh", body: "sinh(x)", loop: floatOf}

// Sinh returns the hyperbolic sine of x. numpy.sinh, nnabla sinh, chainer sinh.
func Sinh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return sinh.call1(x, opts) }

var cosh = elementwise{fn: "ops.Cosh", body: "cosh(x)", loop: floatOf}

// Cosh returns the hyperbolic cosine of x. numpy.cosh, nnabla cosh, chainer cosh.
func Cosh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return cosh.call1(x, opts) }

var tanh = elementwise{fn: "ops.Tanh", body: "tanh(x)", loop: floatOf}

// Tanh returns the hyperbolic tangent of x. numpy.tanh, nnabla tanh, chainer tanh.
func Tanh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return tanh.call1(x, opts) }

var arcsinh = elementwise{fn: "ops.Arcsinh", body: "asinh(x)", loop: floatOf}

// Arcsinh returns the number whose hyperbolic sine x is. numpy.arcsinh, nnabla asinh.
func Arcsinh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return arcsinh.call1(x, opts) }

var arccosh = elementwise{fn: "ops.Arccosh", body: "acosh(x)", loop: floatOf}

// Arccosh returns the number not below 0 whose hyperbolic cosine x is. numpy.arccosh, nnabla acosh.
func Arccosh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return arccosh.call1(x, opts) }

var arctanh = elementwise{fn: "ops.Arctanh", body: "atanh(x)", loop: floatOf}

// Arctanh returns the number whose hyperbolic tangent x is. numpy.arctanh, nnabla atanh.
func Arctanh(x *nd.Array, opts ...UfuncOptions) *nd.Array { return arctanh.call1(x, opts) }
