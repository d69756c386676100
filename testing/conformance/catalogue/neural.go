package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// neuralRows is the chapter of what torch.nn.functional has and no document names.
var neuralRows = []Row{
	{Signature: "torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False)",
		Func: torchAttention},
}

// torchAttention refuses a mask beside is_causal.
func torchAttention(query, key, value, mask *nd.Array, dropout float64, causal bool, scale *float64, grouped bool, rng *nd.Rand) *nd.Array {
	if mask != nil && causal {
		panic(nd.Func("scaled_dot_product_attention").Errorf([]*nd.Array{query, key, value, mask}, "want no mask beside is_causal"))
	}
	return ops.Attention(query, key, value, ops.AttentionOptions{
		Scale: scale, Mask: mask, Causal: causal, Dropout: dropout, Rand: rng, Grouped: grouped,
	})
}
