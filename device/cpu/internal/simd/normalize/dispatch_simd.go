//go:build (amd64 || arm64) && !purego

package normalize

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

//go:noinline
func center[T scalar.Float](dst, a []T, mean, scale, offset T) {
	if len(a) == 0 {
		return
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		centerAVX512F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), len(a), float32(mean), float32(scale), float32(offset))
	case isa.Form{Level: isa.AVX512, Double: true}:
		centerAVX512F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), len(a), float64(mean), float64(scale), float64(offset))
	case isa.Form{Level: isa.AVX2}:
		centerAVX2F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), len(a), float32(mean), float32(scale), float32(offset))
	case isa.Form{Level: isa.AVX2, Double: true}:
		centerAVX2F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), len(a), float64(mean), float64(scale), float64(offset))
	default:
		plainCenter(dst, a, mean, scale, offset)
	}
}

//go:noinline
func standardize[T scalar.Float](dst, a, gamma, beta []T, mean, scale T, next int) {
	if len(a) == 0 {
		return
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		standardizeAVX512F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), isa.Singles(&gamma[0]), isa.Singles(&beta[0]), len(a), next, float32(mean), float32(scale))
	case isa.Form{Level: isa.AVX512, Double: true}:
		standardizeAVX512F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), isa.Doubles(&gamma[0]), isa.Doubles(&beta[0]), len(a), next, float64(mean), float64(scale))
	case isa.Form{Level: isa.AVX2}:
		standardizeAVX2F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), isa.Singles(&gamma[0]), isa.Singles(&beta[0]), len(a), next, float32(mean), float32(scale))
	case isa.Form{Level: isa.AVX2, Double: true}:
		standardizeAVX2F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), isa.Doubles(&gamma[0]), isa.Doubles(&beta[0]), len(a), next, float64(mean), float64(scale))
	default:
		plainStandardize(dst, a, gamma, beta, mean, scale)
	}
}

//go:noinline
func flatSums[T scalar.Float](a, gy []T, mean T) (totals [2]T) {
	if len(a) == 0 {
		return totals
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		flatSumsAVX512F32(isa.Singles(&a[0]), isa.Singles(&gy[0]), len(a), float32(mean), isa.Singles(&totals[0]))
	case isa.Form{Level: isa.AVX512, Double: true}:
		flatSumsAVX512F64(isa.Doubles(&a[0]), isa.Doubles(&gy[0]), len(a), float64(mean), isa.Doubles(&totals[0]))
	case isa.Form{Level: isa.AVX2}:
		flatSumsAVX2F32(isa.Singles(&a[0]), isa.Singles(&gy[0]), len(a), float32(mean), isa.Singles(&totals[0]))
	case isa.Form{Level: isa.AVX2, Double: true}:
		flatSumsAVX2F64(isa.Doubles(&a[0]), isa.Doubles(&gy[0]), len(a), float64(mean), isa.Doubles(&totals[0]))
	default:
		totals = plainFlatSums(a, gy, mean)
	}
	return totals
}

//go:noinline
func sums[T scalar.Float](a, gy, gamma, ggamma, gbeta []T, mean, scale T) (totals [2]T) {
	if len(a) == 0 {
		return totals
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		sumsAVX512F32(isa.Singles(&a[0]), isa.Singles(&gy[0]), isa.Singles(&gamma[0]), isa.Singles(&ggamma[0]), isa.Singles(&gbeta[0]), len(a), float32(mean), float32(scale), isa.Singles(&totals[0]))
	case isa.Form{Level: isa.AVX512, Double: true}:
		sumsAVX512F64(isa.Doubles(&a[0]), isa.Doubles(&gy[0]), isa.Doubles(&gamma[0]), isa.Doubles(&ggamma[0]), isa.Doubles(&gbeta[0]), len(a), float64(mean), float64(scale), isa.Doubles(&totals[0]))
	case isa.Form{Level: isa.AVX2}:
		sumsAVX2F32(isa.Singles(&a[0]), isa.Singles(&gy[0]), isa.Singles(&gamma[0]), isa.Singles(&ggamma[0]), isa.Singles(&gbeta[0]), len(a), float32(mean), float32(scale), isa.Singles(&totals[0]))
	case isa.Form{Level: isa.AVX2, Double: true}:
		sumsAVX2F64(isa.Doubles(&a[0]), isa.Doubles(&gy[0]), isa.Doubles(&gamma[0]), isa.Doubles(&ggamma[0]), isa.Doubles(&gbeta[0]), len(a), float64(mean), float64(scale), isa.Doubles(&totals[0]))
	default:
		totals = plainSums(a, gy, gamma, ggamma, gbeta, mean, scale)
	}
	return totals
}

//go:noinline
func flatGradient[T scalar.Float](dst, a, gy []T, mean, scale, slope, offset T) {
	if len(a) == 0 {
		return
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		flatGradientAVX512F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), isa.Singles(&gy[0]), len(a), float32(mean), float32(scale), float32(slope), float32(offset))
	case isa.Form{Level: isa.AVX512, Double: true}:
		flatGradientAVX512F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), isa.Doubles(&gy[0]), len(a), float64(mean), float64(scale), float64(slope), float64(offset))
	case isa.Form{Level: isa.AVX2}:
		flatGradientAVX2F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), isa.Singles(&gy[0]), len(a), float32(mean), float32(scale), float32(slope), float32(offset))
	case isa.Form{Level: isa.AVX2, Double: true}:
		flatGradientAVX2F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), isa.Doubles(&gy[0]), len(a), float64(mean), float64(scale), float64(slope), float64(offset))
	default:
		plainFlatGradient(dst, a, gy, mean, scale, slope, offset)
	}
}

//go:noinline
func gradient[T scalar.Float](dst, a, gy, gamma []T, mean, scale, slope, offset T, next int) {
	if len(a) == 0 {
		return
	}
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		gradientAVX512F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), isa.Singles(&gy[0]), isa.Singles(&gamma[0]), len(a), next, float32(mean), float32(scale), float32(slope), float32(offset))
	case isa.Form{Level: isa.AVX512, Double: true}:
		gradientAVX512F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), isa.Doubles(&gy[0]), isa.Doubles(&gamma[0]), len(a), next, float64(mean), float64(scale), float64(slope), float64(offset))
	case isa.Form{Level: isa.AVX2}:
		gradientAVX2F32(isa.Singles(&dst[0]), isa.Singles(&a[0]), isa.Singles(&gy[0]), isa.Singles(&gamma[0]), len(a), next, float32(mean), float32(scale), float32(slope), float32(offset))
	case isa.Form{Level: isa.AVX2, Double: true}:
		gradientAVX2F64(isa.Doubles(&dst[0]), isa.Doubles(&a[0]), isa.Doubles(&gy[0]), isa.Doubles(&gamma[0]), len(a), next, float64(mean), float64(scale), float64(slope), float64(offset))
	default:
		plainGradient(dst, a, gy, gamma, mean, scale, slope, offset)
	}
}
