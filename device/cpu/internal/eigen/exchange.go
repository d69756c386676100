package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// size returns the size of the diagonal block that begins at k: 1 or 2.
func (s *schur[T]) size(k int) int {
	if k+1 < s.h.Rows && *s.at(k+1, k) != 0 {
		return 2
	}
	return 1
}

// moveUp moves the diagonal block at from up to the block at to, past the blocks between them. It returns where the block is,
// which is not there if two blocks are too close to be exchanged.
func (s *schur[T]) moveUp(from, to int) (at int) {
	for from > to {
		above := from - 1
		if above > 0 && *s.at(above, above-1) != 0 {
			above--
		}
		if !s.exchange(above, from-above, s.size(from)) {
			return from
		}
		from = above
	}
	return from
}

// exchange exchanges the diagonal block at k, of p rows, with the next one, of q rows. The columns of (-X, I) span the space of
// the second block's eigenvalues if A₁₁·X - X·A₂₂ = A₁₂ (Bai and Demmel).
func (s *schur[T]) exchange(k, p, q int) bool {
	x, ok := s.sylvester(k, p, q)
	if !ok {
		return false
	}
	n := p + q
	var basis [2][4]T // by columns
	for j := range q {
		for i := range p {
			basis[j][i] = -x[i][j]
		}
		basis[j][p+j] = 1
	}
	// A trial on the two blocks alone shows whether the rounding errors are acceptable.
	var room, unused [16]T
	trial := schur[T]{h: blas.New(room[:], n, n), ut: blas.New(unused[:], n, 0)}
	blas.Copy(trial.h, s.h.Part(k, k, n, n))
	limit := 20 * blas.Epsilon[T]() * magnitude(room[:n*n])
	trial.turn(0, basis, p, q)
	for i := q; i < n; i++ {
		if magnitude(trial.h.Row(i)[:q]) > limit {
			return false
		}
	}
	s.turn(k, basis, p, q)
	for i := q; i < n; i++ {
		clear(s.h.Row(k + i)[k : k+q])
	}
	if q == 2 {
		s.standardise(k)
	}
	if p == 2 {
		s.standardise(k + q)
	}
	return true
}

// turn applies the reflections that make the columns of a basis triangular to the rows and columns from k on.
func (s *schur[T]) turn(k int, basis [2][4]T, p, q int) {
	for j := range q {
		h, _ := reflectionTo(basis[j][j : p+q]...)
		for l := j + 1; l < q; l++ {
			h.left(blas.Matrix[T]{Rows: 4, Columns: 1, Line: 1, Step: 1, Data: basis[l][:]}, j, 0, 1)
		}
		h.left(s.h, k+j, 0, s.h.Columns)
		h.right(s.h, k+j, 0, s.h.Rows)
		h.transposed(s.ut, k+j)
	}
}

// sylvester solves A₁₁·X - X·A₂₂ = A₁₂ for neighbouring diagonal blocks.
func (s *schur[T]) sylvester(k, p, q int) (x [2][2]T, ok bool) {
	n := p * q
	var m [4][5]T
	for i := range p {
		for j := range q {
			row := &m[i*q+j]
			for l := range p {
				row[l*q+j] += *s.at(k+i, k+l)
			}
			for l := range q {
				row[i*q+l] -= *s.at(k+p+l, k+p+j)
			}
			row[4] = *s.at(k+i, k+p+j)
		}
	}
	// Elimination with the largest element of a column as pivot.
	for c := range n {
		pivot := c
		for i := c + 1; i < n; i++ {
			if blas.Size(m[i][c]) > blas.Size(m[pivot][c]) {
				pivot = i
			}
		}
		m[c], m[pivot] = m[pivot], m[c]
		if blas.Size(m[c][c]) <= negligible[T]() {
			return x, false
		}
		for i := range n {
			if f := m[i][c] / m[c][c]; i != c && f != 0 {
				for j := c; j < 5; j++ {
					m[i][j] -= f * m[c][j]
				}
			}
		}
	}
	for i := range p {
		for j := range q {
			x[i][j] = m[i*q+j][4] / m[i*q+j][i*q+j]
			if !(blas.Size(x[i][j]) < math.Inf(1)) {
				return x, false
			}
		}
	}
	return x, true
}
