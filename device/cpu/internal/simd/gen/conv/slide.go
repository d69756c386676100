package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// slideHeights are the window heights for which there are routines.
var slideHeights = []int{3, 5, 7}

// slides emits the sums of windows that slide down the rows of one plane. A vector of the plane is loaded once for all
// the sums that use it, so there are fewer loads than products. Positions lie in lanes.
func slides() {
	for _, k := range vec.Kinds {
		for _, h := range slideHeights {
			for _, rows := range []int{1, 2, slideRows(k)} {
				slidesOf(k, h, rows)
			}
		}
	}
}

// slideRows is the number of rows of sums that are computed at once.
func slideRows(k vec.Kind) int {
	if k.Wide {
		return 7
	}
	return 4
}

// slide emits one such routine.
type slide struct {
	vec.Kind
	height, rows                int
	x, y, step, apart, off, end reg.GPVirtual
}

func slidesOf(k vec.Kind, height, rows int) {
	name := fmt.Sprintf("slide%dx%d%s", rows, height, k.Suffix())
	TEXT(name, NOSPLIT, "func(rows, n int, y *byte, apart int, x *byte, step int, off *int, count int, w, start *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets y[r·apart+j] to the sum of w[t·%d+i]·x[off[t]+(r+i)·step+j] over t and i, and *start unless that is nil. "+
		"There are at least %d rows, and one t.", name, height, rows))
	s := &slide{Kind: k, height: height, rows: rows}
	n := Load(Param("n"), GP64())
	s.x, s.y, s.step, s.apart, s.off, s.end = GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	Load(Param("x"), s.x)
	Load(Param("y"), s.y)
	Load(Param("step"), s.step)
	Load(Param("apart"), s.apart)
	Load(Param("off"), s.off)
	Load(Param("count"), s.end)
	SHLQ(operand.Imm(uint64(log2(k.Size()))), s.step)
	SHLQ(operand.Imm(uint64(log2(k.Size()))), s.apart)
	LEAQ(operand.Mem{Base: s.off, Index: s.end, Scale: 8}, s.end)
	most := 2
	if height+2*(rows+1) > k.Registers()-1 {
		most = 1
	}
	Label("columns")
	if most == 2 {
		CMPQ(n, operand.U32(k.Lanes()))
		JLE(operand.LabelRef("narrow"))
		s.strips("wide", 2, n)
		JMP(operand.LabelRef("columns"))
		Label("narrow")
		TESTQ(n, n)
		JLE(operand.LabelRef("done"))
	}
	s.strips("one", 1, n)
	if most == 1 {
		TESTQ(n, n)
		JG(operand.LabelRef("columns"))
	}
	Label("done")
	vec.Leave()
}

func log2(n int) int {
	bits := 0
	for ; n > 1; n /= 2 {
		bits++
	}
	return bits
}

// strips emits the sums of all rows for some vectors, of which the last may be partial, and advances to the next
// columns.
func (s *slide) strips(label string, vectors int, n reg.Register) {
	last, whole := GP64(), GP64()
	LEAQ(operand.Mem{Base: n, Disp: -(vectors - 1) * s.Lanes()}, last)
	MOVQ(operand.U32(s.Lanes()), whole)
	CMPQ(last, whole)
	CMOVQGT(whole, last)
	tail := s.Tail(last)
	x, y, left := GP64(), GP64(), GP64()
	MOVQ(s.x, x)
	MOVQ(s.y, y)
	Load(Param("rows"), left)
	Label(label + "Strip")
	s.strip(label, vectors, x, y, tail)
	SUBQ(operand.Imm(uint64(s.rows)), left)
	JZ(operand.LabelRef(label + "Done"))
	if s.rows > 1 { // some of the last rows may already be done
		back := GP64()
		MOVQ(left, back)
		SUBQ(operand.Imm(uint64(s.rows)), back)
		down := GP64()
		XORQ(down, down)
		CMPQ(back, down)
		CMOVQGT(down, back) // the number of rows that are done again, negated
		SUBQ(back, left)
		ADDQ(operand.Imm(uint64(s.rows)), back)
		MOVQ(back, down)
		IMULQ(s.step, back)
		ADDQ(back, x)
		IMULQ(s.apart, down)
		ADDQ(down, y)
	} else {
		ADDQ(s.step, x)
		ADDQ(s.apart, y)
	}
	JMP(operand.LabelRef(label + "Strip"))
	Label(label + "Done")
	ADDQ(operand.U32(vectors*s.Bytes()), s.x)
	ADDQ(operand.U32(vectors*s.Bytes()), s.y)
	SUBQ(operand.Imm(uint64(vectors*s.Lanes())), n)
}

func (s *slide) strip(label string, vectors int, x, y reg.Register, tail vec.Tail) {
	sums := make([][]reg.VecVirtual, s.rows)
	for r := range sums {
		sums[r] = s.Regs(vectors)
	}
	begin(s.Kind, label, sums, func(start reg.Register) {
		s.Splat(operand.Mem{Base: start}, sums[0][0])
		for i := 1; i < s.rows*vectors; i++ {
			s.Move(sums[0][0], sums[i/vectors][i%vectors])
		}
	})
	t, w, at := GP64(), Load(Param("w"), GP64()), GP64()
	weights, positions := s.Regs(s.height), s.Regs(vectors)
	MOVQ(s.off, t)
	Label(label + "Loop")
	MOVQ(operand.Mem{Base: t}, at)
	LEAQ(operand.Mem{Base: x, Index: at, Scale: uint8(s.Size())}, at)
	for i, v := range weights {
		s.Splat(operand.Mem{Base: w, Disp: i * s.Size()}, v)
	}
	for i := range s.rows + s.height - 1 {
		for j, v := range positions {
			s.Load(operand.Mem{Base: at, Disp: j * s.Bytes()}, v)
		}
		if i < s.rows+s.height-2 {
			ADDQ(s.step, at)
		}
		for h, weight := range weights {
			if r := i - h; 0 <= r && r < s.rows {
				for j, v := range positions {
					s.FMA231(v, weight, sums[r][j])
				}
			}
		}
	}
	ADDQ(operand.Imm(uint64(s.height*s.Size())), w)
	ADDQ(operand.Imm(8), t)
	CMPQ(t, s.end)
	JNE(operand.LabelRef(label + "Loop"))
	to := GP64()
	MOVQ(y, to)
	for r := range sums {
		for j, sum := range sums[r] {
			m := operand.Mem{Base: to, Disp: j * s.Bytes()}
			if j+1 < vectors {
				s.Store(sum, m)
			} else {
				tail.Store(sum, m)
			}
		}
		if r+1 < s.rows {
			ADDQ(s.apart, to)
		}
	}
}
