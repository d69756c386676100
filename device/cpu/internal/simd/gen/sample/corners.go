package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// The numbers that the routine of corners receives, by index.
const (
	atLast = iota
	atStride
	atLowest
	atHighest
)

// whole is 1.5·2⁵². The sum of whole and an integer has that integer in its lowest bits.
const whole = 0x1.8p52

// corners emits the routine that finds the corners along an axis. It computes in float64, one vector at a time.
func corners(k vec.Kind) {
	name, d := "corners"+k.Suffix(), vec.Kind{Wide: k.Wide, Double: true}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, locations, axis *float64, offsets *int, weights, slopes *%s, apart int)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s finds the corners of n locations, a multiple of %d and not 0. Second corners lie apart elements after the first.", name, d.Lanes()),
		"axis has the last element, the stride in bytes, and the lowest and highest corners that count.")
	n, locations, axis := Load(Param("n"), GP64()), Load(Param("locations"), GP64()), Load(Param("axis"), GP64())
	offsets, weights, slopes := Load(Param("offsets"), GP64()), Load(Param("weights"), GP64()), Load(Param("slopes"), GP64())
	apart := Load(Param("apart"), GP64())
	given := func(i int) reg.VecVirtual {
		r := d.Reg()
		d.Splat(operand.Mem{Base: axis, Disp: 8 * i}, r)
		return r
	}
	last, stride, lowest, highest := given(atLast), given(atStride), given(atLowest), given(atHighest)
	one, before, zero, magic := d.SplatConst(1), d.SplatConst(-2), d.Reg(), d.SplatConst(whole)
	d.Zero(zero)
	behind := d.SplatConst(2)
	d.Add(last, behind, behind)
	down, rest, out, temp := d.Reg(), d.Reg(), d.Reg(), d.Reg()
	store := func(r reg.VecVirtual, to reg.Register, second bool) {
		m := operand.Mem{Base: to}
		if second {
			m.Index, m.Scale = apart, uint8(k.Size())
		}
		switch {
		case k.Double:
			d.Store(r, m)
		case k.Wide:
			VCVTPD2PS(r, r.AsY())
			VMOVUPS(r.AsY(), m)
		default:
			VCVTPD2PSY(r, r.AsX())
			VMOVUPS(r.AsX(), m)
		}
	}
	Label("locations")
	d.Load(operand.Mem{Base: locations}, rest)
	d.Min(rest, behind, rest) // NaN stays NaN
	d.Max(rest, before, rest)
	d.Round(vec.Down, rest, down)
	d.Sub(down, rest, rest)
	for _, second := range []bool{false, true} {
		d.CompareOnes(vec.Less, lowest, down, out)
		d.CompareOnes(vec.Greater, highest, down, temp)
		d.Or(out, temp, out)
		d.Sub(down, down, temp) // 0 or NaN
		if second {
			d.Add(one, temp, temp)
		} else {
			d.Sub(one, temp, temp)
		}
		d.AndN(temp, out, temp)
		store(temp, slopes, second)
		if second {
			d.Move(rest, temp)
		} else {
			d.Sub(rest, one, temp)
		}
		d.AndN(temp, out, temp)
		store(temp, weights, second)
		d.Max(zero, down, temp)
		d.Min(last, temp, temp)
		d.Mul(stride, temp, temp)
		d.Add(magic, temp, temp)
		d.SubInt(magic, temp, temp)
		to := operand.Mem{Base: offsets}
		if second {
			to.Index, to.Scale = apart, 8
		}
		d.Store(temp, to)
		if !second {
			d.Add(one, down, down)
		}
	}
	ADDQ(operand.Imm(uint64(d.Bytes())), locations)
	ADDQ(operand.Imm(uint64(d.Bytes())), offsets)
	ADDQ(operand.Imm(uint64(k.Size()*d.Lanes())), weights)
	ADDQ(operand.Imm(uint64(k.Size()*d.Lanes())), slopes)
	SUBQ(operand.Imm(uint64(d.Lanes())), n)
	JNZ(operand.LabelRef("locations"))
	vec.Leave()
}

// pairs emits the routine that combines elements with the two corners along an axis: as products of floats, or as sums
// of integers.
func pairs(name, elem string, k vec.Kind, combine func(a, b, dst operand.Op)) {
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, low, high, from, corners *%s, apart int)", elem))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s combines n elements, a multiple of %d and not 0, with the first corners, and with the second, apart elements after them.", name, k.Lanes()))
	n, low, high := Load(Param("n"), GP64()), Load(Param("low"), GP64()), Load(Param("high"), GP64())
	from, first, second := Load(Param("from"), GP64()), Load(Param("corners"), GP64()), Load(Param("apart"), GP64())
	LEAQ(operand.Mem{Base: first, Index: second, Scale: uint8(k.Size())}, second)
	at := GP64()
	XORQ(at, at)
	Label("elements")
	here := func(base reg.Register) operand.Mem { return operand.Mem{Base: base, Index: at, Scale: 1} }
	r, product := k.Reg(), k.Reg()
	k.Load(here(from), r)
	combine(here(second), r, product)
	k.Store(product, here(high))
	combine(here(first), r, r)
	k.Store(r, here(low))
	ADDQ(operand.Imm(uint64(k.Bytes())), at)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JNZ(operand.LabelRef("elements"))
	vec.Leave()
}
