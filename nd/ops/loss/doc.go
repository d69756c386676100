// Package loss holds functions that training minimises: the losses of predictions, and distances between distributions.
//
//	logits := nd.FromRows([][]float64{{2, 1, 0}, {0, 3, 0}})
//	labels := nd.FromSlice([]int{0, 1}, 2, 1)
//	fmt.Println(ops.Mean(loss.SoftmaxCrossEntropy(logits, labels)))
//
// Most losses are one number for each element or example; ops.Mean or ops.Sum reduces them to one number. Losses of
// classes have a [Reduction] for that, which knows ignored labels and weights of classes:
//
//   - classes: [SoftmaxCrossEntropy] of scores, [CategoricalCrossEntropy] of probabilities, [CategoricalNLL] of their
//     logarithms; [SigmoidCrossEntropy] and [BinaryCrossEntropy] of two classes;
//   - numbers: [SquaredError], [AbsoluteError], [HuberLoss], [EpsilonInsensitiveLoss], [GaussianNLL], [PoissonNLL],
//     [BernoulliNLL];
//   - margins: [Hinge], [MultiMargin], [MultiLabelMargin], [Contrastive], [Triplet];
//   - samples of many classes: [NegativeSampling], [BlackOut];
//   - distributions: [KLDivergence], [KLMultinomial], [GaussianKLDivergence]; and [CrossCovariance] of a batch.
//
// Shapes, dtypes and options are as in package ops. Gradients of every order are defined. CTC is in package sequence.
package loss
