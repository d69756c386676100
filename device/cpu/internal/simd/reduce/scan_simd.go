//go:build (amd64 || arm64) && !purego

package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

//go:noinline
func find[T scalar.Float](a *T, n int, v T) int {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		return findAVX512F32(isa.Singles(a), n, isa.Singles(&v))
	case isa.Form{Level: isa.AVX512, Double: true}:
		return findAVX512F64(isa.Doubles(a), n, isa.Doubles(&v))
	case isa.Form{Level: isa.AVX2}:
		return findAVX2F32(isa.Singles(a), n, isa.Singles(&v))
	case isa.Form{Level: isa.AVX2, Double: true}:
		return findAVX2F64(isa.Doubles(a), n, isa.Doubles(&v))
	}
	return plainFind(a, n, v)
}

// The routines by instruction level and operation; those of indices begin with Max.
var (
	indexRoutines32 = [isa.AVX512 + 1][2]func(best *float32, indices *int32, a *float32, rows, n, pitch, first int){
		isa.AVX2:   {largestIndicesAVX2F32, smallestIndicesAVX2F32},
		isa.AVX512: {largestIndicesAVX512F32, smallestIndicesAVX512F32},
	}
	indexRoutines64 = [isa.AVX512 + 1][2]func(best *float64, indices *int64, a *float64, rows, n, pitch, first int){
		isa.AVX2:   {largestIndicesAVX2F64, smallestIndicesAVX2F64},
		isa.AVX512: {largestIndicesAVX512F64, smallestIndicesAVX512F64},
	}
	scanRoutines32 = [isa.AVX512 + 1][2]func(dst, a *float32, n int, carry *float64){
		isa.AVX2:   {sumScanAVX2F32, prodScanAVX2F32},
		isa.AVX512: {sumScanAVX512F32, prodScanAVX512F32},
	}
	scanRoutines64 = [isa.AVX512 + 1][2]func(dst, a *float64, n int, carry *float64){
		isa.AVX2:   {sumScanAVX2F64, prodScanAVX2F64},
		isa.AVX512: {sumScanAVX512F64, prodScanAVX512F64},
	}
	columnScanRoutines32 = [isa.AVX512 + 1][2]func(dst, a *float32, totals *float64, rows, n, pitchDst, pitch int){
		isa.AVX2:   {sumScanColumnsAVX2F32, prodScanColumnsAVX2F32},
		isa.AVX512: {sumScanColumnsAVX512F32, prodScanColumnsAVX512F32},
	}
	columnScanRoutines64 = [isa.AVX512 + 1][2]func(dst, a *float64, totals *float64, rows, n, pitchDst, pitch int){
		isa.AVX2:   {sumScanColumnsAVX2F64, prodScanColumnsAVX2F64},
		isa.AVX512: {sumScanColumnsAVX512F64, prodScanColumnsAVX512F64},
	}
)

// inVectors returns how many of n elements fill whole vectors, if elements have the given number of bytes. The routines
// process those elements, and plain Go the rest.
func inVectors(level isa.Level, n, bytes int) int {
	switch level {
	case isa.AVX512:
		return n &^ (64/bytes - 1)
	case isa.AVX2:
		return n &^ (32/bytes - 1)
	}
	return 0
}

//go:noinline
func indicesPiece[T scalar.Float, P RowIndex](op Op, best *T, indices *P, a *T, rows, n, pitch, first int) {
	form := isa.FormOf[T]()
	whole := inVectors(form.Level, n, int(unsafe.Sizeof(*a)))
	switch {
	case whole == 0:
	case form.Double:
		at := (*int64)(unsafe.Pointer(indices))
		indexRoutines64[form.Level][op-Max](isa.Doubles(best), at, isa.Doubles(a), rows, whole, pitch, first)
	default:
		at := (*int32)(unsafe.Pointer(indices))
		indexRoutines32[form.Level][op-Max](isa.Singles(best), at, isa.Singles(a), rows, whole, pitch, first)
	}
	if whole < n {
		at := (*P)(unsafe.Add(unsafe.Pointer(indices), whole*int(unsafe.Sizeof(*indices))))
		plainIndices(op, ahead(best, whole), at, ahead(a, whole), rows, n-whole, pitch, first)
	}
}

//go:noinline
func scanPiece[T scalar.Float](op Op, dst, a *T, n int, carry float64) float64 {
	form := isa.FormOf[T]()
	whole := inVectors(form.Level, n, 8)
	if whole > 0 {
		carried := carry
		if form.Double {
			scanRoutines64[form.Level][op](isa.Doubles(dst), isa.Doubles(a), whole, &carried)
		} else {
			scanRoutines32[form.Level][op](isa.Singles(dst), isa.Singles(a), whole, &carried)
		}
		carry = carried
	}
	if whole < n {
		carry = plainScan(op, ahead(dst, whole), ahead(a, whole), n-whole, carry)
	}
	return carry
}

//go:noinline
func scanColumnsPiece[T scalar.Float](op Op, dst, a *T, totals *float64, rows, n, pitchDst, pitch int) {
	form := isa.FormOf[T]()
	whole := inVectors(form.Level, n, 8)
	switch {
	case whole == 0:
	case form.Double:
		columnScanRoutines64[form.Level][op](isa.Doubles(dst), isa.Doubles(a), totals, rows, whole, pitchDst, pitch)
	default:
		columnScanRoutines32[form.Level][op](isa.Singles(dst), isa.Singles(a), totals, rows, whole, pitchDst, pitch)
	}
	if whole < n {
		plainScanColumns(op, ahead(dst, whole), ahead(a, whole), ahead(totals, whole), rows, n-whole, pitchDst, pitch)
	}
}

//go:noinline
func singlesTotal(a *float32, n int) (total float64) {
	whole := n &^ 31
	switch {
	case whole == 0 || isa.Current() == isa.Generic:
		return plainWideTotal(a, n)
	case isa.Current() == isa.AVX512:
		total = wideTotalAVX512F32(a, whole)
	default:
		total = wideTotalAVX2F32(a, whole)
	}
	if whole < n {
		total += plainWideTotal(ahead(a, whole), n-whole)
	}
	return total
}
