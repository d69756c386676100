package lapack

import (
	"math"
	"math/cmplx"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// gonum has no LAPACK for complex matrices. This package factors complex matrices in complex128, column by column.
// Parts that become real, such as the bidiagonal matrix from which singular values are computed, use gonum after all.

// complexMatrix is a matrix of complex numbers, by rows.
type complexMatrix struct {
	rows, columns int
	data          []complex128
}

func (a complexMatrix) row(i int) []complex128 { return a.data[i*a.columns : (i+1)*a.columns] }

// from returns the rows from number k on.
func (a complexMatrix) from(row int) complexMatrix {
	return complexMatrix{a.rows - row, a.columns, a.data[row*a.columns:]}
}

// isComplex reports whether an operand has complex numbers.
func (f *factorisation) isComplex(k int) bool { return f.launch.Operands[k].DType.IsComplex() }

// complexes returns memory for complex numbers; each takes two numbers of the workspace.
func (w *workspace) complexes(n int) []complex128 {
	return memory.Slice[complex128](unsafe.Pointer(unsafe.SliceData(w.vector(2*n))), n)
}

func (w *workspace) complexMatrix(rows, columns int) complexMatrix {
	return complexMatrix{rows, columns, w.complexes(rows * columns)}
}

// loadComplex copies a matrix of the batch to dst, storeComplex copies src to one.
func (m *operand) loadComplex(batch int, dst complexMatrix) {
	if len(dst.data) == 0 {
		return
	}
	b := m.Block(batch)
	for i := range dst.rows {
		dtype.Convert(dtype.Complex128, unsafe.Pointer(&dst.data[i*dst.columns]), 1, b.DType, b.At(i, 0), b.Depth, dst.columns)
	}
}

func (m *operand) storeComplex(batch int, src complexMatrix) {
	if len(src.data) == 0 {
		return
	}
	b := m.Block(batch)
	for i := range src.rows {
		dtype.Convert(b.DType, b.At(i, 0), b.Depth, dtype.Complex128, unsafe.Pointer(&src.data[i*src.columns]), 1, src.columns)
	}
}

// complexCost is the cost of a product and sum of complex numbers, in nanoseconds.
const complexCost = 2.0

// addTimes adds c·x to y.
func addTimes(y []complex128, c complex128, x []complex128) {
	for i, v := range x[:len(y)] {
		y[i] += c * v
	}
}

// inner returns Σ conj(x)·y.
func inner(x, y []complex128) complex128 {
	var sum complex128
	for i, v := range y[:len(x)] {
		sum += cmplx.Conj(x[i]) * v
	}
	return sum
}

// adjoin stores the adjoint of a in t.
func adjoin(t, a complexMatrix) {
	for i := range a.rows {
		for j, v := range a.row(i) {
			t.data[j*t.columns+i] = cmplx.Conj(v)
		}
	}
}

func conjugate(x []complex128) {
	for i, v := range x {
		x[i] = cmplx.Conj(v)
	}
}

// setComplexIdentity sets the diagonal to 1 and all other elements to 0.
func setComplexIdentity(a complexMatrix) {
	clear(a.data)
	for i := range min(a.rows, a.columns) {
		a.row(i)[i] = 1
	}
}

// allFiniteComplex is allFinite for complex numbers.
func allFiniteComplex(x []complex128) bool {
	for _, v := range x {
		if cmplx.IsInf(v) || cmplx.IsNaN(v) {
			return false
		}
	}
	return true
}

// reflect replaces x by the vector v, which begins with 1, of the reflection H = I - τ·v·vᴴ with Hᴴ·x = (β, 0, …, 0),
// as LAPACK does. β is real, and its sign is opposite to that of the real part of x[0]. If x has this form already, τ
// is 0.
func reflect(x []complex128) (beta float64, tau complex128) {
	largest := 0.0
	for _, v := range x[1:] {
		largest = max(largest, math.Abs(real(v)), math.Abs(imag(v)))
	}
	alpha := x[0]
	if largest == 0 && imag(alpha) == 0 {
		x[0] = 1
		return real(alpha), 0
	}
	_, exponent := math.Frexp(max(largest, math.Abs(real(alpha)), math.Abs(imag(alpha))))
	up, down := math.Ldexp(1, -max(exponent, -1000)), math.Ldexp(1, max(exponent, -1000)) // exact, and keeps the squares in range
	sum := 0.0
	for i, v := range x {
		v = complex(real(v)*up, imag(v)*up)
		x[i] = v
		sum += real(v)*real(v) + imag(v)*imag(v)
	}
	alpha = x[0]
	beta = -math.Copysign(math.Sqrt(sum), real(alpha))
	tau = complex((beta-real(alpha))/beta, -imag(alpha)/beta)
	rest := alpha - complex(beta, 0)
	x[0] = 1
	for i := range x[1:] {
		x[1+i] /= rest
	}
	return beta * down, tau
}

// reflectRows replaces the columns of a from one on by (I - τ·v·vᴴ)·a; w has room for a row.
func reflectRows(a complexMatrix, from int, v []complex128, tau complex128, w []complex128) {
	w = w[:a.columns-from]
	clear(w)
	for i, x := range v {
		addTimes(w, cmplx.Conj(x), a.row(i)[from:])
	}
	for i, x := range v {
		addTimes(a.row(i)[from:], -tau*x, w)
	}
}

// reflectColumns replaces the columns of a from one on by a·(I - τ·v·vᴴ). The argument is the conjugate of v.
func reflectColumns(a complexMatrix, from int, conjV []complex128, tau complex128) {
	for i := range a.rows {
		row := a.row(i)[from:]
		var along complex128
		for k, x := range conjV {
			along += row[k] * cmplx.Conj(x)
		}
		addTimes(row, -tau*along, conjV)
	}
}

// below copies the part of a column from a row on.
func below(a complexMatrix, row, column int, x []complex128) []complex128 {
	x = x[:a.rows-row]
	for i := range x {
		x[i] = a.data[(row+i)*a.columns+column]
	}
	return x
}

// keep stores a vector except its first element, which is 1, in a column, below the element of the first one.
func keep(a complexMatrix, row, column int, v []complex128) {
	for i := 1; i < len(v); i++ {
		a.data[(row+i)*a.columns+column] = v[i]
	}
}
