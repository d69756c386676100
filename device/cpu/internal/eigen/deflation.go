package eigen

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// deflate makes the last rows of the active part [low, high] of h triangular by a transformation of a window of them, and finds
// the eigenvalues there that are already those of the whole matrix, except for negligible changes: those for which the spike
// left of the window, which the transformation makes, is negligible (Braman, Byers and Mathias, aggressive early deflation). It
// returns how many it found, and the other eigenvalues of the window, the last ones first.
func (s *schur[T]) deflate(low, high, size int) (found int, others []complex128, ok bool) {
	from := high - size + 1
	var memory scratch
	defer memory.recycle()
	w := schur[T]{h: matrix[T](&memory, size, size), ut: zeros[T](&memory, size, size)}
	for i := range size {
		w.ut.Row(i)[i] = 1
		row := w.h.Row(i)
		copy(row, s.h.Row(from + i)[from:])
		clear(row[:max(i-1, 0)])
	}
	var spike T
	if from > low {
		spike = *s.at(from, from-1)
	}
	if !w.triangularise() {
		return 0, nil, false
	}
	// Blocks that are not negligible move to the top.
	least, eps, kept := negligible[T](), blas.Epsilon[T](), 0
	for end := size; end > kept; {
		k := end - 1
		if k > kept && *w.at(k, k-1) != 0 {
			k--
		}
		height, tip := blas.Size(*w.at(k, k)), blas.Size(spike)*blas.Size(w.ut.Row(k)[0])
		if k < end-1 {
			height += blas.Size(*w.at(k, k+1)) + blas.Size(*w.at(k+1, k))
			tip = max(tip, blas.Size(spike)*blas.Size(w.ut.Row(k + 1)[0]))
		}
		if height == 0 {
			height = blas.Size(spike)
		}
		if tip <= max(least, eps*height) {
			end = k
			continue
		}
		kept = w.moveUp(k, kept) + end - k // if it cannot be moved so far, those above it are kept too
	}
	values := vector[complex128](&memory, size)
	w.eigenvalues(values)
	for i := kept - 1; i >= 0; i-- {
		others = append(others, values[i])
	}
	w.removeSpike(spike, kept)
	s.insert(&w, from, spike, kept)
	return size - kept, others, true
}

// removeSpike makes the window a Hessenberg matrix again, whose first rows have the spike left of them.
func (w *schur[T]) removeSpike(spike T, kept int) {
	if spike == 0 || kept < 2 {
		return
	}
	var s scratch
	c := vector[T](&s, kept)
	// The spike is a multiple of the conjugated first row of Q.
	for i := range c {
		c[i] = w.ut.Row(i)[0]
	}
	_, tau := reflect(c, 0)
	taus := vector[T](&s, kept)
	rows := zeros[T](&s, kept, w.h.Columns)
	w.apply(c, tau)
	// The reflections of the reduction act on the first rows and columns alone.
	part := matrix[T](&s, kept, kept)
	blas.Copy(part, w.h.Part(0, 0, kept, kept))
	vectors := zeros[T](&s, kept, kept)
	hessenberg(part, vectors, taus)
	blas.Copy(w.h.Part(0, 0, kept, kept), part)
	q := zeros[T](&s, kept, kept) // the transposed product
	for i := range kept {
		q.Row(i)[i] = 1
	}
	applyFromLast(q, vectors.Part(0, 0, kept-1, kept), 1, taus)
	beside := w.h.Part(0, kept, kept, w.h.Columns-kept)
	result := rows.Part(0, 0, kept, beside.Columns)
	blas.AddProduct(result, 1, q, beside, blas.ConjugateLeft)
	blas.Copy(beside, result)
	clear(rows.Data)
	top := w.ut.Part(0, 0, kept, w.ut.Columns)
	blas.AddProduct(rows, 1, q, top, 0)
	blas.Copy(top, rows)
	s.recycle()
}

// apply transforms the first rows and columns by the reflection with the conjugated vector c.
func (w *schur[T]) apply(c []T, tau T) {
	n := w.h.Columns
	// Hᴴ·h: the rows.
	for j := range n {
		var sum T
		for i, v := range c {
			sum += v * *w.at(i, j)
		}
		sum *= blas.Conj(tau)
		for i, v := range c {
			*w.at(i, j) -= blas.Conj(v) * sum
		}
	}
	// h·H: the columns.
	for i := range c {
		row := w.h.Row(i)[:len(c)]
		var sum T
		for j, v := range c {
			sum += row[j] * blas.Conj(v)
		}
		sum *= tau
		for j, v := range c {
			row[j] -= sum * v
		}
	}
	// Hᵀ·Qᵀ
	for j := range n {
		var sum T
		for i, v := range c {
			sum += blas.Conj(v) * w.ut.Row(i)[j]
		}
		sum *= tau
		for i, v := range c {
			w.ut.Row(i)[j] -= v * sum
		}
	}
}

// insert replaces the window of h from an index on by w, and transforms the rest of h and ut with it.
func (s *schur[T]) insert(w *schur[T], from int, spike T, kept int) {
	size := w.h.Rows
	blas.Copy(s.h.Part(from, from, size, size), w.h)
	if from > 0 {
		for i := range size {
			*s.at(from+i, from-1) = 0
		}
		if kept > 0 {
			*s.at(from, from-1) = spike * blas.Conj(w.ut.Row(0)[0])
		}
	}
	s.transform(w.ut, from)
}

// transform applies the transformation of a window, whose transposed matrix is ut, to the rows and columns outside of it.
func (s *schur[T]) transform(ut blas.Matrix[T], from int) {
	size, n := ut.Rows, s.h.Rows
	var memory scratch
	defer memory.recycle()
	room := vector[T](&memory, size*max(n, s.ut.Columns))
	replace := func(part blas.Matrix[T], compute func(y blas.Matrix[T])) {
		if part.Rows == 0 || part.Columns == 0 {
			return
		}
		y := blas.New(room, part.Rows, part.Columns)
		clear(y.Data)
		compute(y)
		blas.Copy(part, y)
	}
	above := s.h.Part(0, from, from, size)
	replace(above, func(y blas.Matrix[T]) { blas.AddProduct(y, 1, above, ut.Transpose(), 0) })
	beside := s.h.Part(from, from+size, size, n-from-size)
	replace(beside, func(y blas.Matrix[T]) { blas.AddProduct(y, 1, ut, beside, blas.ConjugateLeft) })
	if s.ut.Rows > 0 {
		rows := s.ut.Part(from, 0, size, s.ut.Columns)
		replace(rows, func(y blas.Matrix[T]) { blas.AddProduct(y, 1, ut, rows, 0) })
	}
}
