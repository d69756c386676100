// Package quant has layers whose weights are quantised or pruned. They are package nn's [nn.Affine] and
// [nn.Convolution], but compute with values derived from their parameters. Gradients flow to the parameters themselves.
//
//   - binary: [BinaryConnectAffine], [BinaryConnectConvolution], [BinaryWeightAffine], [BinaryWeightConvolution]
//   - rounded: [FixedPointAffine], [FixedPointConvolution], [Pow2Affine], [Pow2Convolution]
//   - rounded to levels of a trained range: [MinMax], of any array, [MinMaxAffine], [MinMaxConvolution]
//   - pruned: [PrunedAffine], [PrunedConvolution]
//   - quantised step by step during training, with an [INQ]: [INQAffine], [INQConvolution]
//
// In training such a layer also writes the derived values to untrained parameters beside its own. Evaluation writes
// nothing. Functions that quantise arrays are in package nd/ops/quantize.
package quant
