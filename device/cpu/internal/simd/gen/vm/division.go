package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/functions"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// second emits the handlers that keep the second argument of a long operation in a slot, so that the operation needs no
// forms.
func second(k vec.Kind) {
	for _, form := range formsOf(k) {
		handler(k, "second."+form, func(_, t []reg.VecPhysical) {
			operands(k, form, t[:depth], t[depth])
			for i := range depth {
				k.Store(t[i], savedSecond(k, i))
			}
		})
	}
}

// withSecond emits an operation on the accumulator and the second argument, one vector after another.
func withSecond(k vec.Kind, name string, body func(y, a reg.VecPhysical, t []reg.VecPhysical)) {
	handler(k, name, func(acc, t []reg.VecPhysical) {
		for i, a := range acc {
			k.Load(savedSecond(k, i), t[0])
			body(t[0], a, t[1:])
		}
	})
}

// remainders emits the division of floats with an integral quotient, and its remainders. If the quotient is too large,
// the result is all ones, a NaN that no other operation produces, and the current elements are computed again in Go.
func remainders(k vec.Kind) {
	for _, c := range []struct {
		name string
		f    func(b *trace.Body, x, y, rest trace.Value) trace.Value
	}{{"fmod", truncatedRest}, {"mod", flooredRest}, {"floordiv", flooredQuotient}} {
		f := func(b *trace.Body, in ...trace.Value) trace.Value {
			return c.f(b, in[0], in[1], restOf(b, in[0], in[1]))
		}
		handler(k, c.name, func(acc, t []reg.VecPhysical) {
			together := depth
			if !k.Wide { // there are registers for only one vector
				together = 1
			}
			for from := 0; from < depth; from += together {
				y := t[:together]
				for i := range y {
					k.Load(savedSecond(k, from+i), y[i])
					k.Store(acc[from+i], savedArgument(k, from+i))
				}
				trace.Emit(k, f, t[together:], acc[from:from+together], y)
			}
			common := functions.Label("common")
			anyOnes(k, acc, t)
			JZ(operand.LabelRef(common))
			interrupt(k, acc)
			Label(common)
		})
	}
}

// operands loads the second argument of a function.
func operands(k vec.Kind, form string, y []reg.VecPhysical, temp reg.VecPhysical) {
	src := source(k, form, first, reg.RAX, temp)
	for i := range y {
		if s := src(i); form == "scalar" || form == "tail" {
			k.Move(s, y[i])
		} else {
			k.Load(s, y[i])
		}
	}
}

// anyOnes clears the zero flag if a lane is all ones.
func anyOnes(k vec.Kind, acc, t []reg.VecPhysical) {
	k.Splat(k.Bits(ones(k)), t[0])
	if !k.Wide {
		k.EqualInt(t[0], acc[0], t[1])
		for _, a := range acc[1:] {
			k.EqualInt(t[0], a, t[2])
			k.Or(t[2], t[1], t[1])
		}
		VPTEST(t[1], t[1])
		return
	}
	equal := func(a reg.VecPhysical, mask reg.Register) {
		if k.Double {
			VPCMPEQQ(t[0], a, mask)
		} else {
			VPCMPEQD(t[0], a, mask)
		}
	}
	equal(acc[0], reg.K1)
	for _, a := range acc[1:] {
		equal(a, reg.K2)
		KORW(reg.K1, reg.K2, reg.K1)
	}
	KORTESTW(reg.K1, reg.K1)
}

// restOf is scalar.Fmod; float32 is computed in float64.
func restOf(b *trace.Body, x, y trace.Value) trace.Value {
	rest := func(x, y trace.Value) trace.Value {
		magnitude, divisor := b.Abs(x), b.Abs(y)
		quotient := b.Div(magnitude, divisor)
		rest := b.FNMA(b.Round(vec.Truncate, quotient), divisor, magnitude)
		rest = b.Select(b.Less(rest, b.Const(0)), b.Add(rest, divisor), rest)
		rest = b.CopySign(b.Select(b.Less(magnitude, divisor), magnitude, rest), x)
		return b.Select(b.LessEqual(b.Const(1<<53), quotient), b.Bits(1<<64-1), rest)
	}
	if b.Double(x) {
		return rest(x, y)
	}
	return b.InDouble(func(widen func(trace.Value) trace.Value) trace.Value { return rest(widen(x), widen(y)) })
}

func truncatedRest(_ *trace.Body, _, _, rest trace.Value) trace.Value { return rest }

func flooredRest(b *trace.Body, _, y, rest trace.Value) trace.Value {
	floored := b.Pick(b.Xor(rest, y), b.Add(rest, y), rest)
	return b.Select(b.Equal(rest, b.Const(0)), b.And(y, b.Sign(y)), floored)
}

func flooredQuotient(b *trace.Body, x, y, rest trace.Value) trace.Value {
	q := b.Div(b.Sub(x, rest), y)
	lower := b.Pick(b.Xor(rest, y), b.Sub(q, b.Const(1)), q)
	q = b.Select(b.Equal(rest, b.Const(0)), q, lower)
	whole := b.Round(vec.Down, q)
	whole = b.Select(b.Less(b.Const(0.5), b.Sub(q, whole)), b.Add(whole, b.Const(1)), whole)
	return b.Select(b.Equal(q, b.Const(0)), b.And(b.Xor(x, y), b.Sign(y)), whole)
}

// wholeDivisions emits the division of integers: rounded towards 0 and rounded down, and the remainders of both.
// Division by 0 gives 0. AVX2 has no routines for 64 bits.
func wholeDivisions(k vec.Kind) {
	for _, c := range []struct {
		name          string
		mode          vec.Rounding
		withRemainder bool
	}{{"idiv", vec.Truncate, false}, {"ifloordiv", vec.Down, false}, {"ifmod", vec.Truncate, true}, {"imod", vec.Down, true}} {
		switch {
		case !k.Double:
			withSecond(k, c.name, func(y, a reg.VecPhysical, t []reg.VecPhysical) { divide32(k, c.mode, c.withRemainder, y, a, t) })
			if c.mode == vec.Down {
				divideByNumber(k, c.name+"by.scalar", c.withRemainder)
			}
		case k.Wide:
			withSecond(k, c.name, func(y, a reg.VecPhysical, t []reg.VecPhysical) { divide64(k, c.mode, c.withRemainder, y, a, t) })
		}
	}
}

// divide32 divides in float64. A float64 quotient of 32-bit integers is never rounded to an integer that it does not
// equal.
func divide32(k vec.Kind, mode vec.Rounding, withRemainder bool, y, x reg.VecPhysical, t []reg.VecPhysical) {
	wide := vec.Kind{Wide: k.Wide, Double: true}
	half := func(r reg.VecPhysical) reg.Register { return part(r, k.Bytes()/2) }
	upper := func(r reg.VecPhysical, dst reg.Register) {
		if k.Wide {
			VEXTRACTI64X4(operand.Imm(1), r, dst)
		} else {
			VEXTRACTI128(operand.Imm(1), r, dst)
		}
	}
	quotient := func(p, q reg.VecPhysical) { // divides the numbers in the given halves; the quotients replace p's
		VCVTDQ2PD(half(p), p)
		VCVTDQ2PD(half(q), q)
		wide.Div(q, p, p)
		wide.Round(mode, p, p)
		if k.Wide {
			VCVTTPD2DQ(p, half(p))
		} else {
			VCVTTPD2DQY(p, half(p))
		}
	}
	q, high, s := t[0], t[1], t[2]
	k.Move(x, q)
	k.Move(y, s)
	quotient(q, s)
	upper(x, half(high))
	upper(y, half(s))
	quotient(high, s)
	if k.Wide {
		VINSERTI64X4(operand.Imm(1), half(high), q, q)
	} else {
		VINSERTI128(operand.Imm(1), half(high), q, q)
	}
	if withRemainder {
		VPMULLD(y, q, q)
		k.SubInt(q, x, q)
	}
	clearWhereZero(k, y, q, x, t[1])
}

// divideByNumber emits divide32 by one number, as a product with its inverse: the operand is the offset of the inverse in float64, which
// half and the divisor follow (see package vm).
func divideByNumber(k vec.Kind, name string, withRemainder bool) {
	wide := vec.Kind{Wide: k.Wide, Double: true}
	handler(k, name, func(acc, temps []reg.VecPhysical) {
		inverse, half, divisor, low, high := temps[0], temps[1], temps[2], temps[3], temps[4]
		MOVL(first, reg.EAX)
		number := operand.Mem{Base: reg.R12, Index: reg.RAX, Scale: 1}
		wide.Splat(number, inverse)
		wide.Splat(number.Offset(8), half)
		if withRemainder {
			k.Splat(number.Offset(16), divisor)
		}
		for _, x := range acc {
			if k.Wide {
				VEXTRACTI64X4(operand.Imm(1), x, part(high, 32))
			} else {
				VEXTRACTI128(operand.Imm(1), x, part(high, 16))
			}
			VCVTDQ2PD(part(x, k.Bytes()/2), low)
			VCVTDQ2PD(part(high, k.Bytes()/2), high)
			for _, q := range []reg.VecPhysical{low, high} {
				wide.FMA213(half, inverse, q)
				wide.Round(vec.Down, q, q)
				if k.Wide {
					VCVTTPD2DQ(q, part(q, 32))
				} else {
					VCVTTPD2DQY(q, part(q, 16))
				}
			}
			q := x
			if withRemainder {
				q = low
			}
			if k.Wide {
				VINSERTI64X4(operand.Imm(1), part(high, 32), low, q)
			} else {
				VINSERTI128(operand.Imm(1), part(high, 16), low, q)
			}
			if withRemainder {
				VPMULLD(divisor, low, low)
				k.SubInt(low, x, x)
			}
		}
	})
}

// clearWhereZero sets dst to value, or to 0 where y is 0.
func clearWhereZero(k vec.Kind, y, value, dst, temp reg.VecPhysical) {
	k.Zero(temp)
	k.EqualInt(temp, y, temp)
	k.AndN(value, temp, dst)
}

// divide64 divides magnitudes. A float64 quotient that is made slightly smaller is never too large. The remainder is
// divided again until it is less than the divisor, which it nearly always is at once.
func divide64(k vec.Kind, mode vec.Rounding, withRemainder bool, y, x reg.VecPhysical, t []reg.VecPhysical) {
	divisor, rest, q, one, d, f, less := t[0], t[1], t[2], t[3], t[4], t[5], t[6]
	k.Splat(k.Bits(1), one)
	VPABSQ(y, divisor)
	VPMAXUQ(one, divisor, divisor)
	VPABSQ(x, rest)
	k.Zero(q)
	VCVTUQQ2PD(divisor, f)
	k.Splat(k.Const(1-0x1p-50), less)
	again := functions.Label("again")
	Label(again)
	VCVTUQQ2PD(rest, d)
	k.Div(f, d, d)
	k.Mul(less, d, d)
	VCVTTPD2UQQ(d, d)
	VPADDQ(d, q, q)
	VPMULLQ(divisor, d, d)
	VPSUBQ(d, rest, rest)
	const notBelow = 5
	VPCMPUQ(operand.Imm(notBelow), divisor, rest, reg.K1)
	VPADDQ(one, q, reg.K1, q)
	VPSUBQ(divisor, rest, reg.K1, rest)
	VPCMPUQ(operand.Imm(notBelow), divisor, rest, reg.K1)
	KORTESTW(reg.K1, reg.K1)
	JNZ(operand.LabelRef(again))

	zero := d
	k.Zero(zero)
	result, negative := q, x // negative determines the sign of the result
	opposite := f
	VPXORQ(x, y, opposite)
	switch {
	case withRemainder && mode == vec.Down:
		inexact(opposite, rest)
		VPSUBQ(rest, divisor, reg.K1, rest)
		result, negative = rest, y
	case withRemainder:
		result = rest
	case mode == vec.Down:
		inexact(opposite, rest)
		VPADDQ(one, q, reg.K1, q)
		negative = opposite
	default:
		negative = opposite
	}
	VPMOVQ2M(negative, reg.K1)
	VPSUBQ(result, zero, reg.K1, result)
	clearWhereZero(k, y, result, x, less)
}

// inexact sets K1 where the quotient is negative, by its sign bit, and the remainder is not 0.
func inexact(opposite, rest reg.VecPhysical) {
	VPMOVQ2M(opposite, reg.K1)
	VPTESTMQ(rest, rest, reg.K2)
	KANDB(reg.K1, reg.K2, reg.K1)
}
