package eigen

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// bidiagonalise reduces a matrix with at most as many rows as columns to the real lower bidiagonal matrix with diagonal d and
// subdiagonal e: B = Gᴴ·A·H. H is a product of reflections from the right, whose conjugated vectors replace the rows of a
// from the diagonal on, G a product of reflections from the left, whose conjugated vectors become the rows of left, after the
// diagonal, if left has elements. They are applied in the order of the rows.
func bidiagonalise[T blas.Number](a, left blas.Matrix[T], d, e []float64, tausRight, tausLeft []T) {
	switch {
	case a.Columns <= fewColumns:
		bidiagonaliseSmall(a, left, d, e, tausRight, tausLeft)
	case isCached(a, cachedBidiagonal):
		bidiagonaliseCached(a, left, d, e, tausRight, tausLeft)
	default:
		bidiagonaliseBlocks(a, left, d, e, tausRight, tausLeft)
	}
}

// bidiagonaliseBlocks reduces a block of rows and columns before the rest of the matrix changes, which is A - F·P: the rows of P are vectors
// of reflections from the right and products with those from the left, those of F are the factors. A step reads the rest of
// the matrix once: the product of a row with a vector from the right gives the row's element of the next vector from the
// left, except for a factor that is known only after the last row, and its multiple is added to the product with that
// vector at once (Howell et al.).
func bidiagonaliseBlocks[T blas.Number](a, left blas.Matrix[T], d, e []float64, tausRight, tausLeft []T) {
	m, n := a.Rows, a.Columns
	var s scratch
	block := min(bidiagonalRows, m)
	b := bidiagonalBlock[T]{
		a: a, p: matrix[T](&s, 2*block, n), f: matrix[T](&s, m, 2*block),
		products: vector[T](&s, m), column: vector[T](&s, m), sums: vector[T](&s, 2*block), factors: vector[T](&s, 2*block),
		row: vector[T](&s, n),
	}
	for from := 0; from < m; from += block {
		rows := min(block, m-from)
		for l := range rows {
			k := from + l
			d[k], tausRight[k] = b.reduceRow(k, l)
			if k < m-1 {
				e[k], tausLeft[k] = b.reduceColumn(k, l, tausRight[k])
				if left.Rows > 0 {
					copy(left.Row(k)[k+1:], b.column[:m-k-1])
				}
			}
		}
		if to := from + rows; to < m {
			blas.AddProduct(a.Part(to, to, m-to, n-to), -1, b.f.Part(to, 0, m-to, 2*rows), b.p.Part(0, to, 2*rows, n-to), 0)
		}
	}
	s.recycle()
}

// bidiagonalRows is the number of rows that are reduced before the rest of the matrix changes.
const bidiagonalRows = 24

// bidiagonalBlock is the state of bidiagonalise. The rows 2·l and 2·l+1 of p, and the columns of f, belong to step l of the
// block.
type bidiagonalBlock[T blas.Number] struct {
	a, p, f                         blas.Matrix[T]
	products, column, sums, factors []T
	row                             []T
}

// reduceRow makes row k zero after the diagonal.
func (b *bidiagonalBlock[T]) reduceRow(k, l int) (beta float64, tau T) {
	row := b.a.Row(k)[k:]
	factors := b.factors[:2*l]
	for i, v := range b.f.Row(k)[:2*l] {
		factors[i] = -v
	}
	axpys(row, b.p.Data[k:], b.p.Line, factors)
	beta, tau = reflect(row, 0)
	copy(b.p.Row(2 * l)[k:], row)
	return beta, tau
}

// reduceColumn applies the reflection of row k to the rows below, and makes column k zero below the first of them. It stores
// the conjugated vector of that reflection in column.
func (b *bidiagonalBlock[T]) reduceColumn(k, l int, tau T) (beta float64, sigma T) {
	m, n := b.a.Rows, b.a.Columns
	v := b.p.Row(2 * l)[k:]
	rest := m - k - 1
	f := b.f.Data[(k+1)*b.f.Line:]
	products, column := b.products[:rest], b.column[:rest]
	// What the earlier steps of the block contribute to the products of the rows with the vector, and to the column.
	sums, factors := b.sums[:2*l], b.factors[:2*l]
	dots(sums, b.p.Data[k:], b.p.Line, v)
	for i := range factors {
		factors[i] = blas.Conj(b.p.Row(i)[k])
	}
	dots(products, f, b.f.Line, sums)
	dots(column, f, b.f.Line, factors)
	sum := b.row[:n-k-1]
	clear(sum)
	for i := 0; i < rest; i += 4 {
		rows := min(4, rest-i)
		at := b.a.Data[(k+1+i)*b.a.Line+k:]
		var along, entries [4]T
		dots(along[:rows], at, b.a.Line, v)
		for r := range rows {
			y := tau * blas.Conj(along[r]-products[i+r])
			f[(i+r)*b.f.Line+2*l] = y
			entries[r] = blas.Conj(at[r*b.a.Line]-y) - column[i+r]
			column[i+r] = entries[r]
		}
		if n > k+1 {
			axpys(sum, at[1:], b.a.Line, entries[:rows])
		}
	}
	if magnitude(column) < negligible[T]() {
		clear(column)
	}
	alpha := column[0]
	beta, sigma = reflect(column, 0)
	for i, c := range column {
		f[i*b.f.Line+2*l+1] = blas.Conj(c)
	}
	// The sum has the factors of the column, from which the vector differs by a factor except in its first element.
	next := b.a.Row(k + 1)[k+1:]
	product := b.p.Row(2*l + 1)[k+1:]
	if sigma == 0 {
		clear(product)
		return beta, sigma
	}
	scale := blas.Conj(sigma) / (alpha - blas.Real[T](beta))
	blas.Scale(product, scale, sum)
	blas.Axpy(product, -scale*blas.Real[T](beta), next)
	along := b.sums[:2*l+1]
	clear(along)
	axpys(along, f, b.f.Line, column)
	for i := range along {
		along[i] *= -blas.Conj(sigma)
	}
	axpys(product, b.p.Data[k+1:], b.p.Line, along)
	return beta, sigma
}

// negligible returns a number so small, beside a matrix in range, that its products may be lost.
func negligible[T blas.Number]() float64 {
	if blas.Epsilon[T]() > 1e-10 {
		return 0x1p-90
	}
	return 0x1p-900
}

// bidiagonaliseSmall changes the whole matrix after each row and column.
func bidiagonaliseSmall[T blas.Number](a, left blas.Matrix[T], d, e []float64, tausRight, tausLeft []T) {
	m, n := a.Rows, a.Columns
	var room, sumRoom [fewColumns]T
	for k := range m {
		c := a.Row(k)[k:]
		d[k], tausRight[k] = reflect(c, 0)
		reflectRows(a.Part(k+1, k, m-k-1, n-k), c, tausRight[k])
		if k == m-1 {
			break
		}
		u := room[:m-k-1]
		for i := range u {
			u[i] = blas.Conj(a.Row(k + 1 + i)[k])
		}
		if magnitude(u) < negligible[T]() {
			clear(u)
		}
		e[k], tausLeft[k] = reflect(u, 0)
		if left.Rows > 0 {
			copy(left.Row(k)[k+1:], u)
		}
		// Gᴴ times the rows: minus conj(σ)·u·(uᴴ·rows).
		sum := sumRoom[:n-k-1]
		clear(sum)
		for i, v := range u {
			for j, x := range a.Row(k + 1 + i)[k+1:] {
				sum[j] += v * x
			}
		}
		sigma := blas.Conj(tausLeft[k])
		for i, v := range u {
			by, row := sigma*blas.Conj(v), a.Row(k + 1 + i)[k+1:]
			for j, x := range sum {
				row[j] -= by * x
			}
		}
	}
}

// bidiagonaliseCached reads and changes the rest of a real matrix once in each step, some rows at a time: while they are in the first-level
// cache, they are multiplied with the row's vector, and their multiples added to the product with the column's, as in bidiagonaliseBlocks. What
// the two reflections subtract, A·H and the column's factors times that product, is left to the next step. Rows are read from whole lines of the
// cache on: the elements to the left of a step do not count, because the vectors have zeros there.
func bidiagonaliseCached[T blas.Number](a, left blas.Matrix[T], d, e []float64, tausRight, tausLeft []T) {
	m, n := a.Rows, a.Columns
	var s scratch
	alongs, next, factors, column := zeros[T](&s, 1, m).Data, matrix[T](&s, 1, m).Data, zeros[T](&s, 1, m).Data, matrix[T](&s, 1, m).Data
	vector, product, sums := zeros[T](&s, 1, n).Data, zeros[T](&s, 1, n).Data, matrix[T](&s, 1, n).Data
	for k := range m {
		from := wholeLines[T](k)
		c := a.Row(k)[from:]
		update(column[:1], c, a.Line, alongs[k:], vector[from:], factors[k:], product[from:], c)
		d[k], tausRight[k] = reflect(c[k-from:], 0)
		clear(c[:k-from])
		rest := m - k - 1
		if rest == 0 {
			break
		}
		sum := sums[from:]
		clear(sum)
		some := max(4, nearBytes/((n-from)*int(unsafe.Sizeof(*new(T)))))
		for i := k + 1; i < m; i += some {
			to := min(i+some, m)
			rows, u := a.Data[i*a.Line+from:], column[i:to]
			update(u, rows, a.Line, alongs[i:], vector[from:], factors[i:], product[from:], c)
			for r, v := range u {
				y := tausRight[k] * v
				next[i+r], u[r] = y, rows[r*a.Line+k-from]-y
			}
			axpys(sum, rows, a.Line, u)
		}
		u := column[k+1:]
		if magnitude(u) < negligible[T]() {
			clear(u)
		}
		alpha := u[0]
		e[k], tausLeft[k] = reflect(u, 0)
		if left.Rows > 0 {
			copy(left.Row(k)[k+1:], u)
		}
		alongs, next = next, alongs
		copy(vector[from:], c)
		blas.Scale(factors[k+1:], tausLeft[k], u)
		from = wholeLines[T](k + 1)
		w := product[from:]
		if tausLeft[k] == 0 {
			clear(w)
			continue
		}
		// The sum has the elements of the column, from which the vector differs by a factor except in its first element.
		scale := 1 / (alpha - blas.Real[T](e[k]))
		blas.Scale(w, scale, sums[from:])
		blas.Axpy(w, -scale*blas.Real[T](e[k]), a.Row(k + 1)[from:])
		blas.Axpy(w, -blas.Dot(u, alongs[k+1:]), vector[from:])
		clear(w[:k+1-from])
	}
	s.recycle()
}

// nearBytes is the size of the rows that stay in the first-level cache between two passes.
const nearBytes = 24 << 10

// wholeLines rounds a number of elements down to whole lines of the cache.
func wholeLines[T blas.Number](n int) int { return n &^ (64/int(unsafe.Sizeof(*new(T))) - 1) }

// reflectRows replaces x by x·H, where c is the conjugated vector of H.
func reflectRows[T blas.Number](x blas.Matrix[T], c []T, tau T) {
	var v [fewColumns]T
	for j, y := range c {
		v[j] = blas.Conj(y)
	}
	for i := range x.Rows {
		row := x.Row(i)[:len(c)]
		var sum T
		for j, y := range v[:len(row)] {
			sum += y * row[j]
		}
		sum *= tau
		for j, y := range c {
			row[j] -= sum * y
		}
	}
}
