package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// floatMatrix is an operand of a product of floats, with strides in bytes; lines and depth are those of matrix.
type floatMatrix struct {
	at          unsafe.Pointer
	line, depth int
}

// multiplyFloats does one matrix of the batch with the routines of package gemm. These want the rows of the result in one
// piece: where its columns are, the product of the transposed matrices is made.
func multiplyFloats[T gemm.Float](p *matrixProduct, batch int, shared bool) {
	size := p.dtype.Size()
	var copies [4]*scratch
	a, b := p.floats(p.a.block(batch), p.m, &copies[0]), p.floats(p.b.block(batch), p.n, &copies[1])
	m, n, result, d := p.m, p.n, p.c, p.d
	if result.depth != 1 && (result.line == 1 || n == 1) || n == 1 && m > 1 && result.line == 1 {
		a, b, m, n = b, a, n, m
		result.line, result.depth = result.depth, result.line
		d.line, d.depth = d.depth, d.line
	}
	to := p.c.batch.at(batch)
	c := floatMatrix{to, result.line * size, size}
	apart := result.dtype != p.dtype || result.depth != 1 && n > 1
	if apart {
		copies[2] = takeScratch(m * n * size)
		c = floatMatrix{copies[2].at(0), n * size, size}
	}
	if n == 1 && b.depth == size {
		b.line = 0
	} else if n == 1 {
		b.line = size
	}
	whole := gemm.Block{
		M: m, N: n, K: p.k, A: a.at, ALine: a.line, ADepth: a.depth, B: b.at, BDepth: b.depth, C: c.at, CLine: c.line,
	}
	if p.adds {
		at := d.batch.at(batch)
		whole.D, whole.DLine = at, d.line*size
		if d.dtype != p.dtype || d.depth != 1 && n > 1 {
			copies[3] = takeScratch(m * n * size)
			whole.D, whole.DLine = copies[3].at(0), n*size
			for i := range m {
				dtype.Convert(p.dtype, copies[3].at(i*n*size), 1, d.dtype, unsafe.Add(at, i*d.line*d.size), d.depth, n)
			}
		}
	}
	multiplyBlock[T](&whole, b.line, shared)
	if apart {
		for i := range m {
			dtype.Convert(result.dtype, unsafe.Add(to, i*result.line*result.size), result.depth, p.dtype, unsafe.Add(c.at, i*c.line), 1, n)
		}
	}
	for _, s := range copies {
		if s != nil {
			s.recycle()
		}
	}
}

// floats returns a factor of so many lines, converted where it is of another type.
func (p *matrixProduct) floats(b block, lines int, copies **scratch) floatMatrix {
	size := p.dtype.Size()
	if b.dtype == p.dtype {
		return floatMatrix{b.base, b.line * size, b.depth * size}
	}
	room := takeScratch(lines * p.k * size)
	*copies = room
	if b.across() {
		for k := range p.k {
			dtype.Convert(p.dtype, room.at(k*lines*size), 1, b.dtype, b.at(0, k), b.line, lines)
		}
		return floatMatrix{room.at(0), size, lines * size}
	}
	for i := range lines {
		dtype.Convert(p.dtype, room.at(i*p.k*size), 1, b.dtype, b.at(i, 0), b.depth, p.k)
	}
	return floatMatrix{room.at(0), p.k * size, size}
}

// floatProduct is a product of floats in parts. How the sums are cut along k depends on the shape and the strides alone;
// what else is chosen here only decides who makes which sums, and when.
type floatProduct[T gemm.Float] struct {
	whole gemm.Block // with b in place
	bLine int        // from column to column of b
	depth int        // steps along k at a time

	rows, columns int // of a piece of the work
	alongDepth    bool
	packA, packB  bool
	left, panels  *scratch // a, if it is copied as a whole, and a slab of b
	slab
}

// Sizes of parts, in bytes: of the copied b, of which the next panel is asked for in time wherever it lies, and of the
// copied a, which is to stay in the second-level cache.
const (
	slabBytes  = 2 << 20
	blockBytes = 176 << 10
)

// From so many bytes on a factor is copied: one that lies well comes quickly from where it is while it fits into the
// second-level cache.
const (
	manyBytes = 1 << 20
	scattered = 128 << 10 // where the elements of a line are apart
)

// Of a product of so few rows, b is read too seldom for a copy to pay. It is read in place, and the copy of a, which stays
// in the second-level cache as a whole, is made once.
const fewRows = 160

// depthBytes bounds the steps along k that are made at a time: so much of a panel of b comes quickly, and the sums are
// seldom put aside. Of a b that is large and in place, on a page of memory a row, it is half of that.
const depthBytes = 2048

// evenDepth cuts k steps into as few equal parts as that allows.
func evenDepth(k, size, bytes int) int {
	return roundUp(ceilDiv(k, ceilDiv(k*size, bytes)), 8)
}

// packCost is what an element of b takes to copy, in nanoseconds.
const packCost = 0.2

// multiplyBlock computes a block whose b has that stride from column to column.
func multiplyBlock[T gemm.Float](whole *gemm.Block, bLine int, shared bool) {
	f := floatProduct[T]{whole: *whole, bLine: bLine}
	f.plan()
	switch {
	case f.alongDepth && whole.M == 1 && whole.N == 1:
		multiplyVectors[T](whole, shared)
	case f.alongDepth && shared:
		own := f
		groups := (whole.N + lineGroup - 1) / lineGroup
		forRanges(groups, float64(whole.M)*float64(min(whole.N, lineGroup))*float64(whole.K)*floatProductCost(f.size()), own.multiplyLines)
	case f.alongDepth:
		gemm.MultiplyLines[T](whole, bLine, whole.N)
	case f.fewColumns():
		multiplyColumns[T](whole, shared)
	default:
		f.packLeft(shared)
		f.multiply(shared)
		if f.left != nil {
			f.left.recycle()
		}
	}
}

func (f *floatProduct[T]) multiply(shared bool) {
	switch {
	case f.packB:
		f.slabs(shared)
	case shared:
		own := *f
		own.cut()
		forRanges(own.pieces(f.whole.N), own.pieceCost(f.whole.K), own.multiplyInPlace)
	default:
		f.rows, f.columns = f.rowsAtOnce(), f.whole.N
		f.multiplyInPlace(0, f.pieces(f.whole.N))
	}
}

// packLeft copies a few rows of a as a whole.
func (f *floatProduct[T]) packLeft(shared bool) {
	w := &f.whole
	if !f.packA || w.M > fewRows {
		return
	}
	parts := ceilDiv(w.K, f.depth)
	f.left = takeScratch(parts * gemm.SizeA[T](w.M, f.depth))
	if !shared {
		f.packLeftParts(0, parts)
		return
	}
	own := *f
	forRanges(parts, float64(w.M*f.depth)*packCost, own.packLeftParts)
}

func (f *floatProduct[T]) packLeftParts(from, to int) {
	w := &f.whole
	for i := from; i < to; i++ {
		k := i * f.depth
		part := gemm.Block{M: w.M, K: min(f.depth, w.K-k), A: unsafe.Add(w.A, k*w.ADepth), ALine: w.ALine, ADepth: w.ADepth}
		gemm.PackA[T](&part, f.leftPart(i))
	}
}

func (f *floatProduct[T]) leftPart(i int) unsafe.Pointer {
	return f.left.at(i * gemm.SizeA[T](f.whole.M, f.depth))
}

func (f *floatProduct[T]) size() int { return int(unsafe.Sizeof(*new(T))) }

// plan decides which factors are copied: b where its rows are not in one piece or lie on many pages of memory, a where it
// is large and read often.
func (f *floatProduct[T]) plan() {
	w := &f.whole
	bytes := w.N * w.K * f.size() // of b
	f.packB = f.bLine != f.size() || w.BDepth >= 1024 && w.M > fewRows && bytes > manyBytes/2
	far := bytes > manyBytes && !f.packB
	least := manyBytes
	switch {
	case far:
		least = 0
	case w.ADepth != f.size():
		least = scattered
	}
	f.packA = w.N >= 8*gemm.Columns[T]() && w.K > 16 && w.M > narrowRows && w.M*w.K*f.size() > least
	f.depth = evenDepth(w.K, f.size(), depthBytes)
	if far && f.packA {
		f.depth = evenDepth(w.K, f.size(), depthBytes/2)
	}
	if f.bLine != f.size() && w.BDepth == f.size() && w.ADepth == f.size() {
		f.alongDepth = w.M <= 16 || w.M <= 64 && w.K >= 2048
	}
	if w.M <= narrowRows && f.bLine == f.size() && w.BDepth > 1024 && bytes > scattered {
		f.depth = narrowDepth
	}
}

// Of products of so few rows, b is read once, from memory: that is faster if few of its rows are read at a time.
const (
	narrowRows  = 6
	narrowDepth = 16
)

// lineGroup is how many columns are a piece of a product along the depth.
const lineGroup = 16

func (f *floatProduct[T]) multiplyLines(from, to int) {
	column, n := from*lineGroup, min(to*lineGroup, f.whole.N)-from*lineGroup
	b := f.whole
	b.N, b.B, b.C = n, unsafe.Add(b.B, column*f.bLine), unsafe.Add(b.C, column*f.size())
	if b.D != nil {
		b.D = unsafe.Add(b.D, column*f.size())
	}
	gemm.MultiplyLines[T](&b, f.bLine, b.N)
}

// fewColumns reports whether a vector along the columns would be empty for the most part, so that it pays to turn b and
// make inner products.
func (f *floatProduct[T]) fewColumns() bool {
	w := &f.whole
	return w.N <= 4 && w.K >= 64 && w.M >= 16 && f.bLine == f.size() && w.ADepth == f.size()
}

// rowGroup is how many rows are a piece of a product with few columns.
const rowGroup = 64

// multiplyColumns makes the inner products of the rows and of four lines, of which the last may be zeros.
func multiplyColumns[T gemm.Float](whole *gemm.Block, shared bool) {
	size := int(unsafe.Sizeof(*new(T)))
	space := takeScratch(4 * whole.K * size)
	lines := room[T](space, 0, 4*whole.K)
	clear(lines[whole.N*whole.K:])
	for k := range whole.K {
		for j, v := range elements[T](unsafe.Add(whole.B, k*whole.BDepth), whole.N) {
			lines[j*whole.K+k] = v
		}
	}
	b := *whole
	b.B = space.at(0)
	if shared {
		own := b
		forRanges((b.M+rowGroup-1)/rowGroup, rowGroup*float64(b.N*b.K)*floatProductCost(size), func(from, to int) {
			multiplyRows[T](own, from*rowGroup, min(to*rowGroup, own.M))
		})
	} else {
		multiplyRows[T](b, 0, b.M)
	}
	space.recycle()
}

func multiplyRows[T gemm.Float](b gemm.Block, from, to int) {
	b.M, b.A, b.C = to-from, unsafe.Add(b.A, from*b.ALine), unsafe.Add(b.C, from*b.CLine)
	if b.D != nil {
		b.D = unsafe.Add(b.D, from*b.DLine)
	}
	gemm.MultiplyLines[T](&b, b.K*int(unsafe.Sizeof(*new(T))), 4)
}

// rowsAtOnce returns how many rows of a stay in the second-level cache: all, or a multiple of the tiles'.
func (f *floatProduct[T]) rowsAtOnce() int {
	if f.whole.M <= fewRows {
		return f.whole.M
	}
	unit := gemm.Rows[T]()
	most := max(1, blockBytes/(f.depth*f.size())/unit) * unit
	blocks := (f.whole.M + most - 1) / most
	return roundUp((f.whole.M+blocks-1)/blocks, unit)
}

// cut makes pieces for all workers to take: of few rows by columns if those are enough, else by rows first.
func (f *floatProduct[T]) cut() {
	wanted := 4 * workers.count()
	f.rows, f.columns = f.rowsAtOnce(), f.whole.N
	if f.packB {
		f.columns = f.slab.n
	}
	if panel := gemm.Columns[T](); f.left != nil || f.whole.M <= fewRows && f.columns >= wanted*panel {
		f.columns = roundUp(ceilDiv(f.columns, wanted), panel)
		return
	}
	unit := gemm.Rows[T]()
	if blocks := (f.whole.M + f.rows - 1) / f.rows; blocks < wanted {
		f.rows = roundUp((f.whole.M+wanted-1)/wanted, 4*unit)
	}
	if blocks := (f.whole.M + f.rows - 1) / f.rows; blocks < wanted {
		parts := (wanted + blocks - 1) / blocks
		f.columns = roundUp((f.columns+parts-1)/parts, 2*gemm.Columns[T]())
	}
}

// pieces returns how many pieces there are in n columns.
func (f *floatProduct[T]) pieces(n int) int {
	return ((f.whole.M + f.rows - 1) / f.rows) * ((n + f.columns - 1) / f.columns)
}

// pieceCost returns the nanoseconds that a piece takes.
func (f *floatProduct[T]) pieceCost(k int) float64 {
	return float64(min(f.rows, f.whole.M)) * float64(min(f.columns, f.whole.N)) * float64(k) * floatProductCost(f.size())
}

// floatProductCost returns what a product and sum take, in nanoseconds.
func floatProductCost(size int) float64 {
	switch isa.Current() {
	case isa.AVX512:
		return 0.004 * float64(size)
	case isa.AVX2:
		return 0.007 * float64(size)
	}
	return productCost
}

// multiplyInPlace does pieces without a copy of b.
func (f *floatProduct[T]) multiplyInPlace(from, to int) {
	across := (f.whole.N + f.columns - 1) / f.columns
	for piece := from; piece < to; piece++ {
		row, column := piece/across*f.rows, piece%across*f.columns
		for k := 0; k < f.whole.K; k += f.depth {
			s := slab{column: column, n: min(f.columns, f.whole.N-column), depth: k, k: min(f.depth, f.whole.K-k)}
			b := f.part(s, row)
			b.B, b.BDepth = unsafe.Add(f.whole.B, column*f.bLine+k*f.whole.BDepth), f.whole.BDepth
			f.multiplyPart(&b)
		}
	}
}

// part returns the block of a slab's columns and steps, and f.rows rows from one on.
func (f *floatProduct[T]) part(s slab, row int) gemm.Block {
	w := &f.whole
	at := row*w.CLine + s.column*f.size()
	b := gemm.Block{
		M: min(f.rows, w.M-row), N: s.n, K: s.k, A: unsafe.Add(w.A, row*w.ALine+s.depth*w.ADepth), ALine: w.ALine, ADepth: w.ADepth,
		C: unsafe.Add(w.C, at), CLine: w.CLine,
	}
	if f.left != nil {
		gemm.UsePackedA[T](&b, f.leftPart(s.depth/f.depth))
	}
	switch {
	case s.depth > 0:
		b.D, b.DLine = b.C, b.CLine
	case w.D != nil:
		b.D, b.DLine = unsafe.Add(w.D, row*w.DLine+s.column*f.size()), w.DLine
	}
	return b
}

func (f *floatProduct[T]) multiplyPart(b *gemm.Block) {
	if !f.packA || f.left != nil {
		gemm.Multiply[T](b)
		return
	}
	room := takeScratch(gemm.SizeA[T](b.M, b.K))
	gemm.PackA[T](b, room.at(0))
	gemm.Multiply[T](b)
	room.recycle()
}

// vectorPiece is how much of a long inner product is summed up on its own.
const vectorPiece = 1 << 14

// multiplyVectors computes an inner product: pieces, which are then added pairwise.
func multiplyVectors[T gemm.Float](b *gemm.Block, shared bool) {
	x, y := unsafe.Slice((*T)(b.A), b.K), unsafe.Slice((*T)(b.B), b.K)
	var total T
	if pieces := (b.K + vectorPiece - 1) / vectorPiece; pieces == 1 {
		total = gemm.Dot(x, y)
	} else {
		space := takeScratch(pieces * int(unsafe.Sizeof(total)))
		sums := room[T](space, 0, pieces)
		if shared {
			forRanges(pieces, vectorPiece*vectorCost, func(from, to int) { multiplyPieces(sums, x, y, from, to) })
		} else {
			multiplyPieces(sums, x, y, 0, pieces)
		}
		total = pairwise(sums)
		space.recycle()
	}
	if b.D != nil {
		total += *(*T)(b.D)
	}
	*(*T)(b.C) = total
}

// vectorCost is what an element of an inner product takes, in nanoseconds: it is read from memory.
const vectorCost = 0.2

func multiplyPieces[T gemm.Float](sums, x, y []T, from, to int) {
	for i := from; i < to; i++ {
		end := min((i+1)*vectorPiece, len(x))
		sums[i] = gemm.Dot(x[i*vectorPiece:end], y[i*vectorPiece:end])
	}
}

// pairwise adds numbers up in halves.
func pairwise[T gemm.Float](x []T) T {
	if len(x) == 1 {
		return x[0]
	}
	return pairwise(x[:len(x)/2]) + pairwise(x[len(x)/2:])
}

// slabs goes through the slabs of b, and copies each to panels before its pieces are done.
func (f *floatProduct[T]) slabs(shared bool) {
	w := &f.whole
	most := max(1, slabBytes/(f.depth*f.size())/gemm.Columns[T]()) * gemm.Columns[T]()
	f.panels = takeScratch(gemm.SizeB[T](min(most, w.N), min(f.depth, w.K)))
	for column := 0; column < w.N; column += most {
		for k := 0; k < w.K; k += f.depth {
			f.slab = slab{column: column, n: min(most, w.N-column), depth: k, k: min(f.depth, w.K-k)}
			panels := (f.slab.n + gemm.Columns[T]() - 1) / gemm.Columns[T]()
			if shared {
				own := *f
				own.cut()
				forRanges(panels, float64(own.k*gemm.Columns[T]())*packCost, own.pack)
				forRanges(own.pieces(own.n), own.pieceCost(own.k), own.multiplyPacked)
				continue
			}
			f.rows, f.columns = f.rowsAtOnce(), f.slab.n
			f.pack(0, panels)
			f.multiplyPacked(0, f.pieces(f.slab.n))
		}
	}
	f.panels.recycle()
}

// panel returns where a panel of the slab is.
func (f *floatProduct[T]) panel(i int) unsafe.Pointer {
	return f.panels.at(i * gemm.Columns[T]() * f.slab.k * f.size())
}

// packDepth is how many rows of b are copied at a time: as many as memory can be read along at once.
const packDepth = 16

func (f *floatProduct[T]) pack(from, to int) {
	w, columns := &f.whole, gemm.Columns[T]()
	steps := f.slab.k
	if f.bLine == f.size() {
		steps = packDepth
	}
	for k := 0; k < f.slab.k; k += steps {
		for i := from; i < to; i++ {
			j := i * columns
			src := unsafe.Add(w.B, (f.slab.column+j)*f.bLine+(f.slab.depth+k)*w.BDepth)
			gemm.PackB[T](unsafe.Add(f.panel(i), k*columns*f.size()), src, f.bLine, w.BDepth, min(columns, f.slab.n-j), min(steps, f.slab.k-k))
		}
	}
}

// multiplyPacked does pieces with the copied slab.
func (f *floatProduct[T]) multiplyPacked(from, to int) {
	across := (f.slab.n + f.columns - 1) / f.columns
	columns := gemm.Columns[T]()
	for piece := from; piece < to; piece++ {
		row, column := piece/across*f.rows, piece%across*f.columns
		s := f.slab
		s.column, s.n = s.column+column, min(f.columns, s.n-column)
		b := f.part(s, row)
		b.B, b.BDepth, b.BPanel = f.panel(column/columns), columns*f.size(), columns*f.slab.k*f.size()
		f.multiplyPart(&b)
	}
}
