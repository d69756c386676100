package conv

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Kernels are the routines for one element type at one instruction level. A tile is the part of the result that one
// call computes in registers. The lanes of a vector are either filters (WithFilters) or neighbouring positions
// (WithPositions). Pointers refer to elements of the type, and all sizes and distances count elements. Each call is short,
// because the goroutine can be preempted only between calls.
type Kernels struct {
	Size    int // of an element, in bytes
	Lanes   int // elements of a vector
	Vectors int // of filters: the width of the widest tile of WithFilters, in vectors
	Filters int // the number of filters in the highest tile of WithPositions
	Rows    int // rows of the result that Slide computes at once

	positions []int // positions in a tile of WithFilters, by its vectors
	width     []int // width in vectors of a tile of WithPositions, by its filters
	lanes     []func(k int, x *byte, from, off *int, w, c *byte, to *int, add int, start *byte, ahead int, clamp *byte)
	rows      []func(k int, x *byte, off *int, w, c *byte, stride, add int, start, clamp *byte)
	transpose func(rows, columns int, dst *byte, across int, src *byte, along int)
	copyRows  func(rows, n int, dst *byte, to int, src *byte, from int)
	products  []func(rows, n int, a *byte, apart int, x *byte, step int, off *int, c *byte)
	slides    [8][3]slide // by the height of the window: one row at a time, two, and Rows
	tileIn    transformation
	tileOut   transformation
}

type transformation = func(n int, d *byte, step int, y *byte, apart int)

type slide = func(rows, n int, y *byte, apart int, x *byte, step int, off *int, count int, w, start *byte)

// ForFloat32 returns the routines for float32 at the current level.
func ForFloat32() *Kernels { return made32.at(isa.Current(), make32) }

// ForFloat64 returns the routines for float64 at the current level.
func ForFloat64() *Kernels { return made64.at(isa.Current(), make64) }

// made holds the routines of a type that were requested so far, by level.
type made [isa.AVX512 + 1]atomic.Pointer[Kernels]

var made32, made64 made

func (m *made) at(level isa.Level, build func(isa.Level) *Kernels) *Kernels {
	if s := m[level].Load(); s != nil {
		return s
	}
	s := build(level)
	m[level].Store(s)
	return s
}

// MostTerms is the largest number of products that one call may add up per element.
const MostTerms = 1024

// Width returns the number of positions in a tile of WithPositions, by the number of its filters.
func (s *Kernels) Width(filters int) int { return s.width[filters-1] * s.Lanes }

// Positions returns the number of positions in a tile of WithFilters, by the number of its vectors.
func (s *Kernels) Positions(vectors int) int { return s.positions[vectors-1] }

// WithFilters computes a tile with filters in the lanes of the given number of vectors: for each i below
// Positions(vectors) and each j below vectors·Lanes
//
//	c[to[i]+j] = start[j] + Σ x[from[i]+off[k]]·w[k·vectors·Lanes+j]
//
// where k numbers the elements of off. With add, it adds the sum to c. from and to have Positions(vectors) elements, off
// has at most MostTerms. start may be nil, for zeros. clamp may be nil, or a [clamp.Bounds], which is then applied to the sums. What
// lies ahead bytes behind the terms of the first position is prefetched into the second-level cache.
//
//go:noinline
func (s *Kernels) WithFilters(vectors int, x unsafe.Pointer, from, off []int, w, c unsafe.Pointer, to []int, add bool, start unsafe.Pointer, ahead int, clamp unsafe.Pointer) {
	_, _ = from[s.positions[vectors-1]-1], to[s.positions[vectors-1]-1]
	s.lanes[vectors-1](len(off), (*byte)(x), unsafe.SliceData(from), unsafe.SliceData(off), (*byte)(w), (*byte)(c), unsafe.SliceData(to), scalar.OneIf[int](add), (*byte)(start), ahead, (*byte)(clamp))
}

// WithPositions computes a tile with positions in lanes: for each i below filters and each j below Width(filters)
//
//	c[i·stride+j] = start[i] + Σ w[k·filters+i]·x[off[k]+j]
//
// where k numbers the elements of off. With add, it adds the sum to c. off has at most MostTerms elements. start may be
// nil, for zeros. clamp may be nil, or a [clamp.Bounds], which is then applied to the sums.
//
//go:noinline
func (s *Kernels) WithPositions(filters int, x unsafe.Pointer, off []int, w, c unsafe.Pointer, stride int, add bool, start, clamp unsafe.Pointer) {
	s.rows[filters-1](len(off), (*byte)(x), unsafe.SliceData(off), (*byte)(w), (*byte)(c), stride, scalar.OneIf[int](add), (*byte)(start), (*byte)(clamp))
}

// Transpose sets dst[j·across+i] = src[i·along+j] for each i below rows and each j below columns.
func (s *Kernels) Transpose(rows, columns int, dst unsafe.Pointer, across int, src unsafe.Pointer, along int) {
	const most = 1 << 14
	wide := max(1, most/max(1, rows)/s.Lanes) * s.Lanes // whole vectors: others take several times as long
	high := max(1, most/wide/s.Lanes) * s.Lanes
	for row := 0; row < rows; row += high {
		for column := 0; column < columns; column += wide {
			to, from := unsafe.Add(dst, (column*across+row)*s.Size), unsafe.Add(src, (row*along+column)*s.Size)
			s.transposePiece(min(high, rows-row), min(wide, columns-column), to, across, from, along)
		}
	}
}

//go:noinline
func (s *Kernels) transposePiece(rows, columns int, dst unsafe.Pointer, across int, src unsafe.Pointer, along int) {
	s.transpose(rows, columns, (*byte)(dst), across, (*byte)(src), along)
}

// rowPiece bounds the number of row elements that one call processes.
const rowPiece = 1 << 14

// CopyRows copies rows of n elements. The rows of src begin from elements apart, those of dst to elements apart.
func (s *Kernels) CopyRows(rows, n int, dst unsafe.Pointer, to int, src unsafe.Pointer, from int) {
	inPieces(rows, n, func(row, column, rows, n int) {
		s.copyPiece(rows, n, unsafe.Add(dst, (row*to+column)*s.Size), to, unsafe.Add(src, (row*from+column)*s.Size), from)
	})
}

//go:noinline
func (s *Kernels) copyPiece(rows, n int, dst unsafe.Pointer, to int, src unsafe.Pointer, from int) {
	s.copyRows(rows, n, (*byte)(dst), to, (*byte)(src), from)
}

// Products adds to c[i], for each element of off, the sum of a[r·apart+j]·x[off[i]+r·step+j] over each r below rows and
// each j below n.
func (s *Kernels) Products(rows, n int, a unsafe.Pointer, apart int, x unsafe.Pointer, step int, off []int, c unsafe.Pointer) {
	for from := 0; from < len(off); from += len(s.products) {
		taps, sums := off[from:min(from+len(s.products), len(off))], unsafe.Add(c, from*s.Size)
		inPieces(rows, n, func(row, column, rows, n int) {
			s.productsPiece(rows, n, unsafe.Add(a, (row*apart+column)*s.Size), apart, unsafe.Add(x, (row*step+column)*s.Size), step, taps, sums)
		})
	}
}

//go:noinline
func (s *Kernels) productsPiece(rows, n int, a unsafe.Pointer, apart int, x unsafe.Pointer, step int, off []int, c unsafe.Pointer) {
	s.products[len(off)-1](rows, n, (*byte)(a), apart, (*byte)(x), step, unsafe.SliceData(off), (*byte)(c))
}

// TileInput transforms the input of Winograd's F(2, 3) along one axis: for each i below n
//
//	y[i] = d[i] - d[2·step+i]
//	y[apart+i] = d[step+i] + d[2·step+i]
//	y[2·apart+i] = d[2·step+i] - d[step+i]
//	y[3·apart+i] = d[step+i] - d[3·step+i]
func (s *Kernels) TileInput(n int, d unsafe.Pointer, step int, y unsafe.Pointer, apart int) {
	for at := 0; at < n; at += rowPiece {
		s.transformPiece(s.tileIn, min(rowPiece, n-at), unsafe.Add(d, at*s.Size), step, unsafe.Add(y, at*s.Size), apart)
	}
}

// TileOutput transforms its products: for each i below n
//
//	y[i] = d[i] + d[step+i] + d[2·step+i]
//	y[apart+i] = d[step+i] - d[2·step+i] - d[3·step+i]
func (s *Kernels) TileOutput(n int, d unsafe.Pointer, step int, y unsafe.Pointer, apart int) {
	for at := 0; at < n; at += rowPiece {
		s.transformPiece(s.tileOut, min(rowPiece, n-at), unsafe.Add(d, at*s.Size), step, unsafe.Add(y, at*s.Size), apart)
	}
}

//go:noinline
func (s *Kernels) transformPiece(run transformation, n int, d unsafe.Pointer, step int, y unsafe.Pointer, apart int) {
	run(n, (*byte)(d), step, (*byte)(y), apart)
}

// SlidesFor reports whether Slide supports windows of a height.
func (s *Kernels) SlidesFor(height int) bool {
	return height < len(s.slides) && s.slides[height][0] != nil
}

// slideWidth is the largest number of columns that Slide computes in one call, slidePiece the largest number of
// products.
const (
	slideWidth = 4096
	slidePiece = 1 << 20
)

// Slide sets, for each r below rows and each j below n,
//
//	y[r·apart+j] = *start + Σ w[t·height+i]·x[off[t]+(r+i)·step+j]
//
// summed over each index t of off, which is not empty, and each i below height. start may be nil, for 0. Slide may read
// up to two vectors after the elements that it needs, so that memory must be readable. It may write elements twice.
func (s *Kernels) Slide(height, rows, n int, y unsafe.Pointer, apart int, x unsafe.Pointer, step int, off []int, w, start unsafe.Pointer) {
	_ = off[0]
	for column := 0; column < n; column += slideWidth {
		width := min(slideWidth, n-column)
		most := max(1, slidePiece/(width*height*len(off))) / s.Rows * s.Rows
		for row, piece := 0, 0; row < rows; row += piece {
			if piece = rows - row; piece > most {
				piece = max(most, 1)
			}
			s.slidePiece(height, piece, width, unsafe.Add(y, (row*apart+column)*s.Size), apart, unsafe.Add(x, (row*step+column)*s.Size), step, off, w, start)
		}
	}
}

//go:noinline
func (s *Kernels) slidePiece(height, rows, n int, y unsafe.Pointer, apart int, x unsafe.Pointer, step int, off []int, w, start unsafe.Pointer) {
	run := s.slides[height][0]
	switch {
	case rows >= s.Rows:
		run = s.slides[height][2]
	case rows >= 2:
		run = s.slides[height][1]
	}
	run(rows, n, (*byte)(y), apart, (*byte)(x), step, unsafe.SliceData(off), len(off), (*byte)(w), (*byte)(start))
}

// inPieces calls do for parts of rows of n elements, each part of at most rowPiece elements. Usually there is one call
// for everything.
func inPieces(rows, n int, do func(row, column, rows, n int)) {
	if rows <= 0 || n <= 0 {
		return
	}
	height := max(1, rowPiece/n)
	for row := 0; row < rows; row += height {
		for column := 0; column < n; column += rowPiece {
			do(row, column, min(height, rows-row), min(rowPiece, n-column))
		}
	}
}
