package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

func layers() []entry {
	return []entry{
		{typ: "Affine", name: "affine", make: func(a *arguments) operation {
			base := a.int("base_axis")
			return taking(2, 3, func(c *call) *nd.Array {
				return ops.Affine(c.in[0], c.in[1], ops.AffineOptions{Bias: c.in[2], BaseAxis: &base})
			})
		}},
		{typ: "Convolution", name: "convolution", make: func(a *arguments) operation {
			o := convolution(a)
			o.ChannelLast = a.bool("channel_last")
			return taking(2, 3, func(c *call) *nd.Array { return conv.Convolution(c.in[0], c.in[1], c.in[2], o) })
		}},
		{typ: "Deconvolution", name: "deconvolution", make: func(a *arguments) operation {
			o := convolution(a)
			d := conv.DeconvolutionOptions{BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: o.Group,
				ChannelLast: a.bool("channel_last"), OutputPadding: a.ints("output_padding")}
			return taking(2, 3, func(c *call) *nd.Array { return conv.Deconvolution(c.in[0], c.in[1], c.in[2], d) })
		}},
		{typ: "DepthwiseConvolution", name: "depthwise_convolution", make: func(a *arguments) operation {
			o := conv.DepthwiseConvolutionOptions{BaseAxis: new(a.int("base_axis")), Pad: a.ints("pad"), Stride: a.ints("stride"),
				Dilation: a.ints("dilation"), Multiplier: a.int("multiplier")}
			return taking(2, 3, func(c *call) *nd.Array { return conv.DepthwiseConvolution(c.in[0], c.in[1], c.in[2], o) })
		}},
		{typ: "DepthwiseDeconvolution", name: "depthwise_deconvolution", make: func(a *arguments) operation {
			o := conv.DepthwiseDeconvolutionOptions{BaseAxis: new(a.int("base_axis")), Pad: a.ints("pad"), Stride: a.ints("stride"),
				Dilation: a.ints("dilation"), Divisor: a.int("divisor")}
			return taking(2, 3, func(c *call) *nd.Array { return conv.DepthwiseDeconvolution(c.in[0], c.in[1], c.in[2], o) })
		}},
		{typ: "DeformableConvolution", name: "deformable_convolution", make: deformable},
		{typ: "AdaptiveSeparableConvolution", name: "adaptive_separable_convolution", make: func(*arguments) operation {
			return taking(3, 3, func(c *call) *nd.Array { return conv.AdaptiveSeparableConvolution(c.in[0], c.in[1], c.in[2]) })
		}},
		{typ: "MaxPooling", name: "max_pooling", make: pooling(conv.MaxPooling)},
		{typ: "AveragePooling", name: "average_pooling", make: func(a *arguments) operation {
			including := a.bool("including_pad")
			return pooling(func(x *nd.Array, kernel []int, opts ...conv.PoolingOptions) *nd.Array {
				o := opts[0]
				return conv.AveragePooling(x, kernel, conv.AveragePoolingOptions{Stride: o.Stride, IgnoreBorder: o.IgnoreBorder, Pad: o.Pad,
					ChannelLast: o.ChannelLast, IncludingPad: &including})
			})(a)
		}},
		{typ: "SumPooling", name: "sum_pooling", make: pooling(conv.SumPooling)},
		{typ: "GlobalAveragePooling", name: "global_average_pooling", make: plain(conv.GlobalAveragePooling)},
		{typ: "Unpooling", name: "unpooling", make: func(a *arguments) operation {
			kernel, last := a.ints("kernel"), a.bool("channel_last")
			return one(onLastAxes(kernel, func(x *nd.Array) *nd.Array {
				return conv.Unpooling(x, kernel, conv.UnpoolingOptions{ChannelLast: last})
			}))
		}},
		{typ: "Embed", name: "embed", make: func(*arguments) operation {
			return two(func(x, w *nd.Array) *nd.Array {
				return indices(x, func(at *nd.Array) *nd.Array { return ops.Embedding(at, w) })
			})
		}},
		{typ: "RNN", name: "rnn", make: func(a *arguments) operation {
			layers, twice, units := a.int("num_layers"), a.bool("bidirectional"), sequence.Nonlinearity(a.text("nonlinearity", "tanh", "relu"))
			p, train := a.float("dropout"), a.bool("training")
			return recurrent(3, layers, func(c *call) []*nd.Array {
				o := sequence.RNNOptions{Weight: c.in[3], Bias: c.in[4], NumLayers: layers, Nonlinearity: units, Bidirectional: twice}
				if c.drops(p, train) {
					o.Dropout, o.Rand = p, c.scope.Rand()
				}
				y, h := sequence.RNN(c.in[0], c.in[1], c.in[2], o)
				return []*nd.Array{y, h}
			})
		}},
		{typ: "LSTM", name: "lstm", make: func(a *arguments) operation {
			o := cells(a)
			return recurrent(4, o.NumLayers, func(c *call) []*nd.Array {
				y, h, s := sequence.LSTM(c.in[0], c.in[1], c.in[2], c.in[3], o.of(c, 4))
				return []*nd.Array{y, h, s}
			})
		}},
		{typ: "GRU", name: "gru", make: func(a *arguments) operation {
			o := cells(a)
			return recurrent(3, o.NumLayers, func(c *call) []*nd.Array {
				y, h := sequence.GRU(c.in[0], c.in[1], c.in[2], o.of(c, 3))
				return []*nd.Array{y, h}
			})
		}},
		{name: "multi_head_attention", why: "NNabla composes it of Affine, BatchMatmul, Softmax and others"},
		{typ: "PatchCorrelation", name: "patch_correlation", make: func(a *arguments) operation {
			o := conv.PatchCorrelationOptions{Patch: a.ints("patch"), PatchStep: a.ints("patch_step"), Shift: a.ints("shift"),
				ShiftStep: a.ints("shift_step"), Padding: a.ints("padding")}
			// The function type has the channels last, and the function of Python transposes around it.
			o.ChannelLast = true
			return two(func(x, y *nd.Array) *nd.Array { return conv.PatchCorrelation(x, y, o) })
		}},
		{typ: "RoiAlign", name: "roi_align", make: func(a *arguments) operation {
			size := a.ints("output_size")
			o := image.ROIAlignOptions{Scale: a.floats("spatial_scale"), Samples: max(a.int("sampling_ratio"), 0), ChannelLast: a.bool("channel_last")}
			return two(func(x, boxes *nd.Array) *nd.Array { return image.ROIAlign(x, boxes, size, o) })
		}},
	}
}

// convolution reads the arguments that all convolutions have.
func convolution(a *arguments) conv.ConvolutionOptions {
	return conv.ConvolutionOptions{BaseAxis: new(a.int("base_axis")), Pad: a.ints("pad"), Stride: a.ints("stride"),
		Dilation: a.ints("dilation"), Group: a.int("group")}
}

func deformable(a *arguments) operation {
	o := conv.DeformableConvolutionOptions{BaseAxis: new(a.int("base_axis")), Pad: a.ints("pad"), Stride: a.ints("stride"),
		Dilation: a.ints("dilation"), Group: a.int("group"), DeformableGroup: a.int("deformable_group"),
		ChannelLast: a.bool("channel_last"), PerPixel: true}
	return taking(3, 5, func(c *call) *nd.Array {
		mask, bias := c.in[3], c.in[4]
		if mask != nil && bias == nil && mask.Rank() == 1 {
			mask, bias = nil, mask
		}
		return conv.DeformableConvolution(c.in[0], c.in[1], c.in[2], mask, bias, o)
	})
}

// pooling makes a pooling.
func pooling(pool func(x *nd.Array, kernel []int, opts ...conv.PoolingOptions) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		kernel := a.ints("kernel")
		o := conv.PoolingOptions{Stride: a.ints("stride"), IgnoreBorder: new(a.bool("ignore_border")), Pad: a.ints("pad"),
			ChannelLast: a.bool("channel_last")}
		return one(onLastAxes(kernel, func(x *nd.Array) *nd.Array { return pool(x, kernel, o) }))
	}
}

// onLastAxes has a kernel of one length slide over the last axis alone: all axes before the last two belong to the batch.
func onLastAxes(kernel []int, pool func(x *nd.Array) *nd.Array) func(x *nd.Array) *nd.Array {
	return func(x *nd.Array) *nd.Array {
		if len(kernel) != 1 || x.Rank() < 4 {
			return pool(x)
		}
		flat := x.Reshape(-1, x.Dim(-2), x.Dim(-1))
		defer flat.Release()
		y := pool(flat)
		defer y.Release()
		return y.Reshape(append(x.Shape()[:x.Rank()-2], y.Dim(-2), y.Dim(-1))...)
	}
}

// recurrent makes a recurrent layer. After its first inputs come the weights of the upper layers, if there are any, and the
// biases: a single further input belongs to the weights exactly if there are several layers.
func recurrent(first, layers int, f func(c *call) []*nd.Array) operation {
	return operation{first, first + 2, func(c *call) []*nd.Array {
		if c.in[first+1] == nil && layers < 2 {
			c.in[first], c.in[first+1] = nil, c.in[first]
		}
		return f(c)
	}}
}

// drops reports whether a recurrent layer drops elements.
func (c *call) drops(p float64, train bool) bool { return train && p > 0 && c.scope.Training() }

// cellArguments are the arguments of LSTM and GRU.
type cellArguments struct {
	sequence.LayerOptions
	p     float64
	train bool
}

func cells(a *arguments) cellArguments {
	return cellArguments{sequence.LayerOptions{NumLayers: a.int("num_layers"), Bidirectional: a.bool("bidirectional")}, a.float("dropout"), a.bool("training")}
}

// of returns the options of a call whose weights of upper layers and biases are the inputs from k on.
func (o cellArguments) of(c *call, k int) sequence.LayerOptions {
	of := o.LayerOptions
	of.Weight, of.Bias = c.in[k], c.in[k+1]
	if c.drops(o.p, o.train) {
		of.Dropout, of.Rand = o.p, c.scope.Rand()
	}
	return of
}
