//go:build (amd64 || arm64) && !purego

package gemm

import "unsafe"

// integerLines is lineProducts for integers.
func integerLines(r routines, rows, steps int, a unsafe.Pointer, aLine int, b unsafe.Pointer, bLine int, mask uintptr, sums unsafe.Pointer) int {
	x, y, z := (*uint32)(a), (*uint32)(b), (*uint32)(sums)
	switch {
	case r == quads:
		return quadLines(rows, steps, x, aLine, y, bLine, mask, z)
	case rows >= 4 && r >= avx512I32:
		rows = 4
	case rows >= 2:
		rows = 2
	}
	switch r {
	case avx2I32:
		switch rows {
		case 1:
			lines1AVX2I32(steps, x, aLine, y, bLine, mask, z)
		case 2:
			lines2AVX2I32(steps, x, aLine, y, bLine, mask, z)
		}
	case avx2I64:
		switch rows {
		case 1:
			lines1AVX2I64(steps, (*uint64)(a), aLine, (*uint64)(b), bLine, mask, (*uint64)(sums))
		case 2:
			lines2AVX2I64(steps, (*uint64)(a), aLine, (*uint64)(b), bLine, mask, (*uint64)(sums))
		}
	case avx2Pairs:
		switch rows {
		case 1:
			lines1AVX2Pairs(steps, x, aLine, y, bLine, mask, z)
		case 2:
			lines2AVX2Pairs(steps, x, aLine, y, bLine, mask, z)
		}
	case avx512I32:
		switch rows {
		case 1:
			lines1AVX512I32(steps, x, aLine, y, bLine, mask, z)
		case 2:
			lines2AVX512I32(steps, x, aLine, y, bLine, mask, z)
		case 4:
			lines4AVX512I32(steps, x, aLine, y, bLine, mask, z)
		}
	case avx512I64:
		switch rows {
		case 1:
			lines1AVX512I64(steps, (*uint64)(a), aLine, (*uint64)(b), bLine, mask, (*uint64)(sums))
		case 2:
			lines2AVX512I64(steps, (*uint64)(a), aLine, (*uint64)(b), bLine, mask, (*uint64)(sums))
		case 4:
			lines4AVX512I64(steps, (*uint64)(a), aLine, (*uint64)(b), bLine, mask, (*uint64)(sums))
		}
	case avx512Pairs:
		switch rows {
		case 1:
			lines1AVX512Pairs(steps, x, aLine, y, bLine, mask, z)
		case 2:
			lines2AVX512Pairs(steps, x, aLine, y, bLine, mask, z)
		case 4:
			lines4AVX512Pairs(steps, x, aLine, y, bLine, mask, z)
		}
	case vnniPairs:
		switch rows {
		case 1:
			lines1VNNIPairs(steps, x, aLine, y, bLine, mask, z)
		case 2:
			lines2VNNIPairs(steps, x, aLine, y, bLine, mask, z)
		case 4:
			lines4VNNIPairs(steps, x, aLine, y, bLine, mask, z)
		}
	}
	return rows
}
