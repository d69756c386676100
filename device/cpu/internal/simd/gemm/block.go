package gemm

import "unsafe"

// Block is a product of matrices c = a·b, or c = a·b + d, of which the rows of b, c and d hold their elements side by
// side. Strides are in bytes. c and d may be the same.
type Block struct {
	M, N, K       int // K is not 0
	A             unsafe.Pointer
	ALine, ADepth int // from row to row, and along k
	APanel        int // where a is packed: from the rows of one tile to those of the next; else 0
	B             unsafe.Pointer
	BDepth        int // along k
	BPanel        int // where b is packed: from one panel of Columns columns to the next; else 0
	C             unsafe.Pointer
	CLine         int
	D             unsafe.Pointer // nil for nothing
	DLine         int            // 0 where d is one row
}

// Float is a type of elements.
type Float interface{ float32 | float64 }

// Element is any type of elements. Integers wrap; signed ones have the same bits.
type Element interface {
	float32 | float64 | uint32 | uint64 | Pairs | Quads
}

// strip is what one call of a routine computes: a column of tiles, all of one height and width. The routines read the fields by
// their offsets (gen/gemm/layout.go).
type strip struct {
	rows, tiles, k int
	a              unsafe.Pointer
	aLine, aDepth  int
	b              unsafe.Pointer
	bDepth, bAhead int // bAhead: from here to the tiles right of these
	c              unsafe.Pointer
	cLine          int
	d              unsafe.Pointer
	dLine          int
	mask           uintptr // of the last vector: its bits, or where the lanes are
	aAhead         int     // how far the routine asks ahead in a for each step along k: 0 if it is not to
	aTile          int     // from tile to tile
	ahead          uintptr // what a routine for panels asks for, and how far on at each few steps
	aheadStep      int
	atA, atC, atD  uintptr // the routine's own variables: the tile it is at, and how many are left
	left           int
}

// pieceWork bounds the multiplications of one call of a routine: its caller can be preempted between two.
const pieceWork = 1 << 21

// form is the size of tiles at one level of instructions.
type form struct {
	rows, lanes int    // the most rows of a tile; the lanes of a vector
	wide        [9]int // how many vectors wide the tiles are where the block has only 1 to 8 rows, by their number
}

// Rows returns how many rows the tiles have at most.
func Rows[T Element]() int { return formOf[T]().rows }

// Columns returns how many columns the tiles, and the panels of a packed b, have.
func Columns[T Element]() int { return 2 * formOf[T]().lanes }

// Height returns how high the tiles are if m rows are cut as evenly as possible into the fewest tiles of at most most rows.
func Height(m, most int) int {
	tiles := (m + most - 1) / most
	return (m + tiles - 1) / tiles
}

// Multiply computes a block. Each element is the sum of its products in the order of k, whatever the block's size.
func Multiply[T Element](b *Block) {
	if b.M == 0 {
		return
	}
	f := formOf[T]()
	columns := 2 * f.lanes
	width := columns
	if rows := flatRows; b.K <= flatDepth && b.M > rows && b.APanel == 0 && b.BPanel == 0 {
		for i := 0; i < b.M; i += rows {
			flat := b.below(i, min(rows, b.M-i))
			Multiply[T](&flat)
		}
		return
	}
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

// Of short sums the results take longest to store: that is done along the rows, some of them at a time.
const (
	flatDepth = 8
	flatRows  = 2
)

// below returns n rows of a block from row i on.
func (b *Block) below(i, n int) Block {
	p := *b
	p.M, p.A, p.C = n, unsafe.Add(b.A, i*b.ALine), unsafe.Add(b.C, i*b.CLine)
	if b.D != nil {
		p.D = unsafe.Add(b.D, i*b.DLine)
	}
	return p
}

// multiplyColumn goes down n columns from column j on, in tiles that are as evenly high as may be.
func multiplyColumn[T Element](b *Block, f *form, j, n int) {
	size := int(unsafe.Sizeof(*new(T)))
	at := j * size
	s := strip{
		rows: Height(b.M, f.rows), k: b.K, aLine: b.ALine, aDepth: b.ADepth, bDepth: b.BDepth, cLine: b.CLine, dLine: b.DLine,
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
			s.askAhead(i/(s.rows*unrolled), n*size)
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

// askAhead says what a call prefetches where b is not packed: as it goes down k, one line of the cache in every row of b right of
// its own columns. The first call (turn 0) prefetches the first line there, the next one the second, as far as the tiles there
// reach. Rows begin anywhere in a line, so the address is that of the end of what is needed.
func (s *strip) askAhead(turn, bytes int) {
	end := (turn + 1) * cacheLine
	s.ahead, s.aheadStep = uintptr(s.b)+uintptr(s.bAhead+end-1), s.bDepth
	if end > bytes {
		s.ahead, s.aheadStep = uintptr(s.b), 0
	}
}

// unrolled is how many steps along k the routines for panels make at a time.
const unrolled = 4

// cacheLine is the length of a line of the caches.
const cacheLine = 64

// wholeLines returns the size of each part if bytes are cut into parts that are whole lines of the cache.
func wholeLines(bytes, parts int) int { return (bytes/max(parts, 1) + 63) &^ 63 }

// plainStrip computes a strip in plain Go: the definition of the routines.
func plainStrip[T Element](s *strip, n int) {
	multiplied := multiplier[T]()
	var sums [plainLanes * 2]T
	size := int(unsafe.Sizeof(sums[0]))
	for i := range s.rows * s.tiles {
		row := sums[:n]
		clear(row)
		a := unsafe.Add(s.a, i/s.rows*s.aTile+i%s.rows*s.aLine)
		for k := range s.k {
			v := *(*T)(unsafe.Add(a, k*s.aDepth))
			b := unsafe.Slice((*T)(unsafe.Add(s.b, k*s.bDepth)), n)
			if multiplied != nil {
				for j, w := range b {
					row[j] += multiplied(v, w)
				}
				continue
			}
			for j, w := range b {
				row[j] += v * w
			}
		}
		c := unsafe.Slice((*T)(unsafe.Add(s.c, i*s.cLine)), n)
		if s.d == nil {
			copy(c, row)
			continue
		}
		for j, v := range row {
			c[j] = v + *(*T)(unsafe.Add(s.d, i*s.dLine+j*size))
		}
	}
}

// plainLanes is half the width of the tiles in plain Go.
const plainLanes = 32

var plainForm = form{rows: 1, lanes: plainLanes}
