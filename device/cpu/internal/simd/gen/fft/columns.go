package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// columns emits the conversion between rows of complex numbers and vectors of real and of imaginary parts.
func columns() {
	for _, k := range vec.Kinds {
		loadColumns(k)
		storeColumns(k)
	}
}

func loadColumns(k vec.Kind) {
	name := "loadColumns" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x *%s, stride, vectors, tail int, re, im *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s splits n rows of complex numbers, stride bytes apart: some vectors of %d and a tail of fewer.", name, k.Lanes()))
	n, x, re, im := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("re"), GP64()), Load(Param("im"), GP64())
	tail := Load(Param("tail"), GP64())
	s := newSplitter(k)
	first, second := s.tails(tail)
	s.rows(n, x, func(at reg.Register) {
		a, b := k.Reg(), k.Reg()
		k.Load(operand.Mem{Base: at}, a)
		k.Load(operand.Mem{Base: at, Disp: k.Bytes()}, b)
		s.split(a, b, re, im)
		ADDQ(operand.U32(2*k.Bytes()), at)
		ADDQ(operand.U32(2*k.Bytes()), re)
		ADDQ(operand.U32(2*k.Bytes()), im)
	}, tail, func(at reg.Register) {
		a, b := k.Reg(), k.Reg()
		first.LoadZero(operand.Mem{Base: at}, a)
		second.LoadZero(operand.Mem{Base: at, Disp: k.Bytes()}, b)
		s.split(a, b, re, im)
		ADDQ(operand.U32(2*k.Bytes()), re)
		ADDQ(operand.U32(2*k.Bytes()), im)
	})
}

func storeColumns(k vec.Kind) {
	name := "storeColumns" + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, y *%s, stride, vectors, tail int, re, im *%[1]s, scale %[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(name + " is the inverse of loadColumns, times scale.")
	n, y, re, im := Load(Param("n"), GP64()), Load(Param("y"), GP64()), Load(Param("re"), GP64()), Load(Param("im"), GP64())
	tail := Load(Param("tail"), GP64())
	scale := k.Reg()
	k.Splat(operand.NewParamAddr("scale", 56), scale)
	s := newSplitter(k)
	first, second := s.tails(tail)
	load := func() (a, b reg.VecVirtual) {
		a, b = k.Reg(), k.Reg()
		k.Mul(operand.Mem{Base: re}, scale, a)
		k.Mul(operand.Mem{Base: im}, scale, b)
		ADDQ(operand.U32(2*k.Bytes()), re)
		ADDQ(operand.U32(2*k.Bytes()), im)
		return s.join(a, b)
	}
	s.rows(n, y, func(at reg.Register) {
		a, b := load()
		k.Store(a, operand.Mem{Base: at})
		k.Store(b, operand.Mem{Base: at, Disp: k.Bytes()})
		ADDQ(operand.U32(2*k.Bytes()), at)
	}, tail, func(at reg.Register) {
		a, b := load()
		first.Store(a, operand.Mem{Base: at})
		second.Store(b, operand.Mem{Base: at, Disp: k.Bytes()})
	})
}

// splitter separates real from imaginary parts, and joins them.
type splitter struct {
	vec.Kind
	even, odd, low, high reg.VecVirtual // indices into two vectors (AVX-512)
}

func newSplitter(k vec.Kind) *splitter {
	s := &splitter{Kind: k}
	if !k.Wide {
		return s
	}
	n := k.Lanes()
	s.even = s.indices("even", func(i int) int { return 2 * i })
	s.odd = s.indices("odd", func(i int) int { return 2*i + 1 })
	s.low = s.indices("low", func(i int) int { return i/2 + i%2*n })
	s.high = s.indices("high", func(i int) int { return n/2 + i/2 + i%2*n })
	return s
}

var tables = map[string]operand.Mem{}

// indices returns a register with an index for each lane.
func (s *splitter) indices(name string, index func(i int) int) reg.VecVirtual {
	name = fmt.Sprintf("%s%dx%d", name, s.Lanes(), 8*s.Size())
	m, ok := tables[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for i := range s.Lanes() {
			if s.Double {
				DATA(8*i, operand.U64(index(i)))
			} else {
				DATA(4*i, operand.U32(index(i)))
			}
		}
		tables[name] = m
	}
	r := s.Reg()
	s.Load(m, r)
	return r
}

// tails returns the lanes of the two vectors that a number of complex numbers fills, fewer than a vector has lanes.
func (s *splitter) tails(n reg.Register) (first, second vec.Tail) {
	a, b := s.lanesOf(n)
	return s.Tail(a), s.Tail(b)
}

// lanesOf returns how many lanes of each of two vectors n complex numbers fill.
func (s *splitter) lanesOf(n reg.Register) (first, second reg.Register) {
	a, b, limit := GP64(), GP64(), GP64()
	LEAQ(operand.Mem{Base: n, Index: n, Scale: 1}, a)
	LEAQ(operand.Mem{Base: a, Disp: -s.Lanes()}, b)
	MOVQ(operand.U32(s.Lanes()), limit)
	CMPQ(a, limit)
	CMOVQGT(limit, a)
	XORL(limit.As32(), limit.As32())
	CMPQ(b, limit)
	CMOVQLT(limit, b)
	return a, b
}

// split stores the real and the imaginary parts of the numbers in a and b.
func (s *splitter) split(a, b reg.VecVirtual, re, im reg.Register) {
	x, y := s.parts(a, b)
	s.Store(x, operand.Mem{Base: re})
	s.Store(y, operand.Mem{Base: im})
}

// parts returns the real and the imaginary parts of the numbers in a and b.
func (s *splitter) parts(a, b reg.VecVirtual) (x, y reg.VecVirtual) {
	x, y = s.Reg(), s.Reg()
	switch {
	case s.Wide:
		s.Move(s.even, x)
		s.Move(s.odd, y)
		either(s.Kind, VPERMI2PS, VPERMI2PD)(b, a, x)
		either(s.Kind, VPERMI2PS, VPERMI2PD)(b, a, y)
	case s.Double:
		VUNPCKLPD(b, a, x)
		VUNPCKHPD(b, a, y)
		VPERMPD(operand.U8(0xd8), x, x)
		VPERMPD(operand.U8(0xd8), y, y)
	default:
		VSHUFPS(operand.U8(0x88), b, a, x)
		VSHUFPS(operand.U8(0xdd), b, a, y)
		VPERMPD(operand.U8(0xd8), x, x)
		VPERMPD(operand.U8(0xd8), y, y)
	}
	return x, y
}

// join returns the complex numbers with real parts a and imaginary parts b.
func (s *splitter) join(a, b reg.VecVirtual) (x, y reg.VecVirtual) {
	x, y = s.Reg(), s.Reg()
	if s.Wide {
		s.Move(s.low, x)
		s.Move(s.high, y)
		either(s.Kind, VPERMI2PS, VPERMI2PD)(b, a, x)
		either(s.Kind, VPERMI2PS, VPERMI2PD)(b, a, y)
		return x, y
	}
	u, v := s.Reg(), s.Reg()
	either(s.Kind, VUNPCKLPS, VUNPCKLPD)(b, a, u)
	either(s.Kind, VUNPCKHPS, VUNPCKHPD)(b, a, v)
	VPERM2F128(operand.U8(0x20), v, u, x)
	VPERM2F128(operand.U8(0x31), v, u, y)
	return x, y
}

// either chooses by the element type.
func either[F any](k vec.Kind, single, double F) F {
	if k.Double {
		return double
	}
	return single
}

// rows emits the loops over n rows, stride bytes apart, over the whole vectors of each, and its tail.
func (s *splitter) rows(n, base reg.Register, body func(at reg.Register), tail reg.Register, last func(at reg.Register)) {
	stride := Load(Param("stride"), GP64())
	Label("row")
	at, count := GP64(), GP64()
	MOVQ(base, at)
	MOVQ(operand.NewParamAddr("vectors", 24), count)
	TESTQ(count, count)
	JZ(operand.LabelRef("tail"))
	Label("vector")
	body(at)
	DECQ(count)
	JNZ(operand.LabelRef("vector"))
	Label("tail")
	TESTQ(tail, tail)
	JZ(operand.LabelRef("next"))
	last(at)
	Label("next")
	ADDQ(stride, base)
	DECQ(n)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}
