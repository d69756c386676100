package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn/model"
)

// convolutions are the operators that multiply windows by weights.
func convolutions() map[string]operator {
	return map[string]operator{
		"Conv": func(n *node) run {
			w, group := n.windows(), n.int("group", 1)
			return func(c *call) []model.Value { return one(w.convolve(c, group, c.x(0), c.x(1), c.optional(2))) }
		},
		"ConvInteger": func(n *node) run {
			w, group := n.windows(), n.int("group", 1)
			return func(c *call) []model.Value {
				return one(w.convolve(c, group, c.centred(0, 2, 0), c.filters(1, 3), nil))
			}
		},
		"QLinearConv":   qLinearConv,
		"ConvTranspose": convTranspose,
		"DeformConv":    deformConv,
		"Col2Im":        col2Im,
	}
}

// filters returns weights of small integers minus their zero point, of which each filter may have its own.
func (c *call) filters(i, zero int) *nd.Array {
	w := c.x(i).AsType(dtype.Int32)
	if z := c.optional(zero); z != nil {
		w = ops.Subtract(w, perFilter(z, w.Rank()).AsType(dtype.Int32))
	}
	return w
}

// perFilter makes a vector with a number for each filter broadcast along the first axis.
func perFilter(p *nd.Array, rank int) *nd.Array {
	if p.Size() == 1 {
		return p.Reshape()
	}
	along := broadcast.Ones(rank)
	along[0] = p.Size()
	return p.Reshape(along...)
}

// spatial returns the lengths of the axes after the first two.
func (c *call) spatial(x *nd.Array) []int {
	if x.Rank() < 3 {
		c.refuse("want an array with at least three axes")
	}
	return x.Shape()[2:]
}

// convolve convolves x with weights, and adds a bias.
func (w windows) convolve(c *call, group int, x, weights, bias *nd.Array) *nd.Array {
	s := w.fit(c, x, weights)
	o := conv.ConvolutionOptions{Pad: s.front, Stride: s.stride, Dilation: s.dilation, Group: group, Then: c.then}
	if !s.isEven() {
		x, o.Pad = s.padded(x, nil), nil
	}
	trained, _ := weights.Node()
	o.Fast = trained == nil
	return conv.Convolution(x, weights, bias, o)
}

func qLinearConv(n *node) run {
	w, group := n.windows(), n.int("group", 1)
	return func(c *call) []model.Value {
		bias := c.optional(8)
		y := w.convolve(c, group, c.centred(0, 2, 0), c.filters(3, 5), bias)
		factor := ops.Divide(ops.Multiply(c.x(1), perFilter(c.x(4), y.Rank()-1)), c.x(6))
		return one(saturated(ops.Rint(ops.Multiply(y.AsType(dtype.Float32), factor)), c.x(7)))
	}
}

func convTranspose(n *node) run {
	w, group := n.windows(), n.int("group", 1)
	extra, output := n.ints("output_padding"), n.ints("output_shape")
	return func(c *call) []model.Value {
		x, weights, bias := c.x(0), c.x(1), c.optional(2)
		axes := len(c.spatial(x))
		kernel := w.kernel
		if kernel == nil {
			kernel = c.spatial(weights)
		}
		stride, dilation, more := fill(w.strides, axes), fill(w.dilations, axes), slices.Clone(extra)
		if more == nil {
			more = make([]int, axes)
		}
		size := output
		if len(size) == axes+2 {
			size = size[2:]
		}
		if len(kernel) != axes || len(stride) != axes || len(dilation) != axes || len(more) != axes || w.pads != nil && len(w.pads) != 2*axes ||
			size != nil && len(size) != axes {
			c.refuse("attributes for another number of axes than %d", axes)
		}
		whole := conv.Deconvolution(x, weights, nil, conv.DeconvolutionOptions{Stride: stride, Dilation: dilation, Group: group, OutputPadding: more})
		widths := make([][2]int, axes+2)
		for i := range axes {
			front, back := 0, 0
			length := whole.Dim(2 + i)
			switch same := w.auto == "SAME_UPPER" || w.auto == "SAME_LOWER"; {
			case size != nil || same:
				want := x.Dim(2+i) * stride[i]
				if size != nil {
					want = size[i]
				}
				total := length - want
				front = total - total>>1
				if w.auto == "SAME_UPPER" {
					front = total >> 1
				}
				back = total - front
			case w.pads != nil:
				front, back = w.pads[i], w.pads[axes+i]
			}
			widths[2+i] = [2]int{-front, -back}
		}
		y := padOrCut(whole, widths, ops.PadOptions{})
		if bias != nil {
			y = ops.Add(y, perFilter(bias, y.Rank()-1))
		}
		return one(y)
	}
}

func deformConv(n *node) run {
	w, group, offsets := n.windows(), n.int("group", 1), n.int("offset_group", 1)
	return func(c *call) []model.Value {
		x, weights, offset, bias, mask := c.x(0), c.x(1), c.x(2), c.optional(3), c.optional(4)
		s := w.over(c, c.spatial(x), c.spatial(weights))
		o := conv.DeformableConvolutionOptions{Pad: s.front, Stride: s.stride, Dilation: s.dilation, Group: group, DeformableGroup: offsets}
		if !s.isEven() {
			x, o.Pad = s.padded(x, nil), []int{0}
		}
		return one(conv.DeformableConvolution(x, weights, offset, mask, bias, o))
	}
}

// col2Im adds up blocks to images, of any number of axes.
func col2Im(n *node) run {
	w := windows{strides: n.ints("strides"), dilations: n.ints("dilations"), pads: n.ints("pads")}
	return func(c *call) []model.Value {
		x, size, block := c.x(0), c.ints(1), c.ints(2)
		s := w.over(c, size, block)
		taps, count := broadcast.Size(block), broadcast.Size(s.size)
		if x.Rank() != 3 || taps == 0 || x.Dim(1)%taps != 0 || x.Dim(2) != count {
			c.refuse("blocks of %d in an image of %d", block, size)
		}
		lengths := make([]int, len(size))
		for i := range size {
			lengths[i] = size[i] + s.front[i] + s.back[i]
		}
		// Every element of a block goes to one element of the padded image.
		targets := make([]int, 0, taps*count)
		for tap := range taps {
			within := broadcast.Unravel(tap, block, nil)
			for k := range count {
				at := broadcast.Unravel(k, s.size, nil)
				for i := range at {
					at[i] = at[i]*s.stride[i] + within[i]*s.dilation[i]
				}
				targets = append(targets, broadcast.Ravel(at, lengths))
			}
		}
		planes := x.Dim(0) * x.Dim(1) / taps
		zeros := nd.Zeros([]int{planes, broadcast.Size(lengths)}, x.DType(), x.Device())
		y := ops.AddAt(zeros, x.Reshape(planes, taps*count), nd.All(), nd.Pick(nd.FromSlice(targets).To(x.Device())))
		y = y.Reshape(append([]int{x.Dim(0), x.Dim(1) / taps}, lengths...)...)
		widths := make([][2]int, y.Rank())
		for i := range size {
			widths[2+i] = [2]int{-s.front[i], -s.back[i]}
		}
		return one(padOrCut(y, widths, ops.PadOptions{}))
	}
}
