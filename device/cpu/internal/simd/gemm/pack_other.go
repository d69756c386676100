//go:build !(amd64 || arm64) || purego

package gemm

import "unsafe"

func copyPanel[T Element](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	plainCopyPanel[T](dst, dstLine, src, srcLine, n, rows)
}

func turn[T Element](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, line, n, k int) {
	plainTurn[T](dst, dstLine, src, line, k, n)
}

func interleave[T Group](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, line, steps int, change T) int {
	return 0
}

func changeAll[T Group](dst []T, src unsafe.Pointer, change T) int { return 0 }
