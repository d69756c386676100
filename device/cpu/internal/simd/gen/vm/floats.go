package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// sign is a float's sign bit, rest is the mask of all other bits.
func sign(k vec.Kind) operand.Mem { return k.Bits(1 << (8*k.Size() - 1)) }
func rest(k vec.Kind) operand.Mem { return k.Bits(1<<(8*k.Size()-1) - 1) }

// floats emits the arithmetic and the comparisons of floats. The names of operations with exchanged arguments begin
// with r.
func floats(k vec.Kind) {
	arithmetic(k)
	extremes(k)
	comparisons(k)
	signs(k)
	roundings(k)
	if !k.Double {
		roundTo16(k)
	}
}

func arithmetic(k vec.Kind) {
	looped(k, "add", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.Add(src, a, a) })
	looped(k, "sub", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.Sub(src, a, a) })
	looped(k, "rsub", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.Sub(a, loaded(k, src, t[0]), a) })
	looped(k, "mul", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.Mul(src, a, a) })
	looped(k, "div", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.Div(src, a, a) })
	looped(k, "rdiv", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.Div(a, loaded(k, src, t[0]), a) })
	self(k, "add", func(a reg.VecPhysical) { k.Add(a, a, a) })
	self(k, "mul", func(a reg.VecPhysical) { k.Mul(a, a, a) })
	unary(k, "sqrt", func(a reg.VecPhysical, _ []reg.VecPhysical) { k.Sqrt(a, a) })
	if k.Wide && !k.Double {
		stepSqrt(k)
	}
}

// leastRoot and lastRoot are the bits of the numbers, all positive, between which stepSqrt is exact.
const (
	leastRoot = 32 << 23
	lastRoot  = 255<<23 - 1
)

// stepSqrt emits the square root without the instruction for it: an estimate of 1/√x, a step of Goldschmidt's iteration for √x and
// 1/(2√x), and a correction of √x by the exact rest. The result is rounded correctly for every estimate with 14 bits: this was
// tried for all significands, for estimates all over the permitted interval. One vector goes through the divider meanwhile. If one of
// the numbers is too small, negative, infinite or NaN, the instruction computes them all.
func stepSqrt(k vec.Kind) {
	handler(k, "stepsqrt", func(acc, temps []reg.VecPhysical) {
		bound, excess := temps[0], temps[1:1+depth]
		k.Splat(k.Bits(leastRoot), bound)
		for i, x := range acc {
			VPSUBD(bound, x, excess[i])
		}
		for i := 1; i < depth; i++ {
			VPMAXUD(excess[i], excess[0], excess[0])
		}
		k.Splat(k.Bits(lastRoot-leastRoot), bound)
		const greater = 6
		VPCMPUD(operand.Imm(greater), bound, excess[0], reg.K1)
		KORTESTW(reg.K1, reg.K1)
		JNE(operand.LabelRef("odd"))
		half := temps[0]
		k.Splat(k.Const(0.5), half)
		each := func(f func(x, root, halfInverse, rest reg.VecPhysical)) {
			for i, x := range acc[1:] {
				f(x, temps[1+i], temps[1+depth+i], temps[1+2*depth+i])
			}
		}
		k.Sqrt(acc[0], acc[0]) // beside the steps
		each(func(x, root, halfInverse, rest reg.VecPhysical) { VRSQRT14PS(x, halfInverse) })
		each(func(x, root, halfInverse, rest reg.VecPhysical) {
			k.Mul(halfInverse, x, root)
			k.Mul(halfInverse, half, halfInverse)
			k.Move(half, rest)
		})
		each(func(x, root, halfInverse, rest reg.VecPhysical) { k.FNMA231(root, halfInverse, rest) })
		each(func(x, root, halfInverse, rest reg.VecPhysical) {
			k.FMA231(root, rest, root)
			k.FMA231(halfInverse, rest, halfInverse)
		})
		each(func(x, root, halfInverse, rest reg.VecPhysical) { k.FNMA231(root, root, x) })
		each(func(x, root, halfInverse, rest reg.VecPhysical) { k.FMA213(root, halfInverse, x) })
		next()
		Label("odd")
		for _, x := range acc {
			k.Sqrt(x, x)
		}
	})
}

// extremes emits minimum and maximum. The instructions return their second source, here the first argument, at a tie or
// if one argument is NaN. The handlers correct the cases in which that is wrong. The names that end in number are for
// an operand that is not NaN.
func extremes(k vec.Kind) {
	for _, c := range []struct {
		name string
		emit func(a, b, dst operand.Op)
	}{{"max", k.Max}, {"min", k.Min}} {
		looped(k, c.name+"number", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
			c.emit(a, loaded(k, src, t[0]), a)
		})
		looped(k, c.name, func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
			s := loaded(k, src, t[0])
			c.emit(a, s, a)
			k.Where(vec.Unordered, s, s, s, a, t[1])
		})
		looped(k, "r"+c.name, func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
			c.emit(src, a, t[0])
			k.Where(vec.Unordered, a, a, a, t[0], t[1])
			k.Move(t[0], a)
		})
		looped(k, "f"+c.name, func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
			s := loaded(k, src, t[0])
			c.emit(a, s, t[1])
			k.Where(vec.Unordered, a, a, s, t[1], t[2])
			k.Move(t[1], a)
		})
		looped(k, "rf"+c.name, func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
			s := loaded(k, src, t[0])
			c.emit(s, a, t[1])
			k.Where(vec.Unordered, s, s, a, t[1], t[2])
			k.Move(t[1], a)
		})
	}
}

// comparisons compare the accumulator with the operand.
func comparisons(k vec.Kind) {
	for _, c := range []struct {
		name string
		p    vec.Predicate
	}{{"eq", vec.Equal}, {"ne", vec.NotEqual}, {"lt", vec.Less}, {"le", vec.LessEqual}, {"gt", vec.Greater}, {"ge", vec.GreaterEqual}} {
		binary(k, c.name, func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.CompareOnes(c.p, src, a, a) })
	}
	unary(k, "isnan", func(a reg.VecPhysical, _ []reg.VecPhysical) { k.CompareOnes(vec.Unordered, a, a, a) })
	classes := func(name string, p vec.Predicate) {
		handler(k, name, func(acc, t []reg.VecPhysical) {
			k.Splat(rest(k), t[0])
			k.Splat(k.Bits(infinity(k)), t[1])
			for _, a := range acc {
				k.And(t[0], a, a)
				k.CompareOnes(p, t[1], a, a)
			}
		})
	}
	classes("isinf", vec.Equal)
	classes("isfinite", vec.Less)
	handler(k, "signbit", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		for _, a := range acc {
			k.GreaterInt(a, t[0], a)
		}
	})
}

func infinity(k vec.Kind) uint64 {
	if k.Double {
		return 0x7ff0000000000000
	}
	return 0x7f800000
}

func signs(k vec.Kind) {
	handler(k, "neg", func(acc, t []reg.VecPhysical) {
		k.Splat(sign(k), t[0])
		for _, a := range acc {
			k.Xor(t[0], a, a)
		}
	})
	handler(k, "abs", func(acc, t []reg.VecPhysical) {
		k.Splat(rest(k), t[0])
		for _, a := range acc {
			k.And(t[0], a, a)
		}
	})
	copysign := func(name string, emit func(magnitude, sign operand.Op, dst reg.VecPhysical, t []reg.VecPhysical)) {
		for _, form := range formsOf(k) {
			handler(k, name+"."+form, func(acc, t []reg.VecPhysical) {
				src := source(k, form, first, reg.RAX, t[0])
				k.Splat(rest(k), t[1])
				for i, a := range acc {
					emit(src(i), a, a, t[1:])
				}
			})
		}
	}
	copysign("copysign", func(s, a operand.Op, dst reg.VecPhysical, t []reg.VecPhysical) { // the sign is the operand's
		k.And(t[0], a, t[1])
		k.AndN(s, t[0], t[2])
		k.Or(t[1], t[2], dst)
	})
	copysign("rcopysign", func(m, a operand.Op, dst reg.VecPhysical, t []reg.VecPhysical) {
		k.And(m, t[0], t[1])
		k.AndN(a, t[0], t[2])
		k.Or(t[1], t[2], dst)
	})
	handler(k, "sign", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		k.Splat(k.Const(1), t[1])
		k.Splat(k.Const(-1), t[2])
		for _, a := range acc {
			k.Zero(t[3])
			k.Where(vec.Greater, t[0], a, t[1], t[3], t[4])
			k.Where(vec.Less, t[0], a, t[2], t[3], t[4])
			k.Where(vec.Unordered, a, a, a, t[3], t[4])
			k.Move(t[3], a)
		}
	})
}

func roundings(k vec.Kind) {
	for _, c := range []struct {
		name string
		mode vec.Rounding
	}{{"rint", vec.Nearest}, {"floor", vec.Down}, {"ceil", vec.Up}, {"trunc", vec.Truncate}} {
		unary(k, c.name, func(a reg.VecPhysical, _ []reg.VecPhysical) { k.Round(c.mode, a, a) })
	}
	// The integral part, plus 1 in magnitude if the fraction, which is exact, is 1/2 or more.
	handler(k, "roundaway", func(acc, t []reg.VecPhysical) {
		k.Splat(rest(k), t[0])
		k.Splat(k.Const(0.5), t[1])
		k.Splat(k.Const(1), t[2])
		for _, a := range acc {
			k.AndN(a, t[0], t[5]) // the sign
			k.And(t[0], a, a)
			k.Round(vec.Truncate, a, t[3])
			k.Sub(t[3], a, t[4])
			k.Add(t[2], t[3], a)
			k.Where(vec.GreaterEqual, t[1], t[4], a, t[3], t[6])
			k.Or(t[5], t[3], a)
		}
	})
}

// roundTo16 emits the roundings to 16-bit floats. They are the conversions of the stores and loads.
func roundTo16(k vec.Kind) {
	unary(k, "roundf16", func(a reg.VecPhysical, t []reg.VecPhysical) {
		half := part(t[0], k.Bytes()/2)
		VCVTPS2PH(operand.Imm(0), a, half)
		VCVTPH2PS(half, a)
	})
	handler(k, "roundbf16", func(acc, t []reg.VecPhysical) {
		k.Splat(k.Bits(1), t[0])
		k.Splat(k.Bits(0x7fff), t[1])
		k.Splat(k.Bits(0xffff0000), t[2])
		k.Splat(k.Bits(0x400000), t[3])
		for _, a := range acc {
			VPSRLD(operand.Imm(16), a, t[4])
			k.And(t[0], t[4], t[4])
			VPADDD(t[1], t[4], t[4])
			VPADDD(a, t[4], t[4])
			k.Or(t[3], a, t[5]) // NaN
			k.Where(vec.Unordered, a, a, t[5], t[4], t[6])
			k.And(t[2], t[4], a)
		}
	})
}
