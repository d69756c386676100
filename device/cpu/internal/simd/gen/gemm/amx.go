package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// amx is an instruction of AMX, which is emitted as bytes, because Go's assembler does not have it. All have the prefix VEX, with the
// instruction's mandatory prefix in its lowest bits, and opcodes of the map 0F38.
type amx struct {
	name   string
	prefix byte // mandatory: 0 none, 1 for 66, 2 for F3, 3 for F2
	opcode byte
}

var (
	loadConfig = amx{"LDTILECFG", 0, 0x49}
	release    = amx{"TILERELEASE", 0, 0x49}
	zeroTile   = amx{"TILEZERO", 3, 0x49}
	loadTile   = amx{"TILELOADD", 3, 0x4b}
	storeTile  = amx{"TILESTORED", 2, 0x4b}

	// addProducts are the products by the signs of the bytes of a and of b.
	addProducts = [...]struct {
		signs string
		amx
	}{{"UU", amx{"TDPBUUD", 0, 0x5e}}, {"SU", amx{"TDPBSUD", 2, 0x5e}}, {"US", amx{"TDPBUSD", 1, 0x5e}}, {"SS", amx{"TDPBSSD", 3, 0x5e}}}
)

// registers returns the code of an instruction with registers only: ModR/M has reg and rm, VEX has v.
func (x amx) registers(r, rm, v int) []byte {
	return []byte{0xc4, 0xe2, byte(^v&15)<<3 | x.prefix, x.opcode, byte(0xc0 | r<<3 | rm)}
}

// memory returns the code of an instruction with a tile and the memory at base + displacement, whose rows are index apart. base and
// index are numbers of registers. VEX holds the upper bits of the registers' numbers, inverted.
func (x amx) memory(tile, base, index int, displacement int8) []byte {
	upper := byte(0x80 | ^index>>3&1<<6 | ^base>>3&1<<5 | 0b00010)
	return []byte{0xc4, upper, 0x78 | x.prefix, x.opcode, byte(0x44 | tile<<3), byte(index&7<<3 | base&7), byte(displacement)}
}

// noIndex stands for no register, as an index.
const noIndex = 4

// emitBytes emits an instruction, with its text as a comment.
func emitBytes(text string, code []byte) {
	Comment(text)
	for _, b := range code {
		Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []operand.Op{operand.U8(b)}})
	}
}

// Registers of the routines: the strip; the upper and the lower tile of a, and those of b; distances; the sums and what is added; the
// distance of their rows; the tiles left along k; and a spare one.
var (
	tileArgs, tileA, tileBelow, tileB   = reg.RDI, reg.RSI, reg.RBX, reg.RDX
	tileALine, tileBDepth, tileC, tileD = reg.R8, reg.R9, reg.R10, reg.R11
	tileLine, tileSteps, tileNext       = reg.R12, reg.RCX, reg.RAX
	tileAhead                           = reg.R13
)

// sumsAhead is how many rows of sums a step along k prefetches: those of the current tiles, and then of the tiles below.
const sumsAhead = 2

// number returns the number of a register in codes.
func number(r reg.Register) int { return int(r.(reg.Physical).PhysicalIndex()) }

// moveTile emits a load or a store of a tile whose rows are a distance apart.
func moveTile(x amx, tile int, base, distance reg.Register, displacement int8) {
	emitBytes(fmt.Sprintf("%s tile %d, %d(%s)(%s*1)", x.name, tile, displacement, base.Asm(), distance.Asm()),
		x.memory(tile, number(base), number(distance), displacement))
}

// matrixTiles emits the routines that multiply tiles of bytes, up to two of a by two of b. Tiles 0 to 3 are the sums, row by row, 4 and
// 5 those of a, 6 and 7 those of b.
func matrixTiles() {
	for _, product := range addProducts {
		name := "tilesAMX" + product.signs
		TEXT(name, NOSPLIT, "func(s *uintptr, config *byte)")
		Pragma("noescape")
		Doc(name+" multiplies tiles of up to 32 rows and 32 columns by "+product.name+". Groups of a are contiguous along k, and the strip's k counts",
			"tiles.")
		Load(Param("config"), tileNext)
		emitBytes("LDTILECFG (AX)", loadConfig.memory(0, number(tileNext), noIndex, 0))
		Load(Param("s"), tileArgs)
		t := matrixTile{product: product.amx}
		for _, move := range [][2]int{{stripA, stripAtA}, {stripC, stripAtC}, {stripD, stripAtD}, {stripTiles, stripLeft}} {
			MOVQ(t.field(move[0]), tileNext)
			MOVQ(tileNext, t.field(move[1]))
		}
		MOVQ(t.field(stripALine), tileALine)
		MOVQ(t.field(stripBDepth), tileBDepth)
		CMPQ(t.field(stripRows), operand.Imm(matrixRows))
		JLE(operand.LabelRef("low"))
		t.byColumns(2)
		Label("low")
		t.byColumns(1)
	}
}

// matrixRows is the number of rows of a tile of sums, and of its columns.
const matrixRows = 16

// matrixTile emits the loop over the tiles of a strip with one or two tiles of a and of b.
type matrixTile struct {
	product       amx
	down, columns int
}

func (t *matrixTile) field(offset int) operand.Mem { return operand.Mem{Base: tileArgs, Disp: offset} }

func (t *matrixTile) label(s string) string { return fmt.Sprintf("%s%dx%d", s, t.down, t.columns) }

// byColumns emits the loops for one and for two tiles of b. The strip's mask is the number of columns.
func (t *matrixTile) byColumns(down int) {
	t.down, t.columns = down, 1
	narrow := t.label("narrow")
	CMPQ(t.field(stripMask), operand.Imm(matrixRows))
	JLE(operand.LabelRef(narrow))
	t.columns = 2
	t.emit()
	t.columns = 1
	Label(narrow)
	t.emit()
}

// emit emits the loop, which returns.
func (t *matrixTile) emit() {
	Label(t.label("rows"))
	MOVQ(t.field(stripAtA), tileA)
	MOVQ(t.field(stripB), tileB)
	MOVQ(t.field(stripK), tileSteps)
	MOVQ(tileALine, tileBelow)
	SHLQ(operand.Imm(4), tileBelow)
	ADDQ(tileA, tileBelow)
	MOVQ(t.field(stripAtD), tileD)
	MOVQ(t.field(stripDLine), tileLine)
	TESTQ(tileD, tileD)
	JZ(operand.LabelRef(t.label("zero")))
	t.moveSums(loadTile, tileD)
	JMP(operand.LabelRef(t.label("steps")))
	Label(t.label("zero"))
	t.eachSum(func(sum, i, j int) {
		emitBytes(fmt.Sprintf("TILEZERO tile %d", sum), zeroTile.registers(sum, 0, 0))
	})
	Label(t.label("steps"))
	MOVQ(t.field(stripAtC), tileC)
	MOVQ(t.field(stripCLine), tileLine)
	MOVQ(tileC, tileAhead)
	MOVQ(tileBDepth, tileNext)
	SHLQ(operand.Imm(4), tileNext)
	Label(t.label("loop"))
	t.step()
	ADDQ(operand.Imm(64), tileA)
	ADDQ(operand.Imm(64), tileBelow)
	ADDQ(tileNext, tileB)
	DECQ(tileSteps)
	JNZ(operand.LabelRef(t.label("loop")))
	MOVQ(t.field(stripAtC), tileC)
	t.moveSums(storeTile, tileC)

	MOVQ(t.field(stripATile), tileNext)
	ADDQ(tileNext, t.field(stripAtA))
	for _, move := range [][2]int{{stripAtC, stripCLine}, {stripAtD, stripDLine}} {
		MOVQ(t.field(move[1]), tileNext)
		IMULQ(t.field(stripRows), tileNext)
		ADDQ(tileNext, t.field(move[0]))
	}
	DECQ(t.field(stripLeft))
	JNZ(operand.LabelRef(t.label("rows")))
	emitBytes("TILERELEASE", release.registers(0, 0, 0))
	RET()
}

// step emits the products of one tile along k.
func (t *matrixTile) step() {
	moveTile(loadTile, 4, tileA, tileALine, 0)
	for j := range t.columns {
		moveTile(loadTile, 6+j, tileB, tileBDepth, int8(64*j))
	}
	if t.down == 2 {
		moveTile(loadTile, 5, tileBelow, tileALine, 0)
	}
	for range sumsAhead {
		for j := range t.columns {
			PREFETCHT0(operand.Mem{Base: tileAhead, Disp: 64 * j})
		}
		ADDQ(tileLine, tileAhead)
	}
	t.eachSum(func(sum, i, j int) {
		emitBytes(fmt.Sprintf("%s tile %d, tile %d, tile %d", t.product.name, 6+j, 4+i, sum), t.product.registers(sum, 4+i, 6+j))
	})
}

// eachSum calls do with each tile of sums, its row and its column.
func (t *matrixTile) eachSum(do func(sum, i, j int)) {
	for i := range t.down {
		for j := range t.columns {
			do(2*i+j, i, j)
		}
	}
}

// moveSums emits the loads or the stores of the sums. It moves the address of the first row.
func (t *matrixTile) moveSums(x amx, at reg.GPPhysical) {
	t.eachSum(func(sum, i, j int) {
		if i == 1 && j == 0 {
			MOVQ(tileLine, tileNext)
			SHLQ(operand.Imm(4), tileNext)
			ADDQ(tileNext, at)
		}
		moveTile(x, sum, at, tileLine, int8(64*j))
	})
}
