package vision

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// ResNet50 is [ResNet] with 50 layers: 25,557,096 parameters.
// Chainer: links.ResNet50Layers.
func ResNet50() Net { return ResNet(50) }

// ResNet101 is [ResNet] with 101 layers: 44,549,224 parameters.
// Chainer: links.ResNet101Layers.
func ResNet101() Net { return ResNet(101) }

// ResNet152 is [ResNet] with 152 layers: 60,192,872 parameters.
// Chainer: links.ResNet152Layers.
func ResNet152() Net { return ResNet(152) }

// ResNet is a residual net of 50, 101 or 152 layers: a convolution, and four stages of blocks of three convolutions,
// whose results are added to their input. Batch normalisation follows every convolution. Only the first convolution
// also has a bias.
//
// Layers: conv1, pool1, res2, res3, res4, res5, pool5, fc6, prob. pool5 is the mean over all positions, so that images may have any
// size from 3 × 3 on. Without a file the weights are at first initializer.HeNormal(1), and biases 0. [Net.Extract] gives pool5, 2048 numbers
// for an image.
//
// Source: K. He et al., Deep Residual Learning for Image Recognition, 2016. As in its authors' Caffe models, the first
// convolution of a block has the stride.
// Chainer: links.model.vision.resnet.ResNetLayers.
func ResNet(nLayers int) Net {
	const fn nd.Func = "vision.ResNet"
	counts, ok := map[int][4]int{50: {3, 4, 6, 3}, 101: {3, 4, 23, 3}, 152: {3, 8, 36, 3}}[nLayers]
	if !ok {
		panic(fn.Errorf(nil, "%d layers: want 50, 101 or 152", nLayers))
	}
	initial := initializer.HeNormal(1)
	layers := []layer{
		{name: "conv1", steps: steps{at("conv1", convolution(3, 64, 7, 2, initial)), at("bn1", link.BatchNormalization{Size: []int{64}}), relu}, side: halved},
		{name: "pool1", steps: steps{maxPooling(3, 2)}, side: halvedBy3},
	}
	in := 64
	for k, n := range counts {
		name := fmt.Sprintf("res%d", k+2)
		blocks := stage{blocks: n, in: in, middle: 64 << k, out: 256 << k, stride: 1, initial: initial}
		l := layer{name: name}
		if k > 0 {
			blocks.stride, l.side = 2, halved
		}
		l.steps = steps{at(name, blocks)}
		layers, in = append(layers, l), blocks.out
	}
	return Net{name: fmt.Sprintf("ResNet%d", nLayers), mean: [3]float32{103.063, 115.903, 123.152}, output: "pool5", layers: append(layers,
		layer{name: "pool5", steps: steps{globalMean}, side: func(int) int { return 1 }},
		layer{name: "fc6", steps: steps{at("fc6", link.Linear{InSize: 2048, OutSize: 1000, InitialW: initial})}},
		layer{name: "prob", steps: steps{softmax}},
	)}
}
