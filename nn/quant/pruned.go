package quant

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
)

// PrunedAffineOptions are the options of [PrunedAffine].
type PrunedAffineOptions struct {
	nn.AffineOptions
	// W and B are the options of pruning W and b.
	W, B quantize.PruneOptions
	// KeepW and KeepB leave W and b as they are.
	KeepW, KeepB bool
}

// PrunedAffine is [nn.Affine] with the parameters "pruned_affine/W" and "pruned_affine/b". quantize.Prune sets the
// elements of each with the smallest absolute values to 0. Gradients flow to these elements, too. In training the layer
// writes the pruned values to the untrained "pruned_affine/W_q" and "pruned_affine/b_q". A parameter that is not pruned
// has no such record.
// NNabla: parametric_functions.pruned_affine.
func PrunedAffine(scope *nn.Scope, x *nd.Array, outputs int, opts ...PrunedAffineOptions) *nd.Array {
	const fn nd.Func = "quant.PrunedAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("pruned_affine").Precise(), x, outputs, o.AffineOptions, pruned(o.W, o.KeepW), pruned(o.B, o.KeepB))
}

// PrunedConvolutionOptions are the options of [PrunedConvolution].
type PrunedConvolutionOptions struct {
	nn.ConvolutionOptions
	// W and B are the options of pruning W and b.
	W, B quantize.PruneOptions
	// KeepW and KeepB leave W and b as they are.
	KeepW, KeepB bool
}

// PrunedConvolution is [nn.Convolution] with the parameters "pruned_conv/W" and "pruned_conv/b", each pruned as in
// [PrunedAffine].
// NNabla: parametric_functions.pruned_convolution.
func PrunedConvolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int, opts ...PrunedConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.PrunedConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("pruned_conv").Precise(), x, outmaps, kernel, o.ConvolutionOptions, pruned(o.W, o.KeepW), pruned(o.B, o.KeepB))
}

func pruned(o quantize.PruneOptions, keep bool) *quantizer {
	return rounding(!keep, func(p *nd.Array) *nd.Array { return quantize.Prune(p, o) })
}
