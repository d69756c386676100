// Package loss holds what trainings make small: the losses of predictions, and distances between distributions.
//
//	logits := nd.FromRows([][]float64{{2, 1, 0}, {0, 3, 0}})
//	labels := nd.FromSlice([]int{0, 1}, 2, 1)
//	fmt.Println(ops.Mean(loss.SoftmaxCrossEntropy(logits, labels)))
//
// Most losses are one number for each element or example, and ops.Mean or ops.Sum makes one number of them:
//
//   - of classes: [SoftmaxCrossEntropy] of scores, [CategoricalCrossEntropy] of probabilities, [CategoricalNLL] of their
//     logarithms; [SigmoidCrossEntropy] and [BinaryCrossEntropy] of two classes;
//   - of numbers: [SquaredError], [AbsoluteError], [HuberLoss], [EpsilonInsensitiveLoss], [GaussianNLL], [PoissonNLL],
//     [BernoulliNLL];
//   - with margins: [Hinge], [MultiMargin], [MultiLabelMargin], [Contrastive], [Triplet];
//   - of many classes, by samples of them: [NegativeSampling], [BlackOut];
//   - between distributions: [KLDivergence], [KLMultinomial], [GaussianKLDivergence]; and [CrossCovariance] of a batch.
//
// Shapes, dtypes and options are as in package ops, and gradients are of any order. CTC is in package sequence.
package loss
