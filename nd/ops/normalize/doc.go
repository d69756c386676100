// Package normalize holds functions that give arrays a mean of 0, a variance of 1 or a norm of 1.
//
//	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 6, 8}})
//	y := normalize.LayerNormalization(x, nil, nil)
//	fmt.Println(normalize.Normalize(y, ops.Over(0)))
//
// The functions differ in the elements that share a mean and a variance, or a norm:
//
//   - a batch: [BatchNormalization], with an activation [FusedBatchNormalization], without a variance
//     [MeanSubtraction];
//   - parts of one example: [LayerNormalization], [InstanceNormalization], [GroupNormalization], [RMSNormalization],
//     and [LocalResponseNormalization] over neighbouring channels;
//   - weights: [WeightNormalization], [WeightStandardization], [SpectralNorm];
//   - vectors: [Normalize], [NormNormalization], [ClipByNorm], [ClipGradByNorm].
//
// Functions with WithStat in their names also return the mean and the variance. Gradients of every order are defined.
package normalize
