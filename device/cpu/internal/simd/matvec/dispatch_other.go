//go:build !(amd64 || arm64) || purego

package matvec

func rowsOf(kind) int { return mostRows }

func pass[T Float](k kind, s *shape, p *pointers) { plainPass[T](k, s, p) }

func rotatePiece[T Float](x, y []T, c, s T) { plainRotate(x, y, c, s) }

func reflectPiece[T Float](x, y, z []T, factors *[5]T) { plainReflect(x, y, z, factors) }

func polesPiece(gaps, weights []float64, offset float64) [2]float64 {
	return plainPoles(gaps, weights, offset)
}

func reflectColumnsPiece[T Float](rows int, a []T, line int, factors *[5]T) {
	plainReflectColumns(rows, a, line, factors)
}

func quotientsPiece(gaps, weights []float64, offset float64) float64 {
	return plainQuotients(gaps, weights, offset)
}

func scaleQuotientsPiece(y, gaps, divisors []float64, offset float64) {
	plainScaleQuotients(y, gaps, divisors, offset)
}

func updatePiece[T Float](sums, a []T, stride int, f, v, g, w, x []T) {
	plainUpdate(sums, a, stride, f, v, g, w, x)
}

func rotateChainPiece[T Float](a []T, start, line, n int, c, s []T) {
	plainRotateChain(a, start, line, n, c, s)
}

func gapsPiece(gaps, d []float64, at float64) { plainGaps(gaps, d, at) }

func squareGapsPiece(gaps, d []float64, at float64) { plainSquareGaps(gaps, d, at) }
