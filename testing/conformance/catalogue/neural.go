package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// neuralRows is the chapter of functions of torch.nn.functional that no document names.
var neuralRows = []Row{
	{Signature: "torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False)",
		Func: torchAttention},

	{Signature: "torch.nn.functional.cross_entropy(input, target, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0)",
		Func: func(x, t, weight *nd.Array, ignore int, reduction string, smoothing float64) *nd.Array {
			return torchCrossEntropy(loss.SoftmaxCrossEntropy, x, t, loss.CrossEntropyOptions{Ignore: &ignore, Weight: weight, Smoothing: smoothing}, reduction)
		}, Fixed: []string{"weight"}},
	{Signature: "torch.nn.functional.nll_loss(input, target, weight=None, ignore_index=-100, reduction='mean')",
		Func: func(x, t, weight *nd.Array, ignore int, reduction string) *nd.Array {
			return torchCrossEntropy(loss.CategoricalNLL, x, t, loss.CrossEntropyOptions{Ignore: &ignore, Weight: weight}, reduction)
		}},
	{Signature: "torch.nn.functional.kl_div(input, target, reduction='mean', log_target=False)",
		Func: func(x, t *nd.Array, reduction string, logs bool) *nd.Array {
			return torchReduced(loss.KLDivergence(x, t, loss.KLDivergenceOptions{Log: logs}), reduction)
		}, Domain: map[string]Interval{"target": {0, 9}}},
	{Signature: "torch.nn.functional.poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-08, reduction='mean')",
		Func: func(x, t *nd.Array, logs, full bool, eps float64, reduction string) *nd.Array {
			return torchReduced(loss.PoissonNLL(x, t, loss.PoissonNLLOptions{Rate: !logs, Full: full, Eps: &eps}), reduction)
		}, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.nn.functional.binary_cross_entropy_with_logits(input, target, weight=None, reduction='mean', pos_weight=None)",
		Func: func(x, t, weight *nd.Array, reduction string, positive *nd.Array) *nd.Array {
			l := loss.SigmoidCrossEntropy(x, t, loss.SigmoidCrossEntropyOptions{PosWeight: positive})
			if weight != nil {
				l = ops.Multiply(l, weight)
			}
			return torchReduced(l, reduction)
		}},
	{Signature: "torch.nn.functional.multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction='mean')",
		Func: func(x, t *nd.Array, p int, margin float64, weight *nd.Array, reduction string) *nd.Array {
			return torchReduced(loss.MultiMargin(x, t, loss.MultiMarginOptions{P: p, Margin: &margin, Weight: weight}), reduction)
		}},
	{Signature: "torch.nn.functional.multilabel_margin_loss(input, target, reduction='mean')", Func: func(x, t *nd.Array, reduction string) *nd.Array {
		return torchReduced(loss.MultiLabelMargin(x, t), reduction)
	}},

	{Signature: "torch.nn.functional.hardswish(input)", Func: ops.HardSwish},
	{Signature: "torch.nn.functional.hardshrink(input, lambd=0.5)", Func: func(x *nd.Array, least float64) *nd.Array {
		return ops.HardShrink(x, ops.ShrinkOptions{Lambda: &least})
	}},
	{Signature: "torch.nn.functional.softshrink(input, lambd=0.5)", Func: func(x *nd.Array, least float64) *nd.Array {
		return ops.SoftShrink(x, ops.ShrinkOptions{Lambda: &least})
	}},
	{Signature: "torch.nn.functional.glu(input, dim=-1)", Func: func(x *nd.Array, axis int) *nd.Array { return ops.GLU(x, ops.Over(axis)) }},
	{Signature: "torch.nn.functional.cosine_similarity(x1, x2, dim=1, eps=1e-08)", Func: func(a, b *nd.Array, axis int, eps float64) *nd.Array {
		return ops.CosineSimilarity(a, b, ops.CosineSimilarityOptions{Axis: ops.Over(axis), Eps: &eps})
	}},
	{Signature: "torch.nn.functional.pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False)", Func: func(a, b *nd.Array, p, eps float64, keep bool) *nd.Array {
		return ops.PairwiseDistance(a, b, ops.PairwiseDistanceOptions{P: &p, Eps: &eps, KeepDims: keep})
	}},
	{Signature: "torch.cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')", Func: func(a, b *nd.Array, p float64) *nd.Array {
		return ops.CDist(a, b, ops.DistanceOptions{P: &p})
	}, Ignores: []string{"compute_mode"}},
	{Signature: "torch.nn.functional.pdist(input, p=2.0)", Func: func(x *nd.Array, p float64) *nd.Array {
		return ops.PDist(x, ops.DistanceOptions{P: &p})
	}},

	{Signature: "torch.nn.functional.rms_norm(input, normalized_shape, weight=None, eps=None)", Func: func(x *nd.Array, shape []int, weight *nd.Array, eps *float64) *nd.Array {
		if len(shape) > x.Rank() {
			panic(nd.Func("rms_norm").Errorf([]*nd.Array{x}, "normalized_shape has %d axes", len(shape)))
		}
		last := broadcast.AllAxes(x.Rank())[x.Rank()-len(shape):]
		return normalize.RMSNormalization(x, weight, normalize.RMSNormalizationOptions{Axes: last, Eps: eps})
	}},
	{Signature: "torch.nn.functional.adaptive_avg_pool1d(input, output_size)", Func: conv.AdaptiveAveragePooling},
	{Signature: "torch.nn.functional.adaptive_avg_pool2d(input, output_size)", Func: conv.AdaptiveAveragePooling},
	{Signature: "torch.nn.functional.adaptive_max_pool2d_with_indices(input, output_size)", Func: conv.AdaptiveMaxPoolingWithIndex},
	{Signature: "torch.nn.functional.adaptive_max_pool3d(input, output_size)", Func: conv.AdaptiveMaxPooling},
	{Signature: "torch.nn.functional.max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1)", Func: func(x *nd.Array, kernel, stride, pad, dilation []int) *nd.Array {
		return conv.MaxPooling(x, repeated(kernel, 2), conv.PoolingOptions{Stride: stride, Pad: pad, Dilation: dilation})
	}},
	{Signature: "torch.nn.functional.fractional_max_pool2d(input, kernel_size, output_size=None, _random_samples=None)", Func: func(x *nd.Array, kernel, size []int, samples *nd.Array) *nd.Array {
		return conv.FractionalMaxPooling(x, torchSamples(x, samples), repeated(kernel, 2), repeated(size, 2))
	}, Fixed: []string{"_random_samples"}},
	{Signature: "torch.nn.functional.fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, _random_samples=None)", Func: func(x *nd.Array, kernel, size []int, samples *nd.Array) (y, index *nd.Array) {
		return conv.FractionalMaxPoolingWithIndex(x, torchSamples(x, samples), repeated(kernel, 2), repeated(size, 2))
	}, Fixed: []string{"_random_samples"}},
	{Signature: "torch.nn.functional.fractional_max_pool3d(input, kernel_size, output_size=None, _random_samples=None)", Func: func(x *nd.Array, kernel, size []int, samples *nd.Array) *nd.Array {
		return conv.FractionalMaxPooling(x, torchSamples(x, samples), repeated(kernel, 3), repeated(size, 3))
	}, Fixed: []string{"_random_samples"}},
	{Signature: "torch.nn.functional.fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, _random_samples=None)", Func: func(x *nd.Array, kernel, size []int, samples *nd.Array) (y, index *nd.Array) {
		return conv.FractionalMaxPoolingWithIndex(x, torchSamples(x, samples), repeated(kernel, 3), repeated(size, 3))
	}, Fixed: []string{"_random_samples"}},
	{Signature: "torch.nn.functional.embedding(input, weight, padding_idx=None)", Func: func(at, weight *nd.Array, padding *int) *nd.Array {
		return ops.Embedding(at, weight, ops.EmbeddingOptions{Padding: padding})
	}, CheckedWith: map[string]any{"padding_idx": nil}},
	{Signature: "torch.nn.functional.embedding_bag(input, weight, offsets=None, mode='mean', per_sample_weights=None, include_last_offset=False, padding_idx=None)",
		Func: func(at, weight, offsets *nd.Array, mode string, weights *nd.Array, last bool, padding *int) *nd.Array {
			if last {
				offsets = offsets.Index(nd.Until(-1))
			}
			return ops.EmbeddingBag(at, weight, ops.EmbeddingBagOptions{Mode: ops.BagMode(mode), Offsets: offsets, Weight: weights, Padding: padding})
		}},
	{Signature: "torch.nn.functional.unfold(input, kernel_size, dilation=1, padding=0, stride=1)", Func: func(x *nd.Array, kernel, dilation, pad, stride []int) *nd.Array {
		y := conv.Im2Col(x, kernel, conv.Im2ColOptions{Pad: pad, Stride: stride, Dilation: dilation})
		return y.Reshape(y.Dim(0), y.Dim(1), -1)
	}},
	{Signature: "torch.nn.functional.fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)", Func: func(x *nd.Array, size, kernel, dilation, pad, stride []int) *nd.Array {
		return conv.Col2Im(x, repeated(size, 2), kernel, conv.Im2ColOptions{Pad: pad, Stride: stride, Dilation: dilation})
	}},
	{Signature: "torch.pixel_shuffle(input, upscale_factor)", Func: func(x *nd.Array, r int) *nd.Array {
		return ops.DepthToSpace(x, r, ops.DepthOptions{ChannelFirst: true})
	}},
	{Signature: "torch.pixel_unshuffle(input, downscale_factor)", Func: func(x *nd.Array, r int) *nd.Array {
		return ops.SpaceToDepth(x, r, ops.DepthOptions{ChannelFirst: true})
	}},
	{Signature: "torch.conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
		Func: func(x, w, b *nd.Array, stride, pad, more []int, groups int, dilation []int) *nd.Array {
			return conv.Deconvolution(x, w, b, conv.DeconvolutionOptions{Stride: stride, Pad: pad, OutputPadding: more, Group: groups, Dilation: dilation})
		}},
}

// repeated gives n axes the same value if there is one.
func repeated[T any](values []T, n int) []T {
	if len(values) == 1 {
		return slices.Repeat(values, n)
	}
	return values
}

// torchSamples orders the samples of fractional pooling by axes: torch's of two axes begin with the last axis. An image
// without a batch has a sample with a batch of one.
func torchSamples(x, samples *nd.Array) *nd.Array {
	if samples.Dim(-1) == 2 {
		samples = samples.Flip(-1)
	}
	if samples.Rank() == 3 && x.Rank() == samples.Dim(-1)+1 {
		samples = samples.Squeeze(0)
	}
	return samples
}

// torchReduced reduces the losses of the elements as torch does.
func torchReduced(loss *nd.Array, reduction string) *nd.Array {
	switch reduction {
	case "none":
		return loss
	case "sum":
		return ops.Sum(loss)
	case "mean":
		return ops.Mean(loss)
	case "batchmean":
		return ops.Divide(ops.Sum(loss), loss.Dim(0))
	}
	panic(nd.Func("reduction").Errorf([]*nd.Array{loss}, "%q: want none, sum, mean or batchmean", reduction))
}

// torchCrossEntropy drops the class axis of losses that are not reduced.
func torchCrossEntropy(f func(x, t *nd.Array, opts ...loss.CrossEntropyOption) *nd.Array, x, t *nd.Array, o loss.CrossEntropyOptions, reduction string) *nd.Array {
	if reduction != "none" {
		o.Reduction = loss.Reduction(reduction)
		return f(x, t, o)
	}
	y := f(x, t, o)
	return y.Squeeze(min(1, x.Rank()-1))
}

// torchAttention refuses a mask together with is_causal.
func torchAttention(query, key, value, mask *nd.Array, dropout float64, causal bool, scale *float64, grouped bool, rng *nd.Rand) *nd.Array {
	if mask != nil && causal {
		panic(nd.Func("scaled_dot_product_attention").Errorf([]*nd.Array{query, key, value, mask}, "want either a mask or is_causal"))
	}
	return ops.Attention(query, key, value, ops.AttentionOptions{
		Scale: scale, Mask: mask, Causal: causal, Dropout: dropout, Rand: rng, Grouped: grouped,
	})
}
