package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// words emits the routines that draw 64-bit numbers.
func words(wide bool) {
	p := newPhilox("words", wide, 2, "uint64", "", "draws n numbers of 64 bits")
	p.loop(8, func() {
		for i := range 2 {
			c := p.next()
			p.join(c[0], c[1])
			p.Store(c[0], operand.Mem{Base: p.y, Disp: i * p.Bytes()})
		}
	})
}

// firstWords draws the first words for a vector of 32-bit lanes.
func (p *philox) firstWords() reg.VecVirtual {
	a := p.next()
	b := p.next()
	return p.pack(a[0], b[0])
}

// coins emits the routines that draw bools.
func coins(wide bool) {
	p := newPhilox("coins", wide, 2, "uint8", ", least uint32", "draws n bytes: 1 where the first 24 bits are at least least, which is not 0, else 0")
	p.packs()
	limit := p.Reg()
	least := Load(Param("least"), GP32())
	SUBL(operand.Imm(1), least)
	VMOVD(least, limit.AsX())
	VPBROADCASTD(limit.AsX(), limit)
	p.loop(1, func() {
		w, here := p.firstWords(), operand.Mem{Base: p.y}
		VPSRLD(operand.Imm(8), w, w)
		VPSUBD(w, limit, w)
		VPSRLD(operand.Imm(31), w, w)
		if wide {
			VPMOVDB(w, here)
			return
		}
		upper, x := XMM(), w.AsX()
		VEXTRACTI128(operand.Imm(1), w, upper)
		VPACKUSDW(upper, x, x)
		VPACKUSWB(x, x, x)
		VMOVQ(x, here)
	})
}

// uniforms32 emits the routines that draw float32 numbers from some of the upper bits of a word.
func uniforms32(wide bool) {
	p := newPhilox("uniforms32", wide, 2, "float32", ", shift uint64, scale float32", "draws n numbers of the first word shifted right, times scale")
	p.packs()
	s := singles(wide)
	shift, scale := XMM(), s.Reg()
	VMOVQ(Load(Param("shift"), GP64()), shift)
	VBROADCASTSS(Load(Param("scale"), XMM()), scale)
	p.loop(4, func() {
		w := p.firstWords()
		VPSRLD(shift, w, w)
		VCVTDQ2PS(w, w)
		s.Mul(scale, w, w)
		s.Store(w, operand.Mem{Base: p.y})
	})
}

// uniforms64 emits the routines that draw float64 numbers with 53 bits.
func uniforms64(wide bool) {
	p := newPhilox("uniforms64", wide, 2, "float64", "", "draws n numbers of 53 bits")
	unit := p.SplatConst(0x1p-53)
	p.loop(8, func() {
		for i := range 2 {
			c := p.next()
			p.join(c[0], c[1])
			p.float53(c[0])
			p.Mul(unit, c[0], c[0])
			p.Store(c[0], operand.Mem{Base: p.y, Disp: i * p.Bytes()})
		}
	})
}
