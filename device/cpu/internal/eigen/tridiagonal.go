package eigen

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// tridiagonalise reduces the Hermitian matrix, whose lower triangle is in a, to the real tridiagonal matrix with diagonal d
// and off-diagonal e: T = Hᴴ·A·H, where H is the product of the reflections of the last row first. Row k of a, for k > 0,
// is replaced by the conjugated vector of its reflection, with k elements.
func tridiagonalise[T blas.Number](a blas.Matrix[T], d, e []float64, taus []T) {
	switch {
	case a.Rows <= fewColumns:
		tridiagonaliseSmall(a, d, e, taus)
	case isCached(a, cachedTridiagonal):
		tridiagonaliseCached(a, d, e, taus)
	default:
		tridiagonaliseBlocks(a, d, e, taus)
	}
}

// tridiagonaliseBlocks reduces a block of rows before the rows above it change. Then each step needs the product of the rows above, as they
// were, with the vector, which reads them once, and the corrections by the block's vectors: A - C̄ᵀ·W - W̄ᵀ·C, where the
// rows of C and W are conjugated too.
func tridiagonaliseBlocks[T blas.Number](a blas.Matrix[T], d, e []float64, taus []T) {
	n := a.Rows
	var s scratch
	block := min(blockRows, n)
	pairs := matrix[T](&s, 3*block, n) // the vectors, the weights, and the vectors again: factors of the product for the rows above
	vectors, weights := pairs.Part(0, 0, block, n), pairs.Part(block, 0, block, n)
	factors, sums, along := vector[T](&s, 2*block), vector[T](&s, 2*block), vector[T](&s, n)
	for top := n; top > 0; {
		rows := min(block, top)
		for b := range rows {
			k := top - 1 - b
			row := a.Row(k)[:k+1]
			for l := range b {
				factors[l] = -blas.Conj(vectors.Row(l)[k])
				factors[block+l] = -blas.Conj(weights.Row(l)[k])
			}
			axpys(row, weights.Data, n, factors[:b])
			axpys(row, vectors.Data, n, factors[block:block+b])
			d[k], _ = blas.Parts(row[k])
			if k == 0 {
				break
			}
			c := row[:k]
			beta, tau := reflect(c, k-1)
			e[k-1], taus[k] = beta, tau
			w := weights.Row(b)[:k]
			hermitianProduct(w, a, c, along)
			// The product with the rows as the block's vectors have changed them.
			dots(sums[:b], weights.Data, n, c)
			dots(sums[block:block+b], vectors.Data, n, c)
			for l := range b {
				factors[l], factors[block+l] = -sums[l], -sums[block+l]
			}
			axpys(w, vectors.Data, n, factors[:b])
			axpys(w, weights.Data, n, factors[block:block+b])
			blas.Scale(w, blas.Conj(tau), w)
			inner, _ := blas.Parts(blas.Conj(tau) * blas.Conj(blas.Dot(c, w)))
			blas.Axpy(w, blas.Real[T](-inner/2), c)
			clear(weights.Row(b)[k:])
			for _, v := range [2][]T{vectors.Row(b), pairs.Row(2*block + b)} {
				copy(v, c)
				clear(v[k:])
			}
		}
		if top -= rows; top > 0 {
			subtractProducts(a.Part(0, 0, top, top), pairs.Part(0, 0, 2*block, top), pairs.Part(block, 0, 2*block, top))
		}
	}
	s.recycle()
}

// tridiagonaliseSmall changes the rows above after each row.
func tridiagonaliseSmall[T blas.Number](a blas.Matrix[T], d, e []float64, taus []T) {
	var room, sums [fewColumns]T
	for k := a.Rows - 1; k >= 0; k-- {
		d[k], _ = blas.Parts(a.Row(k)[k])
		if k == 0 {
			break
		}
		c, w := a.Row(k)[:k], room[:k]
		beta, tau := reflect(c, k-1)
		e[k-1], taus[k] = beta, tau
		if tau == 0 {
			continue
		}
		hermitianProduct(w, a, c, sums[:])
		conj := blas.Conj(tau)
		var along T
		for i, v := range w {
			w[i] = conj * v
			along += c[i] * blas.Conj(w[i])
		}
		half, _ := blas.Parts(conj * along)
		by := blas.Real[T](half / 2)
		for i, v := range c {
			w[i] -= by * v
		}
		for i := range k {
			row := a.Row(i)[:i+1]
			p, q := blas.Conj(c[i]), blas.Conj(w[i])
			for j := range row {
				row[j] -= p*w[j] + q*c[j]
			}
		}
	}
}

// The sizes in bytes of real matrices up to which it is faster to change the whole matrix in each step, in few calls, than to read it once a step
// and to change it after a block of steps. A symmetric matrix in blocks is read by half.
const (
	cachedTridiagonal = 256 << 10
	cachedBidiagonal  = 2 << 20
	cachedHessenberg  = 512 << 10
)

// isCached reports whether a matrix is real and has at most so many bytes.
func isCached[T blas.Number](a blas.Matrix[T], bytes int) bool {
	return a.Rows*a.Columns*int(unsafe.Sizeof(*new(T))) <= bytes && !blas.IsComplex[T]()
}

// tridiagonaliseCached changes the rows above after each row, for real matrices, in the same pass that multiplies them with the next row's
// vector. It mirrors the lower triangle first: a pass over whole rows is one call.
func tridiagonaliseCached[T blas.Number](a blas.Matrix[T], d, e []float64, taus []T) {
	n := a.Rows
	for i := range n {
		for j, v := range a.Row(i)[:i] {
			a.Data[j*a.Line+i] = v
		}
	}
	var s scratch
	// What the last step left to subtract: multiples of its vector by its weights, and the other way round.
	vector, weights, next := zeros[T](&s, 1, n).Data, zeros[T](&s, 1, n).Data, matrix[T](&s, 1, n).Data
	var sum [1]T
	for k := n - 1; k >= 0; k-- {
		row := a.Row(k)[:k+1]
		update(sum[:], row, a.Line, vector[k:], weights, weights[k:], vector, row)
		d[k], _ = blas.Parts(row[k])
		if k == 0 {
			break
		}
		c, w := row[:k], next[:k]
		beta, tau := reflect(c, k-1)
		e[k-1], taus[k] = beta, tau
		update(w, a.Data, a.Line, vector, weights, weights, vector, c)
		blas.Scale(w, tau, w)
		blas.Axpy(w, -tau*blas.Dot(c, w)/2, c)
		vector, weights, next = c, w, weights[:n]
	}
	s.recycle()
}

// stripRows is the number of rows whose products are computed together, where only a triangle is needed.
const stripRows = 96

// subtractProducts replaces the lower triangle of a by that of a - X̄ᵀ·Y; it may change the upper one.
func subtractProducts[T blas.Number](a, x, y blas.Matrix[T]) {
	for from := 0; from < a.Rows; from += stripRows {
		rows := min(stripRows, a.Rows-from)
		left, right := x.Part(0, from, x.Rows, rows).Transpose(), y.Part(0, 0, y.Rows, from+rows)
		blas.AddProduct(a.Part(from, 0, rows, from+rows), -1, left, right, blas.ConjugateLeft)
	}
}

// hermitianProduct stores in w the product conj(A)·x, for the Hermitian matrix A of the size of x whose lower triangle is in
// a. It reads the triangle once. sums has room for as many elements as x.
func hermitianProduct[T blas.Number](w []T, a blas.Matrix[T], x, sums []T) {
	n := len(x)
	clear(w)
	group := triangle(sums[:n], w, a.Data, a.Line, x)
	for i := 0; i < n; i += group {
		for r := range min(group, n-i) {
			row := a.Data[(i+r)*a.Line+i:][:r+1]
			factor := x[i+r]
			sum := sums[i+r] + blas.Conj(row[r])*factor
			for l, v := range row[:r] {
				sum += blas.Conj(v) * x[i+l]
				w[i+l] += v * factor
			}
			w[i+r] += sum
		}
	}
}
