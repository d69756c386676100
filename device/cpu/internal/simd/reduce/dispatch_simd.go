//go:build (amd64 || arm64) && !purego

package reduce

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

type (
	rowsFunc32 = func(dst, a *float32, rows, n, pitch int)
	pairFunc32 = func(dst, a, b *float32, rows, n, pitch, pitchB int)
	rowsFunc64 = func(dst, a *float64, rows, n, pitch int)
	pairFunc64 = func(dst, a, b *float64, rows, n, pitch, pitchB int)
)

// The routines by instruction level and operation.
var (
	rowRoutines32 = [isa.AVX512 + 1][8]rowsFunc32{
		isa.AVX2:   {sumRowsAVX2F32, prodRowsAVX2F32, maxRowsAVX2F32, minRowsAVX2F32, fmaxRowsAVX2F32, fminRowsAVX2F32, squaresRowsAVX2F32, magnitudesRowsAVX2F32},
		isa.AVX512: {sumRowsAVX512F32, prodRowsAVX512F32, maxRowsAVX512F32, minRowsAVX512F32, fmaxRowsAVX512F32, fminRowsAVX512F32, squaresRowsAVX512F32, magnitudesRowsAVX512F32},
	}
	columnRoutines32 = [isa.AVX512 + 1][6]rowsFunc32{
		isa.AVX2:   {sumColumnsAVX2F32, prodColumnsAVX2F32, maxColumnsAVX2F32, minColumnsAVX2F32, fmaxColumnsAVX2F32, fminColumnsAVX2F32},
		isa.AVX512: {sumColumnsAVX512F32, prodColumnsAVX512F32, maxColumnsAVX512F32, minColumnsAVX512F32, fmaxColumnsAVX512F32, fminColumnsAVX512F32},
	}
	pairRoutines32 = [isa.AVX512 + 1][3]pairFunc32{
		isa.AVX2:   {productsRowsAVX2F32, differencesRowsAVX2F32, deviationsRowsAVX2F32},
		isa.AVX512: {productsRowsAVX512F32, differencesRowsAVX512F32, deviationsRowsAVX512F32},
	}
	rowRoutines64 = [isa.AVX512 + 1][8]rowsFunc64{
		isa.AVX2:   {sumRowsAVX2F64, prodRowsAVX2F64, maxRowsAVX2F64, minRowsAVX2F64, fmaxRowsAVX2F64, fminRowsAVX2F64, squaresRowsAVX2F64, magnitudesRowsAVX2F64},
		isa.AVX512: {sumRowsAVX512F64, prodRowsAVX512F64, maxRowsAVX512F64, minRowsAVX512F64, fmaxRowsAVX512F64, fminRowsAVX512F64, squaresRowsAVX512F64, magnitudesRowsAVX512F64},
	}
	columnRoutines64 = [isa.AVX512 + 1][6]rowsFunc64{
		isa.AVX2:   {sumColumnsAVX2F64, prodColumnsAVX2F64, maxColumnsAVX2F64, minColumnsAVX2F64, fmaxColumnsAVX2F64, fminColumnsAVX2F64},
		isa.AVX512: {sumColumnsAVX512F64, prodColumnsAVX512F64, maxColumnsAVX512F64, minColumnsAVX512F64, fmaxColumnsAVX512F64, fminColumnsAVX512F64},
	}
	pairRoutines64 = [isa.AVX512 + 1][3]pairFunc64{
		isa.AVX2:   {productsRowsAVX2F64, differencesRowsAVX2F64, deviationsRowsAVX2F64},
		isa.AVX512: {productsRowsAVX512F64, differencesRowsAVX512F64, deviationsRowsAVX512F64},
	}
)

//go:noinline
func rowsPiece[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	form := isa.FormOf[T]()
	switch {
	case rows == 0 || form.Level == isa.Generic:
		plainRows(op, dst, a, rows, n, pitch)
		return
	case form.Double:
		rowRoutines64[form.Level][op](isa.Doubles(dst), isa.Doubles(a), rows, n, pitch)
	default:
		rowRoutines32[form.Level][op](isa.Singles(dst), isa.Singles(a), rows, n, pitch)
	}
	correctAllNaN(op, dst, a, rows, n, pitch)
}

//go:noinline
func pairRowsPiece[T scalar.Float](op PairOp, dst, a, b *T, rows, n, pitch, pitchB int) {
	form := isa.FormOf[T]()
	switch {
	case rows == 0 || form.Level == isa.Generic:
		plainPairRows(op, dst, a, b, rows, n, pitch, pitchB)
	case form.Double:
		pairRoutines64[form.Level][op](isa.Doubles(dst), isa.Doubles(a), isa.Doubles(b), rows, n, pitch, pitchB)
	default:
		pairRoutines32[form.Level][op](isa.Singles(dst), isa.Singles(a), isa.Singles(b), rows, n, pitch, pitchB)
	}
}

//go:noinline
func columnsPiece[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	form := isa.FormOf[T]()
	switch {
	case form.Level == isa.Generic:
		plainColumns(op, dst, a, rows, n, pitch)
	case form.Double:
		columnRoutines64[form.Level][op](isa.Doubles(dst), isa.Doubles(a), rows, n, pitch)
	default:
		columnRoutines32[form.Level][op](isa.Singles(dst), isa.Singles(a), rows, n, pitch)
	}
}
