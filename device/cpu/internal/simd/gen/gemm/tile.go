package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/clamp"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// shape is a family of tiles with the same width, given in vectors, and heights from least to most rows. In a masked
// shape only part of the last vector is used. A shape for panels reads the rows of a side by side, as they lie in a
// packed a.
type shape struct {
	vectors, least, most int
	masked, panels       bool
}

// shapes returns the shapes of tiles. Most products use tiles that are two vectors wide. The wide ones are for products
// with few rows: more sums at a time hide the latency of float multiplications.
func shapes(k element) []shape {
	if k.of != floats {
		most := k.rows()
		return []shape{
			{vectors: 2, least: 1, most: most}, {vectors: 2, least: 1, most: most, masked: true},
			{vectors: 1, least: 1, most: most, masked: true}, {vectors: 2, least: 1, most: most, panels: true},
		}
	}
	if k.Wide {
		return []shape{
			{vectors: 2, least: 1, most: 12}, {vectors: 2, least: 1, most: 12, masked: true},
			{vectors: 1, least: 1, most: 12, masked: true}, {vectors: 4, least: 3, most: 6}, {vectors: 8, least: 1, most: 2},
			{vectors: 2, least: 1, most: 12, panels: true},
		}
	}
	return []shape{
		{vectors: 2, least: 1, most: 6}, {vectors: 2, least: 1, most: 6, masked: true},
		{vectors: 1, least: 1, most: 6, masked: true}, {vectors: 3, least: 3, most: 4}, {vectors: 4, least: 1, most: 2},
		{vectors: 2, least: 1, most: 6, panels: true},
	}
}

func (s shape) name(k element) string {
	name := fmt.Sprintf("tile%d", s.vectors)
	if s.masked {
		name += "Masked"
	}
	if s.panels {
		name += "Panels"
	}
	return name + k.Suffix()
}

func tiles() {
	for _, k := range elements() {
		for _, s := range shapes(k) {
			newTile(k, s).emit()
		}
	}
}

// tile emits one routine. It uses vector registers for: the sums, row by row; a row of b and its upper halves; the
// temporaries of adding a product; one to four elements of a, in all lanes; and with AVX2 the mask in the last
// register.
type tile struct {
	element
	shape
	args                  reg.Register
	aLine, aDepth, bDepth reg.GPVirtual
	bAhead                reg.GPVirtual
	next, aAhead          reg.GPVirtual
	steps, b, d           reg.GPVirtual
	a                     []reg.GPVirtual // one pointer per three rows
	last                  vec.Tail        // the used lanes of a masked tile's last vector
}

func newTile(k element, s shape) *tile {
	return &tile{element: k, shape: s}
}

// field returns a field of the gemm.strip that is multiplied, given by its offset.
func (t *tile) field(offset int) operand.Mem { return operand.Mem{Base: t.args, Disp: offset} }

func (t *tile) load(offset int) reg.GPVirtual {
	r := GP64()
	MOVQ(t.field(offset), r)
	return r
}

func (t *tile) emit() {
	name := t.name(t.element)
	TEXT(name, NOSPLIT, "func(s *uintptr)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s multiplies tiles of %d to %d rows and %d vectors.", name, t.least, t.most, t.vectors))
	t.args = Load(Param("s"), GP64())
	if t.masked {
		t.setMask(t.load(stripMask))
	}
	for _, move := range [][2]int{{stripA, stripAtA}, {stripC, stripAtC}, {stripD, stripAtD}, {stripTiles, stripLeft}} {
		MOVQ(t.load(move[0]), t.field(move[1]))
	}
	rows := t.load(stripRows)
	for r := t.most; r > t.least; r-- {
		CMPQ(rows, operand.Imm(uint64(r)))
		JEQ(operand.LabelRef(fmt.Sprintf("rows%d", r)))
	}
	for r := t.least; r <= t.most; r++ {
		t.rows(r)
	}
}

// setMask loads the mask from its bits, or with AVX2 from its address.
func (t *tile) setMask(m reg.Register) {
	if t.Wide {
		mask := K()
		KMOVW(m.(reg.GP).As32(), mask)
		t.last = t.TailOf(mask)
		return
	}
	VMOVUPS(operand.Mem{Base: m}, t.Physical(15))
	t.last = t.TailOf(t.Physical(15))
}

func (t *tile) sum(i, j int) reg.VecPhysical { return t.Physical(i*t.vectors + j) }

// rows emits the loop over tiles of r rows.
func (t *tile) rows(r int) {
	label := func(s string) string { return fmt.Sprintf("%s%d", s, r) }
	Label(label("rows"))
	t.steps, t.b = t.load(stripK), t.load(stripB)
	t.aDepth, t.bDepth = t.load(stripADepth), t.load(stripBDepth)
	t.a = append(t.a[:0], t.load(stripAtA))
	for i := range r * t.vectors {
		t.Zero(t.Physical(i))
	}
	t.prefetch(r)
	if t.panels {
		t.panelSteps(r, label)
	} else {
		t.lineSteps(r, label)
	}

	t.d = t.load(stripAtD)
	TESTQ(t.d, t.d)
	JZ(operand.LabelRef(label("store")))
	t.addSum(r)
	Label(label("store"))
	t.clamp(r, label)
	t.store(r)

	ADDQ(t.load(stripATile), t.field(stripAtA))
	t.advance(stripAtC, stripCLine, r)
	t.advance(stripAtD, stripDLine, r)
	DECQ(t.field(stripLeft))
	JNZ(operand.LabelRef(label("rows")))
	vec.Leave()
}

// prefetch prefetches the locations of the sums.
func (t *tile) prefetch(r int) {
	c, line := t.load(stripAtC), t.load(stripCLine)
	for i := range r {
		PREFETCHT0(operand.Mem{Base: c})
		if t.vectors*t.Bytes() > 64 {
			PREFETCHT0(operand.Mem{Base: c, Disp: t.vectors*t.Bytes() - 64})
		}
		if i < r-1 {
			ADDQ(line, c)
		}
	}
}

// lineSteps walks along k if the rows of a are not packed.
func (t *tile) lineSteps(r int, label func(string) string) {
	t.aLine = t.load(stripALine)
	if !t.masked {
		t.bAhead = t.load(stripBAhead)
	}
	for i := 3; i < r; i += 3 {
		p := GP64()
		LEAQ(operand.Mem{Base: t.a[len(t.a)-1], Index: t.aLine, Scale: 2}, p)
		ADDQ(t.aLine, p)
		t.a = append(t.a, p)
	}
	t.next, t.aAhead = GP64(), t.load(stripAAhead)
	LEAQ(operand.Mem{Base: t.a[len(t.a)-1], Index: t.aLine, Scale: 1}, t.next)
	for range (r - 1) % 3 {
		ADDQ(t.aLine, t.next)
	}
	Label(label("loop"))
	t.step(r)
	DECQ(t.steps)
	JNZ(operand.LabelRef(label("loop")))
}

// step adds the products of one column of a and one row of b. It prefetches data of the next tiles: of a, up to two
// cache lines per step.
func (t *tile) step(r int) {
	products := t.products(r)
	for j := range t.vectors {
		t.loadPart(operand.Mem{Base: t.b, Disp: j * t.Bytes()}, products.b[j], j)
	}
	products.halve()
	if !t.masked {
		for line := 0; line < t.vectors*t.Bytes(); line += 64 {
			PREFETCHT1(operand.Mem{Base: t.b, Index: t.bAhead, Scale: 1, Disp: line + 63})
		}
	}
	PREFETCHT1(operand.Mem{Base: t.next})
	if r*t.Size() > 64 {
		PREFETCHT1(operand.Mem{Base: t.next, Disp: 64})
	}
	ADDQ(t.aAhead, t.next)
	ADDQ(t.bDepth, t.b)
	for i := range r {
		m := operand.Mem{Base: t.a[i/3]}
		if i%3 > 0 {
			m.Index, m.Scale = t.aLine, uint8(i%3)
		}
		products.addRow(i, m)
	}
	for _, p := range t.a {
		ADDQ(t.aDepth, p)
	}
}

// unrolled is the number of steps along k that a loop over panels does at a time.
const unrolled = 4

// panelSteps walks along k if the rows of a lie side by side. It spreads the prefetches over the steps, so that the
// data has arrived when the tiles of the column are done.
func (t *tile) panelSteps(r int, label func(string) string) {
	ahead, step, whole := t.load(stripAhead), t.load(stripAheadStep), GP64()
	MOVQ(t.steps, whole)
	SHRQ(operand.Imm(2), whole)
	JZ(operand.LabelRef(label("rest")))
	Label(label("loop"))
	PREFETCHT1(operand.Mem{Base: ahead})
	ADDQ(step, ahead)
	for range unrolled {
		t.panelStep(r)
	}
	DECQ(whole)
	JNZ(operand.LabelRef(label("loop")))
	Label(label("rest"))
	ANDQ(operand.Imm(unrolled-1), t.steps)
	JZ(operand.LabelRef(label("done")))
	Label(label("last"))
	t.panelStep(r)
	DECQ(t.steps)
	JNZ(operand.LabelRef(label("last")))
	Label(label("done"))
	MOVQ(ahead, t.field(stripAhead))
}

// panelStep adds the products of one column of a panel and one row of b.
func (t *tile) panelStep(r int) {
	products := t.products(r)
	for j := range t.vectors {
		t.Load(operand.Mem{Base: t.b, Disp: j * t.Bytes()}, products.b[j])
	}
	products.halve()
	ADDQ(t.bDepth, t.b)
	if vec.Neon() && (t.of == floats || t.dot) {
		products.addRows(r)
	} else {
		for i := range r {
			products.addRow(i, operand.Mem{Base: t.a[0], Disp: i * t.Size()})
		}
	}
	ADDQ(t.aDepth, t.a[0])
}

// addSum adds d; the line stride of d may be 0.
func (t *tile) addSum(r int) {
	line := t.load(stripDLine)
	spare := t.Physical(r * t.vectors)
	for i := range r {
		for j := range t.vectors {
			m := operand.Mem{Base: t.d, Disp: j * t.Bytes()}
			if t.masked && j == t.vectors-1 {
				t.loadPart(m, spare, j)
				t.Add(spare, t.sum(i, j), t.sum(i, j))
			} else {
				t.Add(m, t.sum(i, j), t.sum(i, j))
			}
		}
		if i < r-1 {
			ADDQ(line, t.d)
		}
	}
}

// clamp limits the sums, if the strip has bounds for them.
func (t *tile) clamp(r int, label func(string) string) {
	if t.of != floats {
		return
	}
	bounds, spare := t.load(stripBounds), r*t.vectors
	TESTQ(bounds, bounds)
	JZ(operand.LabelRef(label("clamped")))
	numbers := clamp.Numbers{t.Physical(spare), t.Physical(spare + 1), t.Physical(spare + 2)}
	numbers.Load(t.Kind, bounds)
	for i := range r {
		for j := range t.vectors {
			numbers.Apply(t.Kind, t.sum(i, j))
		}
	}
	Label(label("clamped"))
}

func (t *tile) store(r int) {
	c, line := t.load(stripAtC), t.load(stripCLine)
	for i := range r {
		for j := range t.vectors {
			t.storePart(t.sum(i, j), operand.Mem{Base: c, Disp: j * t.Bytes()}, j)
		}
		if i < r-1 {
			ADDQ(line, c)
		}
	}
}

// loadPart loads vector j of a row; for the last vector, only the masked lanes.
func (t *tile) loadPart(m operand.Mem, r reg.Register, j int) {
	if t.masked && j == t.vectors-1 {
		t.last.LoadZero(m, r)
	} else {
		t.Load(m, r)
	}
}

func (t *tile) storePart(r reg.Register, m operand.Mem, j int) {
	if t.masked && j == t.vectors-1 {
		t.last.Store(r, m)
	} else {
		t.Store(r, m)
	}
}

// advance moves an argument that is a pointer down by r lines.
func (t *tile) advance(pointer, line, r int) {
	p := t.load(line)
	IMUL3Q(operand.Imm(uint64(r)), p, p)
	ADDQ(p, t.field(pointer))
}
