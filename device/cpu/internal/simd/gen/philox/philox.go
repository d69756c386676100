package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// The multipliers of Philox 4x32, and the number of its rounds.
const (
	multiplier0 = 0xD2511F53
	multiplier1 = 0xCD9E8D57
	rounds      = 10
)

// The halves of 64-bit lanes, for shuffles of 32-bit lanes.
const (
	upperTwice = 0b11110101
	lowerTwice = 0b10100000
	upperOnly  = 0xAAAA // a mask of the upper halves
)

// philox emits a routine that draws a block of four words for each 64-bit lane.
type philox struct {
	vec.Kind
	n, y, keys   reg.GPVirtual
	counter      reg.VecVirtual // the lanes' counters
	step         reg.VecVirtual // the increment of the counters per vector
	multiplier   [2]reg.VecVirtual
	upper        reg.OpmaskVirtual
	even         reg.VecVirtual // the indices of the even 32-bit lanes of two vectors
	perIteration int            // elements
}

// newPhilox begins a routine that processes the given number of vectors of 64-bit lanes per iteration. extra holds the
// parameters after the keys.
func newPhilox(name string, wide bool, vectors int, elem, extra, doc string) *philox {
	k := doubles(wide)
	suffix := "AVX2"
	if wide {
		suffix = "AVX512"
	}
	p := &philox{Kind: k, perIteration: vectors * k.Lanes()}
	TEXT(name+suffix, NOSPLIT, fmt.Sprintf("func(n int, y *%s, counter uint64, keys *uint64%s)", elem, extra))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s%s %s; n is a multiple of %d.", name, suffix, doc, p.perIteration))
	p.n, p.y = Load(Param("n"), GP64()).(reg.GPVirtual), Load(Param("y"), GP64()).(reg.GPVirtual)
	p.keys = Load(Param("keys"), GP64()).(reg.GPVirtual)
	p.counter, p.step = k.Reg(), k.Reg()
	first := Load(Param("counter"), GP64())
	VMOVQ(first, p.counter.AsX())
	VPBROADCASTQ(p.counter.AsX(), p.counter)
	VPMOVZXBQ(lanes(), p.step)
	p.add(p.step, p.counter)
	k.Splat(k.Bits(uint64(k.Lanes())), p.step)
	for i, m := range []uint64{multiplier0, multiplier1} {
		p.multiplier[i] = k.Reg()
		k.Splat(k.Bits(m), p.multiplier[i])
	}
	if wide {
		bits := GP32()
		MOVL(operand.U32(upperOnly), bits)
		p.upper = K()
		KMOVW(bits, p.upper)
	}
	return p
}

var laneNumbers operand.Mem

func lanes() operand.Mem {
	if laneNumbers.Base == nil {
		laneNumbers = GLOBL("lanes", RODATA|NOPTR)
		for i := range 16 {
			DATA(i, operand.U8(i))
		}
	}
	return laneNumbers
}

func (p *philox) add(a, dst reg.VecVirtual) { VPADDQ(a, dst, dst) }

// loop emits the loop: body draws and stores one iteration's elements, of a size in bytes.
func (p *philox) loop(size int, body func()) {
	Label("loop")
	body()
	ADDQ(operand.U32(p.perIteration*size), p.y)
	SUBQ(operand.U32(p.perIteration), p.n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// next draws a block for each lane. The words are in the lower halves; the upper halves are undefined.
func (p *philox) next() [4]reg.VecVirtual {
	c := [4]reg.VecVirtual{p.Reg(), p.Reg(), p.Reg(), p.Reg()}
	low, high := p.Reg(), p.Reg()
	// The first round, in which the last two words of the counter are 0.
	VPMULUDQ(p.multiplier[0], p.counter, low)
	VPSRLQ(operand.Imm(32), p.counter, c[0])
	p.xorKey(0, c[0])
	p.Zero(c[1])
	VPSHUFD(operand.Imm(upperTwice), low, c[2])
	p.xorKey(1, c[2])
	p.Move(low, c[3])
	for round := 1; round < rounds; round++ {
		VPMULUDQ(p.multiplier[0], c[0], low)
		VPMULUDQ(p.multiplier[1], c[2], high)
		VPSHUFD(operand.Imm(upperTwice), high, c[0])
		p.xorBoth(c[1], 2*round, c[0])
		VPSHUFD(operand.Imm(upperTwice), low, c[2])
		p.xorBoth(c[3], 2*round+1, c[2])
		p.Move(high, c[1])
		p.Move(low, c[3])
	}
	p.add(p.step, p.counter)
	return c
}

func (p *philox) key(i int) operand.Mem { return operand.Mem{Base: p.keys, Disp: 8 * i} }

func (p *philox) xorKey(key int, dst reg.VecVirtual) {
	if p.Wide {
		VPXORQ_BCST(p.key(key), dst, dst)
		return
	}
	own := p.Reg()
	VPBROADCASTQ(p.key(key), own)
	VPXOR(own, dst, dst)
}

// xorBoth computes dst ^ word ^ key.
func (p *philox) xorBoth(word reg.VecVirtual, key int, dst reg.VecVirtual) {
	if p.Wide {
		VPTERNLOGQ_BCST(operand.Imm(0x96), p.key(key), word, dst)
		return
	}
	VPXOR(word, dst, dst)
	p.xorKey(key, dst)
}

// join joins lower and upper words to 64-bit numbers, in lower.
func (p *philox) join(lower, upper reg.VecVirtual) {
	if p.Wide {
		VPSHUFD(operand.Imm(lowerTwice), upper, p.upper, lower)
		return
	}
	VPSHUFD(operand.Imm(lowerTwice), upper, upper)
	VPBLENDD(operand.Imm(upperOnly&0xFF), upper, lower, lower)
}

// pack packs the lower halves of two vectors into one, in a.
func (p *philox) pack(a, b reg.VecVirtual) reg.VecVirtual {
	if p.Wide {
		if p.even == nil {
			panic("packEven is missing")
		}
		VPERMT2D(b, p.even, a)
		return a
	}
	VSHUFPS(operand.Imm(0b10001000), b, a, a)
	VPERMPD(operand.Imm(0b11011000), a, a)
	return a
}

// packs prepares the registers for pack.
func (p *philox) packs() {
	if p.Wide {
		p.even = p.Reg()
		VPMOVZXBD(lanes(), p.even)
		VPADDD(p.even, p.even, p.even)
	}
}

// float53 converts the upper 53 bits of 64-bit numbers to floats from 0 to 2^53, in place.
func (p *philox) float53(x reg.VecVirtual) {
	VPSRLQ(operand.Imm(11), x, x)
	if p.Wide {
		VCVTQQ2PD(x, x)
		return
	}
	// The halves become parts of the significands of 2^84 and 2^52, which are then subtracted.
	upper, c := p.Reg(), p.Reg()
	VPSRLQ(operand.Imm(32), x, upper)
	p.Splat(p.Const(0x1p84), c)
	VPXOR(c, upper, upper)
	p.Splat(p.Const(0x1p52), c)
	VPBLENDD(operand.Imm(upperOnly&0xFF), c, x, x)
	p.Splat(p.Const(0x1p84+0x1p52), c)
	p.Sub(c, upper, upper)
	p.Add(upper, x, x)
}
