// Command products generates the routines of package products.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		vectors := 2
		if k.Wide {
			vectors = 4
		}
		for n := 1; n <= vectors; n++ {
			(&product{Kind: k, vectors: n}).emit()
		}
	}
	Generate()
}

// rows is how many rows of the result are computed together.
const rows = 4

// product emits products of matrices whose result has as many columns as some vectors have lanes, the last one in part.
type product struct {
	vec.Kind
	vectors int

	tail             vec.Tail
	a, aThree, aLine reg.Register
	b, c             reg.Register
	cLine, cThree    reg.Register
}

func (p *product) emit() {
	name := fmt.Sprintf("multiply%d%s", p.vectors, p.Suffix())
	TEXT(name, NOSPLIT, fmt.Sprintf("func(count, m, k, last int, a *%s, aNext, aLine, aDepth int, b *%[1]s, bNext, bLine int, c *%[1]s, cNext, cLine int)", p.Elem()))
	Pragma("noescape")
	columns := fmt.Sprintf("%d columns and last more", (p.vectors-1)*p.Lanes())
	if p.vectors == 1 {
		columns = "last columns"
	}
	Doc(fmt.Sprintf("%s computes count products c = a·b with %s, of 1 to %d.", name, columns, p.Lanes()),
		"m and k are not 0. Distances of matrices, of rows and along k are in bytes.")
	count, a, b, c := Load(Param("count"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("c"), GP64())
	p.aLine, p.cLine = Load(Param("aLine"), GP64()), Load(Param("cLine"), GP64())
	p.aThree, p.cThree = GP64(), GP64()
	LEAQ(operand.Mem{Base: p.aLine, Index: p.aLine, Scale: 2}, p.aThree)
	LEAQ(operand.Mem{Base: p.cLine, Index: p.cLine, Scale: 2}, p.cThree)
	p.tail = p.Tail(Load(Param("last"), GP64()))
	left := GP64()
	p.a, p.b, p.c = GP64(), b, GP64()
	Label("matrix")
	MOVQ(a, p.a)
	MOVQ(c, p.c)
	MOVQ(address("m"), left)
	SUBQ(operand.Imm(rows), left)
	JLT(operand.LabelRef("rest"))
	Label("rows")
	p.block(rows)
	LEAQ(operand.Mem{Base: p.a, Index: p.aLine, Scale: rows}, p.a)
	LEAQ(operand.Mem{Base: p.c, Index: p.cLine, Scale: rows}, p.c)
	SUBQ(operand.Imm(rows), left)
	JGE(operand.LabelRef("rows"))
	Label("rest")
	ADDQ(operand.Imm(rows), left)
	JZ(operand.LabelRef("next"))
	Label("row")
	p.block(1)
	ADDQ(p.aLine, p.a)
	ADDQ(p.cLine, p.c)
	DECQ(left)
	JNZ(operand.LabelRef("row"))
	Label("next")
	ADDQ(address("aNext"), a)
	ADDQ(address("bNext"), b)
	ADDQ(address("cNext"), c)
	DECQ(count)
	JNZ(operand.LabelRef("matrix"))
	vec.Leave()
}

// block computes some rows of the result: every sum begins with 0 and runs along k.
func (p *product) block(height int) {
	sums := make([][]reg.VecVirtual, height)
	for i := range sums {
		sums[i] = p.Regs(p.vectors)
		for _, s := range sums[i] {
			p.Zero(s)
		}
	}
	a, b, k := GP64(), GP64(), GP64()
	MOVQ(p.a, a)
	MOVQ(p.b, b)
	MOVQ(address("k"), k)
	loop := fmt.Sprintf("depth%d", height)
	Label(loop)
	line, factor := p.Regs(p.vectors), p.Reg()
	for j := range p.vectors - 1 {
		p.Load(operand.Mem{Base: b, Disp: j * p.Bytes()}, line[j])
	}
	p.tail.LoadZero(operand.Mem{Base: b, Disp: (p.vectors - 1) * p.Bytes()}, line[p.vectors-1])
	for i := range sums {
		p.Splat(row(a, p.aLine, p.aThree, i, 0), factor)
		for j, s := range sums[i] {
			p.FMA231(line[j], factor, s)
		}
	}
	ADDQ(address("aDepth"), a)
	ADDQ(address("bLine"), b)
	DECQ(k)
	JNZ(operand.LabelRef(loop))
	for i := range sums {
		for j, s := range sums[i][:p.vectors-1] {
			p.Store(s, row(p.c, p.cLine, p.cThree, i, j*p.Bytes()))
		}
		p.tail.Store(sums[i][p.vectors-1], row(p.c, p.cLine, p.cThree, i, (p.vectors-1)*p.Bytes()))
	}
}

// row addresses one of four rows.
func row(base, line, three reg.Register, i, disp int) operand.Mem {
	switch i {
	case 0:
		return operand.Mem{Base: base, Disp: disp}
	case 3:
		return operand.Mem{Base: base, Index: three, Scale: 1, Disp: disp}
	}
	return operand.Mem{Base: base, Index: line, Scale: uint8(i), Disp: disp}
}

// address returns where an argument lies.
func address(name string) operand.Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}
