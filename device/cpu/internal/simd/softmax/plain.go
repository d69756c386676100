package softmax

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// The reference implementations of the routines, in plain Go.

// row returns row i of an array.
func row[T Float](p *T, i, n, pitch int) []T { return unsafe.Slice(ahead(p, i*pitch), n) }

func at[T Float](p *T, i int) *T { return ahead(p, i) }

func plainExponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX int) {
	for i := range rows {
		z, x, sum := row(dst, i, n, pitchDst), row(x, i, n, pitchX), 0.0
		for k := range z {
			z[k] = T(scalar.Exp(float64(x[k] - *at(v, i))))
			sum += float64(z[k])
		}
		*at(sums, i) = T(sum)
	}
}

func plainSumExponentials[T Float](x, v, sums *T, rows, n, pitchX int) {
	for i := range rows {
		sum := 0.0
		for _, value := range row(x, i, n, pitchX) {
			sum += float64(T(scalar.Exp(float64(value - *at(v, i)))))
		}
		*at(sums, i) = T(sum)
	}
}

func plainScale[T Float](dst, x, v *T, rows, n, pitchDst, pitchX int) {
	for i := range rows {
		z, x := row(dst, i, n, pitchDst), row(x, i, n, pitchX)
		for k := range z {
			z[k] = x[k] * *at(v, i)
		}
	}
}

func plainShift[T Float](dst, x, v, w *T, rows, n, pitchDst, pitchX int) {
	for i := range rows {
		z, x := row(dst, i, n, pitchDst), row(x, i, n, pitchX)
		for k := range z {
			z[k] = x[k] - *at(v, i) - *at(w, i)
		}
	}
}

func plainWeigh[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	for i := range rows {
		z, x, y := row(dst, i, n, pitchDst), row(x, i, n, pitchX), row(y, i, n, pitchY)
		for k := range z {
			z[k] = x[k] * (y[k] - *at(v, i))
		}
	}
}

func plainLessExponentials[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	for i := range rows {
		z, x, y := row(dst, i, n, pitchDst), row(x, i, n, pitchX), row(y, i, n, pitchY)
		for k := range z {
			z[k] = y[k] - T(T(scalar.Exp(float64(x[k])))**at(v, i))
		}
	}
}
