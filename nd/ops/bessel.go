package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var i0 = ufunc.Definition{Fn: "ops.I0", Body: "i0(x)", Loop: ufunc.RealQuotient}

// I0 returns the modified Bessel function of the first kind of order 0; integers give float64.
// NumPy: i0. PyTorch: special.i0, special.modified_bessel_i0.
func I0(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&i0, x, opts) }

var i1 = ufunc.Definition{Fn: "ops.I1", Body: "i1(x)", Loop: ufunc.RealFloat}

// I1 returns the modified Bessel function of the first kind of order 1, the derivative of I0, within 4 ulp.
// PyTorch: special.i1, special.modified_bessel_i1.
func I1(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&i1, x, opts) }

var i0e = ufunc.Definition{Fn: "ops.I0E", Body: "besselie(0, x)", Loop: ufunc.RealFloat}

// I0E returns exp(-|x|)·I0(x), which is finite for all x, within 4 ulp.
// PyTorch: special.i0e.
func I0E(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&i0e, x, opts) }

var i1e = ufunc.Definition{Fn: "ops.I1E", Body: "besselie(1, x)", Loop: ufunc.RealFloat}

// I1E returns exp(-|x|)·I1(x), which is finite for all x, within 4 ulp.
// PyTorch: special.i1e.
func I1E(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&i1e, x, opts) }

var j0 = ufunc.Definition{Fn: "ops.J0", Body: "besselj(0, x)", Loop: ufunc.RealFloat}

// J0 returns the Bessel function of the first kind of order 0, within 4 ulp or, near its roots, 2⁻⁶⁰ of the values
// around them.
// PyTorch: special.bessel_j0.
func J0(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&j0, x, opts) }

var j1 = ufunc.Definition{Fn: "ops.J1", Body: "besselj(1, x)", Loop: ufunc.RealFloat}

// J1 returns the Bessel function of the first kind of order 1, within 4 ulp or, near its roots, 2⁻⁶⁰ of the values
// around them.
// PyTorch: special.bessel_j1.
func J1(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&j1, x, opts) }

var y0 = ufunc.Definition{Fn: "ops.Y0", Body: "bessely(0, x)", Loop: ufunc.RealFloat}

// Y0 returns the Bessel function of the second kind of order 0, -Inf at 0 and NaN below, within 4 ulp or, near its
// roots, 2⁻⁶⁰ of the values around them.
// PyTorch: special.bessel_y0.
func Y0(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&y0, x, opts) }

var y1 = ufunc.Definition{Fn: "ops.Y1", Body: "bessely(1, x)", Loop: ufunc.RealFloat}

// Y1 returns the Bessel function of the second kind of order 1, -Inf at 0 and NaN below, within 4 ulp or, near its
// roots, 2⁻⁶⁰ of the values around them.
// PyTorch: special.bessel_y1.
func Y1(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&y1, x, opts) }

var k0 = ufunc.Definition{Fn: "ops.K0", Body: "besselk(0, x)", Loop: ufunc.RealFloat}

// K0 returns the modified Bessel function of the second kind of order 0, infinite at 0 and NaN below, within 4 ulp.
// PyTorch: special.modified_bessel_k0.
func K0(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&k0, x, opts) }

var k1 = ufunc.Definition{Fn: "ops.K1", Body: "besselk(1, x)", Loop: ufunc.RealFloat}

// K1 returns the modified Bessel function of the second kind of order 1, infinite at 0 and NaN below, within 4 ulp.
// PyTorch: special.modified_bessel_k1.
func K1(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&k1, x, opts) }

var k0e = ufunc.Definition{Fn: "ops.K0E", Body: "besselke(0, x)", Loop: ufunc.RealFloat}

// K0E returns exp(x)·K0(x), which stays above 0 where K0 underflows, within 4 ulp.
// PyTorch: special.scaled_modified_bessel_k0.
func K0E(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&k0e, x, opts) }

var k1e = ufunc.Definition{Fn: "ops.K1E", Body: "besselke(1, x)", Loop: ufunc.RealFloat}

// K1E returns exp(x)·K1(x), which stays above 0 where K1 underflows, within 4 ulp.
// PyTorch: special.scaled_modified_bessel_k1.
func K1E(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&k1e, x, opts) }
