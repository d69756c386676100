package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/functions"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// selects emits the operations that choose between two operands by the mask in the accumulator.
func selects(k vec.Kind) {
	for _, yes := range formsOf(k) {
		for _, no := range formsOf(k) {
			if yes == "stream" && no == "tail" || yes == "tail" && no == "stream" {
				continue // a program either is in a tail or is not
			}
			handler(k, "select."+yes+no, func(acc, t []reg.VecPhysical) {
				x := source(k, yes, first, reg.RAX, t[0])
				y := source(k, no, other, reg.RBX, t[1])
				for i, a := range acc {
					v := loaded(k, x(i), t[2])
					w := y(i)
					if !k.Wide {
						w = loaded(k, w, t[3])
					}
					k.Blend(v, w, a)
				}
			})
		}
	}
}

// elementary emits the functions.
func elementary(k vec.Kind) {
	unary := functions.Unary
	if !k.Double {
		unary = append(slices.Clone(unary), functions.Activations...)
	}
	for _, f := range unary {
		handler(k, f.Name, func(acc, t []reg.VecPhysical) {
			if f.Limit == nil {
				f.Body(k, acc, t)
				return
			}
			for i, a := range acc {
				k.Store(a, savedArgument(k, i))
			}
			f.Body(k, acc, t)
			common := functions.Label("common")
			beyond(k, f.Limit(k), t)
			JZ(operand.LabelRef(common))
			interrupt(k, acc)
			Label(common)
		})
	}
	for _, f := range functions.Binary {
		for _, form := range formsOf(k) {
			handler(k, f.Name+"."+form, func(acc, t []reg.VecPhysical) {
				y, t := t[:depth], t[depth:]
				if f.Name == "pow" && form == "scalar" {
					squares(k, acc, t)
				}
				operands(k, form, y, t[0])
				f.Body(k, acc, y, t)
			})
		}
	}
}

// interrupt leaves the interpreter after an instruction that met a rare argument.
func interrupt(k vec.Kind, acc []reg.VecPhysical) {
	for i, a := range acc {
		k.Store(a, savedResult(k, i))
	}
	ADDQ(operand.Imm(16), reg.R8)
	MOVQ(reg.R8, frame(frameNext))
	MOVQ(reg.R9, frame(frameLeft))
	MOVQ(reg.R10, frame(frameIndex))
	MOVQ(operand.I32(1), frame(frameRare))
	vec.Leave()
}

// beyond clears the zero flag if the magnitude of a saved argument is larger than a limit.
func beyond(k vec.Kind, limit float64, t []reg.VecPhysical) {
	k.Splat(k.Const(limit), t[0])
	k.Splat(rest(k), t[1])
	k.Zero(t[4])
	for i := range depth {
		k.And(savedArgument(k, i), t[1], t[2])
		k.CompareOnes(vec.Greater, t[0], t[2], t[2])
		k.Or(t[2], t[4], t[4])
	}
	if k.Wide {
		VPTESTMD(t[4], t[4], reg.K1)
		KORTESTW(reg.K1, reg.K1)
		return
	}
	VPTEST(t[4], t[4])
}
