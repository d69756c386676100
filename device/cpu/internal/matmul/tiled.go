package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// multiplyElements computes a task with the routines of package gemm.
func multiplyElements[T gemm.Element](t *task, shared bool) {
	t.turn()
	size := t.dtype.Size()
	var copies [2]*memory.Scratch
	a, b := t.factor(t.a, t.m, t.dtype, &copies[0]), t.factor(t.b, t.n, t.dtype, &copies[1])
	whole := gemm.Block{A: a.At, ALine: a.Line, ADepth: a.Depth, B: b.At, BDepth: b.Depth, K: t.k}
	if t.n == 1 && b.Depth == size {
		b.Line = 0
	} else if t.n == 1 {
		b.Line = size
	}
	result := t.prepare(&whole, t.dtype)
	whole.Bounds = t.limits.bounds(t.dtype)
	if !multiplyBlock[T](&whole, b.Line, shared) {
		t.limits.miss()
	}
	result.store(t, &whole, shared)
	recycle(copies[:])
}

// tiled is a product in parts. How the sums are split along k depends only on the shape and the strides; all other
// choices here only decide who computes which sums, and when.
type tiled[T gemm.Element] struct {
	whole gemm.Block // with b not copied
	bLine int        // distance of the columns of b
	depth int        // steps along k at a time

	rows, columns    int // size of a piece of the work
	alongDepth       bool
	copiesA, copiesB bool
	changeA          func(copy unsafe.Pointer, bytes int) // changes the elements of every copy of a, if it is not nil
	symmetric        bool                                 // only the sums below the diagonal are computed, and some beside it
	aPanels, bPanels *memory.Scratch                      // a, if it is copied as a whole, and a slab of b
	slab
}

// Sizes of parts, in bytes: of the copied b, whose next panel is always prefetched in time, and of the copied a, which
// should stay in the second-level cache.
const (
	slabBytes  = 2 << 20
	blockBytes = 176 << 10
)

// Factors from this size in bytes on are copied. A smaller factor with a good layout is fast to read in place, since it
// fits in the second-level cache.
const (
	largeFactor  = 1 << 20
	largeColumns = 128 << 10 // if the elements of a line are not contiguous
)

// mostRowsInPlace is the number of rows of a up to which b is read too rarely for a copy of it to be worth it. Then b
// is read in place, and a, which stays in the second-level cache as a whole, is copied once.
const mostRowsInPlace = 160

// depthBytes limits the steps along k that are computed at a time: a panel of b of this size is fast to read, and the
// sums are rarely stored and loaded again. For a large b that is read in place, with one row per memory page, the limit
// is half of it.
const depthBytes = 2048

// evenDepth splits k steps into as few equal parts as the limit allows.
func evenDepth(k, size, bytes int) int {
	return strided.RoundUp(strided.CeilDiv(k, strided.CeilDiv(k*size, bytes)), 8)
}

// packCost is the cost of copying an element of b, in nanoseconds.
const packCost = 0.2

// Multiply computes a block of floats whose b has the given stride from column to column, with other workers if shared is
// set. How sums are split depends only on the shape and the strides.
func Multiply[T gemm.Float](b *gemm.Block, bLine int, shared bool) {
	multiplyBlock[T](b, bLine, shared)
}

// multiplyBlock computes a block whose b has the given stride from column to column. It reports whether it applied the bounds of the
// block to all sums.
func multiplyBlock[T gemm.Element](whole *gemm.Block, bLine int, shared bool) bool {
	f := tiled[T]{whole: *whole, bLine: bLine}
	return f.compute(shared)
}

// compute computes the block. It reports whether tiles did it, which apply the bounds.
func (f *tiled[T]) compute(shared bool) bool {
	f.plan()
	switch whole := &f.whole; {
	case f.alongDepth && whole.M == 1 && whole.N == 1:
		multiplyVectors[T](whole, shared)
	case f.alongDepth && shared:
		own := *f
		groups := (whole.N + lineGroup - 1) / lineGroup
		workers.ForRanges(groups, float64(whole.M)*float64(min(whole.N, lineGroup))*float64(whole.K)*productCost[T](), own.multiplyLines)
	case f.alongDepth:
		gemm.MultiplyLines[T](whole, f.bLine, whole.N)
	case f.hasFewColumns():
		multiplyColumns[T](whole, shared)
	default:
		f.multiply(shared)
		return true
	}
	return false
}

// multiply computes the block by tiles.
func (f *tiled[T]) multiply(shared bool) {
	f.packA(shared)
	f.symmetric = f.isSymmetric()
	f.multiplyTiles(shared)
	if f.symmetric {
		f.mirror()
	}
	if f.aPanels != nil {
		f.aPanels.Recycle()
	}
}

func (f *tiled[T]) multiplyTiles(shared bool) {
	switch {
	case f.copiesB:
		f.slabs(shared)
	case shared:
		own := *f
		own.cut()
		workers.ForRanges(own.pieces(f.whole.N), own.pieceCost(f.whole.K), own.multiplyInPlace)
	default:
		f.rows, f.columns = f.someRows(), f.whole.N
		f.multiplyInPlace(0, f.pieces(f.whole.N))
	}
}

func (f *tiled[T]) size() int { return int(unsafe.Sizeof(*new(T))) }

// plan decides which factors are copied: b if its rows are not contiguous or lie on many memory pages, a if it is large
// and read often.
func (f *tiled[T]) plan() {
	w := &f.whole
	bytes := w.N * w.K * f.size() // distance of the columns of b
	f.copiesB = f.bLine != f.size() || w.BDepth >= 1024 && w.M > mostRowsInPlace && bytes > largeFactor/2
	far := bytes > largeFactor && !f.copiesB && w.BPanel == 0
	least := largeFactor
	switch {
	case far, w.BPanel > 0, isa.PrefersPanels(): // for groups, computing the addresses would delay the products
		least = 0
	case w.ADepth != f.size():
		least = largeColumns
	}
	f.copiesA = gemm.PacksA[T]() && w.N >= 8*gemm.Columns[T]() && w.K > 16 && w.M > narrowRows && w.M*w.K*f.size() > least
	f.depth = evenDepth(w.K, f.size(), depthBytes)
	if far && f.copiesA {
		f.depth = evenDepth(w.K, f.size(), depthBytes/2)
	}
	if f.bLine != f.size() && w.BDepth == f.size() && w.ADepth == f.size() && gemm.PacksA[T]() { // tiles are faster than lines
		f.alongDepth = w.M <= 16 || w.M <= 64 && w.K >= 2048
	}
	if w.M <= narrowRows && f.bLine == f.size() && w.BDepth > 1024 && bytes > largeColumns {
		f.depth = narrowDepth
	}
}

// copiesRows reports whether compute will copy a, if the distance of its elements along k is that of elements in memory.
func (f *tiled[T]) copiesRows() bool {
	f.whole.ADepth = f.size()
	f.plan()
	return f.copiesA && !f.alongDepth
}

// For products of so few rows, b is read once, from memory: that is faster if few of its rows are read at a time.
const (
	narrowRows  = 6
	narrowDepth = 16
)

// lineGroup is how many columns make up a piece of a product along the depth.
const lineGroup = 16

func (f *tiled[T]) multiplyLines(from, to int) {
	column, n := from*lineGroup, min(to*lineGroup, f.whole.N)-from*lineGroup
	b := f.whole
	b.N, b.B, b.C = n, unsafe.Add(b.B, column*f.bLine), unsafe.Add(b.C, column*f.size())
	if b.D != nil {
		b.D = unsafe.Add(b.D, column*f.size())
	}
	gemm.MultiplyLines[T](&b, f.bLine, b.N)
}

// hasFewColumns reports whether a vector along the columns would be mostly empty, so that it is worth transposing b and
// computing inner products.
func (f *tiled[T]) hasFewColumns() bool {
	w := &f.whole
	return w.N <= 4 && w.K >= 64 && w.M >= 16 && f.bLine == f.size() && w.ADepth == f.size() && w.BPanel == 0
}

// rowGroup is how many rows make up a piece of a product with few columns.
const rowGroup = 64

// multiplyColumns computes the inner products of the rows with four lines, of which the last ones may be zeros.
func multiplyColumns[T gemm.Element](whole *gemm.Block, shared bool) {
	size := int(unsafe.Sizeof(*new(T)))
	space := memory.TakeScratch(4 * whole.K * size)
	lines := memory.Room[T](space, 0, 4*whole.K)
	clear(lines[whole.N*whole.K:])
	for k := range whole.K {
		for j, v := range memory.Slice[T](unsafe.Add(whole.B, k*whole.BDepth), whole.N) {
			lines[j*whole.K+k] = v
		}
	}
	b := *whole
	b.B = space.At(0)
	if shared {
		own := b
		workers.ForRanges((b.M+rowGroup-1)/rowGroup, rowGroup*float64(b.N*b.K)*productCost[T](), func(from, to int) {
			multiplyRows[T](own, from*rowGroup, min(to*rowGroup, own.M))
		})
	} else {
		multiplyRows[T](b, 0, b.M)
	}
	space.Recycle()
}

func multiplyRows[T gemm.Element](b gemm.Block, from, to int) {
	b.M, b.A, b.C = to-from, unsafe.Add(b.A, from*b.ALine), unsafe.Add(b.C, from*b.CLine)
	if b.D != nil {
		b.D = unsafe.Add(b.D, from*b.DLine)
	}
	gemm.MultiplyLines[T](&b, b.K*int(unsafe.Sizeof(*new(T))), 4)
}

// rowsAtOnce returns how many rows of a stay in the second-level cache: all, or a multiple of the tiles'.
func (f *tiled[T]) rowsAtOnce() int {
	if f.whole.M <= mostRowsInPlace {
		return f.whole.M
	}
	unit, bytes := gemm.Rows[T](), blockBytes
	if !gemm.PacksA[T]() && f.whole.N*f.whole.K*f.size() > isa.NearCache() { // reading b again takes longer than multiplying it
		bytes = isa.NearCache() / 4
	}
	most := max(1, bytes/(f.depth*f.size())/unit) * unit
	blocks := (f.whole.M + most - 1) / most
	return strided.RoundUp((f.whole.M+blocks-1)/blocks, unit)
}

// cut chooses pieces so that all workers get some: with few rows by columns if there are enough, else by rows first.
func (f *tiled[T]) cut() {
	wanted := 4 * workers.Count()
	f.rows, f.columns = f.someRows(), f.whole.N
	if f.copiesB {
		f.columns = f.slab.n
	}
	if panel := gemm.Columns[T](); f.aPanels != nil || f.whole.M <= mostRowsInPlace && f.columns >= wanted*panel {
		f.columns = strided.RoundUp(strided.CeilDiv(f.columns, wanted), panel)
		return
	}
	unit := gemm.Rows[T]()
	if blocks := (f.whole.M + f.rows - 1) / f.rows; blocks < wanted {
		f.rows = strided.RoundUp((f.whole.M+wanted-1)/wanted, 4*unit)
	}
	if blocks := (f.whole.M + f.rows - 1) / f.rows; blocks < wanted {
		parts := (wanted + blocks - 1) / blocks
		f.columns = strided.RoundUp((f.columns+parts-1)/parts, 2*gemm.Columns[T]())
	}
}

// pieces returns how many pieces there are in n columns.
func (f *tiled[T]) pieces(n int) int {
	return ((f.whole.M + f.rows - 1) / f.rows) * ((n + f.columns - 1) / f.columns)
}

// pieceCost returns the nanoseconds that a piece takes.
func (f *tiled[T]) pieceCost(k int) float64 {
	return float64(min(f.rows, f.whole.M)) * float64(min(f.columns, f.whole.N)) * float64(k) * productCost[T]()
}

// FloatProductCost returns the nanoseconds per product and sum.
func FloatProductCost(size int) float64 {
	switch isa.Current() {
	case isa.AVX512:
		return 0.004 * float64(size)
	case isa.AVX2:
		return 0.007 * float64(size)
	}
	return ProductCost
}

// productCost is FloatProductCost for elements of any type.
func productCost[T gemm.Element]() float64 {
	var v T
	cost := FloatProductCost(int(unsafe.Sizeof(v)))
	switch any(v).(type) {
	case uint32, uint64:
		return 3 * cost
	case gemm.Pairs:
		if isa.Current() != isa.AVX512 || !isa.VNNI() {
			return 2 * cost
		}
	case gemm.MatrixQuads:
		return cost / 8
	}
	return cost
}

// multiplyInPlace computes pieces without a copy of b.
func (f *tiled[T]) multiplyInPlace(from, to int) {
	down := strided.CeilDiv(f.whole.M, f.rows)
	for piece := from; piece < to; piece++ {
		row, column := piece%down*f.rows, piece/down*f.columns
		for k := 0; k < f.whole.K; k += f.depth {
			s := slab{column: column, n: f.width(row, column, min(f.columns, f.whole.N-column)), depth: k, k: min(f.depth, f.whole.K-k)}
			if s.n <= 0 {
				break
			}
			b := f.part(s, row)
			b.B, b.BDepth, b.BPanel = unsafe.Add(f.whole.B, f.columnOfB(column)+k*f.whole.BDepth), f.whole.BDepth, f.whole.BPanel
			f.multiplyPart(&b)
		}
	}
}

// columnOfB returns the distance in bytes of a column from the first column of b. If b is in panels, the column must be
// the first one of a panel.
func (f *tiled[T]) columnOfB(column int) int {
	if panel := f.whole.BPanel; panel > 0 {
		return column / gemm.Columns[T]() * panel
	}
	return column * f.bLine
}

// part returns the block with a slab's columns and steps, and f.rows rows starting at one row.
func (f *tiled[T]) part(s slab, row int) gemm.Block {
	w := &f.whole
	at := row*w.CLine + s.column*f.size()
	b := gemm.Block{
		M: min(f.rows, w.M-row), N: s.n, K: s.k, A: unsafe.Add(w.A, row*w.ALine+s.depth*w.ADepth), ALine: w.ALine, ADepth: w.ADepth,
		C: unsafe.Add(w.C, at), CLine: w.CLine,
	}
	if f.aPanels != nil {
		gemm.UsePackedA[T](&b, f.partOfA(s.depth/f.depth))
	}
	switch {
	case s.depth > 0:
		b.D, b.DLine = b.C, b.CLine
	case w.D != nil:
		b.D, b.DLine = unsafe.Add(w.D, row*w.DLine+s.column*f.size()), w.DLine
	}
	if b.Signs = w.Signs; s.depth+s.k == w.K {
		b.Bounds = w.Bounds
	}
	return b
}

func (f *tiled[T]) multiplyPart(b *gemm.Block) {
	if !f.copiesA || f.aPanels != nil {
		gemm.Multiply[T](b)
		return
	}
	size := gemm.SizeA[T](b.M, b.K)
	room := memory.TakeScratch(size)
	f.packRows(b, room.At(0), size)
	gemm.Multiply[T](b)
	room.Recycle()
}

// packRows copies a to room, which has the given size in bytes.
func (f *tiled[T]) packRows(b *gemm.Block, room unsafe.Pointer, size int) {
	gemm.PackA[T](b, room)
	if f.changeA != nil {
		f.changeA(room, size)
	}
}
