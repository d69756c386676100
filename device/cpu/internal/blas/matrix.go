package blas

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
)

// Number is the type of a matrix element.
type Number interface {
	float32 | float64 | complex64 | complex128
}

// Matrix is a view of a matrix. Element (i, j) is Data[i·Line+j·Step]. One of the strides is 1, or there is only one row or
// column.
type Matrix[T Number] struct {
	Rows, Columns int
	Line, Step    int // distances of rows and of columns, in elements
	Data          []T // from the first element on
}

// New returns a matrix whose rows lie one after another in data.
func New[T Number](data []T, rows, columns int) Matrix[T] {
	return Matrix[T]{Rows: rows, Columns: columns, Line: max(columns, 1), Step: 1, Data: data[:rows*columns]}
}

// Part returns the part with the given first row and column, and the given numbers of rows and columns.
func (a Matrix[T]) Part(row, column, rows, columns int) Matrix[T] {
	p := Matrix[T]{Rows: rows, Columns: columns, Line: a.Line, Step: a.Step}
	if rows > 0 && columns > 0 {
		p.Data = a.Data[row*a.Line+column*a.Step:]
	}
	return p
}

// Transpose returns the transposed matrix in the same memory.
func (a Matrix[T]) Transpose() Matrix[T] {
	return Matrix[T]{Rows: a.Columns, Columns: a.Rows, Line: a.Step, Step: a.Line, Data: a.Data}
}

// Row returns row i of a matrix with contiguous rows.
func (a Matrix[T]) Row(i int) []T {
	if a.Columns == 0 {
		return nil
	}
	return a.Data[i*a.Line : i*a.Line+a.Columns : i*a.Line+a.Columns]
}

// At returns the address of element (i, j).
func (a Matrix[T]) At(i, j int) *T { return &a.Data[i*a.Line+j*a.Step] }

// isEmpty reports whether there are no elements.
func (a Matrix[T]) isEmpty() bool { return a.Rows == 0 || a.Columns == 0 }

// hasRows reports whether the elements of each row are contiguous.
func (a Matrix[T]) hasRows() bool { return a.Step == 1 || a.Columns == 1 }

// hasColumns reports whether the elements of each column are contiguous.
func (a Matrix[T]) hasColumns() bool { return a.Line == 1 || a.Rows == 1 }

// address returns the address of the first element; the matrix is not empty.
func (a Matrix[T]) address() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(a.Data)) }

// take returns scratch memory for a matrix, and the matrix, whose rows lie one after another.
func take[T Number](rows, columns int) (*memory.Scratch, Matrix[T]) {
	s := memory.TakeScratch(rows * columns * size[T]())
	return s, New(memory.Room[T](s, 0, rows*columns), rows, columns)
}

// Copy copies src to dst, which has the same shape and other memory. If only one of them has contiguous rows, the copy
// transposes in memory.
func Copy[T Number](dst, src Matrix[T]) {
	switch {
	case dst.isEmpty():
	case dst.hasRows() && src.hasRows():
		for i := range dst.Rows {
			copy(dst.Row(i), src.Data[i*src.Line:i*src.Line+src.Columns])
		}
	case dst.hasColumns() && src.hasColumns():
		Copy(dst.Transpose(), src.Transpose())
	case dst.Step == 1 && src.Line == 1:
		move.Transpose(dst.address(), dst.Line, src.address(), src.Step, src.Columns, src.Rows, size[T]())
	default:
		move.Transpose(dst.address(), dst.Step, src.address(), src.Line, src.Rows, src.Columns, size[T]())
	}
}

// as returns a matrix with its element type, which the caller has found out.
func as[E, T Number](a Matrix[T]) Matrix[E] {
	return Matrix[E]{Rows: a.Rows, Columns: a.Columns, Line: a.Line, Step: a.Step,
		Data: unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(a.Data))), len(a.Data))}
}

// size returns the size of an element in bytes.
func size[T Number]() int { return int(unsafe.Sizeof(*new(T))) }

// IsComplex reports whether T is complex. It is a constant in every instance.
func IsComplex[T Number]() bool {
	switch any(*new(T)).(type) {
	case complex64, complex128:
		return true
	}
	return false
}

// Conj returns the conjugate.
func Conj[T Number](x T) T {
	switch p := any(&x).(type) {
	case *complex64:
		*p = complex(real(*p), -imag(*p))
	case *complex128:
		*p = complex(real(*p), -imag(*p))
	}
	return x
}

// Parts returns the real and the imaginary part.
func Parts[T Number](x T) (re, im float64) {
	switch v := any(x).(type) {
	case float32:
		return float64(v), 0
	case float64:
		return v, 0
	case complex64:
		return float64(real(v)), float64(imag(v))
	case complex128:
		return real(v), imag(v)
	}
	return 0, 0
}

// Real returns the number with the given real part and no imaginary part.
func Real[T Number](re float64) T { return Complex[T](re, 0) }

// Complex returns the number with the given parts; the imaginary part counts only if T is complex.
func Complex[T Number](re, im float64) (x T) {
	switch p := any(&x).(type) {
	case *float32:
		*p = float32(re)
	case *float64:
		*p = re
	case *complex64:
		*p = complex(float32(re), float32(im))
	case *complex128:
		*p = complex(re, im)
	}
	return x
}

// Size returns |Re x| + |Im x|.
func Size[T Number](x T) float64 {
	re, im := Parts(x)
	return math.Abs(re) + math.Abs(im)
}

// Conjugate conjugates the elements of a matrix with contiguous rows.
func Conjugate[T Number](a Matrix[T]) {
	if !IsComplex[T]() {
		return
	}
	for i := range a.Rows {
		row := a.Row(i)
		for j, v := range row {
			row[j] = Conj(v)
		}
	}
}
