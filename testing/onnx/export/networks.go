package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/vision"
)

// network is a function to export, with inputs.
type network struct {
	name   string
	f      func(s *nn.Scope, in []*nd.Array) []*nd.Array
	inputs []*nd.Array
	single bool // the inputs have no axis of examples
}

// numbers returns distinct numbers around 0.
func numbers(shape ...int) *nd.Array {
	x := nd.Arange(0, float64(nd.Zeros(shape).Size()), 1)
	return ops.Sin(ops.Multiply(x, 1.7)).Reshape(shape...).AsType(dtype.Float32)
}

// networks are networks of several kinds.
func networks() []network {
	return []network{
		{name: "mlp", inputs: []*nd.Array{numbers(4, 16)}, f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			h := ops.ReLU(nn.Affine(s.Sub("fc1"), in[0], 32))
			y := nn.Affine(s.Sub("fc2"), h, 10)
			return []*nd.Array{ops.Softmax(y), ops.ArgMax(y, ops.Over(1))}
		}},
		{name: "convolutional", inputs: []*nd.Array{numbers(3, 1, 28, 28)}, f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			h := nn.Convolution(s.Sub("c1"), in[0], 6, []int{5, 5})
			h = ops.ReLU(conv.MaxPooling(nn.BatchNormalization(s.Sub("bn"), h), []int{2}))
			h = conv.AveragePooling(ops.ReLU(nn.Convolution(s.Sub("c2"), h, 8, []int{3, 3})), []int{2})
			return []*nd.Array{nn.Affine(s.Sub("fc"), h.Reshape(h.Dim(0), -1), 10)}
		}},
		{name: "lstm_cell", inputs: []*nd.Array{numbers(3, 5, 4)}, f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			st := &nn.State{}
			var y *nd.Array
			for t := range in[0].Dim(1) {
				y = nn.LSTMCell(s, in[0].Index(nd.All(), nd.At(t)), st, 7)
			}
			return []*nd.Array{y, st.C}
		}},
		{name: "lstm_link", single: true, inputs: []*nd.Array{numbers(5, 4), ops.Multiply(numbers(3, 4), 2)},
			f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
				hy, cy, ys := link.NStepLSTM{NLayers: 2, OutSize: 6}.Apply(s, nil, nil, in)
				return []*nd.Array{hy, cy, ys[0], ys[1]}
			}},
		{name: "transformer", inputs: []*nd.Array{numbers(2, 6, 16)}, f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return []*nd.Array{nn.TransformerEncode(s, in[0], 4, nn.TransformerEncodeOptions{DimFeedforward: 32, BatchFirst: true, Causal: true})}
		}},
		{name: "embedding", inputs: []*nd.Array{nd.FromSlice([]int64{1, 2, 3, 10, 0, 7}, 2, 3)}, f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			e := nn.Embed(s, in[0], 11, 8)
			return []*nd.Array{nn.LayerNormalization(s.Sub("norm"), ops.Mean(e, ops.Over(1)))}
		}},
		{name: "resnet50", inputs: []*nd.Array{numbers(2, 3, 224, 224)}, f: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return []*nd.Array{vision.ResNet50().Apply(s, in[0])}
		}},
	}
}
