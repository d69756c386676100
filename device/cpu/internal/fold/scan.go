package fold

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Scan32 stores in dst the running combinations, Sum or Prod, of n elements with carry, which is in float64, and returns the
// last of them. dst may be a.
func Scan32(op Op, dst, a *float32, n int, carry float64) float64 {
	for ; n > atOnce; n -= atOnce {
		carry = scan32(op, dst, a, atOnce, carry)
		dst, a = ahead(dst, atOnce), ahead(a, atOnce)
	}
	return scan32(op, dst, a, n, carry)
}

// Scan64 is Scan32 of float64.
func Scan64(op Op, dst, a *float64, n int, carry float64) float64 {
	for ; n > atOnce; n -= atOnce {
		carry = scan64(op, dst, a, atOnce, carry)
		dst, a = ahead(dst, atOnce), ahead(a, atOnce)
	}
	return scan64(op, dst, a, n, carry)
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

// ScanColumns32 goes down the rows, rows > 0, of n elements, n <= Longest, with the n totals, and stores in dst the running combinations, Sum or Prod.
// The rows of dst and of a are pitchDst and pitch elements apart. dst may be a.
func ScanColumns32(op Op, dst, a *float32, totals *float64, rows, n, pitchDst, pitch int) {
	for ; rows > fewRows; rows -= fewRows {
		scanColumns32(op, dst, a, totals, fewRows, n, pitchDst, pitch)
		dst, a = ahead(dst, fewRows*pitchDst), ahead(a, fewRows*pitch)
	}
	scanColumns32(op, dst, a, totals, rows, n, pitchDst, pitch)
}

// ScanColumns64 is ScanColumns32 of float64.
func ScanColumns64(op Op, dst, a *float64, totals *float64, rows, n, pitchDst, pitch int) {
	for ; rows > fewRows; rows -= fewRows {
		scanColumns64(op, dst, a, totals, fewRows, n, pitchDst, pitch)
		dst, a = ahead(dst, fewRows*pitchDst), ahead(a, fewRows*pitch)
	}
	scanColumns64(op, dst, a, totals, rows, n, pitchDst, pitch)
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

// Total32 returns the sum of n elements, added up in float64.
func Total32(a *float32, n int) (total float64) {
	for ; n > Longest; n -= Longest {
		total += wideTotal(a, Longest)
		a = ahead(a, Longest)
	}
	return total + wideTotal(a, n)
}

// Total64 is Total32 of float64.
func Total64(a *float64, n int) (total float64) {
	var sum float64
	for ; n > Longest; n -= Longest {
		rowsPiece(Sum, &sum, a, 1, Longest, Longest)
		total += sum
		a = ahead(a, Longest)
	}
	rowsPiece(Sum, &sum, a, 1, n, n)
	return total + sum
}

func plainWideTotal(a *float32, n int) (total float64) {
	for _, v := range unsafe.Slice(a, n) {
		total += float64(v)
	}
	return total
}
