//go:build !purego

package fold

import "github.com/ndgrad/ndgrad/device/cpu/internal/isa"

//go:noinline
func find32(a *float32, n int, v float32) int {
	switch isa.Current() {
	case isa.AVX512:
		return findAVX512F32(a, n, &v)
	case isa.AVX2:
		return findAVX2F32(a, n, &v)
	}
	return plainFind(a, n, v)
}

//go:noinline
func places32(op Op, best *float32, places *int32, a *float32, rows, n, pitch, first int) {
	whole := 0
	if isa.Current() != isa.Generic {
		routine := placeRoutines32[isa.Current()][op-Max]
		if whole = n &^ (2*wideLanes() - 1); whole > 0 {
			routine(best, places, a, rows, whole, pitch, first)
		}
	}
	if whole < n {
		plainPlaces(op, ahead(best, whole), ahead(places, whole), ahead(a, whole), rows, n-whole, pitch, first)
	}
}

var placeRoutines32 = [isa.AVX512 + 1][2]func(best *float32, places *int32, a *float32, rows, n, pitch, first int){
	isa.AVX2:   {largestPlacesAVX2F32, smallestPlacesAVX2F32},
	isa.AVX512: {largestPlacesAVX512F32, smallestPlacesAVX512F32},
}

var scanRoutines32 = [isa.AVX512 + 1][2]func(dst, a *float32, n int, carry *float64){
	isa.AVX2:   {sumScanAVX2F32, prodScanAVX2F32},
	isa.AVX512: {sumScanAVX512F32, prodScanAVX512F32},
}

var columnScanRoutines32 = [isa.AVX512 + 1][2]func(dst, a *float32, totals *float64, rows, n, pitchDst, pitch int){
	isa.AVX2:   {sumScanColumnsAVX2F32, prodScanColumnsAVX2F32},
	isa.AVX512: {sumScanColumnsAVX512F32, prodScanColumnsAVX512F32},
}

//go:noinline
func scan32(op Op, dst, a *float32, n int, carry float64) float64 {
	whole := 0
	if isa.Current() != isa.Generic {
		if whole = n &^ (wideLanes() - 1); whole > 0 {
			carried := carry
			scanRoutines32[isa.Current()][op](dst, a, whole, &carried)
			carry = carried
		}
	}
	if whole < n {
		carry = plainScan(op, ahead(dst, whole), ahead(a, whole), n-whole, carry)
	}
	return carry
}

//go:noinline
func scanColumns32(op Op, dst, a *float32, totals *float64, rows, n, pitchDst, pitch int) {
	whole := 0
	if isa.Current() != isa.Generic {
		if whole = n &^ (wideLanes() - 1); whole > 0 {
			columnScanRoutines32[isa.Current()][op](dst, a, totals, rows, whole, pitchDst, pitch)
		}
	}
	if whole < n {
		plainScanColumns(op, ahead(dst, whole), ahead(a, whole), ahead(totals, whole), rows, n-whole, pitchDst, pitch)
	}
}

//go:noinline
func find64(a *float64, n int, v float64) int {
	switch isa.Current() {
	case isa.AVX512:
		return findAVX512F64(a, n, &v)
	case isa.AVX2:
		return findAVX2F64(a, n, &v)
	}
	return plainFind(a, n, v)
}

//go:noinline
func places64(op Op, best *float64, places *int64, a *float64, rows, n, pitch, first int) {
	whole := 0
	if isa.Current() != isa.Generic {
		routine := placeRoutines64[isa.Current()][op-Max]
		if whole = n &^ (wideLanes() - 1); whole > 0 {
			routine(best, places, a, rows, whole, pitch, first)
		}
	}
	if whole < n {
		plainPlaces(op, ahead(best, whole), ahead(places, whole), ahead(a, whole), rows, n-whole, pitch, first)
	}
}

var placeRoutines64 = [isa.AVX512 + 1][2]func(best *float64, places *int64, a *float64, rows, n, pitch, first int){
	isa.AVX2:   {largestPlacesAVX2F64, smallestPlacesAVX2F64},
	isa.AVX512: {largestPlacesAVX512F64, smallestPlacesAVX512F64},
}

var scanRoutines64 = [isa.AVX512 + 1][2]func(dst, a *float64, n int, carry *float64){
	isa.AVX2:   {sumScanAVX2F64, prodScanAVX2F64},
	isa.AVX512: {sumScanAVX512F64, prodScanAVX512F64},
}

var columnScanRoutines64 = [isa.AVX512 + 1][2]func(dst, a *float64, totals *float64, rows, n, pitchDst, pitch int){
	isa.AVX2:   {sumScanColumnsAVX2F64, prodScanColumnsAVX2F64},
	isa.AVX512: {sumScanColumnsAVX512F64, prodScanColumnsAVX512F64},
}

//go:noinline
func scan64(op Op, dst, a *float64, n int, carry float64) float64 {
	whole := 0
	if isa.Current() != isa.Generic {
		if whole = n &^ (wideLanes() - 1); whole > 0 {
			carried := carry
			scanRoutines64[isa.Current()][op](dst, a, whole, &carried)
			carry = carried
		}
	}
	if whole < n {
		carry = plainScan(op, ahead(dst, whole), ahead(a, whole), n-whole, carry)
	}
	return carry
}

//go:noinline
func scanColumns64(op Op, dst, a *float64, totals *float64, rows, n, pitchDst, pitch int) {
	whole := 0
	if isa.Current() != isa.Generic {
		if whole = n &^ (wideLanes() - 1); whole > 0 {
			columnScanRoutines64[isa.Current()][op](dst, a, totals, rows, whole, pitchDst, pitch)
		}
	}
	if whole < n {
		plainScanColumns(op, ahead(dst, whole), ahead(a, whole), ahead(totals, whole), rows, n-whole, pitchDst, pitch)
	}
}

// wideLanes is how many float64 a vector has.
func wideLanes() int {
	if isa.Current() == isa.AVX512 {
		return 8
	}
	return 4
}

//go:noinline
func wideTotal(a *float32, n int) (total float64) {
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
