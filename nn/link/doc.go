// Package link has Chainer's links: layers as values, structs that name their hyperparameters as Chainer's constructors do. The
// parameters of a layer are in the scope that Apply is given, under Chainer's names and in its shapes, so that its files are read as
// they are.
//
// Newcomers choose package nn, whose layers are functions, unless they bring a model or a file from Chainer. Both compute by the same
// code; what differs is how a layer is written, and the names, shapes and first values of its parameters.
//
//	type mlp struct{ units, classes int }
//
//	func (m mlp) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
//		h := ops.ReLU(link.Linear{OutSize: m.units}.Apply(s.Sub("l1"), x))
//		return link.Linear{OutSize: m.classes}.Apply(s.Sub("l2"), h)
//	}
//
// A chain of links is any Go value with Apply, and its children are names of the scope; nothing is registered. What Chainer's
// links do with all of their parameters the scope does: [nn.Scope.All] has their names, [nn.Scope.Set] and [nn.Load] bring values,
// [nn.Scope.Copy] and [nn.Scope.CopyFrom] copy them.
// Whether a layer trains or is tested, and what it draws from, is the scope's too: see [nn.Scope.Watch].
//
// # Links
//
//   - dense: [Linear], [Bilinear], [Highway], [Maxout], [SimplifiedDropconnect], [EmbedID]
//   - convolutions: [Convolution2D], [ConvolutionND], [DilatedConvolution2D], [DepthwiseConvolution2D], [Deconvolution2D],
//     [DeconvolutionND]; several at once [Inception], [InceptionBN], [MLPConvolution2D]
//   - normalisations: [BatchNormalization], [LayerNormalization]
//   - elementwise: [Scale], [Bias], [PReLU]; [Parameter]
//   - recurrent: [LSTM], [StatelessLSTM], [StatefulPeepholeLSTM], [StatefulZoneoutLSTM], [GRU], [StatefulGRU], [ChildSumTreeLSTM],
//     [NaryTreeLSTM]; of whole sequences [NStepLSTM], [NStepGRU], [NStepRNNTanh], [NStepRNNReLU], each in both directions, too
//   - losses: [Classifier], [BinaryHierarchicalSoftmax], [NegativeSampling], [BlackOut], [CRF1d]
//   - of others: [Sequential], [Func]
//
// A size that is 0 follows from the first input. Links with an internal state take it as an argument, an [nn.State].
package link
