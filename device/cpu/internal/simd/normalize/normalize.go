package normalize

import "github.com/ndgrad/ndgrad/device/internal/scalar"

// atOnce bounds the number of elements that one call processes. The goroutine can be preempted only between calls.
const atOnce = 1 << 14

// sumPiece is how many values are added up in their own type; the sums of pieces are added in float64.
const sumPiece = 4096

// Center stores (a - mean)·scale + offset.
func Center[T scalar.Float](dst, a []T, mean, scale, offset T) {
	for len(a) > atOnce {
		center(dst[:atOnce], a[:atOnce], mean, scale, offset)
		dst, a = dst[atOnce:], a[atOnce:]
	}
	center(dst, a, mean, scale, offset)
}

// Standardize stores (a - mean)·scale·gamma + beta, and prefetches the data next elements after a.
func Standardize[T scalar.Float](dst, a, gamma, beta []T, mean, scale T, next int) {
	for len(a) > atOnce {
		standardize(dst[:atOnce], a[:atOnce], gamma[:atOnce], beta[:atOnce], mean, scale, next)
		dst, a, gamma, beta = dst[atOnce:], a[atOnce:], gamma[atOnce:], beta[atOnce:]
	}
	standardize(dst, a, gamma, beta, mean, scale, next)
}

// FlatSums returns the sums of gy and of gy·(a - mean), accumulated in float64 from piece to piece.
func FlatSums[T scalar.Float](a, gy []T, mean T) (total, moment float64) {
	for len(a) > sumPiece {
		s := flatSums(a[:sumPiece], gy[:sumPiece], mean)
		total, moment = total+float64(s[0]), moment+float64(s[1])
		a, gy = a[sumPiece:], gy[sumPiece:]
	}
	s := flatSums(a, gy, mean)
	return total + float64(s[0]), moment + float64(s[1])
}

// Sums returns the sums of gy·gamma and of gy·gamma·(a - mean), and adds gy·(a - mean)·scale to ggamma and gy to gbeta.
func Sums[T scalar.Float](a, gy, gamma, ggamma, gbeta []T, mean, scale T) (total, moment float64) {
	for len(a) > sumPiece {
		s := sums(a[:sumPiece], gy[:sumPiece], gamma[:sumPiece], ggamma[:sumPiece], gbeta[:sumPiece], mean, scale)
		total, moment = total+float64(s[0]), moment+float64(s[1])
		a, gy, gamma, ggamma, gbeta = a[sumPiece:], gy[sumPiece:], gamma[sumPiece:], ggamma[sumPiece:], gbeta[sumPiece:]
	}
	s := sums(a, gy, gamma, ggamma, gbeta, mean, scale)
	return total + float64(s[0]), moment + float64(s[1])
}

// FlatGradient stores gy·scale + (a - mean)·slope + offset.
func FlatGradient[T scalar.Float](dst, a, gy []T, mean, scale, slope, offset T) {
	for len(a) > atOnce {
		flatGradient(dst[:atOnce], a[:atOnce], gy[:atOnce], mean, scale, slope, offset)
		dst, a, gy = dst[atOnce:], a[atOnce:], gy[atOnce:]
	}
	flatGradient(dst, a, gy, mean, scale, slope, offset)
}

// Gradient stores gy·gamma·scale + (a - mean)·slope + offset, and prefetches the data next elements after a and gy.
func Gradient[T scalar.Float](dst, a, gy, gamma []T, mean, scale, slope, offset T, next int) {
	for len(a) > atOnce {
		gradient(dst[:atOnce], a[:atOnce], gy[:atOnce], gamma[:atOnce], mean, scale, slope, offset, next)
		dst, a, gy, gamma = dst[atOnce:], a[atOnce:], gy[atOnce:], gamma[atOnce:]
	}
	gradient(dst, a, gy, gamma, mean, scale, slope, offset, next)
}
