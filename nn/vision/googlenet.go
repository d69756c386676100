package vision

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// GoogLeNet is a net of three convolutions and nine inception modules, which join convolutions of several sizes
// (Inception v1). It is small: 13,378,280 parameters.
//
// Layers: conv1, pool1, conv2_reduce, conv2, pool2, inception_3a, inception_3b, pool3, inception_4a, … inception_4e, pool4,
// inception_5a, inception_5b, pool5, loss3_fc, prob, and loss1_fc2 and loss2_fc2: the scores of two more classifiers, which take
// inception_4a and inception_4d, for losses that are added, with a weight of 0.3, to that of loss3_fc in training. Up to
// inception_5b images may have any size; pool5 averages 7 × 7 positions, which 224 × 224 leaves, and the classifiers take no other.
// Without a file the weights are at first initializer.LeCunUniform(1), Caffe's "xavier", and biases 0. [Net.Extract] gives pool5, 1024
// numbers for an image, of shape (B, 1024, 1, 1).
//
// Source: C. Szegedy et al., Going Deeper with Convolutions, 2015.
// Chainer: links.GoogLeNet.
func GoogLeNet() Net {
	initial := initializer.LeCunUniform(1)
	convolved := func(name string, in, out, kernel, stride int) step {
		return at(name, convolution(in, out, kernel, stride, initial))
	}
	full := func(name string, in, out int) step {
		return at(name, link.Linear{InSize: in, OutSize: out, InitialW: initial})
	}
	module := func(name string, in, out1, proj3, out3, proj5, out5, projPool int) layer {
		return layer{name: "inception_" + name, steps: steps{at("inc"+name, link.Inception{InChannels: in, Out1: out1, Proj3: proj3,
			Out3: out3, Proj5: proj5, Out5: out5, ProjPool: projPool, ConvInit: initial})}}
	}
	// The input of an additional classifier is 4 × 4 means of 5 × 5 positions.
	classifier := func(name, from string, in int) layer {
		return layer{name: name + "_fc2", from: from, side: func(n int) int { return fixedLength(4)((n-5)/3 + 1) }, steps: steps{
			averagePooling(5, 3), convolved(name+"_conv", in, 128, 1, 1), relu,
			full(name+"_fc1", 128*4*4, 1024), relu, full(name+"_fc2", 1024, 1000)}}
	}
	pool := func(name string, more ...step) layer {
		return layer{name: name, steps: append(steps{maxPooling(3, 2)}, more...), side: halvedBy3}
	}
	return Net{name: "GoogLeNet", mean: [3]float32{104, 117, 123}, output: "pool5", layers: []layer{
		{name: "conv1", steps: steps{convolved("conv1", 3, 64, 7, 2), relu}, side: halved},
		pool("pool1", localResponse),
		{name: "conv2_reduce", steps: steps{convolved("conv2_reduce", 64, 64, 1, 1), relu}},
		{name: "conv2", steps: steps{convolved("conv2", 64, 192, 3, 1), relu, localResponse}},
		pool("pool2"),
		module("3a", 192, 64, 96, 128, 16, 32, 32),
		module("3b", 256, 128, 128, 192, 32, 96, 64),
		pool("pool3"),
		module("4a", 480, 192, 96, 208, 16, 48, 64),
		module("4b", 512, 160, 112, 224, 24, 64, 64),
		module("4c", 512, 128, 128, 256, 24, 64, 64),
		module("4d", 512, 112, 144, 288, 32, 64, 64),
		module("4e", 528, 256, 160, 320, 32, 128, 128),
		pool("pool4"),
		module("5a", 832, 256, 160, 320, 32, 128, 128),
		module("5b", 832, 384, 192, 384, 48, 128, 128),
		{name: "pool5", steps: steps{averagePooling(7, 1)}, side: func(n int) int { return n - 6 }},
		{name: "loss3_fc", steps: steps{dropout(0.4), full("loss3_fc", 1024, 1000)}, side: fixedLength(1)},
		{name: "prob", steps: steps{softmax}},
		classifier("loss1", "inception_4a", 512),
		classifier("loss2", "inception_4d", 528),
	}}
}

// localResponse divides by what neighbouring channels have at the same position: see normalize.LocalResponseNormalization.
func localResponse(_ *nn.Scope, x *nd.Array) *nd.Array {
	return normalize.LocalResponseNormalization(x, normalize.LocalResponseNormalizationOptions{N: 5, K: new(1.0), Alpha: new(1e-4 / 5), Beta: new(0.75)})
}
