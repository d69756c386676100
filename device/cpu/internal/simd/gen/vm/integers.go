package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// integers emits the arithmetic of integers as wide as lanes, and the bit operations, which also work on masks.
func integers(k vec.Kind) {
	pick := func(single, double instruction) instruction {
		if k.Double {
			return double
		}
		return single
	}
	plain := func(name string, emit func(src, a, dst operand.Op)) {
		looped(k, name, func(src operand.Op, a reg.VecPhysical, _ []reg.VecPhysical) { emit(src, a, a) })
	}
	plain("iadd", k.AddInt)
	plain("isub", k.SubInt)
	plain("and", k.And)
	plain("or", k.Or)
	plain("xor", k.Xor)
	plain("ieq", k.EqualInt)
	plain("igt", k.GreaterInt)
	looped(k, "irsub", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.SubInt(a, loaded(k, src, t[0]), a) })
	binary(k, "ilt", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { k.GreaterInt(a, loaded(k, src, t[0]), a) })
	negated := func(name string, emit func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical)) {
		for _, form := range formsOf(k) {
			handler(k, name+"."+form, func(acc, t []reg.VecPhysical) {
				src := source(k, form, first, reg.RAX, t[0])
				k.Splat(k.Bits(ones(k)), t[1])
				for i, a := range acc {
					emit(src(i), a, t[2:])
					k.Xor(t[1], a, a)
				}
			})
		}
	}
	negated("ine", func(src operand.Op, a reg.VecPhysical, _ []reg.VecPhysical) { k.EqualInt(src, a, a) })
	negated("ile", func(src operand.Op, a reg.VecPhysical, _ []reg.VecPhysical) { k.GreaterInt(src, a, a) })
	negated("ige", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
		k.GreaterInt(a, loaded(k, src, t[0]), a)
	})
	handler(k, "not", func(acc, t []reg.VecPhysical) {
		k.Splat(k.Bits(ones(k)), t[0])
		for _, a := range acc {
			k.Xor(t[0], a, a)
		}
	})
	handler(k, "ineg", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		for _, a := range acc {
			k.SubInt(a, t[0], a)
		}
	})
	handler(k, "isign", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		for _, a := range acc {
			k.GreaterInt(t[0], a, t[1])
			k.GreaterInt(a, t[0], a)
			k.SubInt(t[1], a, a)
		}
	})
	binary(k, "imul", func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) { multiplyInt(k, src, a, t) })
	if !k.Double || k.Wide {
		plain("imin", ternary(pick(VPMINSD, VPMINSQ)))
		plain("imax", ternary(pick(VPMAXSD, VPMAXSQ)))
		unary(k, "iabs", func(a reg.VecPhysical, _ []reg.VecPhysical) { pick(VPABSD, VPABSQ)(a, a) })
		return
	}
	// AVX2 has no such instructions for 64 bits.
	choose := func(name string, greater bool) {
		binary(k, name, func(src operand.Op, a reg.VecPhysical, t []reg.VecPhysical) {
			s := loaded(k, src, t[0])
			if greater {
				k.GreaterInt(a, s, t[1])
			} else {
				k.GreaterInt(s, a, t[1])
			}
			VBLENDVPD(t[1], s, a, a)
		})
	}
	choose("imax", true)
	choose("imin", false)
	handler(k, "iabs", func(acc, t []reg.VecPhysical) {
		k.Zero(t[0])
		for _, a := range acc {
			k.GreaterInt(a, t[0], t[1])
			k.Xor(t[1], a, a)
			k.SubInt(t[1], a, a)
		}
	})
}

func ones(k vec.Kind) uint64 {
	if k.Double {
		return 1<<64 - 1
	}
	return 1<<32 - 1
}

func ternary(f instruction) func(a, b, c operand.Op) {
	return func(a, b, c operand.Op) { f(a, b, c) }
}
