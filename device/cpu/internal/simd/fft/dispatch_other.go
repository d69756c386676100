//go:build !(amd64 || arm64) || purego

package fft

import "unsafe"

func vectorBytes() int { return plainBytes }

func run[T Float](radix, m, s int, x []T, xStep, xStride int, y []T, yStep, yStride int, w []T) {
	plainPass(Lanes[T](), radix, m, s, x, xStep, xStride, y, yStep, yStride, w)
}

func hasSixteen[T Float]() bool { return false }

func reads[T Float](int) bool  { return false }
func writes[T Float](int) bool { return false }

func writesPairs[T Float](int) bool { return false }

func first[T Float](radix, m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, w, lanes *T) {
	panic("fft: no such pass")
}

func final[T Float](radix, m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, lanes *T, scale T) {
	panic("fft: no such pass")
}

func pairs[T Float](radix, m int, x *T, xStep, xStride int, y *T, yStep, yStride int, lanes *T, second int, scale T) {
	panic("fft: no such pass")
}

func loadColumns[T Float](n int, x *T, stride, vectors, tail int, re, im *T) {
	plainLoadColumns(Lanes[T](), n, x, stride, vectors*Lanes[T]()+tail, re, im)
}

func storeColumns[T Float](n int, y *T, stride, vectors, tail int, re, im *T, scale T) {
	plainStoreColumns(Lanes[T](), n, y, stride, vectors*Lanes[T]()+tail, re, im, scale)
}

func loadRows[T Float](n int, rows, _ **T, re, im *T) { plainLoadRows(Lanes[T](), n, rows, re, im) }

func storeRows[T Float](n int, rows **T, re, im *T, scale T) {
	plainStoreRows(Lanes[T](), n, rows, re, im, scale)
}

func turn[T Float](blocks int, x []T, xStride int, w, u, y []T, yStride int) {
	plainTurn(Lanes[T](), blocks, x, xStride, w, u, y, yStride)
}

func multiply[T Float](n int, x, w, y []T, re, im int) {
	plainMultiply(Lanes[T](), n, x, w, y, re, im)
}

func mirror[T Float](blocks int, low, high unsafe.Pointer, w []T, lowTo, highTo unsafe.Pointer, tail int, sin, cos, sum T) {
	plainMirror(Lanes[T](), blocks, (*T)(low), (*T)(high), w, (*T)(lowTo), (*T)(highTo), tail, sin, cos, sum)
}

func hasSquares[T Float]() bool { return false }

func squares[T Float](n int, x *T, xStride int, y *T, yStride int, w []T, swap Swapped, scale T) {
	plainSquares(n, x, xStride, y, yStride, w, swap, scale)
}

func hasFront[T Float](int) bool { return false }

func front[T Float](radix, blocks int, x *T, xStride, second int, y, w []T, swap Swapped) {
	plainFront(radix, blocks, x, xStride, second, y, w, swap)
}
