//go:build !purego

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
func divide[T Float](n int, x []T, step int, d []T) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		divideAVX512F32(n, isa.Singles(&x[0]), 4*step, isa.Singles(&d[0]))
	case isa.Form{Level: isa.AVX512, Double: true}:
		divideAVX512F64(n, isa.Doubles(&x[0]), 8*step, isa.Doubles(&d[0]))
	case isa.Form{Level: isa.AVX2}:
		divideAVX2F32(n, isa.Singles(&x[0]), 4*step, isa.Singles(&d[0]))
	case isa.Form{Level: isa.AVX2, Double: true}:
		divideAVX2F64(n, isa.Doubles(&x[0]), 8*step, isa.Doubles(&d[0]))
	default:
		plainDivide(n, x, step, d)
	}
}

//go:noinline
func largest[T Float](n int, x []T, step int, index []T) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		largestAVX512F32(n, isa.Singles(&x[0]), 4*step, isa.Singles(&index[0]))
	case isa.Form{Level: isa.AVX512, Double: true}:
		largestAVX512F64(n, isa.Doubles(&x[0]), 8*step, isa.Doubles(&index[0]))
	case isa.Form{Level: isa.AVX2}:
		largestAVX2F32(n, isa.Singles(&x[0]), 4*step, isa.Singles(&index[0]))
	case isa.Form{Level: isa.AVX2, Double: true}:
		largestAVX2F64(n, isa.Doubles(&x[0]), 8*step, isa.Doubles(&index[0]))
	default:
		plainLargest(n, x, step, index)
	}
}

//go:noinline
func exchange[T Float](columns int, x, y []T, step int, index []T, number T) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		exchangeAVX512F32(columns, isa.Singles(&x[0]), isa.Singles(&y[0]), 4*step, isa.Singles(&index[0]), float32(number))
	case isa.Form{Level: isa.AVX512, Double: true}:
		exchangeAVX512F64(columns, isa.Doubles(&x[0]), isa.Doubles(&y[0]), 8*step, isa.Doubles(&index[0]), float64(number))
	case isa.Form{Level: isa.AVX2}:
		exchangeAVX2F32(columns, isa.Singles(&x[0]), isa.Singles(&y[0]), 4*step, isa.Singles(&index[0]), float32(number))
	case isa.Form{Level: isa.AVX2, Double: true}:
		exchangeAVX2F64(columns, isa.Doubles(&x[0]), isa.Doubles(&y[0]), 8*step, isa.Doubles(&index[0]), float64(number))
	default:
		plainExchange(columns, x, y, step, index, number)
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
