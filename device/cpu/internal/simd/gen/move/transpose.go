package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// tile describes how a matrix with elements of one size is transposed in registers. A register has 16-byte lanes. Lane
// l of register i holds a chunk of the row that lies l·n rows below row i, where n is the number of elements in a lane.
// After the transpositions within lanes, each register is a row of the result.
type tile struct {
	size    int    // of an element, in bytes
	rows    int    // rows of the source that are processed together: the elements of a register
	columns int    // columns of the source that are processed together
	stream  bool   // rows of the result bypass the caches
	name    string // of the routine
}

// transposes emits the routines that transpose strips: some rows, with a number of columns that is a multiple of the
// tile's.
func transposes() {
	for _, t := range []tile{
		{1, 16, 8, false, "transposeAVX2U8"},
		{2, 16, 8, false, "transposeAVX2U16"},
		{4, 8, 8, false, "transposeAVX2U32"},
		{8, 4, 4, false, "transposeAVX2U64"},
		{4, 16, 16, false, "transposeAVX512U32"},
		{8, 8, 8, false, "transposeAVX512U64"},
		{4, 16, 16, true, "transposeStreamAVX512U32"},
		{8, 8, 8, true, "transposeStreamAVX512U64"},
	} {
		t.strip()
	}
}

func (t tile) strip() {
	TEXT(t.name, NOSPLIT, "func(columns int, dst *byte, dstRow uintptr, src *byte, srcRow uintptr)")
	aligned := ""
	if t.stream {
		aligned = " The rows of the result are aligned to 64 bytes."
	}
	Pragma("noescape")
	Doc(fmt.Sprintf("%s transposes %d rows of a number of columns, a multiple of %d, of elements of %d bytes. The distances of rows are in bytes.%s",
		t.name, t.rows, t.columns, t.size, aligned))
	n := Load(Param("columns"), GP64())
	to := rowsFrom(Load(Param("dst"), GP64()), Load(Param("dstRow"), GP64()), t.columns)
	from := rowsFrom(Load(Param("src"), GP64()), Load(Param("srcRow"), GP64()), t.rows)
	Label("loop")
	for i, r := range t.transposed(from) {
		if t.stream {
			VMOVNTPS(r, to.row(i, 0))
		} else {
			VMOVUPS(r, to.row(i, 0))
		}
	}
	from.advance(operand.U32(t.columns * t.size))
	to.skip(t.columns)
	SUBQ(operand.U32(t.columns), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// transposed loads a tile and returns the rows of its transpose.
func (t tile) transposed(from rows) []reg.VecVirtual {
	switch {
	case t.size == 1:
		return t.bytes(from)
	case t.size == 2:
		return t.halves(from)
	}
	lane := 16 / t.size
	var result []reg.VecVirtual
	chunks := make([][]reg.VecVirtual, t.columns/lane)
	for q := range chunks {
		chunks[q] = make([]reg.VecVirtual, lane)
	}
	for row := range t.rows {
		for q := range chunks {
			t.loadLane(from.row(row, 16*q), row/lane, &chunks[q][row%lane])
		}
	}
	for q := range chunks {
		result = append(result, interleaved(chunks[q], t.size)...)
	}
	return result
}

// loadLane loads lane l of a register. Lane 0 creates the register and fills every lane.
func (t tile) loadLane(m operand.Mem, l int, r *reg.VecVirtual) {
	wide := t.rows*t.size == 64
	switch {
	case wide && l == 0:
		*r = ZMM()
		VBROADCASTF32X4(m, *r)
	case wide:
		VINSERTF32X4(operand.Imm(uint64(l)), m, *r, *r)
	case l == 0:
		*r = YMM()
		VBROADCASTF128(m, *r)
	default:
		VINSERTF128(operand.Imm(uint64(l)), m, *r, *r)
	}
}

// pair combines two registers, with the elements of the first before those of the second.
func pair(unpack func(...operand.Op), a, b reg.VecVirtual) reg.VecVirtual {
	r := like(a)
	unpack(b, a, r)
	return r
}

// like returns a new register with the width of another.
func like(r reg.VecVirtual) reg.VecVirtual {
	switch r.Size() {
	case 64:
		return ZMM()
	case 32:
		return YMM()
	}
	return XMM()
}

// bytes transposes 16 rows of 8 bytes, two of which fill a register.
func (t tile) bytes(from rows) []reg.VecVirtual {
	r := make([]reg.VecVirtual, 8)
	for k := range r {
		r[k] = XMM()
		next := XMM()
		VMOVQ(from.row(2*k, 0), r[k])
		VMOVQ(from.row(2*k+1, 0), next)
		VPUNPCKLBW(next, r[k], r[k])
	}
	return interleaved(r, 2)
}

// halves transposes 16 rows of 8 elements of 2 bytes. Rows 8 to 15 are the upper lanes.
func (t tile) halves(from rows) []reg.VecVirtual {
	r := make([]reg.VecVirtual, 8)
	for k := range r {
		t.loadLane(from.row(k, 0), 0, &r[k])
		t.loadLane(from.row(k+8, 0), 1, &r[k])
	}
	return interleaved(r, 2)
}

// interleaved transposes the squares in the lanes of registers. size is the size of the units in bytes. Each step
// interleaves the units of two neighbouring registers, so that the units become twice as wide and a register has half
// as many columns.
func interleaved(r []reg.VecVirtual, size int) []reg.VecVirtual {
	for columns := 1; size < 16; columns, size = 2*columns, 2*size {
		next := make([]reg.VecVirtual, len(r))
		for k := 0; k < len(r); k += 2 * columns {
			for c := range columns {
				a, b := r[k+c], r[k+columns+c]
				next[k+2*c], next[k+2*c+1] = pair(unpackLow[size], a, b), pair(unpackHigh[size], a, b)
			}
		}
		r = next
	}
	return r
}

// The instructions that interleave units, by the size of a unit in bytes.
var (
	unpackLow  = map[int]func(...operand.Op){2: VPUNPCKLWD, 4: VPUNPCKLDQ, 8: VPUNPCKLQDQ}
	unpackHigh = map[int]func(...operand.Op){2: VPUNPCKHWD, 4: VPUNPCKHDQ, 8: VPUNPCKHQDQ}
)
