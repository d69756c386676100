package device

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// besselSlope is half the sum or difference of the functions with orders n-1 and n+1.
func (d *deriver) besselSlope(op Op, n, x Reg) Reg {
	combine, scale := OpAdd, 0.5
	switch op {
	case OpBesselJ, OpBesselY:
		combine = OpSub
	case OpBesselK, OpBesselKE:
		scale = -0.5
	}
	above := d.b.binary(op, d.plus(n, 1), x)
	if c := d.prog.Code[n]; c.Op == OpConst && c.Value.Re == 0 { // the function with order -1 is that with order 1, up to the sign
		if combine == OpSub {
			return d.neg(above)
		}
		return d.scaled(2*scale, above)
	}
	return d.scaled(scale, d.b.binary(combine, d.b.binary(op, d.plus(n, -1), x), above))
}

// unlessFar returns near, the slope of a scaled Bessel function, unless |x| is large: there near is the difference of
// almost equal numbers, and the slope of the asymptotic series takes over. The series is r·Σ(∓1)ᵏ·aₖ·r²ᵏ with r = 1/√|x|,
// times 1/√(2π) or √(π/2), and aₖ = aₖ₋₁·(4n²-(2k-1)²)/(8k). The order n must be a constant.
func (d *deriver) unlessFar(op Op, n, x Reg, near Reg) Reg {
	c := d.prog.Code[n]
	if c.Op != OpConst {
		return near
	}
	order, limit, terms := c.Value.Re, 30.0, 18
	if d.b.typeOf(x) == dtype.Float32 {
		limit, terms = 12, 10
	}
	limit = max(limit, 4*order*order)
	sign, scale := -1.0, -1/math.Sqrt(2*math.Pi)
	if op == OpBesselKE {
		sign, scale = 1, -math.Sqrt(math.Pi/2)
	}
	series, a := make([]float64, terms), scale
	for k := range series {
		i := float64(k)
		series[k] = a * (i + 0.5)
		a *= sign * (4*order*order - (2*i+1)*(2*i+1)) / (8 * (i + 1))
	}
	size := d.b.unary(OpAbs, x)
	r := d.b.unary(OpRsqrt, size)
	u := d.square(r)
	slope := d.mul(d.mul(r, u), d.polynomial(series, u))
	if op == OpBesselIE && math.Mod(order, 2) == 0 { // an even function
		slope = d.mul(d.b.unary(OpSign, x), slope)
	}
	return d.b.choose(d.b.binary(OpGt, size, d.num(limit, x)), slope, near)
}
