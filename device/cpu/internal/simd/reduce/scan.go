package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Scan stores in dst the running sums (op Sum) or products (op Prod) of n elements. They start from carry and are
// computed in float64. Scan returns the last of them. dst may be a.
func Scan[T scalar.Float](op Op, dst, a *T, n int, carry float64) float64 {
	for ; n > atOnce; n -= atOnce {
		carry = scanPiece(op, dst, a, atOnce, carry)
		dst, a = ahead(dst, atOnce), ahead(a, atOnce)
	}
	return scanPiece(op, dst, a, n, carry)
}

func plainScan[T scalar.Float](op Op, dst, a *T, n int, carry float64) float64 {
	z, x := unsafe.Slice(dst, n), unsafe.Slice(a, n)
	if op == Prod {
		for i, v := range x {
			carry *= float64(v)
			z[i] = T(carry)
		}
		return carry
	}
	for i, v := range x {
		carry += float64(v)
		z[i] = T(carry)
	}
	return carry
}

// ScanColumns is Scan down n columns, n <= Longest, for rows rows, rows > 0. totals holds the n initial values of the
// columns, and on return the final values. The rows of dst and of a begin pitchDst and pitch elements apart. dst may be
// a.
func ScanColumns[T scalar.Float](op Op, dst, a *T, totals *float64, rows, n, pitchDst, pitch int) {
	for ; rows > fewRows; rows -= fewRows {
		scanColumnsPiece(op, dst, a, totals, fewRows, n, pitchDst, pitch)
		dst, a = ahead(dst, fewRows*pitchDst), ahead(a, fewRows*pitch)
	}
	scanColumnsPiece(op, dst, a, totals, rows, n, pitchDst, pitch)
}

func plainScanColumns[T scalar.Float](op Op, dst, a *T, totals *float64, rows, n, pitchDst, pitch int) {
	total := unsafe.Slice(totals, n)
	for i := range rows {
		z, x := row(dst, i, n, pitchDst)[:n], row(a, i, n, pitch)[:n]
		if op == Prod {
			for k, v := range x {
				total[k] *= float64(v)
				z[k] = T(total[k])
			}
			continue
		}
		for k, v := range x {
			total[k] += float64(v)
			z[k] = T(total[k])
		}
	}
}

// WideTotal returns the sum of n elements, added in float64.
func WideTotal[T scalar.Float](a *T, n int) (total float64) {
	for ; n > Longest; n -= Longest {
		total += wideTotal(a, Longest)
		a = ahead(a, Longest)
	}
	return total + wideTotal(a, n)
}

func wideTotal[T scalar.Float](a *T, n int) float64 {
	if unsafe.Sizeof(*a) == 4 {
		return singlesTotal((*float32)(unsafe.Pointer(a)), n)
	}
	var sum T
	rowsPiece(Sum, &sum, a, 1, n, n)
	return float64(sum)
}

func plainWideTotal(a *float32, n int) (total float64) {
	for _, v := range unsafe.Slice(a, n) {
		total += float64(v)
	}
	return total
}
