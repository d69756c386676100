//go:build !amd64 || purego

package gemm

import "unsafe"

func copyPanel[T Float](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	plainCopyPanel[T](dst, dstLine, src, srcLine, n, rows)
}

func turnPanel[T Float](panel, b unsafe.Pointer, line, n, k int) {
	plainPanel[T](panel, b, line, int(unsafe.Sizeof(*new(T))), n, k)
}
