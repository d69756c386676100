package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// linkRows is the chapter of dense, convolutional, normalising and elementwise links.
var linkRows = []Row{
	{Signature: "chainer.links.Linear(in_size, out_size, wscale=1, bias=0, nobias=False, initialW=None, initial_bias=None, x)",
		Func: link.Linear.Apply},
	{Signature: "chainer.links.Linear.__call__(self, x)", Func: link.Linear.Apply, Note: "Chainer 7's n_batch_axes is the field NBatchAxes"},
	{Signature: "chainer.links.Bilinear(left_size, right_size, out_size, nobias=False, initialW=None, initial_bias=None, e1, e2)",
		Func: link.Bilinear.Apply},
	{Signature: "chainer.links.Bilinear.__call__(self, e1, e2)", Func: link.Bilinear.Apply},
	{Signature: "chainer.links.Highway(in_out_size, nobias=False, activate=relu, init_Wh=None, init_Wt=None, init_bh=None, init_bt=-1, x)",
		Func: link.Highway.Apply},
	{Signature: "chainer.links.Highway.__call__(self, x)", Func: link.Highway.Apply},
	{Signature: "chainer.links.Maxout(in_size, out_size, pool_size, wscale=1, initialW=None, initial_bias=0, x)",
		Func: link.Maxout.Apply},
	{Signature: "chainer.links.Maxout.__call__(self, x)", Func: link.Maxout.Apply},
	{Signature: "chainer.links.SimplifiedDropconnect(in_size, out_size, ratio=0.5, nobias=False, initialW=None, initial_bias=None, x, train=True, mask=None)",
		Func: link.SimplifiedDropconnect.Apply, Random: true},
	{Signature: "chainer.links.SimplifiedDropconnect.__call__(self, x, train=True, mask=None)", Func: link.SimplifiedDropconnect.Apply,
		Ignores: []string{"mask"}, Random: true, Note: "mask is the field Mask"},
	{Signature: "chainer.links.EmbedID(in_size, out_size, initialW=None, ignore_label=None, x)", Func: link.EmbedID.Apply},
	{Signature: "chainer.links.EmbedID.__call__(self, x)", Func: link.EmbedID.Apply},
	{Signature: "chainer.links.Parameter(array, volatile='off')", Func: link.Parameter.Apply, Ignores: []string{"volatile"}},
	{Signature: "chainer.links.Parameter.__call__(self, volatile='off')", Func: link.Parameter.Apply, Ignores: []string{"volatile"}},

	{Signature: "chainer.links.Convolution2D(in_channels, out_channels, ksize, stride=1, pad=0, wscale=1, bias=0, nobias=False, use_cudnn=True, " +
		"initialW=None, initial_bias=None, deterministic=False, x)", Func: link.Convolution2D.Apply, Ignores: chainerConvolution},
	{Signature: "chainer.links.Convolution2D.__call__(self, x)", Func: link.Convolution2D.Apply},
	{Signature: "chainer.links.ConvolutionND(ndim, in_channels, out_channels, ksize, stride=1, pad=0, initialW=None, initial_bias=None, " +
		"use_cudnn=True, cover_all=False, x)", Func: link.ConvolutionND.Apply, Ignores: useCuDNN},
	{Signature: "chainer.links.ConvolutionND.__call__(self, x)", Func: link.ConvolutionND.Apply},
	{Signature: "chainer.links.DilatedConvolution2D(in_channels, out_channels, ksize, stride=1, pad=0, dilate=1, wscale=1, bias=0, nobias=False, " +
		"use_cudnn=True, initialW=None, initial_bias=None, x)", Func: link.DilatedConvolution2D.Apply, Ignores: useCuDNN},
	{Signature: "chainer.links.DilatedConvolution2D.__call__(self, x)", Func: link.DilatedConvolution2D.Apply},
	{Signature: "chainer.links.DepthwiseConvolution2D(in_channels, channel_multiplier, ksize, stride=1, pad=0, nobias=False, initialW=None, " +
		"initial_bias=None, x)", Func: link.DepthwiseConvolution2D.Apply},
	{Signature: "chainer.links.Deconvolution2D(in_channels, out_channels, ksize, stride=1, pad=0, wscale=1, bias=0, nobias=False, outsize=None, " +
		"use_cudnn=True, initialW=None, initial_bias=None, deterministic=False, x)", Func: link.Deconvolution2D.Apply, Ignores: chainerConvolution},
	{Signature: "chainer.links.DeconvolutionND(ndim, in_channels, out_channels, ksize, stride=1, pad=0, outsize=None, initialW=None, initial_bias=0, " +
		"use_cudnn=True, x)",
		Func: link.DeconvolutionND.Apply, Ignores: useCuDNN},
	{Signature: "chainer.links.Inception(in_channels, out1, proj3, out3, proj5, out5, proj_pool, conv_init=None, bias_init=None, x)",
		Func: link.Inception.Apply},
	{Signature: "chainer.links.Inception.__call__(self, x)", Func: link.Inception.Apply},
	{Signature: "chainer.links.InceptionBN(in_channels, out1, proj3, out3, proj33, out33, pooltype, proj_pool=None, stride=1, conv_init=None, " +
		"dtype=float32, x, test=None)", Func: link.InceptionBN.Apply, Ignores: scopesDType,
		Domain: map[string]Interval{"": {-2, 2}}},
	{Signature: "chainer.links.InceptionBN.__call__(self, x, test=None)", Func: link.InceptionBN.Apply},
	{Signature: "chainer.links.MLPConvolution2D(in_channels, out_channels, ksize, stride=1, pad=0, wscale=1, activation=relu, use_cudnn=True, " +
		"conv_init=None, bias_init=None, x)", Func: link.MLPConvolution2D.Apply, Ignores: useCuDNN},

	{Signature: "chainer.links.BatchNormalization(size, decay=0.9, eps=2e-05, dtype=float32, use_gamma=True, use_beta=True, initial_gamma=None, " +
		"initial_beta=None, use_cudnn=True, x, test=False, finetune=False)", Func: link.BatchNormalization.Apply,
		Ignores: append(scopesDType, useCuDNN...)},
	{Signature: "chainer.links.BatchNormalization.__call__(self, x, test=False, finetune=False)", Func: link.BatchNormalization.Apply,
		Ignores: []string{"finetune"}, Note: "finetune is the field Finetune"},
	{Signature: "chainer.links.BatchNormalization.start_finetuning(self)", Func: link.BatchNormalization.StartFinetuning},
	{Signature: "chainer.links.LayerNormalization(size=None, eps=1e-06, initial_gamma=None, initial_beta=None, x)", Func: link.LayerNormalization.Apply},
	{Signature: "chainer.links.LayerNormalization.__call__(self, x)", Func: link.LayerNormalization.Apply},

	{Signature: "chainer.links.Bias(axis=1, shape=None, x, y=None)", Func: link.Bias.Of},
	{Signature: "chainer.links.Bias.__call__(self, *xs)", Func: oneOrTwo(link.Bias.Of), Note: "`Bias.Of`; with one input `Bias.Apply`"},
	{Signature: "chainer.links.Scale(axis=1, W_shape=None, bias_term=False, bias_shape=None, x, y=None)", Func: link.Scale.Of},
	{Signature: "chainer.links.Scale.__call__(self, *xs)", Func: oneOrTwo(link.Scale.Of), Note: "`Scale.Of`; with one input `Scale.Apply`"},
	{Signature: "chainer.links.PReLU(shape=(), init=0.25, x)", Func: link.PReLU.Apply},
	{Signature: "chainer.links.PReLU.__call__(self, x)", Func: link.PReLU.Apply},

	{Signature: "chainer.links.Classifier(predictor, lossfun=softmax_cross_entropy, accfun=accuracy, x, t)",
		Func: func(l link.Classifier, s *nn.Scope, x, t *nd.Array) *nd.Array {
			return l.Loss(s, []*nd.Array{x, t}, nil)
		}},
	{Signature: "chainer.links.Classifier.__call__(self, *args)",
		Func: func(l link.Classifier, s *nn.Scope, args []*nd.Array) *nd.Array { return l.Loss(s, args, nil) },
		Note: "`Classifier.Loss`, which reports the loss and the accuracy to a reporter"},
}

// scopesDType is the dtype of parameters, which the scope determines.
var scopesDType = []string{"dtype"}

// oneOrTwo calls a link with one or two inputs.
func oneOrTwo[L any](apply func(l L, s *nn.Scope, x, y *nd.Array) *nd.Array) func(l L, s *nn.Scope, xs []*nd.Array) *nd.Array {
	return func(l L, s *nn.Scope, xs []*nd.Array) *nd.Array {
		switch len(xs) {
		case 1:
			return apply(l, s, xs[0], nil)
		case 2:
			return apply(l, s, xs[0], xs[1])
		}
		panic(nd.Func("__call__").Errorf(xs, "%d inputs: want one or two", len(xs)))
	}
}
