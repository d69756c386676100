// Package link has Chainer's links: layers as struct values, whose fields are named like the arguments of Chainer's
// constructors. The parameters of a layer are in the scope that Apply is given, under Chainer's names and in its
// shapes, so that Chainer's files can be loaded unchanged.
//
// For new models choose package nn, whose layers are functions; choose this package for a model or a file from Chainer.
// Both packages compute by the same code. They differ in how a layer is written, and in the names, shapes and initial
// values of its parameters.
//
//	type mlp struct{ units, classes int }
//
//	func (m mlp) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
//		h := ops.ReLU(link.Linear{OutSize: m.units}.Apply(s.Sub("l1"), x))
//		return link.Linear{OutSize: m.classes}.Apply(s.Sub("l2"), h)
//	}
//
// A chain of links is any Go value with a method Apply, and its children are names in the scope; nothing is registered.
// The scope has the operations that Chainer's links have on all of their parameters: [nn.Scope.All] lists names,
// [nn.Scope.Set] and [nn.Load] set values, [nn.Scope.Copy] and [nn.Scope.CopyFrom] copy them. The scope also decides
// whether a layer trains, and which stream of random numbers it uses: see [nn.Scope.Watch].
//
// # Links
//
//   - dense: [Linear], [Bilinear], [Highway], [Maxout], [SimplifiedDropconnect], [EmbedID]
//   - convolutions: [Convolution2D], [ConvolutionND], [DilatedConvolution2D], [DepthwiseConvolution2D],
//     [Deconvolution2D], [DeconvolutionND]; several at once [Inception], [InceptionBN], [MLPConvolution2D]
//   - normalisations: [BatchNormalization], [LayerNormalization]
//   - elementwise: [Scale], [Bias], [PReLU]; [Parameter]
//   - recurrent: [LSTM], [StatelessLSTM], [StatefulPeepholeLSTM], [StatefulZoneoutLSTM], [GRU], [StatefulGRU],
//     [ChildSumTreeLSTM], [NaryTreeLSTM]; for whole sequences [NStepLSTM], [NStepGRU], [NStepRNNTanh], [NStepRNNReLU],
//     each in both directions, too
//   - losses: [Classifier], [BinaryHierarchicalSoftmax], [NegativeSampling], [BlackOut], [CRF1d]
//   - combinations: [Sequential], [Func]
//
// A size of 0 is taken from the first input. Links with an internal state in Chainer take an [nn.State] as an argument
// here.
package link
