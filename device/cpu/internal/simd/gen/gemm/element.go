package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// element is the element type of the factors, together with the instructions that multiply it.
type element struct {
	vec.Kind
	of  content
	dot bool // whether one instruction adds the products of groups: of VNNI or AVX512_BF16, or SDOT of arm64
}

// content is a kind of elements.
type content int

const (
	floats   content = iota
	integers         // products and sums wrap
	pairs            // two signed 16-bit integers of consecutive steps along k; the sums have 32 bits
	quads            // four unsigned bytes in a (arm64: signed), four signed bytes in b, of consecutive steps; the sums have 32 bits
	bfloats          // two bfloat16 of consecutive steps, the first in the upper half; the sums are float32
)

// elements returns all element types: floats first, then integers, then groups of small integers and of bfloat16.
func elements() (all []element) {
	for _, of := range []content{floats, integers} {
		for _, k := range vec.Kinds {
			all = append(all, element{Kind: k, of: of})
		}
	}
	all = append(all, element{Kind: vec.Kind{}, of: pairs}, element{Kind: vec.Kind{Wide: true}, of: pairs},
		element{Kind: vec.Kind{Wide: true}, of: pairs, dot: true}, element{Kind: vec.Kind{Wide: !vec.Neon()}, of: quads, dot: true})
	if !vec.Neon() {
		all = append(all, element{Kind: vec.Kind{Wide: true}, of: bfloats, dot: true})
	}
	return all
}

// Suffix returns the suffix of routine names.
func (e element) Suffix() string {
	level := "AVX2"
	switch {
	case e.dot && e.Wide:
		level = "VNNI"
	case e.dot:
		level = "SDOT"
	case e.Wide:
		level = "AVX512"
	}
	switch {
	case e.of == floats:
		return e.Kind.Suffix()
	case e.of == bfloats:
		return "BF16Pairs"
	case e.of == pairs:
		return level + "Pairs"
	case e.of == quads:
		return level + "Quads"
	case e.Double:
		return level + "I64"
	}
	return level + "I32"
}

// Elem returns the element type's name in Go.
func (e element) Elem() string {
	switch {
	case e.of == floats:
		return e.Kind.Elem()
	case e.Double:
		return "uint64"
	}
	return "uint32"
}

// rows returns the largest height of integer tiles.
func (e element) rows() int {
	switch {
	case e.dot && e.Wide:
		return 12
	case e.Wide || e.dot:
		return 6
	case e.byHalves():
		return 3
	}
	return 4
}

// byHalves reports whether 64-bit integers are multiplied by halves, because there is no instruction for it.
func (e element) byHalves() bool { return e.of == integers && e.Double && !e.Wide }

// Add emits the addition of the type of the sums.
func (e element) Add(a, b, dst operand.Op) {
	switch {
	case e.of == floats || e.of == bfloats:
		e.Kind.Add(a, b, dst)
	case e.Double:
		VPADDQ(a, b, dst)
	default:
		VPADDD(a, b, dst)
	}
}

// temps returns the number of registers that addProduct overwrites.
func (e element) temps() int {
	if e.of == floats || e.dot {
		return 0
	}
	return 2
}

// addProduct adds b·a to sum. bUpper and aUpper, the upper halves, are for products by halves.
func (e element) addProduct(b, bUpper, a, aUpper, sum reg.Register, temp [2]reg.Register) {
	switch {
	case e.of == floats:
		e.FMA231(b, a, sum)
	case e.dot && e.of == pairs:
		dotProduct("VPDPWSSD", b, a, sum)
	case e.of == bfloats:
		dotBFloats(b.(reg.VecPhysical), a.(reg.VecPhysical), sum.(reg.VecPhysical))
	case e.dot && e.Wide:
		dotProduct("VPDPBUSD", b, a, sum)
	case e.dot:
		dotProduct("SDOT", b, a, sum)
	case e.byHalves():
		VPMULUDQ(bUpper, a, temp[0])
		VPMULUDQ(b, aUpper, temp[1])
		VPADDQ(temp[1], temp[0], temp[0])
		VPMULUDQ(b, a, temp[1])
		VPSLLQ(operand.Imm(32), temp[0], temp[0])
		VPADDQ(temp[1], sum, sum)
		VPADDQ(temp[0], sum, sum)
	default:
		switch {
		case e.of == pairs:
			VPMADDWD(b, a, temp[0])
		case e.Double:
			VPMULLQ(b, a, temp[0])
		default:
			VPMULLD(b, a, temp[0])
		}
		e.Add(temp[0], sum, sum)
	}
}

// dotProduct emits an instruction that avo does not have.
func dotProduct(opcode string, b, a, sum operand.Op) {
	Instruction(&ir.Instruction{
		Opcode: opcode, Operands: []operand.Op{b, a, sum}, Inputs: []operand.Op{b, a, sum}, Outputs: []operand.Op{sum},
		ISA: []string{"AVX512_VNNI"},
	})
}

// products holds the registers for one step of a tile.
type products struct {
	*tile
	b, bUpper []reg.Register
	a         [][2]reg.Register // used in turn: an element in all lanes, and its upper halves
	temp      [2]reg.Register
}

func (t *tile) products(r int) *products {
	p := &products{tile: t}
	next, end := r*t.vectors, t.Registers()
	if t.masked && !t.Wide {
		end--
	}
	take := func() reg.Register {
		next++
		if next > end {
			panic("too few registers for " + t.name(t.element))
		}
		return t.Physical(next - 1)
	}
	each := 1
	for range t.vectors {
		p.b = append(p.b, take())
	}
	p.bUpper = p.b
	if t.byHalves() {
		each, p.bUpper = 2, nil
		for range t.vectors {
			p.bUpper = append(p.bUpper, take())
		}
	}
	for i := range t.temps() {
		p.temp[i] = take()
	}
	for range min((end-next)/each, 4) {
		x := [2]reg.Register{take()}
		if each == 2 {
			x[1] = take()
		}
		p.a = append(p.a, x)
	}
	return p
}

// halve computes the upper halves of the row of b.
func (p *products) halve() {
	if p.byHalves() {
		for j, b := range p.b {
			VPSRLQ(operand.Imm(32), b, p.bUpper[j])
		}
	}
}

// addRow adds the products of row i's element and the row of b.
func (p *products) addRow(i int, m operand.Mem) {
	x := p.a[i%len(p.a)]
	p.Splat(m, x[0])
	if p.byHalves() {
		VPSRLQ(operand.Imm(32), x[0], x[1])
	}
	for j := range p.vectors {
		p.addProduct(p.b[j], p.bUpper[j], x[0], x[1], p.sum(i, j), p.temp)
	}
}

// addRows is addRow for all rows of a panel, for arm64: a product there takes an element of a vector as a factor.
func (p *products) addRows(r int) {
	for i, n, loads := 0, 0, 0; i < r; i, loads = i+n, loads+1 {
		for n = 16 / p.Size(); n > r-i; {
			n /= 2
		}
		x := p.a[loads%len(p.a)][0].(reg.VecPhysical).AsX()
		load := map[int]func(...operand.Op){4: VMOVSS, 8: VMOVSD, 16: VMOVUPS}[n*p.Size()]
		load(operand.Mem{Base: p.tile.a[0], Disp: i * p.Size()}, x)
		for lane := range n {
			for j := range p.vectors {
				p.addLane(lane, p.b[j], x, p.sum(i+lane, j))
			}
		}
	}
}

// addLane adds b times an element of a to sum.
func (p *products) addLane(lane int, b, a, sum operand.Op) {
	opcode := "SDOTLANE"
	switch {
	case p.of == floats && p.Double:
		opcode = "FMLALANED"
	case p.of == floats:
		opcode = "FMLALANES"
	}
	Instruction(&ir.Instruction{
		Opcode: opcode, Operands: []operand.Op{operand.Imm(uint64(lane)), b, a, sum}, Inputs: []operand.Op{b, a, sum}, Outputs: []operand.Op{sum},
	})
}
