//go:build !purego

package norm

import "github.com/ndgrad/ndgrad/device/cpu/internal/isa"

//go:noinline
func center32(dst, a []float32, mean, scale, offset float32) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		centerAVX512F32(&dst[0], &a[0], len(a), mean, scale, offset)
	case isa.Current() == isa.AVX2:
		centerAVX2F32(&dst[0], &a[0], len(a), mean, scale, offset)
	default:
		plainCenter(dst, a, mean, scale, offset)
	}
}

//go:noinline
func standardize32(dst, a, gamma, beta []float32, mean, scale float32) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		standardizeAVX512F32(&dst[0], &a[0], &gamma[0], &beta[0], len(a), mean, scale)
	case isa.Current() == isa.AVX2:
		standardizeAVX2F32(&dst[0], &a[0], &gamma[0], &beta[0], len(a), mean, scale)
	default:
		plainStandardize(dst, a, gamma, beta, mean, scale)
	}
}

//go:noinline
func flatSums32(a, gy []float32, mean float32) (totals [2]float32) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		flatSumsAVX512F32(&a[0], &gy[0], len(a), mean, &totals[0])
	case isa.Current() == isa.AVX2:
		flatSumsAVX2F32(&a[0], &gy[0], len(a), mean, &totals[0])
	default:
		totals = plainFlatSums(a, gy, mean)
	}
	return totals
}

//go:noinline
func sums32(a, gy, gamma, ggamma, gbeta []float32, mean, scale float32) (totals [2]float32) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		sumsAVX512F32(&a[0], &gy[0], &gamma[0], &ggamma[0], &gbeta[0], len(a), mean, scale, &totals[0])
	case isa.Current() == isa.AVX2:
		sumsAVX2F32(&a[0], &gy[0], &gamma[0], &ggamma[0], &gbeta[0], len(a), mean, scale, &totals[0])
	default:
		totals = plainSums(a, gy, gamma, ggamma, gbeta, mean, scale)
	}
	return totals
}

//go:noinline
func flatGradient32(dst, a, gy []float32, mean, scale, slope, offset float32) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		flatGradientAVX512F32(&dst[0], &a[0], &gy[0], len(a), mean, scale, slope, offset)
	case isa.Current() == isa.AVX2:
		flatGradientAVX2F32(&dst[0], &a[0], &gy[0], len(a), mean, scale, slope, offset)
	default:
		plainFlatGradient(dst, a, gy, mean, scale, slope, offset)
	}
}

//go:noinline
func gradient32(dst, a, gy, gamma []float32, mean, scale, slope, offset float32) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		gradientAVX512F32(&dst[0], &a[0], &gy[0], &gamma[0], len(a), mean, scale, slope, offset)
	case isa.Current() == isa.AVX2:
		gradientAVX2F32(&dst[0], &a[0], &gy[0], &gamma[0], len(a), mean, scale, slope, offset)
	default:
		plainGradient(dst, a, gy, gamma, mean, scale, slope, offset)
	}
}

//go:noinline
func center64(dst, a []float64, mean, scale, offset float64) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		centerAVX512F64(&dst[0], &a[0], len(a), mean, scale, offset)
	case isa.Current() == isa.AVX2:
		centerAVX2F64(&dst[0], &a[0], len(a), mean, scale, offset)
	default:
		plainCenter(dst, a, mean, scale, offset)
	}
}

//go:noinline
func standardize64(dst, a, gamma, beta []float64, mean, scale float64) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		standardizeAVX512F64(&dst[0], &a[0], &gamma[0], &beta[0], len(a), mean, scale)
	case isa.Current() == isa.AVX2:
		standardizeAVX2F64(&dst[0], &a[0], &gamma[0], &beta[0], len(a), mean, scale)
	default:
		plainStandardize(dst, a, gamma, beta, mean, scale)
	}
}

//go:noinline
func flatSums64(a, gy []float64, mean float64) (totals [2]float64) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		flatSumsAVX512F64(&a[0], &gy[0], len(a), mean, &totals[0])
	case isa.Current() == isa.AVX2:
		flatSumsAVX2F64(&a[0], &gy[0], len(a), mean, &totals[0])
	default:
		totals = plainFlatSums(a, gy, mean)
	}
	return totals
}

//go:noinline
func sums64(a, gy, gamma, ggamma, gbeta []float64, mean, scale float64) (totals [2]float64) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		sumsAVX512F64(&a[0], &gy[0], &gamma[0], &ggamma[0], &gbeta[0], len(a), mean, scale, &totals[0])
	case isa.Current() == isa.AVX2:
		sumsAVX2F64(&a[0], &gy[0], &gamma[0], &ggamma[0], &gbeta[0], len(a), mean, scale, &totals[0])
	default:
		totals = plainSums(a, gy, gamma, ggamma, gbeta, mean, scale)
	}
	return totals
}

//go:noinline
func flatGradient64(dst, a, gy []float64, mean, scale, slope, offset float64) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		flatGradientAVX512F64(&dst[0], &a[0], &gy[0], len(a), mean, scale, slope, offset)
	case isa.Current() == isa.AVX2:
		flatGradientAVX2F64(&dst[0], &a[0], &gy[0], len(a), mean, scale, slope, offset)
	default:
		plainFlatGradient(dst, a, gy, mean, scale, slope, offset)
	}
}

//go:noinline
func gradient64(dst, a, gy, gamma []float64, mean, scale, slope, offset float64) {
	switch {
	case len(a) == 0:
	case isa.Current() == isa.AVX512:
		gradientAVX512F64(&dst[0], &a[0], &gy[0], &gamma[0], len(a), mean, scale, slope, offset)
	case isa.Current() == isa.AVX2:
		gradientAVX2F64(&dst[0], &a[0], &gy[0], &gamma[0], len(a), mean, scale, slope, offset)
	default:
		plainGradient(dst, a, gy, gamma, mean, scale, slope, offset)
	}
}
