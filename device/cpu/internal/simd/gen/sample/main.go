// Command sample generates the routines of package sample.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		sums(k)
		mix(k)
	}
	Generate()
}

// unordered is the predicate that is true of not-a-numbers.
const unordered = 3

// sums emits the routine that adds up elements at offsets, times weights. A vector has as many elements as there is room for
// offsets.
func sums(k vec.Kind) {
	name, half := "sums"+k.Suffix(), !k.Double
	lanes := k.Bytes() / 8
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n, corners int, y *%s, x *byte, offsets *int, weights *%[1]s, stride int) (lost int)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes n sums, a multiple of %d and not 0. Offsets, in bytes, and weights of the next corner lie stride further.", name, lanes),
		"lost is not 0 where a sum is not a number.")
	n, corners, y, x := Load(Param("n"), GP64()), Load(Param("corners"), GP64()), Load(Param("y"), GP64()), Load(Param("x"), GP64())
	offsets, weights := Load(Param("offsets"), GP64()), Load(Param("weights"), GP64())
	stride, strideW := Load(Param("stride"), GP64()), GP64()
	MOVQ(stride, strideW)
	SHLQ(operand.Imm(3), stride)
	if k.Double {
		SHLQ(operand.Imm(3), strideW)
	} else {
		SHLQ(operand.Imm(2), strideW)
	}
	lost := GP64()
	XORQ(lost, lost)
	narrow := func() reg.VecVirtual { // as wide as the elements are
		switch {
		case k.Wide && half:
			return YMM()
		case k.Wide || !half:
			return k.Reg()
		}
		return XMM()
	}
	total, value, weight, index := narrow(), narrow(), narrow(), k.Reg()
	gather := func(from reg.Register) {
		at := operand.Mem{Base: x, Index: index, Scale: 1}
		if k.Wide {
			all := K()
			VMOVDQU64(operand.Mem{Base: from}, index)
			KXNORB(all, all, all)
			VPXORQ(value, value, value)
			if half {
				VGATHERQPS(at, all, value)
			} else {
				VGATHERQPD(at, all, value)
			}
			return
		}
		all := narrow()
		VMOVDQU(operand.Mem{Base: from}, index)
		VPCMPEQD(all, all, all)
		VXORPS(value, value, value)
		if half {
			VGATHERQPS(all, at, value)
		} else {
			VGATHERQPD(all, at, value)
		}
	}
	o, w, left := GP64(), GP64(), GP64()
	Label("points")
	MOVQ(offsets, o)
	MOVQ(weights, w)
	MOVQ(corners, left)
	gather(o)
	k.Load(operand.Mem{Base: w}, weight)
	k.Mul(weight, value, total)
	JMP(operand.LabelRef("next"))
	Label("corner")
	gather(o)
	k.Load(operand.Mem{Base: w}, weight)
	k.Mul(weight, value, value)
	k.Add(value, total, total)
	Label("next")
	ADDQ(stride, o)
	ADDQ(strideW, w)
	DECQ(left)
	JNZ(operand.LabelRef("corner"))
	k.Store(total, operand.Mem{Base: y})
	bits := GP32()
	switch {
	case k.Wide && half:
		mask := K()
		VCMPPS(operand.Imm(unordered), total, total, mask)
		KMOVB(mask, bits)
	case k.Wide:
		mask := K()
		VCMPPD(operand.Imm(unordered), total, total, mask)
		KMOVB(mask, bits)
	case half:
		VCMPPS(operand.Imm(unordered), total, total, value)
		VMOVMSKPS(value, bits)
	default:
		VCMPPD(operand.Imm(unordered), total, total, value)
		VMOVMSKPD(value, bits)
	}
	ORQ(bits.As64(), lost)
	ADDQ(operand.Imm(uint64(8*lanes)), offsets)
	ADDQ(operand.Imm(uint64(k.Size()*lanes)), weights)
	ADDQ(operand.Imm(uint64(k.Size()*lanes)), y)
	SUBQ(operand.Imm(uint64(lanes)), n)
	JNZ(operand.LabelRef("points"))
	Store(lost, ReturnIndex(0))
	vec.Leave()
}

// mix emits the routine that adds two rows, times a weight each.
func mix(k vec.Kind) {
	name := "mix" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, y, a, b, weights *%s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes n sums, a multiple of %d and not 0.", name, k.Lanes()))
	n, y, a, b := Load(Param("n"), GP64()), Load(Param("y"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	weights := Load(Param("weights"), GP64())
	wa, wb := k.Reg(), k.Reg()
	k.Splat(operand.Mem{Base: weights}, wa)
	k.Splat(operand.Mem{Base: weights, Disp: k.Size()}, wb)
	at := GP64()
	XORQ(at, at)
	Label("loop")
	p, q := k.Reg(), k.Reg()
	k.Mul(operand.Mem{Base: a, Index: at, Scale: 1}, wa, p)
	k.Mul(operand.Mem{Base: b, Index: at, Scale: 1}, wb, q)
	k.Add(p, q, q)
	k.Store(q, operand.Mem{Base: y, Index: at, Scale: 1})
	ADDQ(operand.Imm(uint64(k.Bytes())), at)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}
