// Package quantize holds what rounds networks to few bits, for training and afterwards.
//
// For training, quantizers round numbers and leave them floats: [FixedPoint], [Pow2], [MinMax], [FakeQuantize], [Prune],
// and for weights [BinaryConnect], [BinaryWeight] and [INQ]. Their gradients are straight-through: that of the identity, or
// of the identity within the range. Weights go through them on their way into any layer:
//
//	y := ops.Affine(x, quantize.FixedPoint(w), ops.AffineOptions{Bias: b})
//	y := conv.Convolution(x, quantize.BinaryConnect(w), b)
//
// Afterwards, an [Array] is integers with the step that one of them stands for. Products of two are exact integers
// ([MatMul], [FullyConnected], [Convolution]: sums in int32), and their step is the product of both steps:
//
//	y := quantize.MatMul(quantize.Symmetric(x), quantize.Symmetric(w)).Dequantize()
package quantize
