//go:build !(amd64 || arm64) || purego

package gemm

import "unsafe"

func lineProducts[T Element](sums *T, rows, k int, a unsafe.Pointer, aLine int, b unsafe.Pointer, bLine int) int {
	plainLines(sums, k, a, b, bLine)
	return 1
}

func lineGroups[T Element](sums *T, k int, a, b unsafe.Pointer, bLine, groups int) int {
	plainLines(sums, k, a, b, bLine)
	return 1
}
