//go:build (amd64 || arm64) && !purego

package lanes

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

func width[T Float]() int {
	size := int(unsafe.Sizeof(*new(T)))
	switch isa.Current() {
	case isa.AVX512:
		return 64 / size
	case isa.AVX2:
		return 32 / size
	}
	return plainWidth
}

//go:noinline
func subtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		subtractAVX512F32(rows, columns, isa.Singles(&f[0]), 4*fRow, isa.Singles(&u.Data[0]), 4*u.Row, 4*u.Column, isa.Singles(&c.Data[0]), 4*c.Row, 4*c.Column)
	case isa.Form{Level: isa.AVX512, Double: true}:
		subtractAVX512F64(rows, columns, isa.Doubles(&f[0]), 8*fRow, isa.Doubles(&u.Data[0]), 8*u.Row, 8*u.Column, isa.Doubles(&c.Data[0]), 8*c.Row, 8*c.Column)
	case isa.Form{Level: isa.AVX2}:
		subtractAVX2F32(rows, columns, isa.Singles(&f[0]), 4*fRow, isa.Singles(&u.Data[0]), 4*u.Row, 4*u.Column, isa.Singles(&c.Data[0]), 4*c.Row, 4*c.Column)
	case isa.Form{Level: isa.AVX2, Double: true}:
		subtractAVX2F64(rows, columns, isa.Doubles(&f[0]), 8*fRow, isa.Doubles(&u.Data[0]), 8*u.Row, 8*u.Column, isa.Doubles(&c.Data[0]), 8*c.Row, 8*c.Column)
	default:
		plainSubtract(rows, columns, c, f, fRow, u)
	}
}

//go:noinline
func lu[T Float](m, n int, a Rows[T], step int, pivots []T, columns int, x Rows[T]) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		luAVX512F32(m, n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, 4*step, isa.Singles(&pivots[0]), isa.Singles(&x.Data[0]), 4*x.Row, 4*x.Column, columns)
	case isa.Form{Level: isa.AVX512, Double: true}:
		luAVX512F64(m, n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, 8*step, isa.Doubles(&pivots[0]), isa.Doubles(&x.Data[0]), 8*x.Row, 8*x.Column, columns)
	case isa.Form{Level: isa.AVX2}:
		luAVX2F32(m, n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, 4*step, isa.Singles(&pivots[0]), isa.Singles(&x.Data[0]), 4*x.Row, 4*x.Column, columns)
	case isa.Form{Level: isa.AVX2, Double: true}:
		luAVX2F64(m, n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, 8*step, isa.Doubles(&pivots[0]), isa.Doubles(&x.Data[0]), 8*x.Row, 8*x.Column, columns)
	default:
		plainLU(m, n, a, step, pivots, columns, x)
	}
}

//go:noinline
func determinant[T Float](n int, diagonal []T, diagonalStep int, pivots []T, step int, y []T) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		determinantAVX512F32(n, isa.Singles(&diagonal[0]), 4*diagonalStep, isa.Singles(&pivots[0]), 4*step, isa.Singles(&y[0]))
	case isa.Form{Level: isa.AVX512, Double: true}:
		determinantAVX512F64(n, isa.Doubles(&diagonal[0]), 8*diagonalStep, isa.Doubles(&pivots[0]), 8*step, isa.Doubles(&y[0]))
	case isa.Form{Level: isa.AVX2}:
		determinantAVX2F32(n, isa.Singles(&diagonal[0]), 4*diagonalStep, isa.Singles(&pivots[0]), 4*step, isa.Singles(&y[0]))
	case isa.Form{Level: isa.AVX2, Double: true}:
		determinantAVX2F64(n, isa.Doubles(&diagonal[0]), 8*diagonalStep, isa.Doubles(&pivots[0]), 8*step, isa.Doubles(&y[0]))
	default:
		plainDeterminant(n, diagonal, diagonalStep, pivots, step, y)
	}
}

//go:noinline
func cholesky[T Float](n int, a Rows[T], isPositive *uint32) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		choleskyAVX512F32(n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, isPositive)
	case isa.Form{Level: isa.AVX512, Double: true}:
		choleskyAVX512F64(n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, isPositive)
	case isa.Form{Level: isa.AVX2}:
		choleskyAVX2F32(n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, isPositive)
	case isa.Form{Level: isa.AVX2, Double: true}:
		choleskyAVX2F64(n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, isPositive)
	default:
		plainCholesky(n, a, isPositive)
	}
}

//go:noinline
func substitute[T Float](m, n int, t, x Rows[T], unit bool) {
	flag := 0
	if unit {
		flag = 1
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		substituteAVX512F32(m, n, isa.Singles(&t.Data[0]), 4*t.Row, 4*t.Column, isa.Singles(&x.Data[0]), 4*x.Row, 4*x.Column, flag)
	case isa.Form{Level: isa.AVX512, Double: true}:
		substituteAVX512F64(m, n, isa.Doubles(&t.Data[0]), 8*t.Row, 8*t.Column, isa.Doubles(&x.Data[0]), 8*x.Row, 8*x.Column, flag)
	case isa.Form{Level: isa.AVX2}:
		substituteAVX2F32(m, n, isa.Singles(&t.Data[0]), 4*t.Row, 4*t.Column, isa.Singles(&x.Data[0]), 4*x.Row, 4*x.Column, flag)
	case isa.Form{Level: isa.AVX2, Double: true}:
		substituteAVX2F64(m, n, isa.Doubles(&t.Data[0]), 8*t.Row, 8*t.Column, isa.Doubles(&x.Data[0]), 8*x.Row, 8*x.Column, flag)
	default:
		plainSubstitute(m, n, t, x, unit)
	}
}

//go:noinline
func outer[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		outerAVX512F32(rows, len(u), isa.Singles(&f[0]), 4*fRow, isa.Singles(&u[0]), isa.Singles(&c[0]), 4*cRow)
	case isa.Form{Level: isa.AVX512, Double: true}:
		outerAVX512F64(rows, len(u), isa.Doubles(&f[0]), 8*fRow, isa.Doubles(&u[0]), isa.Doubles(&c[0]), 8*cRow)
	case isa.Form{Level: isa.AVX2}:
		outerAVX2F32(rows, len(u), isa.Singles(&f[0]), 4*fRow, isa.Singles(&u[0]), isa.Singles(&c[0]), 4*cRow)
	case isa.Form{Level: isa.AVX2, Double: true}:
		outerAVX2F64(rows, len(u), isa.Doubles(&f[0]), 8*fRow, isa.Doubles(&u[0]), isa.Doubles(&c[0]), 8*cRow)
	default:
		plainOuter(rows, c, cRow, f, fRow, u)
	}
}

//go:noinline
func triangle[T Float](m, n int, t *T, tRow, tColumn int, inverses []T, x *T, xRow int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		triangleAVX512F32(m, n, isa.Singles(t), 4*tRow, 4*tColumn, isa.Singles(&inverses[0]), isa.Singles(x), 4*xRow)
	case isa.Form{Level: isa.AVX512, Double: true}:
		triangleAVX512F64(m, n, isa.Doubles(t), 8*tRow, 8*tColumn, isa.Doubles(&inverses[0]), isa.Doubles(x), 8*xRow)
	case isa.Form{Level: isa.AVX2}:
		triangleAVX2F32(m, n, isa.Singles(t), 4*tRow, 4*tColumn, isa.Singles(&inverses[0]), isa.Singles(x), 4*xRow)
	case isa.Form{Level: isa.AVX2, Double: true}:
		triangleAVX2F64(m, n, isa.Doubles(t), 8*tRow, 8*tColumn, isa.Doubles(&inverses[0]), isa.Doubles(x), 8*xRow)
	default:
		plainTriangle(m, n, t, tRow, tColumn, inverses, x, xRow)
	}
}

//go:noinline
func column[T Float](row, factors, x []T, xRow int, largest *[2 * mostLanes]T) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		columnAVX512F32(len(row), isa.Singles(&row[0]), len(factors), isa.Singles(unsafe.SliceData(factors)), isa.Singles(unsafe.SliceData(x)), 4*xRow, isa.Singles(&largest[0]))
	case isa.Form{Level: isa.AVX512, Double: true}:
		columnAVX512F64(len(row), isa.Doubles(&row[0]), len(factors), isa.Doubles(unsafe.SliceData(factors)), isa.Doubles(unsafe.SliceData(x)), 8*xRow, isa.Doubles(&largest[0]))
	case isa.Form{Level: isa.AVX2}:
		columnAVX2F32(len(row), isa.Singles(&row[0]), len(factors), isa.Singles(unsafe.SliceData(factors)), isa.Singles(unsafe.SliceData(x)), 4*xRow, isa.Singles(&largest[0]))
	case isa.Form{Level: isa.AVX2, Double: true}:
		columnAVX2F64(len(row), isa.Doubles(&row[0]), len(factors), isa.Doubles(unsafe.SliceData(factors)), isa.Doubles(unsafe.SliceData(x)), 8*xRow, isa.Doubles(&largest[0]))
	default:
		plainColumn(row, factors, x, xRow, largest)
	}
}

//go:noinline
func scale[T Float](rows, n int, y []T, yRow int, factor T, x []T, xRow int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		scaleAVX512F32(rows, n, isa.Singles(&y[0]), 4*yRow, isa.Singles(&factor), isa.Singles(&x[0]), 4*xRow)
	case isa.Form{Level: isa.AVX512, Double: true}:
		scaleAVX512F64(rows, n, isa.Doubles(&y[0]), 8*yRow, isa.Doubles(&factor), isa.Doubles(&x[0]), 8*xRow)
	case isa.Form{Level: isa.AVX2}:
		scaleAVX2F32(rows, n, isa.Singles(&y[0]), 4*yRow, isa.Singles(&factor), isa.Singles(&x[0]), 4*xRow)
	case isa.Form{Level: isa.AVX2, Double: true}:
		scaleAVX2F64(rows, n, isa.Doubles(&y[0]), 8*yRow, isa.Doubles(&factor), isa.Doubles(&x[0]), 8*xRow)
	default:
		plainScale(rows, n, y, yRow, factor, x, xRow)
	}
}

//go:noinline
func diagonalise[T Float](n int, a Rows[T], columns int, v Rows[T], limits []T, rotated *uint32) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		diagonaliseAVX512F32(n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, isa.Singles(&v.Data[0]), 4*v.Row, 4*v.Column, columns, isa.Singles(&limits[0]), rotated)
	case isa.Form{Level: isa.AVX512, Double: true}:
		diagonaliseAVX512F64(n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, isa.Doubles(&v.Data[0]), 8*v.Row, 8*v.Column, columns, isa.Doubles(&limits[0]), rotated)
	case isa.Form{Level: isa.AVX2}:
		diagonaliseAVX2F32(n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, isa.Singles(&v.Data[0]), 4*v.Row, 4*v.Column, columns, isa.Singles(&limits[0]), rotated)
	case isa.Form{Level: isa.AVX2, Double: true}:
		diagonaliseAVX2F64(n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, isa.Doubles(&v.Data[0]), 8*v.Row, 8*v.Column, columns, isa.Doubles(&limits[0]), rotated)
	default:
		plainDiagonalise(n, a, columns, v, limits, rotated)
	}
}

//go:noinline
func orthogonalise[T Float](m, n int, a Rows[T], columns int, u Rows[T], limit *T, rotated *uint32) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		orthogonaliseAVX512F32(m, n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, isa.Singles(&u.Data[0]), 4*u.Row, 4*u.Column, columns, isa.Singles(limit), rotated)
	case isa.Form{Level: isa.AVX512, Double: true}:
		orthogonaliseAVX512F64(m, n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, isa.Doubles(&u.Data[0]), 8*u.Row, 8*u.Column, columns, isa.Doubles(limit), rotated)
	case isa.Form{Level: isa.AVX2}:
		orthogonaliseAVX2F32(m, n, isa.Singles(&a.Data[0]), 4*a.Row, 4*a.Column, isa.Singles(&u.Data[0]), 4*u.Row, 4*u.Column, columns, isa.Singles(limit), rotated)
	case isa.Form{Level: isa.AVX2, Double: true}:
		orthogonaliseAVX2F64(m, n, isa.Doubles(&a.Data[0]), 8*a.Row, 8*a.Column, isa.Doubles(&u.Data[0]), 8*u.Row, 8*u.Column, columns, isa.Doubles(limit), rotated)
	default:
		plainOrthogonalise(m, n, a, columns, u, limit, rotated)
	}
}
