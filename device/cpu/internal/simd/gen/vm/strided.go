package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// everySecond emits the copy of every second element. It also reads the element after the last one.
func everySecond(k vec.Kind) {
	name := "everySecond" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, dst, src *byte)")
	Doc(name + " copies n elements, a multiple of a vector's and not 0, and skips one after each.")
	Pragma("noescape")
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	even, odd := k.Reg(), k.Reg()
	index := k.Reg()
	if k.Wide {
		k.Load(evenLanes(k), index)
	}
	Label("loop")
	k.Load(operand.Mem{Base: src}, even)
	next := operand.Mem{Base: src, Disp: k.Bytes()}
	if k.Wide {
		evenOf(k, next, even, index)
	} else {
		k.Load(next, odd)
		evenOf(k, odd, even, nil)
	}
	k.Store(even, operand.Mem{Base: dst})
	ADDQ(operand.U32(2*k.Bytes()), src)
	ADDQ(operand.Imm(uint64(k.Bytes())), dst)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// evenOf replaces the vector even by the even lanes of even and next. index has the numbers of these lanes, for wide vectors.
func evenOf(k vec.Kind, next operand.Op, even, index reg.Register) {
	switch {
	case k.Wide && k.Double:
		VPERMT2PD(next, index, even)
	case k.Wide:
		VPERMT2PS(next, index, even)
	case k.Double:
		VUNPCKLPD(next, even, even)
		VPERMPD(operand.U8(0xd8), even, even)
	default:
		VSHUFPS(operand.U8(0x88), next, even, even)
		VPERMPD(operand.U8(0xd8), even, even)
	}
}

// loadSecond emits loads of every second element of a stream. They leave out the element after the last one, which may
// lie outside the operand.
func loadSecond(k vec.Kind) {
	elements := func() operand.Mem {
		MOVL(first, reg.EAX)
		m := stream(8, reg.RAX)
		if k.Double {
			LEAQ(m, reg.RAX)
		}
		return m
	}
	emit := func(name string, load func(i int, m operand.Mem, r reg.VecPhysical)) {
		handler(k, name, func(acc, temps []reg.VecPhysical) {
			index := temps[1]
			if k.Wide {
				k.Load(evenLanes(k), index)
			}
			m := elements()
			for i, a := range acc {
				load(2*i, m.Offset(2*i*k.Bytes()), a)
				load(2*i+1, m.Offset((2*i+1)*k.Bytes()), temps[0])
				evenOf(k, temps[0], a, index)
			}
		})
	}
	const last = 2*depth - 1
	emit("loadsecond", func(i int, m operand.Mem, r reg.VecPhysical) {
		switch {
		case i < last:
			k.Load(m, r)
		case k.Wide:
			MOVL(operand.U32(1<<(k.Lanes()-1)-1), reg.EBX)
			KMOVW(reg.EBX, reg.K1)
			k.LoadMasked(m, reg.K1, r)
		case k.Double:
			VMOVUPD(butLast(k), r.AsY())
			VMASKMOVPD(m, r.AsY(), r.AsY())
		default:
			VMOVUPS(butLast(k), r.AsY())
			VMASKMOVPS(m, r.AsY(), r.AsY())
		}
	})
	if !k.Wide {
		return
	}
	emit("loadsecond.tail", func(i int, m operand.Mem, r reg.VecPhysical) {
		low, high := reg.RBX, reg.RCX
		if i == 0 { // a bit for each element up to the last one that is copied
			LEAQ(operand.Mem{Base: reg.R9, Index: reg.R9, Scale: 1, Disp: -1}, reg.RDX)
			MOVQ(operand.I32(-1), high)
			BZHIQ(reg.RDX, high, low)
			XORL(reg.ESI, reg.ESI)
			SUBQ(operand.Imm(64), reg.RDX)
			CMOVQLT(reg.RSI, reg.RDX)
			BZHIQ(reg.RDX, high, high)
		}
		mask := low
		if i*k.Lanes() >= 64 {
			mask = high
		}
		KMOVW(mask.As32(), reg.K1)
		k.LoadMasked(m, reg.K1, r)
		SHRQ(operand.Imm(uint64(k.Lanes())), mask)
	})
}

// butLast returns a mask of all lanes but the last.
func butLast(k vec.Kind) operand.Mem {
	m := GLOBL("butLast"+k.Elem(), RODATA|NOPTR)
	for i := range k.Bytes() / 8 {
		v := ^uint64(0)
		if i == k.Bytes()/8-1 {
			v = 1<<(64-8*uint(k.Size())) - 1
			if k.Double {
				v = 0
			}
		}
		DATA(8*i, operand.U64(v))
	}
	return m
}

var evenTables = map[bool]operand.Mem{}

// evenLanes numbers the even lanes of two vectors.
func evenLanes(k vec.Kind) operand.Mem {
	if m, ok := evenTables[k.Double]; ok {
		return m
	}
	m := GLOBL("even"+k.Elem(), RODATA|NOPTR)
	for i := range k.Lanes() {
		if k.Double {
			DATA(8*i, operand.U64(2*i))
		} else {
			DATA(4*i, operand.U32(2*i))
		}
	}
	evenTables[k.Double] = m
	return m
}
