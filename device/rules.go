package device

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// rule adds to the adjoints of the registers that instruction in reads, given g, the adjoint of its value. It is linear
// in g. y is the register of that value in the original program.
type rule func(d *deriver, in *Inst, y Reg, g Reg)

// flatOps has the opcodes whose derivative is 0 wherever it exists, or whose values are bools or integers.
var flatOps = func() (f [OpCount]bool) {
	for _, op := range []Op{OpFloor, OpCeil, OpTrunc, OpRint, OpRoundAway, OpFloorDiv, OpGcd, OpLcm, OpAnd, OpOr, OpXor, OpNot,
		OpShl, OpShr, OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpIsNaN, OpIsInf, OpIsFinite, OpSignBit} {
		f[op] = true
	}
	return f
}()

// Shorthands for the rules. x and z are the values of the two arguments in the new program.
func (d *deriver) x(in *Inst) Reg { return d.val[in.A] }
func (d *deriver) z(in *Inst) Reg { return d.val[in.B] }

func (d *deriver) toA(in *Inst, g Reg) { d.accumulate(in.A, g) }
func (d *deriver) toB(in *Inst, g Reg) { d.accumulate(in.B, g) }

func (d *deriver) mul(a, b Reg) Reg { return d.b.binary(OpMul, a, b) }
func (d *deriver) div(a, b Reg) Reg { return d.b.binary(OpDiv, a, b) }
func (d *deriver) add(a, b Reg) Reg { return d.b.binary(OpAdd, a, b) }
func (d *deriver) sub(a, b Reg) Reg { return d.b.binary(OpSub, a, b) }
func (d *deriver) neg(a Reg) Reg    { return d.b.unary(OpNeg, a) }
func (d *deriver) square(a Reg) Reg { return d.mul(a, a) }

func (d *deriver) num(v float64, like Reg) Reg { return d.b.number(v, d.b.typeOf(like)) }

// conj extends the rules of real functions to holomorphic complex functions, whose gradient is g·conj(f').
func (d *deriver) conj(a Reg) Reg {
	if d.b.typeOf(a).IsComplex() {
		return d.b.unary(OpConj, a)
	}
	return a
}

// times is g·conj(f), over is g/conj(f).
func (d *deriver) times(g, f Reg) Reg { return d.mul(g, d.conj(f)) }
func (d *deriver) over(g, f Reg) Reg  { return d.div(g, d.conj(f)) }

// where is g if cond, else 0.
func (d *deriver) where(cond, g Reg) Reg    { return d.b.choose(cond, g, d.num(0, g)) }
func (d *deriver) whereNot(cond, g Reg) Reg { return d.b.choose(cond, d.num(0, g), g) }

func (d *deriver) is(x Reg, v float64) Reg { return d.b.binary(OpEq, x, d.num(v, x)) }

// scaled is c·g.
func (d *deriver) scaled(c float64, g Reg) Reg { return d.mul(g, d.num(c, g)) }

// derivativeFactor returns the rule of a function y(x) whose derivative is f.
func derivativeFactor(f func(d *deriver, x, y Reg) Reg) rule {
	return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, d.times(g, f(d, d.x(in), d.val[y]))) }
}

// inverseFactor returns the rule of a function y(x) whose derivative is 1/f.
func inverseFactor(f func(d *deriver, x, y Reg) Reg) rule {
	return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, d.over(g, f(d, d.x(in), d.val[y]))) }
}

// apply returns a derivative that is the opcode's function of x.
func apply(op Op) func(d *deriver, x, y Reg) Reg {
	return func(d *deriver, x, y Reg) Reg { return d.b.unary(op, x) }
}

// chooseRule is the rule of minima and maxima: g goes to the argument that is the result, at ties to the first
// argument. The comparison first says that the first argument is the result; the comparison second says that the second
// one is. A NaN argument is the result, or with ignoreNaN the other argument is. If only one argument can be NaN, one
// comparison, which is false for NaN, is enough.
func chooseRule(first, second Op, ignoreNaN bool) rule {
	return func(d *deriver, in *Inst, y Reg, g Reg) {
		x, z := d.x(in), d.z(in)
		mayBeNaN := func(r Reg) bool {
			op := d.prog.Code[r].Op
			scalar := op == OpScalar && !ignoreNaN // nobody asks for the gradient of a scalar, so the other argument may get it
			return d.b.typeOf(r).IsInexact() && op != OpConst && !scalar
		}
		odd, even := x, z
		if ignoreNaN {
			odd, even = z, x
		}
		if mayBeNaN(odd) && !mayBeNaN(even) {
			d.choice(d.b.binary(second, x, z), in.B, in.A, g)
			return
		}
		taken := d.b.binary(first, x, z)
		if mayBeNaN(odd) {
			taken = d.b.binary(OpOr, taken, d.b.unary(OpIsNaN, odd))
		}
		d.choice(taken, in.A, in.B, g)
	}
}

func gaussian(d *deriver, x Reg) Reg { // exp(-x²/2)/√(2π)
	return d.scaled(1/math.Sqrt(2*math.Pi), d.b.unary(OpExp, d.scaled(-0.5, d.square(x))))
}

// ruleOf returns an opcode's rule, or nil for opcodes with no derivative or a derivative of 0.
func ruleOf(op Op) rule {
	switch op {
	case OpCast:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			to := d.b.typeOf(d.x(in))
			if d.b.typeOf(g).IsComplex() && !to.IsComplex() {
				g = d.b.unary(OpReal, g)
			}
			d.toA(in, d.b.cast(g, to))
		}
	case OpSelect:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.choice(d.x(in), in.B, in.C, g) }
	case OpAdd:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, g); d.toB(in, g) }
	case OpSub:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, g); d.toB(in, d.neg(g)) }
	case OpMul:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			if x, sign := d.squareMinusOne(in); sign != 0 {
				d.accumulate(x, d.times(g, d.scaled(2*sign, d.val[x])))
				return
			}
			d.toA(in, d.times(g, d.z(in)))
			d.toB(in, d.times(g, d.x(in)))
		}
	case OpDiv:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			d.toA(in, d.over(g, d.z(in)))
			d.toB(in, d.neg(d.times(g, d.div(d.val[y], d.z(in)))))
		}
	case OpMod:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			d.toA(in, g)
			d.toB(in, d.neg(d.mul(g, d.b.binary(OpFloorDiv, d.x(in), d.z(in)))))
		}
	case OpFmod:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			d.toA(in, g)
			d.toB(in, d.neg(d.mul(g, d.b.unary(OpTrunc, d.div(d.x(in), d.z(in))))))
		}
	case OpPow:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			x, z := d.x(in), d.z(in)
			origin := d.is(x, 0)
			base, less := d.b.choose(d.b.binary(OpAnd, origin, d.is(z, 0)), d.num(1, x), x), d.sub(z, d.num(1, z)) // 0·0⁻¹ is 0
			if c := d.prog.Code[z]; c.Op == OpConst {
				less = d.b.constant(Scalar{Re: c.Value.Re - 1}, d.b.typeOf(z))
				if c.Value.Re != 0 {
					base = x
				}
			}
			d.toA(in, d.times(g, d.mul(z, d.b.binary(OpPow, base, less))))
			log := d.b.unary(OpLog, d.b.choose(origin, d.num(1, x), x)) // finite, so that 0 times it is 0
			d.toB(in, d.times(g, d.whereNot(origin, d.mul(d.val[y], log))))
		}
	case OpMin:
		return chooseRule(OpLe, OpGt, false)
	case OpMax:
		return chooseRule(OpGe, OpLt, false)
	case OpFMin:
		return chooseRule(OpLe, OpGt, true)
	case OpFMax:
		return chooseRule(OpGe, OpLt, true)
	case OpAtan2:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			// x/(x²+z²), computed from the quotient of the smaller and the larger of x and z, since the squares may
			// overflow.
			x, z, one := d.x(in), d.z(in), d.num(1, d.x(in))
			steep := d.b.binary(OpGt, d.b.unary(OpAbs, x), d.b.unary(OpAbs, z))
			larger, smaller := d.b.choose(steep, x, z), d.b.choose(steep, z, x)
			quotient := d.div(smaller, larger)
			r := d.add(larger, d.mul(smaller, quotient))
			origin := d.is(larger, 0)
			d.toA(in, d.whereNot(origin, d.mul(g, d.div(d.b.choose(steep, quotient, one), r))))
			d.toB(in, d.whereNot(origin, d.neg(d.mul(g, d.div(d.b.choose(steep, one, quotient), r)))))
		}
	case OpHypot:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			origin := d.is(d.val[y], 0)
			d.toA(in, d.whereNot(origin, d.mul(g, d.div(d.x(in), d.val[y]))))
			d.toB(in, d.whereNot(origin, d.mul(g, d.div(d.z(in), d.val[y]))))
		}
	case OpCopySign:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			kept := d.b.binary(OpEq, d.b.unary(OpSignBit, d.x(in)), d.b.unary(OpSignBit, d.z(in)))
			d.toA(in, d.b.choose(kept, g, d.neg(g)))
		}
	case OpNextAfter:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, g) }
	case OpLdexp:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			d.toA(in, d.b.emit(Inst{Op: OpLdexp, Type: d.b.typeOf(g), A: g, B: d.z(in)}))
		}
	case OpLogAddExp:
		return weightsRule(1)
	case OpLogAddExp2:
		return weightsRule(math.Ln2)
	case OpNeg:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, d.neg(g)) }
	case OpAbs:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			direction := d.b.unary(OpSign, d.x(in))
			d.toA(in, d.mul(d.b.cast(g, d.b.typeOf(direction)), direction))
		}
	case OpSign:
		return func(d *deriver, in *Inst, y Reg, g Reg) { // 0 for a real number; for a complex number only the component across the ray
			if !d.b.typeOf(g).IsComplex() {
				return
			}
			s := d.val[y]
			along := d.b.cast(d.b.unary(OpReal, d.times(s, g)), d.b.typeOf(g))
			r := d.b.cast(d.b.unary(OpAbs, d.x(in)), d.b.typeOf(g))
			d.toA(in, d.whereNot(d.is(r, 0), d.div(d.sub(g, d.mul(along, s)), r)))
		}
	case OpSqrt:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(2, y) })
	case OpRsqrt:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(-0.5, d.div(y, x)) })
	case OpCbrt:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(3, d.square(y)) })
	case OpExp:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return y })
	case OpExp2:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(math.Ln2, y) })
	case OpExp10:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(math.Ln10, y) })
	case OpExpm1:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.add(y, d.num(1, y)) })
	case OpLog:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return x })
	case OpLog2:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(math.Ln2, x) })
	case OpLog10:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.scaled(math.Ln10, x) })
	case OpLog1p:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.add(x, d.num(1, x)) })
	case OpSin:
		return derivativeFactor(apply(OpCos))
	case OpCos:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.neg(d.b.unary(OpSin, x)) })
	case OpTan:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.add(d.square(y), d.num(1, y)) })
	case OpAsin:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.b.unary(OpSqrt, d.oneMinusSquare(x)) })
	case OpAcos:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.neg(d.b.unary(OpSqrt, d.oneMinusSquare(x))) })
	case OpAtan:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.add(d.square(x), d.num(1, x)) })
	case OpSinh:
		return derivativeFactor(apply(OpCosh))
	case OpCosh:
		return derivativeFactor(apply(OpSinh))
	case OpTanh:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.oneMinusSquare(y) })
	case OpAsinh:
		return inverseFactor(func(d *deriver, x, y Reg) Reg {
			root := d.b.unary(OpSqrt, d.add(d.square(x), d.num(1, x)))
			if d.b.typeOf(x).IsComplex() {
				return root
			}
			size := d.b.unary(OpAbs, x)
			return d.b.choose(d.b.binary(OpGt, size, d.num(0x1p30, x)), size, root) // the square may overflow
		})
	case OpAcosh:
		return inverseFactor(func(d *deriver, x, y Reg) Reg {
			one := d.num(1, x)
			less, more := d.sub(x, one), d.add(x, one)
			if d.b.typeOf(x).IsComplex() {
				return d.mul(d.b.unary(OpSqrt, less), d.b.unary(OpSqrt, more))
			}
			root := d.b.unary(OpSqrt, d.mul(less, more))
			return d.b.choose(d.b.binary(OpGt, x, d.num(0x1p30, x)), x, root) // the product may overflow
		})
	case OpAtanh:
		return inverseFactor(func(d *deriver, x, y Reg) Reg { return d.oneMinusSquare(x) })
	case OpSigmoid:
		return derivativeFactor(sigmoidSlope)
	case OpSoftplus:
		return derivativeFactor(apply(OpSigmoid))
	case OpErf:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.bell(x, -1, 2/math.Sqrt(math.Pi)) })
	case OpErfc:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.bell(x, -1, -2/math.Sqrt(math.Pi)) })
	case OpErfcx:
		return derivativeFactor(erfcxSlope)
	case OpErfinv:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.bell(y, 1, math.Sqrt(math.Pi)/2) })
	case OpGamma:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.mul(y, d.b.unary(OpDigamma, x)) })
	case OpLgamma:
		return derivativeFactor(apply(OpDigamma))
	case OpDigamma:
		return derivativeFactor(apply(OpTrigamma))
	case OpTrigamma:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.b.binary(OpPolygamma, d.num(2, x), x) })
	case OpI0:
		return derivativeFactor(apply(OpI1))
	case OpI1:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg {
			return d.scaled(0.5, d.add(d.b.unary(OpI0, x), d.b.binary(OpBesselI, d.num(2, x), x)))
		})
	case OpPolygamma, OpZeta, OpBesselI, OpBesselIE, OpBesselJ, OpBesselY, OpBesselK, OpBesselKE, OpGammainc, OpGammaincc, OpGammaPDF:
		slope := secondSlope(op)
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toB(in, d.mul(g, slope(d, d.x(in), d.z(in), d.val[y]))) }
	case OpNdtr:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return gaussian(d, x) })
	case OpLogNdtr:
		return derivativeFactor(logNdtrSlope)
	case OpNdtri:
		return derivativeFactor(func(d *deriver, x, y Reg) Reg { return d.bell(y, 0.5, math.Sqrt(2*math.Pi)) })
	case OpSinc:
		return derivativeFactor(sincSlope)
	case OpRoundFloat16, OpRoundBFloat16: // as for every operation: the derivative is that of the exact result
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, g) }
	case OpReal:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, d.b.cast(g, d.b.typeOf(d.x(in)))) }
	case OpImag:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, d.complex(d.num(0, g), g)) }
	case OpConj:
		return func(d *deriver, in *Inst, y Reg, g Reg) { d.toA(in, d.conj(g)) }
	case OpComplex:
		return func(d *deriver, in *Inst, y Reg, g Reg) {
			d.toA(in, d.b.unary(OpReal, g))
			d.toB(in, d.b.unary(OpImag, g))
		}
	}
	return nil
}

// oneMinusSquare is 1-x², without cancellation.
func (d *deriver) oneMinusSquare(x Reg) Reg {
	one := d.num(1, x)
	return d.mul(d.sub(one, x), d.add(one, x))
}

// squareMinusOne recognizes the product (1-x)·(1+x), of which oneMinusSquare consists, or (x-1)·(x+1). It returns x and
// the sign of its square. The derivative is ∓2x; the rule of products would make it a difference, which is NaN at ±1
// if g is infinite.
func (d *deriver) squareMinusOne(in *Inst) (x Reg, sign float64) {
	code := d.p.Code
	less, more := &code[in.A], &code[in.B]
	isOne := func(r Reg) bool { return code[r].Op == OpConst && code[r].Value.Re == 1 && code[r].Value.Im == 0 }
	if less.Op != OpSub || more.Op != OpAdd || !in.Type.IsInexact() {
		return 0, 0
	}
	x, one := more.A, more.B
	if isOne(x) {
		x, one = one, x
	}
	switch {
	case !isOne(one):
	case isOne(less.A) && less.B == x:
		return x, -1
	case isOne(less.B) && less.A == x:
		return x, 1
	}
	return 0, 0
}

// bell is scale·exp(sign·x²).
func (d *deriver) bell(x Reg, sign, scale float64) Reg {
	return d.scaled(scale, d.b.unary(OpExp, d.scaled(sign, d.square(x))))
}

func (d *deriver) complex(re, im Reg) Reg {
	return d.b.emit(Inst{Op: OpComplex, Type: complexOf(d.b.typeOf(re)), A: re, B: im})
}

func complexOf(t dtype.DType) dtype.DType {
	if t == dtype.Float32 {
		return dtype.Complex64
	}
	return dtype.Complex128
}
