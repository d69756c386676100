package lapack

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// qrOfGroups is QR of small matrices; alone is QR of a single one.
func qrOfGroups[T lanes.Float](f factorisation, k int, alone func(batch int)) {
	m, n := f.m, f.n
	orthonormal, triangular, matrices := f.operand(0), f.operand(1), f.operand(2)
	elements := elementsOf(&matrices, m, n) + m*k + max(n, k) + min(m, n) + 3
	eachGroup(&f, smallCost(2*float64(m)*float64(k)*float64(n+k), elements), elements, func(g group[T]) {
		h := groupReflections[T]{a: g.load(&matrices, m, n), m: m, n: n, width: g.width}
		q := g.matrix(m, k)
		h.taus, h.betas, h.sums = g.elements(min(m, n)), g.elements(1), g.elements(max(n, k))
		h.ones, h.kept = g.elements(1), g.elements(1)
		for i := range h.ones {
			h.ones[i] = 1
		}
		hard := make([]bool, g.width)
		for j := range min(m, n) {
			h.reflect(j, hard)
		}
		clear(q.Data)
		for i := range min(m, k) {
			copy(q.Data[i*(q.Row+q.Column):], h.ones)
		}
		for j := min(m, n) - 1; j >= 0; j-- {
			h.apply(j, q, j, k)
		}
		for i := range m { // R: the diagonal is beside the reflections
			for j := range min(i, n) {
				clear(h.a.Data[i*h.a.Row+j*h.a.Column:][:g.width])
			}
		}
		g.store(&orthonormal, m, k, q)
		g.store(&triangular, k, n, h.a)
		for lane := range g.count {
			if hard[lane] {
				alone(g.first + lane)
			}
		}
	})
}

// groupReflections are matrices whose columns are being reduced: the vectors of the reflections are in the columns of a,
// below the diagonal.
type groupReflections[T lanes.Float] struct {
	a           lanes.Rows[T]
	m, n, width int
	taus        []T
	betas, sums []T // memory for one column and for a row
	ones, kept  []T
}

func (h *groupReflections[T]) at(i, j int) []T {
	return h.a.Data[i*h.a.Row+j*h.a.Column:][:h.width]
}

// reflect reduces column j, and applies the reflection to the columns to its right. It marks matrices as hard for which
// the sum of squares is out of range.
func (h *groupReflections[T]) reflect(j int, hard []bool) {
	below := h.m - j - 1
	squares, taus := h.betas, h.taus[j*h.width:][:h.width]
	clear(squares)
	if below > 0 {
		column := lanes.Rows[T]{Data: h.a.Data[(j+1)*h.a.Row+j*h.a.Column:], Row: h.a.Row}
		for lane := 0; lane < h.width; lane += lanes.Width[T]() {
			part := part(column, lane)
			lanes.Subtract(below, 1, lanes.Rows[T]{Data: squares[lane:]}, part.Data, part.Row, part)
		}
	}
	diagonal := h.at(j, j)
	low, high := squaresOf[T]()
	for lane, s := range squares {
		alpha, square := float64(diagonal[lane]), -float64(s)
		if !(square >= low && square <= high && alpha*alpha <= high) {
			h.hardColumn(j, lane, hard)
			squares[lane], taus[lane] = diagonal[lane], 0
			diagonal[lane] = 1
			continue
		}
		length := -math.Copysign(math.Sqrt(alpha*alpha+square), alpha)
		taus[lane] = T((length - alpha) / length)
		diagonal[lane] = T(1 / (alpha - length))
		squares[lane] = T(length)
	}
	for i := j + 1; i < h.m; i++ {
		row := h.at(i, j)
		for lane, v := range diagonal {
			row[lane] *= v
		}
	}
	h.apply(j, h.a, j+1, h.n)
	copy(diagonal, h.betas)
}

// hardColumn marks a matrix as hard, unless its column is 0 below the diagonal already.
func (h *groupReflections[T]) hardColumn(j, lane int, hard []bool) {
	for i := j + 1; i < h.m; i++ {
		if h.at(i, j)[lane] != 0 {
			hard[lane] = true
		}
	}
}

// squaresOf is squares for the types of groups.
func squaresOf[T lanes.Float]() (low, high float64) {
	var v T
	if _, ok := any(v).(float32); ok {
		return squares[float32]()
	}
	return squares[float64]()
}

// apply multiplies the columns [from, to) of c by reflection j. Its vector has a 1 in row j, which is not in memory: the
// element there is kept.
func (h *groupReflections[T]) apply(j int, c lanes.Rows[T], from, to int) {
	if from >= to {
		return
	}
	rows, columns := h.m-j, to-from
	c.Data = c.Data[j*c.Row+from*c.Column:]
	vector := h.a.Data[j*(h.a.Row+h.a.Column):]
	copy(h.kept, vector)
	copy(vector, h.ones)
	sums := h.sums[:columns*h.width]
	clear(sums)
	for lane := 0; lane < h.width; lane += lanes.Width[T]() {
		w := lanes.Rows[T]{Data: sums[lane:], Column: h.width}
		lanes.Subtract(rows, columns, w, vector[lane:], h.a.Row, part(c, lane))
	}
	taus := h.taus[j*h.width:][:h.width]
	for k := range columns {
		row := sums[k*h.width:][:h.width]
		for lane, tau := range taus {
			row[lane] *= -tau
		}
	}
	for lane := 0; lane < h.width; lane += lanes.Width[T]() {
		w := lanes.Rows[T]{Data: sums[lane:], Column: h.width}
		lanes.Subtract(rows, columns, part(c, lane), vector[lane:], h.a.Row, w)
	}
	copy(vector, h.kept)
}
