//go:build !amd64 || purego

package gemm

import "unsafe"

func copyPanel[T Float](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	plainCopyPanel[T](dst, dstLine, src, srcLine, n, rows)
}

func turn[T Float](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, line, n, k int) {
	plainTurn[T](dst, dstLine, src, line, k, n)
}
