package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// fewProducts is how many products Go code computes in the time that the routines need to start.
const fewProducts = 512

// exactDepth is the maximum number of products of bytes whose sum fits in 32 bits.
const exactDepth = 1 << 15

// multiplyIntegers computes a task of integers or bools with the routines of package gemm, or returns false: then Go
// code must compute it, because the task is small or an operand has floats. Bytes and 16-bit integers are multiplied in
// groups along k, whose sums have 32 bits, whatever the result type is.
func multiplyIntegers(t *task, shared bool) bool {
	if t.m*t.n*t.k <= fewProducts {
		return false
	}
	narrow, wide := max(t.width(t.a), t.width(t.b)), t.dtype.Size()
	for _, e := range []*elements{&t.a, &t.b, &t.d} {
		if e.at != nil && (t.logical && e.dtype != dtype.Bool || e.dtype != dtype.Bool && !e.dtype.IsInteger()) {
			return false
		}
	}
	if fits := wide < 8 || narrow == 1 && t.k <= exactDepth && t.d.at == nil; narrow > 2 || !fits {
		if wide == 8 {
			multiplyElements[uint64](t, shared)
		} else {
			multiplyElements[uint32](t, shared)
		}
		return true
	}
	switch {
	case narrow == 1 && t.suitsTiles() && isa.AMX():
		multiplyGroups[gemm.MatrixQuads](t, 4, shared)
	case narrow == 1 && isa.VNNI():
		multiplyGroups[gemm.Quads](t, 4, shared)
	default:
		multiplyGroups[gemm.Pairs](t, 2, shared)
	}
	return true
}

// Up to so many rows or columns, so many steps, or so many products, the processor's tiles are not worth configuring.
const (
	fewByteLines    = 16
	fewByteSteps    = 32
	fewByteProducts = 1 << 18
)

// suitsTiles reports whether a product of bytes is large enough for gemm.MatrixQuads, and groups of a are contiguous along k, or will be.
func (t *task) suitsTiles() bool {
	t.turn()
	return min(t.m, t.n) > fewByteLines && t.k > fewByteSteps && t.m*t.n*t.k > fewByteProducts &&
		(t.isTransposed() || !t.a.across() && (t.a.depth == 1 || t.a.line != 1))
}

// isTransposed reports whether the columns of a are contiguous, one beside the other.
func (t *task) isTransposed() bool { return t.a.line == 1 && t.a.depth >= t.m }

// width is how many bytes of an operand's elements count: bytes above those of the result have no effect.
func (t *task) width(e elements) int { return min(e.dtype.Size(), t.dtype.Size()) }

// groups are the factors of a task as matrices of groups of successive elements along k.
type groups[T gemm.Group] struct {
	t      *task
	each   int // elements of a group
	steps  int // groups along k
	shared bool
	copies [5]*memory.Scratch
}

// size is the size of an element of a group.
func (g *groups[T]) size() int { return groupSize / g.each }

// groupSize is the size of a group in bytes.
const groupSize = 4

// multiplyGroups computes the sums in 32 bits. Pairs are signed; quads are signed in b, in a as gemm.SignedQuads says, or as the task
// says. If a factor's elements have the other signedness, half of their range is subtracted from each element, and terms added to the
// sums make up for it.
func multiplyGroups[T gemm.Integers](t *task, each int, shared bool) {
	t.turn()
	g := groups[T]{t: t, each: each, steps: (t.k + each - 1) / each, shared: shared}
	if !gemm.PacksA[T]() && t.isTransposed() {
		g.transpose()
	}
	offsetA, offsetB := g.offsets()
	b, panel := g.factor(t.b, t.n, offsetB != 0, t.m > narrowRows && t.n >= gemm.Columns[T](), g.copies[2:])
	if t.n == 1 && b.Depth == groupSize {
		b.Line = 0
	}
	f := tiled[T]{whole: gemm.Block{M: t.m, N: t.n, K: g.steps, B: b.At, BDepth: b.Depth, BPanel: panel, Signs: t.signs()}, bLine: b.Line}
	result := t.prepare(&f.whole, dtype.Int32)
	flips := offsetA != 0
	if flips && offsetB == 0 && g.areGroups(t.a) && f.copiesRows() { // each worker changes its own copies
		flips, f.changeA = false, gemm.Flip[T]
	}
	a, _ := g.factor(t.a, t.m, flips, false, g.copies[:2])
	f.whole.A, f.whole.ALine, f.whole.ADepth = a.At, a.Line, a.Depth
	terms := addTerms(&g, &f.whole, b.Line, offsetA, offsetB)
	f.compute(shared)
	result.store(t, &f.whole, shared)
	recycle([]*memory.Scratch{terms})
	recycle(g.copies[:])
}

// transpose replaces a, whose columns are contiguous, by a copy with contiguous rows.
func (g *groups[T]) transpose() {
	t, size := g.t, g.t.a.dtype.Size()
	room := memory.TakeScratch(t.m * t.k * size)
	g.copies[4] = room
	a := t.a
	g.forRanges(strided.CeilDiv(t.m, lineGroup), lineGroup*t.k, func(from, to int) {
		line := from * lineGroup
		move.Transpose(room.At(line*t.k*size), t.k, a.element(line, 0), a.depth, t.k, min(to*lineGroup, t.m)-line, size)
	})
	t.a = elements{at: room.At(0), dtype: a.dtype, line: t.k, depth: 1}
}

// signs returns the signs of bytes.
func (t *task) signs() (s gemm.Signs) {
	if t.a.dtype == dtype.Int8 {
		s |= gemm.SignedA
	}
	if t.b.dtype == dtype.Int8 {
		s |= gemm.SignedB
	}
	return s
}

// areGroups reports whether the elements of a factor lie in memory as groups do.
func (g *groups[T]) areGroups(e elements) bool {
	return e.dtype.Size() == g.size() && e.depth == 1 && g.t.k%g.each == 0
}

// offsets returns the differences between the elements of the factors and those of their groups. The differences are
// irrelevant if the result has no more bits than the elements, and there are none for gemm.MatrixQuads.
func (g *groups[T]) offsets() (a, b int32) {
	if g.t.dtype.Size() <= g.size() || !gemm.PacksA[T]() {
		return 0, 0
	}
	if g.each == 2 {
		if g.t.a.dtype == dtype.Uint16 {
			a = 1 << 15
		}
		if g.t.b.dtype == dtype.Uint16 {
			b = 1 << 15
		}
		return a, b
	}
	switch {
	case !gemm.SignedQuads && g.t.a.dtype == dtype.Int8:
		a = -1 << 7
	case gemm.SignedQuads && g.t.a.dtype == dtype.Uint8:
		a = 1 << 7
	}
	if g.t.b.dtype == dtype.Uint8 {
		b = 1 << 7
	}
	return a, b
}

// factor returns the groups of a factor with the given number of lines. It uses the factor itself if its elements are
// contiguous along k and need no change. If panels is set, the groups may be in panels of as many lines as b's panels
// have columns; then panel is the distance of the panels in bytes.
func (g *groups[T]) factor(e elements, lines int, flipped, panels bool, copies []*memory.Scratch) (f ByteMatrix, panel int) {
	t, size := g.t, g.size()
	of := e.dtype
	switch {
	case e.dtype.Size() < size:
		of = dtype.Int16
	case e.dtype.Size() > size:
		of = t.dtype
		if of.Size() < size {
			of = dtype.Int16
		}
	}
	var m ByteMatrix
	if e.dtype == of && (e.line == 1 || e.depth == 1) {
		m = ByteMatrix{At: e.at, Line: e.line * size, Depth: e.depth * size}
	} else {
		m = t.converted(e, lines, of, &copies[0])
	}
	if m.Depth == size && t.k%g.each == 0 && !flipped && !gemm.Reorders[T]() {
		return ByteMatrix{At: m.At, Line: m.Line, Depth: groupSize}, 0
	}
	room := memory.TakeScratch(strided.RoundUp(lines, gemm.Columns[T]()) * g.steps * groupSize)
	copies[1] = room
	if m.Depth == size {
		g.forRanges(lines, g.steps, func(from, to int) {
			for i := from; i < to; i++ {
				gemm.CopyGroups[T](memory.Room[T](room, i*g.steps*groupSize, g.steps), unsafe.Add(m.At, i*m.Line), t.k, flipped)
			}
		})
		return ByteMatrix{At: room.At(0), Line: g.steps * groupSize, Depth: groupSize}, 0
	}
	width := lines // distance of the panels
	if panels {
		width = gemm.Columns[T]()
	}
	g.forRanges(strided.CeilDiv(lines, width), width*g.steps, func(from, to int) {
		for i := from; i < to; i++ {
			n, panel := min(width, lines-i*width), room.At(i*width*g.steps*groupSize)
			gemm.Interleave[T](panel, width*groupSize, unsafe.Add(m.At, i*width*m.Line), m.Depth, n, t.k, flipped)
		}
	})
	if panels {
		panel = width * g.steps * groupSize
	}
	return ByteMatrix{At: room.At(0), Line: groupSize, Depth: width * groupSize}, panel
}

// forRanges performs work of n pieces; each piece has the given number of groups.
func (g *groups[T]) forRanges(n, groups int, body func(from, to int)) {
	if g.shared {
		workers.ForRanges(n, float64(groups)*packCost, body)
		return
	}
	body(0, n)
}

// addTerms adds the terms to the block that make up for the offsets: with a = a' + o and b = b' + q the product is Σ
// a'b' + o·Σ b' + q·Σ a' + k·o·q. The sums are products with ones.
func addTerms[T gemm.Integers](g *groups[T], whole *gemm.Block, bLine int, o, q int32) *memory.Scratch {
	if o == 0 && q == 0 {
		return nil
	}
	m, n, k := whole.M, whole.N, g.steps
	space := memory.TakeScratch((n + m + k) * groupSize)
	columns, rows := memory.Room[int32](space, 0, n), memory.Room[int32](space, n*groupSize, m)
	gemm.Ones(memory.Room[T](space, (n+m)*groupSize, k), g.t.k)
	ones := space.At((n + m) * groupSize)
	clear(columns)
	clear(rows)
	if o != 0 {
		sums := gemm.Block{M: 1, N: n, K: k, A: ones, ALine: k * groupSize, ADepth: groupSize, B: whole.B, BDepth: whole.BDepth, BPanel: whole.BPanel,
			C: space.At(0), CLine: n * groupSize}
		multiplyBlock[T](&sums, bLine, g.shared)
		for j := range columns {
			columns[j] = columns[j]*o + int32(g.t.k)*o*q
		}
	}
	if q != 0 {
		sums := gemm.Block{M: m, N: 1, K: k, A: whole.A, ALine: whole.ALine, ADepth: whole.ADepth, B: ones, BDepth: groupSize,
			C: space.At(n * groupSize), CLine: groupSize}
		multiplyBlock[T](&sums, 0, g.shared)
	}
	if q == 0 && whole.D == nil {
		whole.D, whole.DLine = space.At(0), 0
		return space
	}
	for i := range m {
		to, more := memory.Slice[int32](unsafe.Add(whole.C, i*whole.CLine), n), rows[i]*q
		if whole.D == nil {
			for j, v := range columns {
				to[j] = v + more
			}
			continue
		}
		for j, v := range memory.Slice[int32](unsafe.Add(whole.D, i*whole.DLine), n) {
			to[j] = v + columns[j] + more
		}
	}
	whole.D, whole.DLine = whole.C, whole.CLine
	return space
}
