package ref

import (
	"math"
	"math/cmplx"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The factorisations compute in float64 or complex128 and round once, when they store. A matrix is a slice of rows.

// entry is a number of a matrix.
type entry interface{ float64 | complex128 }

// typeOf returns the dtype of entries.
func typeOf[T entry]() dtype.DType {
	if unsafe.Sizeof(*new(T)) == 16 {
		return dtype.Complex128
	}
	return dtype.Float64
}

// entryOf returns a float as an entry.
func entryOf[T entry](v float64) (x T) {
	*(*float64)(unsafe.Pointer(&x)) = v // the real part comes first
	return x
}

// parts returns the real and the imaginary part.
func parts[T entry](x T) (re, im float64) {
	if typeOf[T]().IsComplex() {
		z := *(*complex128)(unsafe.Pointer(&x))
		return real(z), imag(z)
	}
	return *(*float64)(unsafe.Pointer(&x)), 0
}

// conj returns the complex conjugate; for a float, the float itself.
func conj[T entry](x T) T {
	if typeOf[T]().IsComplex() {
		z := (*complex128)(unsafe.Pointer(&x))
		*z = cmplx.Conj(*z)
	}
	return x
}

func abs[T entry](x T) float64 { return math.Hypot(parts(x)) }

// phase returns x/|x|; for a float, its sign.
func phase[T entry](x T) T {
	re, im := parts(x)
	if im == 0 {
		return entryOf[T](math.Copysign(1, re))
	}
	return x / entryOf[T](abs(x))
}

func newMatrix[T entry](rows, columns int) [][]T {
	a := make([][]T, rows)
	for i := range a {
		a[i] = make([]T, columns)
	}
	return a
}

func identityMatrix[T entry](n int) [][]T {
	a := newMatrix[T](n, n)
	for i := range a {
		a[i][i] = 1
	}
	return a
}

// transposed returns the transpose of a matrix with the given number of columns.
func transposed[T entry](a [][]T, columns int) [][]T {
	t := newMatrix[T](columns, len(a))
	for i := range a {
		for j := range columns {
			t[j][i] = a[i][j]
		}
	}
	return t
}

// conjugated conjugates a matrix in place.
func conjugated[T entry](a [][]T) [][]T {
	for i := range a {
		for j := range a[i] {
			a[i][j] = conj(a[i][j])
		}
	}
	return a
}

// matrixAt reads the matrix at a point of the batch.
func matrixAt[T entry](o operand, index []int, rows, columns int) [][]T {
	a := newMatrix[T](rows, columns)
	for i := range rows {
		for j := range columns {
			dtype.Convert(typeOf[T](), unsafe.Pointer(&a[i][j]), 1, o.dtype, o.pointer(o.within(index, i, j)), 1, 1)
		}
	}
	return a
}

// setMatrix stores the matrix at a point of the batch.
func setMatrix[T entry](o operand, index []int, a [][]T) {
	for i := range a {
		for j := range a[i] {
			dtype.Convert(o.dtype, o.pointer(o.within(index, i, j)), 1, typeOf[T](), unsafe.Pointer(&a[i][j]), 1, 1)
		}
	}
}

// setVector stores the vector at a point of the batch.
func setVector[T entry](o operand, index []int, v []T) {
	for i := range v {
		setMatrix(operand{o.bytes, o.dtype, o.within(index, i, 0), []int{0, 0}, o.len}, nil, [][]T{v[i : i+1]})
	}
}

// within returns the number of element (i, j) of the matrix at a point of the batch.
func (o operand) within(index []int, i, j int) int {
	return o.at(index) + i*o.strides[len(index)] + j*o.strides[len(index)+1]
}

// optional returns operand k, and whether it is present.
func (d *Device) optional(l *device.Launch, k int) (o operand, given bool) {
	if l.Operands[k].Memory.IsNil() {
		return operand{}, false
	}
	return d.operand(l, k), true
}

func allFinite[T entry](a [][]T) bool {
	for _, row := range a {
		for _, v := range row {
			if re, im := parts(v); math.IsInf(re, 0) || math.IsNaN(re) || math.IsInf(im, 0) || math.IsNaN(im) {
				return false
			}
		}
	}
	return true
}

// magnitude returns the largest |a|.
func magnitude[T entry](a [][]T) float64 {
	largest := 0.0
	for _, row := range a {
		for _, v := range row {
			largest = math.Max(largest, abs(v))
		}
	}
	return largest
}

// divide divides a matrix by a number.
func divide[T entry](a [][]T, by float64) {
	for _, row := range a {
		for j := range row {
			row[j] /= entryOf[T](by)
		}
	}
}
