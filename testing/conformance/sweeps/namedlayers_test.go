package sweeps

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// misusedLayers are calls that layers must refuse, by name.
func misusedLayers() map[string]func() {
	var none *nd.Array
	s, x, kernel := nn.NewScope(), nd.Zeros([]int{1, 2, 4, 4}), []int{3, 3}
	return map[string]func(){
		"nn.Checkpoint":                        func() { nn.Checkpoint(s, func(_ *nn.Scope, x *nd.Array) *nd.Array { return x }, none) },
		"nn.Embed":                             func() { nn.Embed(s, none, 2, 3) },
		"nn.GRU":                               func() { nn.GRU(s, none, &nn.State{}, 2) },
		"nn.LSTM":                              func() { nn.LSTM(s, none, &nn.State{}, 2) },
		"nn.LSTMCell":                          func() { nn.LSTMCell(s, none, &nn.State{}, 2) },
		"nn.RNN":                               func() { nn.RNN(s, none, &nn.State{}, 2) },
		"initializer.WeightNormalizationScale": func() { initializer.WeightNormalizationScale(none) },
		"quant.BinaryConnectAffine":            func() { quant.BinaryConnectAffine(s, none, 2) },
		"quant.BinaryConnectConvolution":       func() { quant.BinaryConnectConvolution(s, x, 2, nil) },
		"quant.BinaryWeightAffine":             func() { quant.BinaryWeightAffine(s, none, 2) },
		"quant.BinaryWeightConvolution":        func() { quant.BinaryWeightConvolution(s, x, 2, nil) },
		"nn.CPD3Convolution":                   func() { nn.CPD3Convolution(s, x, 2, kernel, 0) },
		"nn.Convolution":                       func() { nn.Convolution(s, x, 2, nil) },
		"nn.Deconvolution":                     func() { nn.Deconvolution(s, x, 2, nil) },
		"nn.DeformableConvolution":             func() { nn.DeformableConvolution(s, x, 2, kernel, none) },
		"nn.DepthwiseConvolution":              func() { nn.DepthwiseConvolution(s, x, []int{3, 3, 3}) },
		"nn.DepthwiseDeconvolution":            func() { nn.DepthwiseDeconvolution(s, x, []int{3, 3, 3}) },
		"nn.Dropout":                           func() { nn.Dropout(s, none, 0.5) },
		"quant.FixedPointAffine":               func() { quant.FixedPointAffine(s, none, 2) },
		"quant.FixedPointConvolution":          func() { quant.FixedPointConvolution(s, x, 2, nil) },
		"quant.INQAffine":                      func() { quant.INQAffine(s, x, 2, nil) },
		"quant.INQConvolution":                 func() { quant.INQConvolution(s, x, 2, kernel, nil) },
		"quant.MinMax":                         func() { quant.MinMax(s, none) },
		"quant.MinMaxAffine":                   func() { quant.MinMaxAffine(s, none, 2) },
		"quant.MinMaxConvolution":              func() { quant.MinMaxConvolution(s, x, 2, nil) },
		"quant.Pow2Affine":                     func() { quant.Pow2Affine(s, none, 2) },
		"quant.Pow2Convolution":                func() { quant.Pow2Convolution(s, x, 2, nil) },
		"quant.PrunedAffine":                   func() { quant.PrunedAffine(s, none, 2) },
		"quant.PrunedConvolution":              func() { quant.PrunedConvolution(s, x, 2, nil) },
		"nn.SVDAffine":                         func() { nn.SVDAffine(s, x, 2, 0) },
		"nn.SVDConvolution":                    func() { nn.SVDConvolution(s, x, 2, kernel, 0) },
		"Scope.Value":                          func() { s.Value("v", none) },
	}
}
