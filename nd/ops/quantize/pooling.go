package quantize

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

// AveragePooling is conv.AveragePooling of integers: means rounded to the nearest integer, halves away from 0, in x's
// dtype and steps. The padding represents 0. The value of a window without elements is 0. Maxima need no function of
// integers: conv.MaxPooling of x.Values.
//
// Shapes: x (M…, L…), kernel (K…); the result (M…, L'…).
// MXNet: quantized_pooling.
func AveragePooling(x Array, kernel []int, opts ...conv.AveragePoolingOptions) Array {
	const fn nd.Func = "quantize.AveragePooling"
	x.check(fn)
	values := x.Values
	made := fn.Temporaries(&values)
	defer made.Release()
	numbers := Array{Values: values, ZeroPoint: x.ZeroPoint}.centered(fn)
	means := conv.AveragePooling(numbers.AsType(floatsOf(numbers)), kernel, opts...)
	return Array{made.Keep(rounded(&toStepsAway, means, 1, x.ZeroPoint, math.Inf(1), x.Values.DType())), x.Scale, x.ZeroPoint}
}
