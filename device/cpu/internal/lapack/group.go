package lapack

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// Small matrices are factored in groups: the elements of a group's matrices lie side by side, one matrix in each lane of the
// vectors. What happens in a lane does not depend on the others. Tiny matrices have the same factors in any batch; larger
// ones are factored in groups only if there are enough of them.
const (
	tinyMatrix  = 16 // rows, and half of the columns
	smallMatrix = 32
	fewMatrices = 4
)

// isSmall reports whether the matrices are factored in groups.
func (f *factorisation) isSmall() bool {
	n := max(f.m, (f.n+1)/2)
	return min(f.m, f.n) > 0 && (n <= tinyMatrix || n <= smallMatrix && f.batches >= fewMatrices)
}

// group is some vectors of matrices, from matrix number first on, with memory for them. Lanes from count on are 0.
type group[T lanes.Float] struct {
	first, count int
	width        int // lanes of all vectors
	left         []T
}

// groupBytes is how much memory the matrices of a group should take, so that they stay in the first-level cache.
const groupBytes = 16 << 10

// eachGroup calls body for groups that together are the batch, in parallel if that is worth it. A group has memory for the
// given number of elements of each of its matrices; a matrix takes the given number of nanoseconds.
func eachGroup[T lanes.Float](f *factorisation, nanoseconds float64, elements int, body func(g group[T])) {
	lane, size := lanes.Width[T](), int(unsafe.Sizeof(*new(T)))
	parts := max(1, min(groupBytes/(elements*lane*size), 8, (f.batches+lane-1)/lane))
	width := parts * lane
	workers.ForRanges((f.batches+width-1)/width, float64(width)*nanoseconds, func(from, to int) {
		s := memory.TakeScratch(elements * width * size)
		for g := from; g < to; g++ {
			body(group[T]{g * width, min(width, f.batches-g*width), width, memory.Room[T](s, 0, elements*width)})
		}
		s.Recycle()
	})
}

// elements returns memory for n elements of each matrix.
func (g *group[T]) elements(n int) []T {
	n *= g.width
	v := g.left[:n:n]
	g.left = g.left[n:]
	return v
}

// matrix returns memory for the elements of a matrix, row by row.
func (g *group[T]) matrix(rows, columns int) lanes.Rows[T] {
	return lanes.Rows[T]{Data: g.elements(rows * columns), Row: columns * g.width, Column: g.width}
}

// identity returns identity matrices of n rows.
func (g *group[T]) identity(n int) lanes.Rows[T] {
	to := g.matrix(n, n)
	clear(to.Data)
	for i := range n {
		diagonal := to.Data[i*(to.Row+to.Column):][:g.width]
		for lane := range diagonal {
			diagonal[lane] = 1
		}
	}
	return to
}

// load copies the group's matrices of an operand to memory of the group. The vectors lie in the order in which the
// elements of the matrices do.
func (g *group[T]) load(m *operand, rows, columns int) lanes.Rows[T] {
	distance, even := m.Distance()
	full := g.count == g.width && even
	across := m.Line == 1 && m.Depth == rows && rows > 1
	if full && isLoose(m, rows, columns) {
		to := lanes.Rows[T]{Data: g.elements(rows * m.Line), Row: m.Line * g.width, Column: g.width}
		move.Transpose(unsafe.Pointer(&to.Data[0]), g.width, m.Block(g.first).Base, distance, g.width, (rows-1)*m.Line+columns, m.Size)
		return to
	}
	to := g.matrix(rows, columns)
	if across {
		to.Row, to.Column = g.width, rows*g.width
	}
	if full && distance >= rows*columns && (across || isPacked(m, rows, columns)) {
		move.Transpose(unsafe.Pointer(&to.Data[0]), g.width, m.Block(g.first).Base, distance, g.width, rows*columns, m.Size)
		return to
	}
	if g.count < g.width {
		clear(to.Data)
	}
	for lane := range g.count {
		b := m.Block(g.first + lane)
		for i := range rows {
			for j := range columns {
				to.Data[i*to.Row+j*to.Column+lane] = *(*T)(b.At(i, j))
			}
		}
	}
	return to
}

// isLoose reports whether the rows of the matrices are so close together that a group also copies what lies between them.
func isLoose(m *operand, rows, columns int) bool {
	distance, even := m.Distance()
	return even && m.Depth == 1 && m.Line > columns && m.Line <= 2*columns+16 && distance >= rows*m.Line
}

// elementsOf returns how many elements of memory load takes for each matrix.
func elementsOf(m *operand, rows, columns int) int {
	if isLoose(m, rows, columns) {
		return rows * m.Line
	}
	return rows * columns
}

// isPacked reports whether the elements of a matrix lie one after another, row by row.
func isPacked(m *operand, rows, columns int) bool {
	return (m.Depth == 1 || columns == 1) && (m.Line == columns || rows == 1)
}

// store copies matrices to the group's matrices of an operand.
func (g *group[T]) store(m *operand, rows, columns int, from lanes.Rows[T]) {
	distance, even := m.Distance()
	if g.count == g.width && even && distance >= rows*columns && isPacked(m, rows, columns) && from.Row == columns*g.width && from.Column == g.width {
		move.Transpose(m.Block(g.first).Base, distance, unsafe.Pointer(&from.Data[0]), g.width, rows*columns, g.width, m.Size)
		return
	}
	for lane := range g.count {
		b := m.Block(g.first + lane)
		for i := range rows {
			for j := range columns {
				*(*T)(b.At(i, j)) = from.Data[i*from.Row+j*from.Column+lane]
			}
		}
	}
}

// part returns the vectors of the matrices from number lane of the group on.
func part[T lanes.Float](a lanes.Rows[T], lane int) lanes.Rows[T] {
	a.Data = a.Data[lane:]
	return a
}

// eachInfinite calls alone for the matrices of the group that have an element that is not finite. It takes memory for n+1 elements of each.
func (g *group[T]) eachInfinite(m, n int, x lanes.Rows[T], alone func(batch int)) {
	nothing, zeros := g.elements(n), g.elements(1)
	clear(nothing)
	clear(zeros)
	for lane := 0; lane < g.count; lane += lanes.Width[T]() { // sums of 0·x are 0, or NaN if there are infinities
		lanes.Subtract(m, n, lanes.Rows[T]{Data: nothing[lane:], Column: g.width}, zeros[lane:], 0, part(x, lane))
	}
	if g.count == g.width && allZero(nothing) {
		return
	}
	for ; len(nothing) > 0; nothing = nothing[g.width:] {
		for lane, sum := range nothing[:g.count] {
			if sum != 0 {
				alone(g.first + lane)
			}
		}
	}
}

// allZero reports whether sums, each 0 or NaN, are 0. Their number is a multiple of four.
func allZero[T lanes.Float](sums []T) bool {
	for ; len(sums) >= 4; sums = sums[4:] {
		if (sums[0]+sums[1])+(sums[2]+sums[3]) != 0 {
			return false
		}
	}
	return true
}
