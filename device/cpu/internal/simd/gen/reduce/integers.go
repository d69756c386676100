package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// integer is an integer type and a vector width.
type integer struct {
	vec.Kind // of the same width: for operations that do not depend on the type
	size     int
	signed   bool
}

// integers emits the routines for integers. They take pointers to bytes and count in bytes. Operations that do not
// depend on the sign have one routine per size.
func integers() {
	for _, wide := range []bool{false, true} {
		for _, size := range []int{1, 2, 4, 8} {
			bits := integer{vec.Kind{Wide: wide}, size, false}
			for _, signed := range []bool{true, false} {
				t := integer{vec.Kind{Wide: wide}, size, signed}
				for _, op := range []string{"max", "min"} {
					t.row(op)
					t.column(op)
				}
			}
			bits.row("sum")
			bits.column("sum")
			bits.find()
			bits.count()
		}
	}
}

func (t integer) name(routine string) string {
	level, letter := "AVX2", "U"
	if t.Wide {
		level = "AVX512"
	}
	if t.signed {
		letter = "I"
	}
	return fmt.Sprintf("%s%s%s%d", routine, level, letter, 8*t.size)
}

type instruction = func(...operand.Op)

// bySize chooses an instruction by element size.
func (t integer) bySize(one, two, four, eight instruction) instruction {
	return map[int]instruction{1: one, 2: two, 4: four, 8: eight}[t.size]
}

// shift is the binary logarithm of an element's size.
func (t integer) shift() uint64 { return map[int]uint64{1: 0, 2: 1, 4: 2, 8: 3}[t.size] }

// compares reports whether extremes need comparisons, because there is no instruction for them.
func (t integer) compares(op string) bool { return op != "sum" && t.size == 8 && !t.Wide }

// flips reports whether numbers are compared with flipped signs.
func (t integer) flips(op string) bool { return t.compares(op) && !t.signed }

// combiner combines x into acc. It overwrites a mask if extremes need comparisons.
type combiner struct {
	t    integer
	op   string
	mask reg.VecVirtual
	sign reg.VecVirtual
}

func (t integer) combiner(op string) combiner {
	c := combiner{t: t, op: op}
	if t.compares(op) {
		c.mask = t.Reg()
	}
	if t.flips(op) {
		c.sign = t.Reg()
		vec.Kind{Wide: t.Wide, Double: true}.Splat(vec.Kind{Double: true}.Bits(1<<63), c.sign)
	}
	return c
}

// load loads a vector in the form in which it is combined, store stores one.
func (c combiner) load(m operand.Mem, x reg.Register) {
	c.t.Load(m, x)
	c.flip(x)
}

func (c combiner) store(x reg.Register, m operand.Mem) {
	c.flip(x)
	c.t.Store(x, m)
}

func (c combiner) flip(x reg.Register) {
	if c.sign != nil {
		c.t.Xor(c.sign, x, x)
	}
}

func (c combiner) combine(x, acc reg.Register) {
	t := c.t
	switch {
	case c.op == "sum":
		t.bySize(VPADDB, VPADDW, VPADDD, VPADDQ)(x, acc, acc)
	case t.compares(c.op):
		mask := narrowed(c.mask, acc)
		VPCMPGTQ(x, acc, mask)
		if c.op == "max" {
			VBLENDVPD(mask, acc, x, acc)
		} else {
			VBLENDVPD(mask, x, acc, acc)
		}
	case c.op == "max" && t.signed:
		t.bySize(VPMAXSB, VPMAXSW, VPMAXSD, VPMAXSQ)(x, acc, acc)
	case c.op == "max":
		t.bySize(VPMAXUB, VPMAXUW, VPMAXUD, VPMAXUQ)(x, acc, acc)
	case t.signed:
		t.bySize(VPMINSB, VPMINSW, VPMINSD, VPMINSQ)(x, acc, acc)
	default:
		t.bySize(VPMINUB, VPMINUW, VPMINUD, VPMINUQ)(x, acc, acc)
	}
}

// narrowed returns the part of r that has the width of another register.
func narrowed(r reg.VecVirtual, like reg.Register) reg.Register {
	if like.Size() == 16 {
		return r.AsX()
	}
	return r
}

// across combines the lanes of r and stores the result.
func (c combiner) across(r, temp reg.VecVirtual, dst operand.Mem) {
	t := c.t
	if t.Wide {
		t.Upper(r, temp)
		c.combine(temp.AsY(), r.AsY())
		VEXTRACTI32X4(operand.Imm(1), r.AsY(), temp.AsX())
	} else {
		VEXTRACTI128(operand.Imm(1), r.AsY(), temp.AsX())
	}
	x := r.AsX()
	c.combine(temp.AsX(), x)
	for bytes := 8; bytes >= t.size; bytes /= 2 {
		VPSRLDQ(operand.Imm(uint64(bytes)), x, temp.AsX())
		c.combine(temp.AsX(), x)
	}
	if c.sign != nil {
		VPXOR(c.sign.AsX(), x, x)
	}
	result := GP64()
	VMOVQ(x, result)
	switch t.size {
	case 1:
		MOVB(result.As8(), dst)
	case 2:
		MOVW(result.As16(), dst)
	case 4:
		MOVL(result.As32(), dst)
	default:
		MOVQ(result, dst)
	}
}

// row emits the routine that combines a row into one value. For extremes, the last vector overlaps the one before.
func (t integer) row(op string) {
	TEXT(t.name(op+"Row"), NOSPLIT, "func(dst, a *byte, n int)")
	Pragma("noescape")
	what := "a vector or more"
	if op == "sum" {
		what = "a number of whole vectors"
	}
	Doc(t.name(op+"Row") + " combines n bytes, " + what + ", to one value.")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	const sideBySide = 4
	c, acc, x := t.combiner(op), t.Regs(sideBySide), t.Reg()
	for _, r := range acc {
		if op == "sum" {
			t.Zero(r)
		} else {
			c.load(operand.Mem{Base: a}, r)
		}
	}
	CMPQ(n, operand.U32(sideBySide*t.Bytes()))
	JL(operand.LabelRef("few"))
	Label("many")
	for i, r := range acc {
		c.load(operand.Mem{Base: a, Disp: i * t.Bytes()}, x)
		c.combine(x, r)
	}
	ADDQ(operand.U32(sideBySide*t.Bytes()), a)
	SUBQ(operand.U32(sideBySide*t.Bytes()), n)
	CMPQ(n, operand.U32(sideBySide*t.Bytes()))
	JGE(operand.LabelRef("many"))
	Label("few")
	c.combine(acc[1], acc[0])
	c.combine(acc[3], acc[2])
	c.combine(acc[2], acc[0])
	t.vectors(n, []reg.Register{a}, op != "sum", func() {
		c.load(operand.Mem{Base: a}, x)
		c.combine(x, acc[0])
	})
	c.across(acc[0], x, operand.Mem{Base: dst})
	vec.Leave()
}

// vectors emits a loop over n bytes by vectors. If overlap is set, the rest is processed by a last vector that overlaps
// the one before.
func (t integer) vectors(n reg.Register, pointers []reg.Register, overlap bool, body func()) {
	SUBQ(operand.Imm(uint64(t.Bytes())), n)
	JL(operand.LabelRef("last"))
	Label("vector")
	body()
	for _, p := range pointers {
		ADDQ(operand.Imm(uint64(t.Bytes())), p)
	}
	SUBQ(operand.Imm(uint64(t.Bytes())), n)
	JGE(operand.LabelRef("vector"))
	Label("last")
	if !overlap {
		return
	}
	CMPQ(n, operand.I32(-t.Bytes()))
	JE(operand.LabelRef("done"))
	for _, p := range pointers {
		ADDQ(n, p)
	}
	body()
	Label("done")
}

// column emits the routine that combines a row into another one.
func (t integer) column(op string) {
	TEXT(t.name(op+"Column"), NOSPLIT, "func(dst, a *byte, n int)")
	Pragma("noescape")
	what := "a vector or more"
	if op == "sum" {
		what = "a number of whole vectors"
	}
	Doc(t.name(op+"Column") + " combines n bytes, " + what + ", with those at dst.")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	c, acc, x := t.combiner(op), t.Reg(), t.Reg()
	t.vectors(n, []reg.Register{dst, a}, op != "sum", func() {
		c.load(operand.Mem{Base: dst}, acc)
		c.load(operand.Mem{Base: a}, x)
		c.combine(x, acc)
		c.store(acc, operand.Mem{Base: dst})
	})
	vec.Leave()
}

// find emits the search for an element: four vectors at a time, and among these one by one.
func (t integer) find() {
	TEXT(t.name("find"), NOSPLIT, "func(a *byte, n int, v *byte) int")
	Pragma("noescape")
	Doc(t.name("find") + " returns the index of the first element that equals the one at v, among n bytes, a number of whole vectors, or the number of elements if none does.")
	a, n, v := Load(Param("a"), GP64()), Load(Param("n"), GP64()), Load(Param("v"), GP64())
	value, at, bits := t.Reg(), GP64(), GP64()
	t.bySize(VPBROADCASTB, VPBROADCASTW, VPBROADCASTD, VPBROADCASTQ)(operand.Mem{Base: v}, value)
	XORQ(at, at)
	const sideBySide = 4
	many := GP64()
	MOVQ(n, many)
	SUBQ(operand.U32(sideBySide*t.Bytes()), many)
	Label("vectors")
	CMPQ(at, many)
	JG(operand.LabelRef("vector"))
	t.equals(operand.Mem{Base: a, Index: at, Scale: 1}, value, sideBySide, bits)
	JNZ(operand.LabelRef("vector"))
	ADDQ(operand.U32(sideBySide*t.Bytes()), at)
	JMP(operand.LabelRef("vectors"))
	Label("vector")
	CMPQ(at, n)
	JGE(operand.LabelRef("end"))
	t.equals(operand.Mem{Base: a, Index: at, Scale: 1}, value, 1, bits)
	JNZ(operand.LabelRef("found"))
	ADDQ(operand.Imm(uint64(t.Bytes())), at)
	JMP(operand.LabelRef("vector"))
	Label("found")
	TZCNTQ(bits, bits)
	if t.Wide && t.size > 1 {
		SHLQ(operand.Imm(t.shift()), bits)
	}
	ADDQ(bits, at)
	Label("end")
	if t.size > 1 {
		SHRQ(operand.Imm(t.shift()), at)
	}
	Store(at, ReturnIndex(0))
	vec.Leave()
}

// equals compares some vectors in memory with a value, and tests bits: a bit is set, of each lane or each byte, where one of the vectors
// equals the value.
func (t integer) equals(m operand.Mem, value reg.Register, vectors int, bits reg.GPVirtual) {
	equal := t.bySize(VPCMPEQB, VPCMPEQW, VPCMPEQD, VPCMPEQQ)
	var found []reg.Register
	for i := range vectors {
		if t.Wide {
			found = append(found, K())
		} else {
			found = append(found, t.Reg())
		}
		equal(m.Offset(i*t.Bytes()), value, found[i])
	}
	for step := 1; step < vectors; step *= 2 {
		for i := 0; i < vectors; i += 2 * step {
			if t.Wide {
				KORQ(found[i+step], found[i], found[i])
			} else {
				VPOR(found[i+step], found[i], found[i])
			}
		}
	}
	if t.Wide {
		t.bitsOf(found[0], bits)
	} else {
		VPMOVMSKB(found[0], bits.As32())
	}
	TESTQ(bits, bits)
}

// bitsOf moves a mask with one bit per lane to a register.
func (t integer) bitsOf(mask reg.Register, bits reg.GPVirtual) {
	switch t.size {
	case 1:
		KMOVQ(mask, bits)
	case 2:
		KMOVD(mask, bits.As32())
	case 4:
		KMOVW(mask, bits.As32())
	default:
		KMOVB(mask, bits.As32())
	}
}

// count emits the routine that counts elements with some bits set.
func (t integer) count() {
	TEXT(t.name("count"), NOSPLIT, "func(a *byte, n int, bits uint64) int")
	Pragma("noescape")
	Doc(t.name("count") + " returns how many elements have one of the bits, among n bytes, a number of whole vectors.")
	a, n, pattern := Load(Param("a"), GP64()), Load(Param("n"), GP64()), Load(Param("bits"), GP64())
	looked, zero, x, bits, total := t.Reg(), t.Reg(), t.Reg(), GP64(), GP64()
	VMOVQ(pattern, looked.AsX())
	VPBROADCASTQ(looked.AsX(), looked)
	XORQ(total, total)
	if !t.Wide {
		t.Zero(zero)
	}
	t.vectors(n, []reg.Register{a}, false, func() {
		if t.Wide {
			mask := K()
			t.bySize(VPTESTMB, VPTESTMW, VPTESTMD, VPTESTMQ)(operand.Mem{Base: a}, looked, mask)
			t.bitsOf(mask, bits)
		} else {
			VPAND(operand.Mem{Base: a}, looked, x)
			t.bySize(VPCMPEQB, VPCMPEQW, VPCMPEQD, VPCMPEQQ)(zero, x, x)
			VPMOVMSKB(x, bits.As32())
			NOTL(bits.As32())
		}
		POPCNTQ(bits, bits)
		ADDQ(bits, total)
	})
	if !t.Wide && t.size > 1 {
		SHRQ(operand.Imm(t.shift()), total)
	}
	Store(total, ReturnIndex(0))
	vec.Leave()
}
