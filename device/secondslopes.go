package device

import "math"

// secondSlope returns the derivative of an opcode's function y(n, x) with respect to x. It returns nil for opcodes that
// do not have a derivative with respect to the second argument alone. The derivatives of Bessel functions use the
// neighbouring orders, so that no derivative of any order divides by x.
func secondSlope(op Op) func(d *deriver, n, x, y Reg) Reg {
	switch op {
	case OpPolygamma:
		return func(d *deriver, n, x, _ Reg) Reg { return d.b.binary(OpPolygamma, d.plus(n, 1), x) }
	case OpZeta:
		return func(d *deriver, n, x, _ Reg) Reg {
			above := d.b.binary(OpZeta, d.plus(n, 1), x)
			return d.b.choose(d.is(above, 0), d.num(0, x), d.neg(d.mul(n, above))) // n may be infinite
		}
	case OpBesselI, OpBesselJ, OpBesselK:
		return func(d *deriver, n, x, _ Reg) Reg { return d.besselSlope(op, n, x) }
	case OpBesselY: // at 0 the formula is a difference of infinities
		return func(d *deriver, n, x, _ Reg) Reg {
			return d.b.choose(d.is(x, 0), d.num(math.Inf(1), x), d.besselSlope(op, n, x))
		}
	case OpBesselIE:
		return func(d *deriver, n, x, y Reg) Reg {
			return d.unlessFar(op, n, x, d.sub(d.besselSlope(op, n, x), d.mul(d.b.unary(OpSign, x), y)))
		}
	case OpBesselKE:
		return func(d *deriver, n, x, y Reg) Reg {
			slope := d.unlessFar(op, n, x, d.add(d.besselSlope(op, n, x), y))
			return d.b.choose(d.is(x, 0), d.num(math.Inf(-1), x), slope)
		}
	case OpGammainc:
		return func(d *deriver, n, x, _ Reg) Reg { return d.b.binary(OpGammaPDF, n, x) }
	case OpGammaincc:
		return func(d *deriver, n, x, _ Reg) Reg { return d.neg(d.b.binary(OpGammaPDF, n, x)) }
	case OpGammaPDF:
		return gammaPDFSlope
	}
	return nil
}

// plus returns n+by. If n is a constant, the result is a constant.
func (d *deriver) plus(n Reg, by float64) Reg {
	if c := d.prog.Code[n]; c.Op == OpConst {
		return d.num(c.Value.Re+by, n)
	}
	return d.add(n, d.num(by, n))
}

// gammaPDFSlope is y·((n-1)/x - 1). At x = 0, where the formula is undefined, and near 0, where y may be too small, the
// slope is the difference of the densities of n-1 and n. A small n is excluded, since n-1 would round it.
func gammaPDFSlope(d *deriver, n, x, y Reg) Reg {
	one, less := d.num(1, x), d.plus(n, -1)
	small := d.b.binary(OpAnd, d.b.binary(OpLt, x, d.num(1e-6, x)), d.b.binary(OpGt, n, d.num(0.5, n)))
	near := d.b.binary(OpOr, d.is(x, 0), small)
	inside := d.mul(y, d.sub(d.div(less, d.b.choose(near, one, x)), one))
	return d.b.choose(near, d.sub(d.b.binary(OpGammaPDF, less, x), y), inside)
}

// erfcxSlope is 2x·y - 2/√π. Above 10, where the difference cancels, it is 2/√π·Σ (-1)ᵏ·(2k-1)!!/(2x²)ᵏ.
func erfcxSlope(d *deriver, x, y Reg) Reg {
	limit := d.num(10, x)
	far := d.b.binary(OpGt, x, limit)
	u := d.div(d.num(0.5, x), d.square(d.b.choose(far, x, limit)))
	tail := d.mul(u, d.polynomial(erfcxSeries[:], u))
	bounded := d.b.choose(far, limit, x)
	near := d.sub(d.scaled(2, d.mul(bounded, y)), d.num(2/math.SqrtPi, x))
	return d.b.choose(far, tail, near)
}

var erfcxSeries = func() (c [12]float64) {
	term := 2 / math.SqrtPi
	for k := range c {
		term *= -float64(2*k + 1)
		c[k] = term
	}
	return c
}()
