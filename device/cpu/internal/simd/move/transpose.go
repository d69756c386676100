package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// Transpose copies a matrix of elements of size bytes: element (i, j) of the source becomes element (j, i) of the
// result. On both sides the elements of a row are contiguous. srcRow and dstRow are the distances between rows, in
// elements. dstRow is at least rows, unless there is only one column.
func Transpose(dst unsafe.Pointer, dstRow int, src unsafe.Pointer, srcRow, rows, columns, size int) {
	transpose(matrix{dst, dstRow, src, srcRow, rows, columns, size}, false)
}

// TransposeStreaming is Transpose for a result that is larger than the caches. It writes past the caches where
// possible.
func TransposeStreaming(dst unsafe.Pointer, dstRow int, src unsafe.Pointer, srcRow, rows, columns, size int) {
	transpose(matrix{dst, dstRow, src, srcRow, rows, columns, size}, true)
	fence()
}

// matrix holds the arguments of Transpose.
type matrix struct {
	dst    unsafe.Pointer
	dstRow int
	src    unsafe.Pointer
	srcRow int
	rows, columns,
	size int
}

// at returns the address of a source element in the result, and its own address.
func (m *matrix) at(row, column int) (dst, src unsafe.Pointer) {
	return unsafe.Add(m.dst, (column*m.dstRow+row)*m.size), unsafe.Add(m.src, (row*m.srcRow+column)*m.size)
}

// transpose splits the columns of the source into panels. A panel is so narrow that its rows of the result stay in the
// caches, and their pages in the TLB, while the strips of the source are written to them one after another.
func transpose(m matrix, stream bool) {
	if m.rows == 0 || m.columns == 0 {
		return // there may be no memory at these addresses
	}
	if m.dstRow == m.rows && Interleaves(m.rows, m.size) {
		var src Rows
		for row := range m.rows {
			_, src[row] = m.at(row, 0)
		}
		Interleave(m.dst, &src, m.rows, m.columns, m.size)
		return
	}
	s, ok := stripFor(m, stream)
	if !ok {
		m.transposeGeneric()
		return
	}
	panel := s.panel()
	for column := 0; column < m.columns; column += panel {
		p := m
		p.dst, p.src = m.at(0, column)
		p.columns = min(panel, m.columns-column)
		if p.columns < s.columns { // some columns of the previous panel are transposed again
			p.columns = s.columns
			p.dst, p.src = m.at(0, m.columns-s.columns)
		}
		p.strips(s)
	}
}

// strips transposes a panel. The last rows and the last columns may be transposed twice.
func (m *matrix) strips(s strip) {
	n := m.columns / s.columns * s.columns
	for row := 0; row < m.rows; row += s.rows {
		if rest := m.rows - row; rest < s.rows {
			row -= s.rows - rest
		}
		dst, src := m.at(row, 0)
		s.run(n, dst, m.dstRow*m.size, src, m.srcRow*m.size)
		if n < m.columns {
			dst, src = m.at(row, m.columns-s.columns)
			s.run(s.columns, dst, m.dstRow*m.size, src, m.srcRow*m.size)
		}
	}
}

// strip is a routine that transposes some rows of the source together, and any multiple of some columns.
type strip struct {
	rows, columns, size int
	level               isa.Level
	stream              bool
}

// panel returns the number of columns of a panel. The strips of a panel write to the same or neighbouring cache lines.
// The caches hold few lines whose addresses differ by multiples of a power of two. Past the caches only the pages
// matter.
func (s strip) panel() int {
	if s.stream {
		return 512
	}
	return 32
}

// transposeGeneric is the reference for the routines. It works on squares that fit the first-level cache.
func (m *matrix) transposeGeneric() {
	switch m.size {
	case 1:
		plainTranspose[uint8](m)
	case 2:
		plainTranspose[uint16](m)
	case 4:
		plainTranspose[uint32](m)
	case 8:
		plainTranspose[uint64](m)
	case 16:
		plainTranspose[[2]uint64](m)
	}
}

// plainTranspose goes along four rows at a time if there are few, otherwise down four columns: matrices that are narrower than
// every routine have just so many.
func plainTranspose[T any](m *matrix) {
	const high = 64 // so that the first-level cache has the lines of all rows
	row := 0
	for ; row+4 <= m.rows && m.rows < high/4; row += 4 {
		dst, s0 := m.at(row, 0)
		turnRows[T](m.columns, dst, m.dstRow*m.size, s0, m.srcRow*m.size)
	}
	for ; row < m.rows; row += high {
		n, column := min(high, m.rows-row), 0
		for ; column+4 <= m.columns; column += 4 {
			d0, src := m.at(row, column)
			turnColumns[T](n, d0, m.dstRow*m.size, src, m.srcRow*m.size)
		}
		for ; column < m.columns; column++ {
			to, from := m.at(row, column)
			dst := unsafe.Slice((*T)(to), n)
			for i := range dst {
				dst[i] = *(*T)(unsafe.Add(from, i*m.srcRow*m.size))
			}
		}
	}
}

// turnRows transposes four rows of n elements. Distances are in bytes.
func turnRows[T any](n int, dst unsafe.Pointer, dstRow int, src unsafe.Pointer, srcRow int) {
	s0, s1, s2, s3 := four[T](src, srcRow, n)
	for j := range s0 {
		d := (*[4]T)(unsafe.Add(dst, j*dstRow))
		d[0], d[1], d[2], d[3] = s0[j], s1[j], s2[j], s3[j]
	}
}

// turnColumns transposes four columns of n elements.
func turnColumns[T any](n int, dst unsafe.Pointer, dstRow int, src unsafe.Pointer, srcRow int) {
	d0, d1, d2, d3 := four[T](dst, dstRow, n)
	for i := range d0 {
		s := (*[4]T)(unsafe.Add(src, i*srcRow))
		d0[i], d1[i], d2[i], d3[i] = s[0], s[1], s[2], s[3]
	}
}

// four returns four rows of n elements.
func four[T any](at unsafe.Pointer, step, n int) (a, b, c, d []T) {
	row := func(k int) []T { return unsafe.Slice((*T)(unsafe.Add(at, k*step)), n)[:n] }
	return row(0), row(1), row(2), row(3)
}
