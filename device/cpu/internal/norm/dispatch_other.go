//go:build !amd64 || purego

package norm

func center32(dst, a []float32, mean, scale, offset float32) {
	plainCenter(dst, a, mean, scale, offset)
}
func standardize32(dst, a, gamma, beta []float32, mean, scale float32) {
	plainStandardize(dst, a, gamma, beta, mean, scale)
}
func flatSums32(a, gy []float32, mean float32) [2]float32 { return plainFlatSums(a, gy, mean) }
func sums32(a, gy, gamma, ggamma, gbeta []float32, mean, scale float32) [2]float32 {
	return plainSums(a, gy, gamma, ggamma, gbeta, mean, scale)
}
func flatGradient32(dst, a, gy []float32, mean, scale, slope, offset float32) {
	plainFlatGradient(dst, a, gy, mean, scale, slope, offset)
}
func gradient32(dst, a, gy, gamma []float32, mean, scale, slope, offset float32) {
	plainGradient(dst, a, gy, gamma, mean, scale, slope, offset)
}

func center64(dst, a []float64, mean, scale, offset float64) {
	plainCenter(dst, a, mean, scale, offset)
}
func standardize64(dst, a, gamma, beta []float64, mean, scale float64) {
	plainStandardize(dst, a, gamma, beta, mean, scale)
}
func flatSums64(a, gy []float64, mean float64) [2]float64 { return plainFlatSums(a, gy, mean) }
func sums64(a, gy, gamma, ggamma, gbeta []float64, mean, scale float64) [2]float64 {
	return plainSums(a, gy, gamma, ggamma, gbeta, mean, scale)
}
func flatGradient64(dst, a, gy []float64, mean, scale, slope, offset float64) {
	plainFlatGradient(dst, a, gy, mean, scale, slope, offset)
}
func gradient64(dst, a, gy, gamma []float64, mean, scale, slope, offset float64) {
	plainGradient(dst, a, gy, gamma, mean, scale, slope, offset)
}
