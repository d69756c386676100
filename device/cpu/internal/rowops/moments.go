package rowops

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// roughness bounds the rounding error of a mean of values of type T, relative to the mean.
func roughness[T scalar.Float]() T {
	if unsafe.Sizeof(T(0)) == 4 {
		return 0x1p-15
	}
	return 0x1p-44
}

// isRough reports whether a variance may consist of the rounding error of its mean, which it bounds by error, or has
// left the range.
func isRough[T scalar.Float](mean, variance, error T) bool {
	return !(variance > error*error && variance-variance == 0) && (mean != 0 || variance != 0)
}

// moments returns the mean and the variance of an output's values, and the rate 1/√(variance + eps), with the rounding
// error of the mean removed. Only the variance may leave the range.
func (n *normalization) moments(output int) (mean, variance, rate float64) {
	mean, variance, rate = n.scaledMoments(output, 1)
	if math.IsInf(variance, 1) || variance != variance {
		mean, variance, rate = n.scaledMoments(output, 0x1p-600)
	}
	return mean, variance, rate
}

// scaledMoments computes the moments from the values times a power of two, in float64.
func (n *normalization) scaledMoments(output int, scale float64) (mean, variance, rate float64) {
	space := memory.TakeScratch(strided.BlockLen * 8)
	x := memory.Room[float64](space, 0, strided.BlockLen)
	average := func(f func(v float64) float64) float64 {
		total := 0.0
		n.eachBlock(output, func(point, length int) {
			n.x.Load(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
			for i, v := range x[:length] {
				x[i] = f(v * scale)
			}
			total += reduce.Total(x[:length])
		})
		return total / float64(n.length)
	}
	mean = average(func(v float64) float64 { return v })
	mean += average(func(v float64) float64 { return v - mean })
	variance = average(func(v float64) float64 { return (v - mean) * (v - mean) })
	space.Recycle()
	return mean / scale, variance / scale / scale, scale / math.Sqrt(variance+n.launch.Eps*scale*scale)
}
