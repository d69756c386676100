//go:build !(amd64 || arm64) || purego

package normalize

import "github.com/ndgrad/ndgrad/device/internal/scalar"

func center[T scalar.Float](dst, a []T, mean, scale, offset T) {
	plainCenter(dst, a, mean, scale, offset)
}
func standardize[T scalar.Float](dst, a, gamma, beta []T, mean, scale T, _ int) {
	plainStandardize(dst, a, gamma, beta, mean, scale)
}
func flatSums[T scalar.Float](a, gy []T, mean T) [2]T { return plainFlatSums(a, gy, mean) }
func sums[T scalar.Float](a, gy, gamma, ggamma, gbeta []T, mean, scale T) [2]T {
	return plainSums(a, gy, gamma, ggamma, gbeta, mean, scale)
}
func flatGradient[T scalar.Float](dst, a, gy []T, mean, scale, slope, offset T) {
	plainFlatGradient(dst, a, gy, mean, scale, slope, offset)
}
func gradient[T scalar.Float](dst, a, gy, gamma []T, mean, scale, slope, offset T, _ int) {
	plainGradient(dst, a, gy, gamma, mean, scale, slope, offset)
}
