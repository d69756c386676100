package eigen

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// hessenberg reduces a to a matrix that is 0 below the subdiagonal, Qᴴ·A·Q, where Q is the product of reflections H₀·H₁···. Row
// k of c becomes the conjugated vector of reflection k, from index k+1 on.
func hessenberg[T blas.Number](a, c blas.Matrix[T], taus []T) {
	if isCached(a, cachedHessenberg) {
		hessenbergCached(a, c, taus)
	} else {
		hessenbergBlocks(a, c, taus)
	}
}

// hessenbergCached reads and changes the columns that follow once in each step, for real matrices: the pass that subtracts what the last step
// left, f·vᵀ + g·zᵀ, multiplies the new rows with the next vector. The pass runs from whole lines of the cache on; the vectors have zeros at the
// columns that are finished.
func hessenbergCached[T blas.Number](a, c blas.Matrix[T], taus []T) {
	n := a.Rows
	var s scratch
	room := zeros[T](&s, 6, n)
	f, v, g, z, next, sums := room.Row(0), room.Row(1), room.Row(2), room.Row(3), room.Row(4), room.Row(5)
	for k := range n {
		for i := range n {
			a.Data[i*a.Line+k] -= f[i]*v[k] + g[i]*z[k]
		}
		if k == n-1 {
			break
		}
		u := c.Row(k)[k+1:]
		for i := range u {
			u[i] = a.Data[(k+1+i)*a.Line+k]
			a.Data[(k+1+i)*a.Line+k] = 0
		}
		if magnitude(u) < negligible[T]() {
			clear(u)
		}
		beta, tau := reflect(u, 0)
		a.Data[(k+1)*a.Line+k], taus[k] = blas.Real[T](beta), tau
		v[k], z[k] = 0, 0
		from := wholeLines[T](k + 1)
		clear(next[from : k+1])
		copy(next[k+1:], u)
		update(sums, a.Data[from:], a.Line, f, v[from:], g, z[from:], next[from:])
		clear(z[from:])
		axpys(z[from:], a.Data[(k+1)*a.Line+from:], a.Line, u)
		blas.Scale(f, tau, sums)
		blas.Axpy(z[from:], -blas.Dot(u, f[k+1:]), next[from:])
		clear(z[from : k+1])
		g[k] = 0
		blas.Scale(g[k+1:], tau, u)
		v, next = next, v
	}
	s.recycle()
}

// hessenbergBlocks reduces a block of columns before the rest of the matrix changes, which is (I - V·T·Vᴴ)ᴴ·(A - Y·Vᴴ) with Y = A·V·T. A
// step reads the rows below the block once.
func hessenbergBlocks[T blas.Number](a, c blas.Matrix[T], taus []T) {
	n := a.Rows
	var s scratch
	block := min(blockRows, n)
	b := hessenbergBlock[T]{
		a: a, v: matrix[T](&s, block, n), conj: matrix[T](&s, block, n), y: matrix[T](&s, block, n), t: matrix[T](&s, block, block),
		column: vector[T](&s, n), sums: vector[T](&s, block), turned: vector[T](&s, block),
	}
	for from := 0; from < n-1; from += block {
		columns := min(block, n-1-from)
		b.from = from
		clear(b.t.Data)
		for l := range columns {
			taus[from+l] = b.reduce(l)
			copy(c.Row(from + l)[from+l+1:], b.conj.Row(l)[from+l+1:])
		}
		b.update(columns)
	}
	s.recycle()
}

// hessenbergBlock is the state of hessenbergBlocks. The rows of v are the vectors of the block, those of conj the conjugated ones, and
// those of y the columns of Y, all from index from+1 on.
type hessenbergBlock[T blas.Number] struct {
	a, v, conj, y, t     blas.Matrix[T]
	from                 int
	column, sums, turned []T
}

// reduce makes a column of the block zero below the subdiagonal.
func (b *hessenbergBlock[T]) reduce(l int) T {
	n, first := b.a.Rows, b.from+1
	k := b.from + l
	column, sums := b.column[first:n], b.sums[:l]
	for i := range column {
		column[i] = b.a.Data[(first+i)*b.a.Line+k]
	}
	if l > 0 {
		for i := range sums {
			sums[i] = -b.conj.Row(i)[k]
		}
		axpys(column, b.y.Data[first:], b.y.Line, sums)
		dots(sums, b.v.Data[first:], b.v.Line, column)
		b.turn(sums, true)
		axpys(column, b.v.Data[first:], b.v.Line, b.turned[:l])
	}
	v, c := b.v.Row(l), b.conj.Row(l)
	clear(v[first : k+1])
	clear(c[first : k+1])
	for i, x := range column[l:] {
		c[k+1+i] = blas.Conj(x)
	}
	if magnitude(c[k+1:]) < negligible[T]() {
		clear(c[k+1:])
	}
	beta, tau := reflect(c[k+1:], 0)
	for i, x := range c[k+1:] {
		v[k+1+i] = blas.Conj(x)
	}
	for i, x := range column[:l] {
		b.a.Data[(first+i)*b.a.Line+k] = x
	}
	b.a.Data[(k+1)*b.a.Line+k] = blas.Real[T](beta)
	for i := k + 2; i < n; i++ {
		b.a.Data[i*b.a.Line+k] = 0
	}
	y := b.y.Row(l)[first:n]
	dots(y, b.a.Data[first*b.a.Line+k+1:], b.a.Line, c[k+1:])
	for i := range y {
		y[i] = blas.Conj(y[i])
	}
	dots(sums, b.v.Data[first:], b.v.Line, v[first:])
	for i := range sums {
		b.turned[i] = -sums[i]
	}
	axpys(y, b.y.Data[first:], b.y.Line, b.turned[:l])
	blas.Scale(y, tau, y)
	b.turn(sums, false)
	for i := range sums {
		b.t.Row(i)[l] = tau * b.turned[i]
	}
	b.t.Row(l)[l] = tau
	return tau
}

// turn sets turned to -T·x, or to -Tᴴ·x.
func (b *hessenbergBlock[T]) turn(x []T, adjoint bool) {
	for i := range x {
		var sum T
		if adjoint {
			for l := range i + 1 {
				sum += blas.Conj(b.t.Row(l)[i]) * x[l]
			}
		} else {
			for l := i; l < len(x); l++ {
				sum += b.t.Row(i)[l] * x[l]
			}
		}
		b.turned[i] = -sum
	}
}

// update applies the reflections of a block to the other columns, and to the rows above.
func (b *hessenbergBlock[T]) update(columns int) {
	n, first := b.a.Rows, b.from+1
	to := b.from + columns
	v, conj, t := b.v.Part(0, first, columns, n-first), b.conj.Part(0, first, columns, n-first), b.t.Part(0, 0, columns, columns)
	var s scratch
	// The rows above: A - (A·V)·T·Vᴴ.
	along, turned := zeros[T](&s, first, columns), zeros[T](&s, first, columns)
	blas.AddProduct(along, 1, b.a.Part(0, first, first, n-first), v.Transpose(), 0)
	blas.AddProduct(turned, -1, along, t, 0)
	blas.AddProduct(b.a.Part(0, first, first, n-first), 1, turned, conj, 0)
	if to < n {
		rest := b.a.Part(first, to, n-first, n-to)
		blas.AddProduct(rest, -1, b.y.Part(0, first, columns, n-first).Transpose(), b.conj.Part(0, to, columns, n-to), 0)
		across, reflected := zeros[T](&s, columns, n-to), zeros[T](&s, columns, n-to)
		blas.AddProduct(across, 1, v, rest, blas.ConjugateLeft)
		blas.AddProduct(reflected, -1, t.Transpose(), across, blas.ConjugateLeft)
		blas.AddProduct(rest, 1, v.Transpose(), reflected, 0)
	}
	s.recycle()
}
