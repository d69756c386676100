//go:build !amd64 || purego

package gemm

import "unsafe"

func copyPanel[T Float](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	plainCopyPanel[T](dst, dstLine, src, srcLine, n, rows)
}

func turnPanel[T Float](panel, b unsafe.Pointer, line, n, k int) {
	plainTurn[T](panel, Columns[T]()*int(unsafe.Sizeof(*new(T))), b, line, k, n)
}

func turnColumns[T Float](b *Block, room unsafe.Pointer, line int) {
	plainTurn[T](room, line, b.A, b.ADepth, b.M, b.K)
}
