//go:build !race && !storm

// The race detector makes sync.Pool drop items, and the GC cycles that the tag storm adds empty it: then scratch memory is allocated anew.

package nn_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
)

// TestLayersGiveBackTemporaries calls layers repeatedly, in evaluation and on a tape, with arrays of 400 KB whose dtype
// differs from that of the parameters. It measures the allocation of a call after the first calls have filled the pool.
func TestLayersGiveBackTemporaries(t *testing.T) {
	const steps, batch, features = 50, 32, 64
	x := nd.Full([]int{steps, batch, features}, 0.5, dtype.Float64)
	additive, padding := nd.Zeros([]int{steps, steps}), nd.Zeros([]int{batch, steps})
	all := nn.MultiHeadAttentionOptions{NumHeads: 2, Causal: true, AdditiveMask: additive, KeyPaddingMask: padding, AddAttnBias: true,
		Dropout: 0.5}
	for _, c := range []struct {
		name  string
		layer func(s *nn.Scope) *nd.Array
	}{
		{"LayerNormalization", func(s *nn.Scope) *nd.Array { return nn.LayerNormalization(s, x) }},
		{"InstanceNormalization", func(s *nn.Scope) *nd.Array { return nn.InstanceNormalization(s, x) }},
		{"GroupNormalization", func(s *nn.Scope) *nd.Array { return nn.GroupNormalization(s, x, 4) }},
		{"FusedBatchNormalization", func(s *nn.Scope) *nd.Array { return nn.FusedBatchNormalization(s, x, x) }},
		{"PReLU", func(s *nn.Scope) *nd.Array { return nn.PReLU(s, x) }},
		{"MeanSubtraction", func(s *nn.Scope) *nd.Array { return nn.MeanSubtraction(s, x) }},
		{"WeightNormalization", func(s *nn.Scope) *nd.Array { return nn.WeightNormalization(s, x) }},
		{"SpectralNorm", func(s *nn.Scope) *nd.Array { return nn.SpectralNorm(s, x) }},
		{"MultiHeadAttention", func(s *nn.Scope) *nd.Array {
			return nn.MultiHeadAttention(s, x, x, x, nn.MultiHeadAttentionOptions{NumHeads: 2, BatchFirst: true, Causal: true})
		}},
		{"MultiHeadAttention with everything", func(s *nn.Scope) *nd.Array { return nn.MultiHeadAttention(s, x, x, x, all) }},
		{"MultiHeadAttentionWithWeights", func(s *nn.Scope) *nd.Array {
			y, weights := nn.MultiHeadAttentionWithWeights(s, x, x, x, all)
			weights.Release()
			return y
		}},
		{"Transformer", func(s *nn.Scope) *nd.Array {
			return nn.Transformer(s, x, x, nn.TransformerOptions{NumHeads: 2, NumEncoderLayers: new(1), NumDecoderLayers: new(1),
				DimFeedforward: 64, SrcKeyPaddingMask: padding, Causal: true})
		}},
	} {
		params, tape, rng := nn.NewScope(), grad.NewTape(), nd.NewRand(1)
		train := func() {
			y := c.layer(params.Watch(tape, nn.WatchOptions{Rand: rng}))
			if recorded, _ := y.Node(); recorded == nil { // without trained parameters
				y.Release()
			}
			tape.Reset()
		}
		for about, call := range map[string]func(){"evaluation": func() { c.layer(params).Release() }, "training": train} {
			for range 10 {
				call()
			}
			const calls = 10
			least := math.MaxInt
			for range 5 { // a GC cycle in between frees memory that the next call allocates again
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range calls {
					call()
				}
				runtime.ReadMemStats(&after)
				least = min(least, int(after.TotalAlloc-before.TotalAlloc)/calls)
			}
			if least > 2*steps*batch*features {
				t.Errorf("%s of %s allocates %d bytes a call: half of one array of float32, and more", about, c.name, least)
			}
		}
		tape.Release()
	}
}
