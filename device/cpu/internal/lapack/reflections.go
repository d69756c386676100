package lapack

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
)

// reflections are the reflections Hᵢ = I - τᵢ·vᵢ·vᵢᴴ of m elements. The vector vᵢ is 0 above element i, which is 1. They
// are stored in blocks of width reflections, whose products are I - V·T·Vᴴ with the vectors as columns of V and an upper
// triangular T (compact WY).
type reflections[T blas.Number] struct {
	m, count, width int
	vectors         []T // block after block; the vectors are rows
	triangles       []T
	space           *memory.Scratch
}

// block is a block of reflections: the rows of v are the vectors, from their elements 1 on.
type block[T blas.Number] struct {
	v, t blas.Matrix[T]
}

// blockWidth returns how many reflections are applied together.
func blockWidth(count int) int {
	if count < 192 {
		return min(32, max(count, 1))
	}
	return 64
}

func newReflections[T blas.Number](m, count int) reflections[T] {
	width := blockWidth(count)
	blocks := (count + width - 1) / width
	r := takeRoom[T](blocks * width * (m + width))
	return reflections[T]{m: m, count: count, width: width, vectors: r.vector(blocks * width * m), triangles: r.vector(blocks * width * width), space: r.scratch}
}

func (h *reflections[T]) recycle() { h.space.Recycle() }

// block returns the block that begins with a reflection.
func (h *reflections[T]) block(from int) block[T] {
	width := min(h.width, h.count-from)
	v := blas.New(h.vectors[from*h.m:], width, h.m-from)
	return block[T]{v, blas.New(h.triangles[from*h.width:], width, width)}
}

// product sets q to the first columns of the product of all reflections.
func (h *reflections[T]) product(q blas.Matrix[T]) {
	for i := range q.Rows {
		clear(q.Row(i))
	}
	for i := range q.Columns {
		*q.At(i, i) = 1
	}
	for from := (h.count - 1) / h.width * h.width; from >= 0 && h.count > 0; from -= h.width {
		b := h.block(from)
		b.apply(q.Part(from, from, q.Rows-from, q.Columns-from), false)
	}
}

// part returns some reflections of a block.
func (b block[T]) part(from, to int) block[T] {
	return block[T]{b.v.Part(from, from, to-from, b.v.Columns-from), b.t.Part(from, from, to-from, to-from)}
}

// apply multiplies c by the block from the left, or by its adjoint.
func (b block[T]) apply(c blas.Matrix[T], adjoint bool) {
	if c.Rows == 0 || c.Columns == 0 {
		return
	}
	k := b.v.Rows
	r := takeRoom[T](2 * k * c.Columns)
	w, tw := r.matrix(k, c.Columns), r.matrix(k, c.Columns)
	clear(w.Data)
	clear(tw.Data)
	blas.AddProduct(w, 1, b.v, c, blas.ConjugateLeft)
	if adjoint {
		blas.AddProduct(tw, -1, b.t.Transpose(), w, blas.ConjugateLeft)
	} else {
		blas.AddProduct(tw, -1, b.t, w, 0)
	}
	blas.AddProduct(c, 1, b.v.Transpose(), tw, 0)
	r.scratch.Recycle()
}

// applyTurned multiplies matrices, whose columns are the rows of c, by the adjoint of the block.
func (b block[T]) applyTurned(c blas.Matrix[T]) {
	k, n := b.v.Rows, c.Rows
	r := takeRoom[T](2 * k * n)
	w, wt := r.matrix(n, k), r.matrix(n, k)
	clear(w.Data)
	clear(wt.Data)
	blas.AddProduct(w, 1, c, b.v.Transpose(), blas.ConjugateRight|blas.Alone) // (Vᴴ·C)ᵀ
	blas.AddProduct(wt, -1, w, b.t, blas.ConjugateRight|blas.Alone)
	blas.AddProduct(c, 1, wt, b.v, blas.Alone)
	r.scratch.Recycle()
}

// applyOne is applyTurned for reflection number j alone, of columns that begin at its first element.
func (b block[T]) applyOne(c blas.Matrix[T], j int) {
	var along [stripColumns]T
	reflectRows(c, b.v.Row(j)[j:], blas.Conj(*b.t.At(j, j)), along[:])
}

// reflectRows subtracts τ·(Σ conj(v)·row)·v from each row of c. along has room for a number a row.
func reflectRows[T blas.Number](c blas.Matrix[T], v []T, tau T, along []T) {
	if c.Rows == 0 || tau == 0 {
		return
	}
	along = along[:c.Rows]
	blas.Dots(along, v, c)
	for i := range along {
		along[i] *= tau
	}
	blas.SubtractOuter(c, along, 1, v)
}

// extend completes column j of the triangle of the reflections from one on: above τ it is -τ·T·Vᴴ·vⱼ.
func (b block[T]) extend(from, j int) {
	n := j - from
	tau := *b.t.At(j, j)
	clear(b.t.Row(j)[from:j])
	if n == 0 {
		return
	}
	var along [stripColumns]T
	v := b.v.Row(j)[j:]
	blas.Dots(along[:n], v, b.v.Part(from, j, n, len(v)))
	for i := range n {
		var sum T
		for k, t := range b.t.Row(from + i)[from+i : j] {
			sum += t * blas.Conj(along[i+k])
		}
		*b.t.At(from+i, j) = -tau * sum
	}
}

// join completes the triangle of the reflections [from, to), given those of both halves: beside the first one it is
// -T₁·V₁ᴴ·V₂·T₂.
func (b block[T]) join(from, half, to int) {
	n, k := half-from, to-half
	first, second := b.part(from, half), b.part(half, to)
	beside := b.t.Part(from, half, n, k)
	below := b.t.Part(half, from, k, n)
	for i := range k {
		clear(below.Row(i))
	}
	r := takeRoom[T](2 * n * k)
	w, tw := r.matrix(n, k), r.matrix(n, k)
	clear(w.Data)
	clear(tw.Data)
	blas.AddProduct(w, 1, first.v.Part(0, n, n, second.v.Columns), second.v.Transpose(), blas.ConjugateLeft|blas.Alone)
	blas.AddProduct(tw, -1, first.t, w, blas.Alone)
	for i := range n {
		clear(beside.Row(i))
	}
	blas.AddProduct(beside, 1, tw, second.t, blas.Alone)
	r.scratch.Recycle()
}

// reflect finds the reflection H number i of a block with Hᴴ·x = (…, β, 0, …, 0), where x is column i of the block's
// rows: elements before number i stay. It replaces x by that. β is real, and its sign is opposite to that of the real
// part of x[i]. If x has this form already, τ is 0.
func (b block[T]) reflect(x []T, i int) {
	v := b.v.Row(i)
	clear(v[:i])
	v[i] = 1
	x = x[i:]
	beta, tau := reflectionOf(v[i+1:], x)
	x[0] = beta
	*b.t.At(i, i) = tau
}

// reflectionOf stores the vector of the reflection for x, without its first element 1, in v, and returns β and τ.
func reflectionOf[T blas.Number](v, x []T) (beta, tau T) {
	copy(v, x[1:])
	re, im := blas.Parts(x[0])
	square, _ := blas.Parts(blas.Dot(v, v))
	unit := 1.0
	if low, high := squares[T](); !(square >= low && square <= high) || !(re*re+im*im <= high) {
		rest := magnitude(v)
		if rest == 0 && im == 0 {
			return x[0], 0
		}
		if most := max(rest, math.Abs(re), math.Abs(im)); most <= math.MaxFloat64 {
			_, exponent := math.Frexp(most)
			unit = math.Ldexp(1, exponent)
			if unit < 0x1p-1000 {
				unit = 0x1p-1000
			}
			re, im = re/unit, im/unit
			for i, y := range v { // exact
				r, i2 := blas.Parts(y)
				v[i] = blas.Complex[T](r/unit, i2/unit)
			}
			square, _ = blas.Parts(blas.Dot(v, v))
		}
	}
	length := -math.Copysign(math.Sqrt(re*re+im*im+square), re)
	tau = blas.Complex[T]((length-re)/length, -im/length)
	inverse := 1 / complex(re-length, im)
	blas.Scale(v, blas.Complex[T](real(inverse), imag(inverse)), v)
	return blas.Real[T](length * unit), tau
}

// squares returns the range of sums of squares that neither overflow nor lose digits to underflow.
func squares[T blas.Number]() (low, high float64) {
	if blas.Epsilon[T]() > 0x1p-30 {
		return 0x1p-90, 0x1p90
	}
	return 0x1p-900, 0x1p900
}

// magnitude returns the largest absolute value of a part of an element, or NaN.
func magnitude[T blas.Number](x []T) float64 {
	most := 0.0
	for _, v := range x {
		re, im := blas.Parts(v)
		most = max(most, math.Abs(re), math.Abs(im))
	}
	return most
}
