package vision

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// VGG16 is a net of 13 convolutions, in five blocks with max pooling after each, and three fully connected layers. In
// training, dropout follows the first two of these. It has 138,357,544 parameters.
//
// Layers: conv1_1, conv1_2, pool1, conv2_1, … pool5, fc6, fc7, fc8, prob. Up to pool5 images may have any size; from
// fc6 on they must be 224 × 224 (193 to 224 is possible). Without a file the initial weights are
// initializer.Normal(0.01), and biases 0. [Net.Extract] returns fc7 by default, 4096 numbers per image.
//
// Source: K. Simonyan and A. Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition, 2015.
// Chainer: links.VGG16Layers.
func VGG16() Net {
	initial := initializer.Normal(0.01)
	var layers []layer
	in := 3
	for i, block := range []struct{ convolutions, out int }{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}} {
		for k := range block.convolutions {
			name := fmt.Sprintf("conv%d_%d", i+1, k+1)
			layers = append(layers, layer{name: name, steps: steps{at(name, convolution(in, block.out, 3, 1, initial)), relu}})
			in = block.out
		}
		layers = append(layers, layer{name: fmt.Sprintf("pool%d", i+1), steps: steps{maxPooling(2, 2)}, side: halved})
	}
	full := func(name string, in, out int) step {
		return at(name, link.Linear{InSize: in, OutSize: out, InitialW: initial})
	}
	return Net{name: "VGG16", mean: [3]float32{103.939, 116.779, 123.68}, output: "fc7", layers: append(layers,
		layer{name: "fc6", steps: steps{full("fc6", 512*7*7, 4096), relu, dropout(0.5)}, side: fixedLength(7)},
		layer{name: "fc7", steps: steps{full("fc7", 4096, 4096), relu, dropout(0.5)}},
		layer{name: "fc8", steps: steps{full("fc8", 4096, 1000)}},
		layer{name: "prob", steps: steps{softmax}},
	)}
}
