// Package quantize rounds networks to few bits, during and after training.
//
// For training, quantisers round numbers but keep them as floats: [FixedPoint], [Pow2], [MinMax], [FakeQuantize],
// [Prune], and for weights [BinaryConnect], [BinaryWeight] and [INQ]. Their gradients are straight-through: the
// gradient of the identity, or of the identity within the range. Apply them to the weights of any layer:
//
//	y := ops.Affine(x, quantize.FixedPoint(w), ops.AffineOptions{Bias: b})
//	y := conv.Convolution(x, quantize.BinaryConnect(w), b)
//
// After training, an [Array] holds integers and the step that one integer represents. Products of two arrays are exact
// integers ([MatMul], [FullyConnected], [Convolution]: sums in int32), and their step is the product of both steps:
//
//	y := quantize.MatMul(quantize.Symmetric(x), quantize.Symmetric(w)).Dequantize()
//
// [Requantize] gives sums in fewer bits, [AveragePooling] and conv.MaxPooling pool integers, and [DynamicFullyConnected]
// takes and gives floats. [FromRange] and [Array.Range] convert the ranges that other systems keep instead of steps.
package quantize
