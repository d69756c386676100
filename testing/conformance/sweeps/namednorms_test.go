package sweeps

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// misusedNorms are calls that parametric normalisations and attention must refuse, by name.
func misusedNorms() map[string]func() {
	var none *nd.Array
	s, x := nn.NewScope(), nd.Zeros([]int{3, 2, 4})
	return map[string]func(){
		"nn.BatchNormalization":            func() { nn.BatchNormalization(s, none) },
		"nn.SyncBatchNormalization":        func() { nn.SyncBatchNormalization(s, none) },
		"nn.BatchNormalizationWithStat":    func() { nn.BatchNormalizationWithStat(s, none) },
		"nn.FusedBatchNormalization":       func() { nn.FusedBatchNormalization(s, none, nil) },
		"nn.GroupNormalization":            func() { nn.GroupNormalization(s, x, 3) },
		"nn.GroupNormalizationWithStat":    func() { nn.GroupNormalizationWithStat(s, none, 2) },
		"nn.InstanceNormalization":         func() { nn.InstanceNormalization(s, none) },
		"nn.InstanceNormalizationWithStat": func() { nn.InstanceNormalizationWithStat(s, none) },
		"nn.LayerNormalization":            func() { nn.LayerNormalization(s, none) },
		"nn.LayerNormalizationWithStat":    func() { nn.LayerNormalizationWithStat(s, none) },
		"nn.MeanSubtraction":               func() { nn.MeanSubtraction(s, none) },
		"nn.MultiHeadAttention":            func() { nn.MultiHeadAttention(s, x, none, x) },
		"nn.MultiHeadAttentionWithWeights": func() { nn.MultiHeadAttentionWithWeights(s, x, x, none) },
		"nn.PReLU":                         func() { nn.PReLU(s, none) },
		"nn.SpectralNorm":                  func() { nn.SpectralNorm(s, none) },
		"nn.Transformer":                   func() { nn.Transformer(s, x, none) },
		"nn.TransformerDecode":             func() { nn.TransformerDecode(s, x, none, 2) },
		"nn.TransformerEncode":             func() { nn.TransformerEncode(s, x, 3) },
		"nn.WeightNormalization":           func() { nn.WeightNormalization(s, none) },
	}
}
