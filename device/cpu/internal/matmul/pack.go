package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Sizes of the blocks of a matrix product. A tile of sums stays in registers along k; a packed panel of columns stays
// in the first-level cache, a packed block of rows in the second-level cache.
const (
	TileRows    = 4
	tileColumns = 2
	depthBlock  = 256
	rowBlock    = 64
	columnBlock = 1024
)

// packed is a product whose factors are copied, block by block, in the order in which the tiles read them.
type packed[T scalar.Number] struct {
	p      *Product
	a, b   Block
	c      Target[T]
	panels *memory.Scratch // the current columns
	slab                   // of b
}

// slab is a part of b: n columns, and k steps along the depth.
type slab struct{ column, n, depth, k int }

// columnPanels returns how many panels the slab has.
func (s *slab) columnPanels() int { return (s.n + tileColumns - 1) / tileColumns }

func multiplyPacked[T scalar.Number](p *Product, a, b Block, c Target[T], shared bool) {
	size := p.DType.Size()
	m := packed[T]{p: p, a: a, b: b, c: c}
	m.panels = memory.TakeScratch(min(columnBlock, strided.RoundUp(p.N, tileColumns)) * min(depthBlock, p.K) * size)
	rowBlocks := (p.M + rowBlock - 1) / rowBlock
	for column := 0; column < p.N; column += columnBlock {
		for depth := 0; depth < p.K; depth += depthBlock {
			m.slab = slab{column: column, n: min(columnBlock, p.N-column), depth: depth, k: min(depthBlock, p.K-depth)}
			if shared {
				m.share(rowBlocks)
				continue
			}
			m.packColumns(0, m.columnPanels())
			m.multiply(0, rowBlocks)
		}
	}
	m.panels.Recycle()
}

func (m *packed[T]) share(rowBlocks int) {
	own := *m
	workers.ForRanges(m.columnPanels(), float64(m.k*tileColumns), own.packColumns)
	workers.ForRanges(rowBlocks, float64(m.n)*float64(m.k)*min(rowBlock, float64(m.p.M))*ProductCost, own.multiply)
}

// loadLine converts n elements of a line of a factor along the depth.
func loadLine(p *Product, dst unsafe.Pointer, b Block, line, depth, n int) {
	if p.logical && b.DType != dtype.Bool {
		bools := make([]bool, n)
		dtype.Convert(dtype.Bool, unsafe.Pointer(&bools[0]), 1, b.DType, b.At(line, depth), b.Depth, n)
		dtype.Convert(p.DType, dst, 1, dtype.Bool, unsafe.Pointer(&bools[0]), 1, n)
		return
	}
	dtype.Convert(p.DType, dst, 1, b.DType, b.At(line, depth), b.Depth, n)
}

// packColumns packs panels of tileColumns columns: for each step along k, the elements of the columns next to each
// other. Columns after the last one are zeros.
func (m *packed[T]) packColumns(from, to int) {
	dst := memory.Room[[tileColumns]T](m.panels, 0, m.columnPanels()*m.k)
	if m.b.across() {
		all := unsafe.Slice(&dst[0][0], len(dst)*tileColumns)
		packAcross(m.p, m.b, all, tileColumns, m.column, m.n, m.depth, m.k, from, to)
		return
	}
	var lines [tileColumns][depthBlock]T
	for panel := from; panel < to; panel++ {
		for j := range tileColumns {
			if at := panel*tileColumns + j; at < m.n {
				loadLine(m.p, unsafe.Pointer(&lines[j]), m.b, m.column+at, m.depth, m.k)
			} else {
				clear(lines[j][:])
			}
		}
		out := dst[panel*m.k:][:m.k]
		x, y := lines[0][:len(out)], lines[1][:len(out)]
		for i := range out {
			out[i] = [tileColumns]T{x[i], y[i]}
		}
	}
}

// packRows packs panels of tileRows rows in the same way.
func packRows[T scalar.Number](p *Product, a Block, dst [][TileRows]T, row, m, depth, k int) {
	if a.across() {
		all := unsafe.Slice(&dst[0][0], len(dst)*TileRows)
		packAcross(p, a, all, TileRows, row, m, depth, k, 0, (m+TileRows-1)/TileRows)
		return
	}
	var lines [TileRows][depthBlock]T
	for panel := 0; panel*TileRows < m; panel++ {
		for i := range TileRows {
			if at := panel*TileRows + i; at < m {
				loadLine(p, unsafe.Pointer(&lines[i]), a, row+at, depth, k)
			} else {
				clear(lines[i][:])
			}
		}
		out := dst[panel*k:][:k]
		x, y, z, w := lines[0][:len(out)], lines[1][:len(out)], lines[2][:len(out)], lines[3][:len(out)]
		for i := range out {
			out[i] = [TileRows]T{x[i], y[i], z[i], w[i]}
		}
	}
}

// across reports whether a factor's elements are closer together from line to line than along the depth.
func (b Block) across() bool { return strided.Magnitude(b.Line) < strided.Magnitude(b.Depth) }

// acrossLen is how many lines are packed together, one step along k after the other.
const acrossLen = 32

// packAcross packs panels of a factor that is read across its lines. It also converts the elements, which the
// transposition of bits in package move does not.
func packAcross[T scalar.Number](p *Product, b Block, dst []T, width, line, lines, depth, k, from, to int) {
	transposed := Matrix{DType: b.DType, Size: b.Size, Line: b.Depth, Depth: b.Line}
	source := Block{&transposed, b.Base}
	var elements [acrossLen]T
	for panel := from; panel < to; panel += acrossLen / width {
		end := min(panel+acrossLen/width, to)
		n := min((end-panel)*width, lines-panel*width)
		for i := range k {
			loadLine(p, unsafe.Pointer(&elements), source, depth+i, line+panel*width, n)
			clear(elements[n:])
			for q := panel; q < end; q++ {
				copy(dst[(q*k+i)*width:][:width], elements[(q-panel)*width:])
			}
		}
	}
}

// multiply multiplies blocks of rows of a by the packed columns.
func (m *packed[T]) multiply(from, to int) {
	space := memory.TakeScratch(rowBlock * m.k * m.p.DType.Size())
	rows := memory.Room[[TileRows]T](space, 0, rowBlock/TileRows*m.k)
	columns := memory.Room[[tileColumns]T](m.panels, 0, m.columnPanels()*m.k)
	for block := from; block < to; block++ {
		row := block * rowBlock
		height := min(rowBlock, m.p.M-row)
		packRows(m.p, m.a, rows, row, height, m.depth, m.k)
		for j := 0; j < m.n; j += tileColumns {
			panel := columns[j/tileColumns*m.k:][:m.k]
			for i := 0; i < height; i += TileRows {
				sums := multiplyTile(rows[i/TileRows*m.k:][:m.k], panel)
				m.store(&sums, row+i, min(TileRows, height-i), m.column+j, min(tileColumns, m.n-j))
			}
		}
	}
	space.Recycle()
}

// store adds a tile of sums to the sums of the previous blocks along k.
func (m *packed[T]) store(sums *[TileRows][tileColumns]T, row, rows, column, columns int) {
	for i := range rows {
		for j := range columns {
			if z := m.c.at(row+i, column+j); m.depth == 0 {
				*z = sums[i][j]
			} else {
				*z += sums[i][j]
			}
		}
	}
}

// multiplyTile runs along k with eight sums in registers.
func multiplyTile[T scalar.Number](a [][TileRows]T, b [][tileColumns]T) [TileRows][tileColumns]T {
	var c00, c01, c10, c11, c20, c21, c30, c31 T
	b = b[:len(a)]
	for k := range a {
		x, y := &a[k], &b[k]
		y0, y1 := y[0], y[1]
		v := x[0]
		c00 += v * y0
		c01 += v * y1
		v = x[1]
		c10 += v * y0
		c11 += v * y1
		v = x[2]
		c20 += v * y0
		c21 += v * y1
		v = x[3]
		c30 += v * y0
		c31 += v * y1
	}
	return [TileRows][tileColumns]T{{c00, c01}, {c10, c11}, {c20, c21}, {c30, c31}}
}
