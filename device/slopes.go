package device

import "math"

// The derivatives in this file need more than a formula: a small number must not be computed as the difference of two
// large numbers.

// weightsRule is the rule of log(bˣ + bᶻ) to a base b, given the natural logarithm of b. The derivative with respect to
// x is bˣ⁻ʸ, computed as sigmoid(log(b)·(x-z)): in x-y the rounding error of y would count, which is large if y is
// large. It is 0 if both powers are 0, and a half if both are infinite.
func weightsRule(logBase float64) rule {
	return func(d *deriver, in *Inst, y Reg, g Reg) {
		none := d.is(d.val[y], math.Inf(-1)) // x-z is NaN; the weights of powers that are 0 are 0
		equal := d.b.binary(OpAnd, d.is(d.val[y], math.Inf(1)), d.b.binary(OpEq, d.x(in), d.z(in)))
		weight := func(x, z Reg) Reg {
			return d.whereNot(none, d.mul(g, d.b.unary(OpSigmoid, d.scaled(logBase, d.whereNot(equal, d.sub(x, z))))))
		}
		d.toA(in, weight(d.x(in), d.z(in)))
		d.toB(in, weight(d.z(in), d.x(in)))
	}
}

// sigmoidSlope is y·(1-y) if y is read. If y is computed, it is y·sigmoid(-x), which is accurate also if y is almost 1,
// and costs little more.
func sigmoidSlope(d *deriver, x, y Reg) Reg {
	if d.prog.Code[y].Op == OpInput {
		return d.mul(y, d.sub(d.num(1, y), y))
	}
	return d.mul(y, d.b.unary(OpSigmoid, d.neg(x)))
}

// sincSlope is (cos(x)-y)/x. For |x| < 1, where the difference cancels, it is the series x·Σ(-1)ᵏ·2k/(2k+1)!·x²ᵏ⁻².
func sincSlope(d *deriver, x, y Reg) Reg {
	one := d.num(1, x)
	near := d.b.binary(OpLt, d.b.unary(OpAbs, x), one)
	far := d.div(d.sub(d.b.unary(OpCos, x), y), d.b.choose(near, one, x))
	return d.b.choose(near, d.mul(x, d.polynomial(sincSeries[:], d.square(d.where(near, x)))), far)
}

var sincSeries = func() (c [10]float64) {
	factorial := 1.0 // including the sign
	for k := range c {
		n := float64(2*k + 2)
		factorial *= -n * (n + 1)
		c[k] = n / factorial
	}
	return c
}()

// logNdtrSlope is the normal density divided by the distribution function, exp(-x²/2-y)/√(2π). Below -3, where the
// exponents cancel, it is t + p(6/t-1)/t with t = -x.
func logNdtrSlope(d *deriver, x, y Reg) Reg {
	one, limit := d.num(1, x), d.num(-3, x)
	far := d.b.binary(OpLt, x, limit)
	t := d.neg(d.b.choose(far, x, limit))
	p := d.polynomial(normalTail[:], d.sub(d.div(d.num(6, x), t), one))
	density := d.b.unary(OpExp, d.sub(d.scaled(-0.5, d.square(d.whereNot(far, x))), d.whereNot(far, y)))
	return d.b.choose(far, d.add(t, d.div(p, t)), d.scaled(1/math.Sqrt(2*math.Pi), density))
}

// polynomial is Σcₖ·xᵏ.
func (d *deriver) polynomial(c []float64, x Reg) Reg {
	last := len(c) - 1
	sum := d.num(c[last], x)
	for k := last - 1; k >= 0; k-- {
		sum = d.add(d.mul(sum, x), d.num(c[k], x))
	}
	return sum
}

// normalTail is p: the polynomial through (d-t)·t at the Chebyshev nodes of u = 6/t-1 in [-1, 1]. d is the normal
// density divided by the probability of the tail beyond t.
var normalTail = [...]float64{
	0.9508956272675935, -0.08734070285758615, -0.02523217164265977, 0.013051422801275291, -0.0015589270349242465,
	-0.0009946399760599885, 0.0006009452508972263, -0.00010719176759382539, -4.849522320244924e-05, 4.193281074538827e-05,
	-1.2360174950857231e-05, -1.5321894187555562e-06, 3.328483674260684e-06, -1.573191380484728e-06, 2.1451074802791973e-07,
	2.0806072980552497e-07, -1.9153279043551356e-07, 8.879253470152025e-08, 1.4637328122863168e-09, -3.3753205472789095e-08,
	1.3429575234123293e-08, 3.665614129686491e-09, -2.4020385559934373e-09,
}
