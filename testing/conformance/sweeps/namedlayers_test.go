package sweeps

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// misusedLayers are calls that layers must refuse, by name.
func misusedLayers() map[string]func() {
	var none *nd.Array
	s, x, kernel := nn.NewScope(), nd.Zeros([]int{1, 2, 4, 4}), []int{3, 3}
	return map[string]func(){
		"nn.Checkpoint":                     func() { nn.Checkpoint(s, func(_ *nn.Scope, x *nd.Array) *nd.Array { return x }, none) },
		"nn.Embed":                          func() { nn.Embed(s, none, 2, 3) },
		"nn.GRU":                            func() { nn.GRU(s, none, &nn.State{}, 2) },
		"nn.LSTM":                           func() { nn.LSTM(s, none, &nn.State{}, 2) },
		"nn.LSTMCell":                       func() { nn.LSTMCell(s, none, &nn.State{}, 2) },
		"nn.RNN":                            func() { nn.RNN(s, none, &nn.State{}, 2) },
		"nn.WeightNormalizationScale":       func() { nn.WeightNormalizationScale(none) },
		"nn.BinaryConnectAffine":            func() { nn.BinaryConnectAffine(s, none, 2) },
		"nn.BinaryConnectConvolution":       func() { nn.BinaryConnectConvolution(s, x, 2, nil) },
		"nn.BinaryWeightAffine":             func() { nn.BinaryWeightAffine(s, none, 2) },
		"nn.BinaryWeightConvolution":        func() { nn.BinaryWeightConvolution(s, x, 2, nil) },
		"nn.CPD3Convolution":                func() { nn.CPD3Convolution(s, x, 2, kernel, 0) },
		"nn.Convolution":                    func() { nn.Convolution(s, x, 2, nil) },
		"nn.Deconvolution":                  func() { nn.Deconvolution(s, x, 2, nil) },
		"nn.DeformableConvolution":          func() { nn.DeformableConvolution(s, x, 2, kernel, none) },
		"nn.DepthwiseConvolution":           func() { nn.DepthwiseConvolution(s, x, []int{3}) },
		"nn.DepthwiseDeconvolution":         func() { nn.DepthwiseDeconvolution(s, x, []int{3}) },
		"nn.Dropout":                        func() { nn.Dropout(s, none, 0.5) },
		"nn.FixedPointQuantizedAffine":      func() { nn.FixedPointQuantizedAffine(s, none, 2) },
		"nn.FixedPointQuantizedConvolution": func() { nn.FixedPointQuantizedConvolution(s, x, 2, nil) },
		"nn.INQAffine":                      func() { nn.INQAffine(s, x, 2, nil) },
		"nn.INQConvolution":                 func() { nn.INQConvolution(s, x, 2, kernel, nil) },
		"nn.MinMaxQuantize":                 func() { nn.MinMaxQuantize(s, none) },
		"nn.MinMaxQuantizedAffine":          func() { nn.MinMaxQuantizedAffine(s, none, 2) },
		"nn.MinMaxQuantizedConvolution":     func() { nn.MinMaxQuantizedConvolution(s, x, 2, nil) },
		"nn.Pow2QuantizedAffine":            func() { nn.Pow2QuantizedAffine(s, none, 2) },
		"nn.Pow2QuantizedConvolution":       func() { nn.Pow2QuantizedConvolution(s, x, 2, nil) },
		"nn.PrunedAffine":                   func() { nn.PrunedAffine(s, none, 2) },
		"nn.PrunedConvolution":              func() { nn.PrunedConvolution(s, x, 2, nil) },
		"nn.SVDAffine":                      func() { nn.SVDAffine(s, x, 2, 0) },
		"nn.SVDConvolution":                 func() { nn.SVDConvolution(s, x, 2, kernel, 0) },
		"Scope.Value":                       func() { s.Value("v", none) },
	}
}
