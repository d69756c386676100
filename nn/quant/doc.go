// Package quant has layers of weights that are quantised or pruned: they are package nn's [nn.Affine] and [nn.Convolution], which compute
// with what is made of their parameters. Gradients flow to the parameters themselves.
//
//   - binary: [BinaryConnectAffine], [BinaryConnectConvolution], [BinaryWeightAffine], [BinaryWeightConvolution]
//   - rounded: [FixedPointAffine], [FixedPointConvolution], [Pow2Affine], [Pow2Convolution]
//   - rounded to levels of a range that is trained: [MinMax], of any array, [MinMaxAffine], [MinMaxConvolution]
//   - pruned: [PrunedAffine], [PrunedConvolution]
//   - step by step in the course of a training, with an [INQ]: [INQAffine], [INQConvolution]
//
// In training such a layer also writes what it computes with to parameters that are not trained, beside its own. Evaluation writes
// nothing. Functions of arrays that quantise are in package nd/ops/quantize.
package quant
