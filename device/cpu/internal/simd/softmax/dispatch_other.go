//go:build !(amd64 || arm64) || purego

package softmax

func exponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX, _ int) {
	plainExponentials(dst, x, v, sums, rows, n, pitchDst, pitchX)
}

func sumExponentials[T Float](_, x, v, sums *T, rows, n, _, pitchX, _ int) {
	plainSumExponentials(x, v, sums, rows, n, pitchX)
}

func scale[T Float](dst, x, v *T, rows, n, pitchDst, pitchX int) {
	plainScale(dst, x, v, rows, n, pitchDst, pitchX)
}

func shift[T Float](dst, x, v, w *T, rows, n, pitchDst, pitchX int) {
	plainShift(dst, x, v, w, rows, n, pitchDst, pitchX)
}

func weigh[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	plainWeigh(dst, x, y, v, rows, n, pitchDst, pitchX, pitchY)
}

func lessExponentials[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	plainLessExponentials(dst, x, y, v, rows, n, pitchDst, pitchX, pitchY)
}
