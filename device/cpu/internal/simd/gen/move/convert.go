package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// conversion is a conversion between two element types. A step loads a vector of one type and stores a vector of the
// other. The vector of the wider type has the full width of the routine's registers.
type conversion struct {
	from, to         string
	fromSize, toSize int
	avx2             bool // there is a form for AVX2
	step             func(c *converter, src, dst operand.Mem)
}

// converter holds the registers and constants of a step.
type converter struct {
	width
	single    bool // the source type is float32
	constants map[string]reg.VecVirtual
}

// conversions emits all conversions.
func conversions() {
	for _, c := range []conversion{
		{"U8", "F32", 1, 4, true, func(c *converter, src, dst operand.Mem) {
			x := c.Reg()
			VPMOVZXBD(src, x)
			VCVTDQ2PS(x, x)
			c.Store(x, dst)
		}},
		{"U8", "I32", 1, 4, true, through(VPMOVZXBD)},
		{"U8", "I64", 1, 8, true, through(VPMOVZXBQ)},
		{"I32", "I64", 4, 8, true, through(VPMOVSXDQ)},
		{"I32", "F32", 4, 4, true, through(VCVTDQ2PS)},
		{"I32", "F64", 4, 8, true, through(VCVTDQ2PD)},
		{"I64", "F64", 8, 8, false, through(VCVTQQ2PD)},
		{"I64", "I32", 8, 4, false, narrowed(VPMOVQD)},
		{"I64", "F32", 8, 4, false, narrowed(VCVTQQ2PS)},
		{"F32", "F64", 4, 8, true, through(VCVTPS2PD)},
		{"F64", "F32", 8, 4, true, func(c *converter, src, dst operand.Mem) {
			x, y := c.loadedHalf(src)
			if c.Wide {
				VCVTPD2PS(x, y)
			} else {
				VCVTPD2PSY(x, y)
			}
			VMOVUPS(y, dst)
		}},
		{"F16", "F32", 2, 4, true, through(VCVTPH2PS)},
		{"BF16", "F32", 2, 4, true, func(c *converter, src, dst operand.Mem) {
			x := c.Reg()
			VPMOVZXWD(src, x)
			VPSLLD(operand.Imm(16), x, x)
			c.Store(x, dst)
		}},
		{"F32", "F16", 4, 2, true, func(c *converter, src, dst operand.Mem) {
			x, y := c.loadedHalf(src)
			VCVTPS2PH(operand.Imm(0), x, y)
			VMOVUPS(y, dst)
		}},
		{"F32", "BF16", 4, 2, false, (*converter).roundToBFloat16},
		{"F32", "I32", 4, 4, true, (*converter).truncate},
		{"F32", "U8", 4, 1, false, (*converter).truncateToByte},
		{"F32", "I64", 4, 8, false, (*converter).truncateWide},
		{"F64", "I64", 8, 8, false, (*converter).truncateWide},
	} {
		if c.avx2 {
			c.emit(widths[0])
		}
		c.emit(widths[1])
	}
}

func (c conversion) emit(k width) {
	name := "convert" + k.level() + c.from + "to" + c.to
	lanes := k.Bytes() / max(c.fromSize, c.toSize)
	const unrolled = 4
	TEXT(name, NOSPLIT, "func(n int, dst, src *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s converts n elements, a multiple of %d.", name, lanes))
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	state := &converter{width: k, single: c.from == "F32", constants: map[string]reg.VecVirtual{}}
	state.prepare(c)
	steps := func(count int) {
		for i := range count {
			c.step(state, operand.Mem{Base: src, Disp: i * lanes * c.fromSize}, operand.Mem{Base: dst, Disp: i * lanes * c.toSize})
		}
		ADDQ(operand.U32(count*lanes*c.fromSize), src)
		ADDQ(operand.U32(count*lanes*c.toSize), dst)
		SUBQ(operand.U32(count*lanes), n)
	}
	Label("many")
	CMPQ(n, operand.U32(unrolled*lanes))
	JL(operand.LabelRef("few"))
	steps(unrolled)
	JMP(operand.LabelRef("many"))
	Label("few")
	TESTQ(n, n)
	JZ(operand.LabelRef("done"))
	steps(1)
	JMP(operand.LabelRef("few"))
	Label("done")
	vec.Leave()
}

// prepare loads the constants that a conversion's step needs.
func (c *converter) prepare(of conversion) {
	single, double := vec.Kind{Wide: c.Wide}, vec.Kind{Wide: c.Wide, Double: true}
	constant := func(name string, k vec.Kind, bits uint64) {
		r := k.Reg()
		k.Splat(k.Bits(bits), r)
		c.constants[name] = r
	}
	switch of.from + of.to {
	case "F32I32":
		constant("limit", single, 0x4f000000) // 2^31
	case "F32I64", "F64I64":
		constant("limit", double, 0x43e0000000000000) // 2^63
	case "F32U8":
		constant("limit", single, 0x437f0000) // 255
	case "F32BF16":
		constant("half", single, 0x7fff)
		constant("one", single, 1)
		constant("quiet", single, 0x40)
	}
}

// through is a step with one instruction, which reads memory.
func through(convert func(...operand.Op)) func(*converter, operand.Mem, operand.Mem) {
	return func(c *converter, src, dst operand.Mem) {
		x := c.Reg()
		convert(src, x)
		c.Store(x, dst)
	}
}

// narrowed is a step with an instruction whose result has half the width.
func narrowed(convert func(...operand.Op)) func(*converter, operand.Mem, operand.Mem) {
	return func(c *converter, src, dst operand.Mem) {
		x, y := c.loadedHalf(src)
		convert(x, y)
		VMOVUPS(y, dst)
	}
}

// loadedHalf loads a vector, and returns it and a register with half its width.
func (c *converter) loadedHalf(src operand.Mem) (x, half reg.VecVirtual) {
	x = c.Reg()
	c.Load(src, x)
	if c.Wide {
		return x, YMM()
	}
	return x, XMM()
}

// truncate converts 32-bit floats towards 0. The processor returns the smallest integer for NaN and for all numbers
// that do not fit. Results for numbers at or above the limit are flipped to the largest integer; NaN becomes 0.
func (c *converter) truncate(src, dst operand.Mem) {
	x, y := c.Reg(), c.Reg()
	c.Load(src, x)
	VCVTTPS2DQ(x, y)
	if vec.Neon() { // whose conversion does the rest
		c.Store(y, dst)
		return
	}
	const notBelow, ordered = 13, 7
	if c.Wide {
		large, number := K(), K()
		VCMPPS(operand.Imm(notBelow), c.constants["limit"], x, large)
		VCMPPS(operand.Imm(ordered), x, x, number)
		VPTERNLOGD(operand.Imm(0x0f), y, y, large, y)
		VMOVDQA32_Z(y, number, y)
	} else {
		large := c.Reg()
		VCMPPS(operand.Imm(notBelow), c.constants["limit"], x, large)
		VXORPS(large, y, y)
		VCMPPS(operand.Imm(ordered), x, x, x)
		VANDPS(x, y, y)
	}
	c.Store(y, dst)
}

// truncateWide is truncate to 64 bits. 32-bit floats are converted through float64, which represents them exactly.
func (c *converter) truncateWide(src, dst operand.Mem) {
	x, y := c.Reg(), c.Reg()
	if c.single {
		VCVTPS2PD(src, x)
	} else {
		c.Load(src, x)
	}
	VCVTTPD2QQ(x, y)
	large, number := K(), K()
	const notBelow, ordered = 13, 7
	VCMPPD(operand.Imm(notBelow), c.constants["limit"], x, large)
	VCMPPD(operand.Imm(ordered), x, x, number)
	VPTERNLOGQ(operand.Imm(0x0f), y, y, large, y)
	VMOVDQA64_Z(y, number, y)
	c.Store(y, dst)
}

// truncateToByte clamps to the range of a byte. NaN becomes 0: the maximum of NaN and 0 is 0.
func (c *converter) truncateToByte(src, dst operand.Mem) {
	x, zero := c.Reg(), c.Reg()
	c.Load(src, x)
	c.Zero(zero)
	VMAXPS(zero, x, x)
	VMINPS(c.constants["limit"], x, x)
	VCVTTPS2DQ(x, x)
	VPMOVDB(x, dst)
}

// roundToBFloat16 adds half a unit, minus one in the last bit if the upper half is even, and drops the lower bits. NaN
// keeps its upper bits and becomes quiet.
func (c *converter) roundToBFloat16(src, dst operand.Mem) {
	x, y := c.Reg(), c.Reg()
	none := K()
	c.Load(src, x)
	const unordered = 3
	VCMPPS(operand.Imm(unordered), x, x, none)
	VPSRLD(operand.Imm(16), x, y)
	odd := c.Reg()
	VPANDD(c.constants["one"], y, odd)
	VPORD(c.constants["quiet"], y, y)
	VPADDD(odd, x, x)
	VPADDD(c.constants["half"], x, x)
	VPSRLD(operand.Imm(16), x, x)
	VMOVDQA32(y, none, x)
	VPMOVDW(x, dst)
}
