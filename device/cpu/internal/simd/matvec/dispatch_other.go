//go:build !amd64 || purego

package matvec

import "unsafe"

func pass[T Float](k kind, n int, a unsafe.Pointer, line int, x, y, factors, sums unsafe.Pointer) {
	plainPass[T](k, n, a, line, x, y, factors, sums)
}

func rotatePiece[T Float](x, y []T, c, s T) { plainRotate(x, y, c, s) }

func reflectPiece[T Float](x, y, z []T, factors *[5]T) { plainReflect(x, y, z, factors) }
