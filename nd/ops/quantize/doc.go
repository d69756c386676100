// Package quantize holds what rounds networks to few bits.
//
// For training, quantizers round numbers and leave them floats: [FixedPoint], [Pow2], [MinMax], [Prune], and for weights
// [BinaryConnect], [BinaryWeight] and [INQ]. Their gradients are straight-through: that of the identity, or of the identity within
// the range. Weights go through them on their way into any layer:
//
//	y := ops.Affine(x, quantize.FixedPoint(w), ops.AffineOptions{Bias: b})
//	y := ops.Convolution(x, quantize.BinaryConnect(w), b)
package quantize
