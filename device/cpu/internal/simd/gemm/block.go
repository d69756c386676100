package gemm

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/clamp"
)

// Block is a product of matrices, c = a·b or c = a·b + d. The elements of a row of b, c and d are contiguous. Strides
// are in bytes. c and d may be the same memory.
type Block struct {
	M, N, K       int // K is not 0
	A             unsafe.Pointer
	ALine, ADepth int // from row to row, and along k
	APanel        int // if a is packed: from the rows of one tile to the rows of the next; else 0
	B             unsafe.Pointer
	BDepth        int // along k
	BPanel        int // if b is packed: from one panel of Columns columns to the next; else 0
	C             unsafe.Pointer
	CLine         int
	D             unsafe.Pointer // nil if nothing is added
	DLine         int            // 0 if d is a single row
	Bounds        unsafe.Pointer // a clamp.Bounds that Multiply applies to sums of floats; nil for none
	Signs         Signs          // of MatrixQuads
}

// Float is a floating-point element type.
type Float interface{ float32 | float64 }

// Element is any type of elements or of groups of them. Integer sums wrap, so signed integers use the routines of unsigned ones: the bits are
// the same.
type Element interface {
	float32 | float64 | uint32 | uint64 | Group
}

// strip is the work of one routine call: a column of tiles that all have the same height and width. The routines read
// the fields by their offsets (gen/gemm/layout.go).
type strip struct {
	rows, tiles, k int
	a              unsafe.Pointer
	aLine, aDepth  int
	b              unsafe.Pointer
	bDepth, bAhead int // bAhead: from here to the tiles to the right
	c              unsafe.Pointer
	cLine          int
	d              unsafe.Pointer
	dLine          int
	mask           uintptr // of the last vector: the mask itself, or its address
	aAhead         int     // how far ahead the routine prefetches a, per step along k; 0 for no prefetch
	aTile          int     // from tile to tile
	ahead          uintptr // the address that a routine for panels prefetches, and its increment every few steps
	aheadStep      int
	atA, atC, atD  uintptr // the routine's own variables: the current tile, and the number of tiles left
	left           int
	bounds         unsafe.Pointer
	signs          Signs
}

// pieceWork bounds the number of multiplications in one routine call. The goroutine can be preempted only between
// calls.
const pieceWork = 1 << 21

// form is the size of the tiles at one instruction level.
type form struct {
	rows, lanes int    // the largest height of a tile; the lanes of a vector
	wide        [9]int // for blocks with 1 to 8 rows: the width of the tiles in vectors, by the number of rows
}

// Rows returns the largest number of rows of a tile.
func Rows[T Element]() int { return formOf[T]().rows }

// Columns returns the number of columns of a tile, and of a panel of a packed b.
func Columns[T Element]() int { return 2 * formOf[T]().lanes }

// Height returns the height of the tiles if m rows are split as evenly as possible into the fewest tiles with at most
// most rows.
func Height(m, most int) int {
	tiles := (m + most - 1) / most
	return (m + tiles - 1) / tiles
}

// Multiply computes a block. Each element adds its products in the order of k, whatever the size of the block.
func Multiply[T Element](b *Block) {
	if b.M == 0 {
		return
	}
	if b.K > flatDepth || b.M <= flatRows || b.APanel != 0 || b.BPanel != 0 {
		multiplyColumns[T](b)
		return
	}
	for i := 0; i < b.M; i += flatRows {
		flat := b.below(i, min(flatRows, b.M-i))
		multiplyColumns[T](&flat)
	}
}

// multiplyColumns computes a block column of tiles by column.
func multiplyColumns[T Element](b *Block) {
	f := formOf[T]()
	columns := 2 * f.lanes
	width := columns
	if b.M < len(f.wide) && b.BPanel == 0 {
		width = max(width, f.wide[b.M]*f.lanes)
	}
	for j := 0; j < b.N; {
		if b.N-j < width {
			width = columns
		}
		n := min(width, b.N-j)
		multiplyColumn[T](b, f, j, n)
		j += n
	}
}

// For short sums, storing the results takes the longest. Such blocks are computed along the rows, a few rows at a time.
const (
	flatDepth = 8
	flatRows  = 2
)

// below returns the n rows of the block from row i on.
func (b *Block) below(i, n int) Block {
	p := *b
	p.M, p.A, p.C = n, unsafe.Add(b.A, i*b.ALine), unsafe.Add(b.C, i*b.CLine)
	if b.D != nil {
		p.D = unsafe.Add(b.D, i*b.DLine)
	}
	return p
}

// multiplyColumn computes n columns from column j on, in tiles whose heights are as even as possible.
func multiplyColumn[T Element](b *Block, f *form, j, n int) {
	size := int(unsafe.Sizeof(*new(T)))
	at := j * size
	s := strip{
		rows: Height(b.M, f.rows), k: b.K, aLine: b.ALine, aDepth: b.ADepth, bDepth: b.BDepth, cLine: b.CLine, dLine: b.DLine,
		bounds: b.Bounds, signs: b.Signs,
	}
	if b.BPanel == 0 {
		s.b, s.bAhead = unsafe.Add(b.B, at), n*size
	} else {
		s.b, s.bAhead = unsafe.Add(b.B, j/(2*f.lanes)*b.BPanel), b.BPanel
	}
	if j == 0 && b.ADepth == size && b.ALine == b.K*size {
		s.aAhead = s.rows * size
	}
	if s.aTile = b.APanel; s.aTile == 0 {
		s.aTile = s.rows * s.aLine
	}
	most := max(1, pieceWork/(s.rows*n*s.k))
	panels := s.aLine == size
	s.ahead = uintptr(s.b) + uintptr(s.bAhead)
	switch {
	case b.BPanel > 0:
		s.aheadStep = wholeLines(b.K*b.BDepth, b.M/s.rows*(s.k/unrolled))
	case panels:
		most = min(most, unrolled)
	}
	for i := 0; i < b.M; i += s.rows * s.tiles {
		if panels && b.BPanel == 0 {
			s.setPrefetch(i/(s.rows*unrolled), n*size)
		}
		s.a = unsafe.Add(b.A, i/s.rows*s.aTile)
		s.rows = min(s.rows, b.M-i)
		s.tiles = min((b.M-i)/s.rows, most)
		s.c = unsafe.Add(b.C, i*b.CLine+at)
		if b.D != nil {
			s.d = unsafe.Add(b.D, i*b.DLine+at)
		}
		multiplyStrip[T](&s, n)
	}
}

// setPrefetch sets what a call prefetches if b is not packed. As the routine walks along k, it prefetches one cache line
// in each row of b, to the right of its own columns. The first call (turn 0) prefetches the first line there, the next
// call the second line, up to the width of the tiles. Rows may begin anywhere in a cache line, so the address is the
// end of the data that is needed.
func (s *strip) setPrefetch(turn, bytes int) {
	end := (turn + 1) * cacheLine
	s.ahead, s.aheadStep = uintptr(s.b)+uintptr(s.bAhead+end-1), s.bDepth
	if end > bytes {
		s.ahead, s.aheadStep = uintptr(s.b), 0
	}
}

// unrolled is the number of steps along k that the routines for panels do at a time.
const unrolled = 4

// cacheLine is the length of a cache line in bytes.
const cacheLine = 64

// wholeLines splits bytes into parts and returns the size of a part, rounded up to whole cache lines.
func wholeLines(bytes, parts int) int { return (bytes/max(parts, 1) + 63) &^ 63 }

// plainStrip computes a strip in plain Go. It is the reference for the routines.
func plainStrip[T Element](s *strip, n int) {
	addProduct, add := adders[T](s.signs)
	var sums [plainLanes * 2]T
	size := int(unsafe.Sizeof(sums[0]))
	for i := range s.rows * s.tiles {
		row := sums[:n]
		clear(row)
		a := unsafe.Add(s.a, i/s.rows*s.aTile+i%s.rows*s.aLine)
		for k := range s.k {
			v := *(*T)(unsafe.Add(a, k*s.aDepth))
			b := unsafe.Slice((*T)(unsafe.Add(s.b, k*s.bDepth)), n)
			if addProduct != nil {
				for j, w := range b {
					row[j] = addProduct(row[j], v, w)
				}
				continue
			}
			for j, w := range b {
				row[j] += v * w
			}
		}
		c, bounds := unsafe.Slice((*T)(unsafe.Add(s.c, i*s.cLine)), n), (*clamp.Bounds[T])(s.bounds)
		for j, v := range row {
			if s.d != nil {
				w := *(*T)(unsafe.Add(s.d, i*s.dLine+j*size))
				if add != nil {
					v = add(v, w)
				} else {
					v += w
				}
			}
			c[j] = bounds.Of(v)
		}
	}
}

// plainLanes is half the width of the tiles of plainStrip.
const plainLanes = 32

var plainForm = form{rows: 1, lanes: plainLanes}
