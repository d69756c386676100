package link_test

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// layers returns calls of the dense, convolutional, normalising and elementwise links.
func layers() []step {
	one := func(name string, l link.Layer, shape ...int) step {
		return step{name, [][]int{shape}, 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array { return list(l.Apply(s, in[0])) }}
	}
	two := func(name string, apply func(s *nn.Scope, x, y *nd.Array) *nd.Array, labels int, shapes ...[]int) step {
		return step{name, shapes, labels, func(s *nn.Scope, in []*nd.Array) []*nd.Array { return list(apply(s, in[0], in[1])) }}
	}
	tanh := func(x *nd.Array) *nd.Array { return ops.Tanh(x) }
	three, five := []int{3}, []int{5}
	return []step{
		one("Linear", link.Linear{OutSize: 2}, 3, 4),
		one("Linear of two batch axes", link.Linear{OutSize: 2, NBatchAxes: 2}, 3, 2, 2, 2),
		one("Linear without bias, of images", link.Linear{InSize: 8, OutSize: 2, NoBias: true}, 3, 2, 4),
		two("Bilinear", link.Bilinear{OutSize: 2}.Apply, 9, []int{3, 2}, []int{3, 4}),
		two("Bilinear without bias", link.Bilinear{OutSize: 2, NoBias: true}.Apply, 9, []int{3, 2}, []int{3, 4}),
		one("Highway", link.Highway{Activate: tanh}, 3, 4),
		one("Highway without biases", link.Highway{InOutSize: 4, NoBias: true, Activate: tanh}, 3, 4),
		one("Maxout", link.Maxout{OutSize: 2, PoolSize: 3}, 3, 4),
		one("Maxout without bias", link.Maxout{InSize: 4, OutSize: 2, PoolSize: 2, NoBias: true}, 3, 4),
		one("SimplifiedDropconnect", link.SimplifiedDropconnect{OutSize: 2, Ratio: new(0.25)}, 3, 4),
		two("SimplifiedDropconnect of a mask", func(s *nn.Scope, x, mask *nd.Array) *nd.Array {
			return link.SimplifiedDropconnect{OutSize: 2, NoBias: true, Mask: mask}.Apply(s, x)
		}, 1, []int{3, 4}, []int{3, 2, 4}),
		{"EmbedID", [][]int{{3, 2}}, 0, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return list(link.EmbedID{InSize: 3, OutSize: 4}.Apply(s, in[0]))
		}},
		{"EmbedID with a label that does not count", [][]int{{4}}, 0, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return list(link.EmbedID{InSize: 3, OutSize: 2, IgnoreLabel: new(1)}.Apply(s, in[0]))
		}},
		one("Convolution2D", link.Convolution2D{OutChannels: 3, KSize: []int{2, 3}, Stride: []int{2, 1}, Pad: []int{1}}, 2, 2, 4, 5),
		one("Convolution2D without bias", link.Convolution2D{InChannels: 2, OutChannels: 1, KSize: three, NoBias: true}, 2, 2, 4, 5),
		one("Convolution2D in groups", link.Convolution2D{OutChannels: 4, KSize: []int{2}, Dilate: []int{2, 1}, Groups: 2}, 2, 2, 4, 3),
		one("ConvolutionND in groups", link.ConvolutionND{Ndim: 1, OutChannels: 2, KSize: []int{2}, Dilate: three, Groups: 2}, 2, 4, 6),
		one("ConvolutionND", link.ConvolutionND{Ndim: 1, OutChannels: 2, KSize: []int{2}, Stride: three, CoverAll: true,
			InitialBias: initializer.Constant(1)}, 2, 3, 6),
		one("ConvolutionND without bias", link.ConvolutionND{Ndim: 3, OutChannels: 2, KSize: []int{2}}, 1, 2, 3, 2, 2),
		one("DilatedConvolution2D", link.DilatedConvolution2D{OutChannels: 2, KSize: []int{2}, Dilate: three}, 2, 2, 4, 5),
		one("DepthwiseConvolution2D", link.DepthwiseConvolution2D{ChannelMultiplier: 2, KSize: three, Pad: []int{1}}, 2, 2, 3, 4),
		one("Deconvolution2D", link.Deconvolution2D{OutChannels: 3, KSize: three, Stride: []int{2}, Pad: []int{1}, OutSize: []int{6, 7}}, 2, 2, 3, 4),
		one("Deconvolution2D in groups", link.Deconvolution2D{OutChannels: 4, KSize: []int{2}, Dilate: []int{2}, Groups: 2}, 2, 2, 3, 2),
		one("DeconvolutionND in groups", link.DeconvolutionND{Ndim: 1, OutChannels: 2, KSize: []int{2}, Dilate: three, Groups: 2}, 2, 4, 3),
		one("DeconvolutionND", link.DeconvolutionND{Ndim: 1, OutChannels: 3, KSize: []int{2}}, 2, 2, 3),
		one("DeconvolutionND without bias", link.DeconvolutionND{Ndim: 1, OutChannels: 2, KSize: []int{2}, NoBias: true}, 2, 2, 3),
		one("Inception", link.Inception{Out1: 1, Proj3: 2, Out3: 1, Proj5: 1, Out5: 2, ProjPool: 1}, 1, 2, 3, 4),
		one("InceptionBN", link.InceptionBN{Out1: 1, Proj3: 2, Out3: 1, Proj33: 1, Out33: 2, PoolType: "avg", ProjPool: 1}, 2, 2, 3, 3),
		one("InceptionBN of stride 2", link.InceptionBN{Proj3: 2, Out3: 1, Proj33: 1, Out33: 1, PoolType: "max", Stride: 2}, 2, 2, 4, 3),
		one("MLPConvolution2D", link.MLPConvolution2D{OutChannels: []int{2, 1}, KSize: []int{2}, Activation: tanh}, 1, 2, 3, 3),
		one("BatchNormalization", link.BatchNormalization{}, 4, 3),
		one("BatchNormalization of several axes", link.BatchNormalization{Size: []int{2, 3}, UseBeta: new(false)}, 4, 2, 3, 2),
		one("BatchNormalization over some axes", link.BatchNormalization{Axis: ops.Over(0, 1)}, 4, 2, 3),
		one("BatchNormalization that tunes", link.BatchNormalization{UseGamma: new(false), Finetune: true}, 4, 2, 2),
		one("LayerNormalization", link.LayerNormalization{}, 3, 4),
		one("LayerNormalization of images", link.LayerNormalization{Size: 6}, 2, 2, 3),
		one("Bias", link.Bias{Shape: five}, 2, 5, 3),
		one("Bias of one number", link.Bias{Axis: ops.Over(0), Shape: []int{}}, 2, 5),
		one("Scale", link.Scale{WShape: five, BiasTerm: true}, 2, 5, 3),
		two("Scale of another input", link.Scale{BiasTerm: true, BiasShape: []int{3, 2}}.Of, 9, []int{2, 3, 2}, []int{3}),
		one("PReLU", link.PReLU{Shape: three}, 2, 3, 4),
		one("PReLU of one slope", link.PReLU{}, 2, 3),
	}
}
