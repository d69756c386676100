package lapack

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// QR reduces the columns to a triangle by reflections (Householder's method). The signs are LAPACK's: each diagonal
// element of R has the opposite sign of the element that it replaces.
func QR(l *device.Launch) {
	f := factorisationOf(l)
	if f.m > 0 {
		f.run(2, qrOf[float32], qrOf[float64], qrOf[complex64], qrOf[complex128])
	}
}

func qrOf[T blas.Number](f factorisation) {
	m, n := f.m, f.n
	k := min(m, n)
	if f.launch.Full {
		k = m
	}
	orthonormal, triangular, matrices := f.operand(0), f.operand(1), f.operand(2)
	// each factors some matrices of the batch.
	each := func(from, to int) {
		r := takeRoom[T](m * n)
		a := r.matrix(m, n)
		for batch := from; batch < to; batch++ {
			load(&matrices, batch, a)
			if max(m, n) <= wholeQR && !blas.IsComplex[T]() {
				result(&orthonormal, batch, m, k, func(q blas.Matrix[T]) { reduceWhole(a, q) })
			} else {
				h := reduceColumns(a)
				result(&orthonormal, batch, m, k, func(q blas.Matrix[T]) { h.product(q) })
				h.recycle()
			}
			clearBeside(a, true)
			store(&triangular, batch, a.Part(0, 0, k, n))
		}
		r.scratch.Recycle()
	}
	if f.isSmall() && !blas.IsComplex[T]() {
		inGroups := qrOfGroups[float64]
		if unsafe.Sizeof(*new(T)) == 4 {
			inGroups = qrOfGroups[float32]
		}
		inGroups(f, k, func(batch int) { each(batch, batch+1) })
		return
	}
	workers.ForRanges(f.batches, flops[T](2*float64(m)*float64(max(n, k))*float64(max(k, 1)))+float64(m*n), each)
}

// wholeQR is the number of rows and columns up to which real matrices are reduced without blocks: all columns by each reflection.
const wholeQR = 64

// aligned is the unit of elements at which the vectors of small reflections begin, with zeros: then few loads cross lines of the cache.
const aligned = 16

// reduceWhole is reduceColumns for small real matrices, of which it also stores the first columns of Q.
func reduceWhole[T blas.Number](a, q blas.Matrix[T]) {
	m, n := a.Rows, a.Columns
	k := min(m, n)
	r := takeRoom[T]((n+q.Columns+k)*m + k + max(n, q.Columns))
	turned, product, vectors, taus := r.matrix(n, m), r.matrix(q.Columns, m), r.matrix(k, m), r.vector(k)
	blas.Copy(turned, a.Transpose())
	clear(vectors.Data)
	for j := range k {
		v, x := vectors.Row(j)[j:], turned.Row(j)[j:]
		v[0] = 1
		x[0], taus[j] = reflectionOf(v[1:], x)
		from := j &^ (aligned - 1)
		reflectRows(turned.Part(j+1, from, n-j-1, m-from), vectors.Row(j)[from:], taus[j], r.left)
	}
	blas.Copy(a, turned.Transpose())
	clear(product.Data)
	for i := range product.Rows {
		*product.At(i, i) = 1
	}
	for j := k - 1; j >= 0; j-- {
		from := j &^ (aligned - 1)
		reflectRows(product.Part(j, from, product.Rows-j, m-from), vectors.Row(j)[from:], taus[j], r.left)
	}
	blas.Copy(q, product.Transpose())
	r.scratch.Recycle()
}

// reduceColumns replaces a by the triangle of its QR factorisation, and returns the reflections whose product is Q. What
// it leaves below the diagonal is arbitrary.
func reduceColumns[T blas.Number](a blas.Matrix[T]) reflections[T] {
	m, k := a.Rows, min(a.Rows, a.Columns)
	h := newReflections[T](m, k)
	r := takeRoom[T](h.width * m)
	for from := 0; from < k; from += h.width {
		to := min(from+h.width, k)
		rows, width := m-from, to-from
		turned := blas.New(r.left, width, rows)
		panel := a.Part(from, from, rows, width)
		blas.Copy(turned, panel.Transpose())
		b := h.block(from)
		reflectTurned(turned, b, 0, width)
		blas.Copy(a.Part(from, from, width, width), turned.Part(0, 0, width, width).Transpose())
		b.apply(a.Part(from, to, rows, a.Columns-to), true)
	}
	r.scratch.Recycle()
	return h
}

// reflectTurned reduces the columns [from, to) of a panel, which are rows of t, and stores the reflections in a block.
func reflectTurned[T blas.Number](t blas.Matrix[T], b block[T], from, to int) {
	if to-from <= stripColumns {
		for j := from; j < to; j++ {
			b.reflect(t.Row(j), j)
			b.applyOne(t.Part(j+1, j, to-j-1, t.Columns-j), j)
			b.extend(from, j)
		}
		return
	}
	half := from + (to-from+1)/2
	reflectTurned(t, b, from, half)
	left := b.part(from, half)
	left.applyTurned(t.Part(half, from, to-half, t.Columns-from))
	reflectTurned(t, b, half, to)
	b.join(from, half, to)
}
