package normalize

import "github.com/ndgrad/ndgrad/device/internal/scalar"

// The reference implementations of the routines. All rows are as long as a.

func plainCenter[T scalar.Float](dst, a []T, mean, scale, offset T) {
	for i, v := range a {
		dst[i] = (v-mean)*scale + offset
	}
}

func plainStandardize[T scalar.Float](dst, a, gamma, beta []T, mean, scale T) {
	for i, v := range a {
		dst[i] = (v-mean)*scale*gamma[i] + beta[i]
	}
}

func plainFlatSums[T scalar.Float](a, gy []T, mean T) [2]T {
	var total, moment float64
	for i, v := range a {
		total += float64(gy[i])
		moment += float64(gy[i] * (v - mean))
	}
	return [2]T{T(total), T(moment)}
}

func plainSums[T scalar.Float](a, gy, gamma, ggamma, gbeta []T, mean, scale T) [2]T {
	var total, moment float64
	for i, v := range a {
		d := gy[i] * (v - mean)
		gbeta[i] += gy[i]
		ggamma[i] += d * scale
		total += float64(gy[i] * gamma[i])
		moment += float64(d * gamma[i])
	}
	return [2]T{T(total), T(moment)}
}

func plainFlatGradient[T scalar.Float](dst, a, gy []T, mean, scale, slope, offset T) {
	for i, v := range a {
		dst[i] = gy[i]*scale + (v-mean)*slope + offset
	}
}

func plainGradient[T scalar.Float](dst, a, gy, gamma []T, mean, scale, slope, offset T) {
	for i, v := range a {
		dst[i] = gy[i]*gamma[i]*scale + (v-mean)*slope + offset
	}
}
