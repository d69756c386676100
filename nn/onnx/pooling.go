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

// poolings are the operators that reduce windows.
func poolings() map[string]operator {
	global := func(f reducing) operator {
		return plain(func(c *call) []model.Value {
			x := c.x(0)
			axes := make([]int, len(c.spatial(x)))
			for i := range axes {
				axes[i] = 2 + i
			}
			return one(f(x, ops.ReduceOptions{Axes: axes, KeepDims: true}))
		})
	}
	return map[string]operator{
		"MaxPool": maxPool, "AveragePool": averagePool, "LpPool": lpPool, "MaxUnpool": maxUnpool,
		"GlobalAveragePool": global(of(ops.Mean)), "GlobalMaxPool": global(of(ops.Max)),
		"GlobalLpPool": func(n *node) run {
			p := float64(n.int("p", 2))
			if n.opset < 2 {
				p = n.float("p", 2)
			}
			return global(func(x *nd.Array, o ops.ReduceOptions) *nd.Array {
				return ops.Norm(x, ops.NormOptions{P: &p, Axes: o.Axes, KeepDims: true})
			})(n)
		},
	}
}

// pooling returns the windows of a pooling.
func (n *node) pooling() windows {
	w := n.windows()
	w.ceil = n.flag("ceil_mode")
	if w.kernel == nil {
		n.refuse("no attribute kernel_shape")
	}
	return w
}

func (s sliding) options() conv.PoolingOptions {
	return conv.PoolingOptions{Stride: s.stride, Dilation: s.dilation, Pad: s.front}
}

// inside returns x and the options of a pooling: x is padded itself if the library's poolings do not know such padding.
func (s sliding) inside(x, value *nd.Array) (*nd.Array, conv.PoolingOptions) {
	o := s.options()
	if s.isEven() {
		return x, o
	}
	o.Pad = nil
	return s.padded(x, value), o
}

func maxPool(n *node) run {
	w, byColumn := n.pooling(), n.flag("storage_order")
	index := n.wanted(1)
	return func(c *call) []model.Value {
		x := c.x(0)
		s := w.over(c, c.spatial(x), nil)
		inside, o := s.inside(x, bound(x.DType(), true))
		if !index {
			return one(conv.MaxPooling(inside, s.kernel, o))
		}
		y, at := conv.MaxPoolingWithIndex(inside, s.kernel, o)
		return some(y, s.flat(at, x.Shape(), byColumn))
	}
}

// flat returns indices in the flattened array for indices within windows.
func (s sliding) flat(within *nd.Array, shape []int, byColumn bool) *nd.Array {
	axes := len(s.kernel)
	strides := broadcast.Strides(shape)
	if byColumn {
		step := 1
		for i := range axes {
			strides[2+i] = step
			step *= shape[2+i]
		}
	}
	along := func(axis, step, offset int) *nd.Array {
		n, lengths := within.Dim(axis), broadcast.Ones(within.Rank())
		lengths[axis] = n
		values := make([]int, n)
		for i := range values {
			values[i] = i*step + offset
		}
		return nd.FromSlice(values, lengths...).To(within.Device())
	}
	y := ops.Add(along(0, strides[0], 0), along(1, strides[1], 0))
	rest := within
	for i := axes - 1; i >= 0; i-- {
		tap := ops.Remainder(rest, nd.Scalar(s.kernel[i]))
		rest = ops.FloorDivide(rest, nd.Scalar(s.kernel[i]))
		at := ops.Add(along(2+i, s.stride[i], -s.front[i]), ops.Multiply(tap, nd.Scalar(s.dilation[i])))
		y = ops.Add(y, ops.Multiply(at, nd.Scalar(strides[2+i])))
	}
	return y
}

func averagePool(n *node) run {
	w, including := n.pooling(), n.flag("count_include_pad")
	return func(c *call) []model.Value {
		x := c.x(0)
		s := w.over(c, c.spatial(x), nil)
		if s.isEven() {
			o := s.options()
			return one(conv.AveragePooling(x, s.kernel, conv.AveragePoolingOptions{Stride: o.Stride, Dilation: o.Dilation, Pad: o.Pad, IncludingPad: &including}))
		}
		inside, o := s.inside(x, nil)
		counted := nd.Full(append([]int{1, 1}, x.Shape()[2:]...), 1, x.DType(), x.Device())
		if including {
			counted = s.padding(counted)
		}
		outside := s
		if including { // what is left to add lies beyond the padding
			outside.front, outside.back = make([]int, len(s.front)), make([]int, len(s.back))
		}
		counts := conv.SumPooling(outside.padded(counted, nil), s.kernel, o)
		return one(ops.Divide(conv.SumPooling(inside, s.kernel, o), counts))
	}
}

// padding returns x with ones as padding, without what lies beyond it.
func (s sliding) padding(x *nd.Array) *nd.Array {
	within := s
	within.missing = make([]int, len(s.missing))
	return within.padded(x, nd.Scalar(1))
}

func lpPool(n *node) run {
	w, p := n.pooling(), n.int("p", 2)
	return func(c *call) []model.Value {
		x := c.x(0)
		s := w.over(c, c.spatial(x), nil)
		inside, o := s.inside(ops.Absolute(x), nil)
		if p <= 3 {
			return one(conv.LPPooling(inside, s.kernel, p, o))
		}
		sums := conv.SumPooling(ops.Power(inside, nd.Scalar(p)), s.kernel, o)
		return one(ops.Power(sums, nd.Scalar(1/float64(p))))
	}
}

// maxUnpool writes values at their indices in the flattened result.
func maxUnpool(n *node) run {
	w := n.windows()
	return func(c *call) []model.Value {
		x, at := c.x(0), c.x(1)
		lengths := c.spatial(x)
		axes := len(lengths)
		stride := fill(w.strides, axes)
		shape := slices.Clone(x.Shape())
		for i := range axes {
			pads := 0
			if w.pads != nil {
				pads = w.pads[i] + w.pads[axes+i]
			}
			shape[2+i] = (lengths[i]-1)*stride[i] + w.kernel[i] - pads
		}
		plain := shape
		if c.given(2) {
			shape = c.ints(2)
		}
		if len(shape) != x.Rank() {
			c.refuse("output shape %s", broadcast.FormatShape(shape))
		}
		at = at.Reshape(-1)
		if !slices.Equal(shape, plain) { // the indices are those of the smaller array
			parts := make([]*nd.Array, len(plain))
			rest := at
			for i := len(plain) - 1; i >= 0; i-- {
				parts[i] = ops.Remainder(rest, nd.Scalar(plain[i]))
				rest = ops.FloorDivide(rest, nd.Scalar(plain[i]))
			}
			at = parts[0]
			for i, part := range parts[1:] {
				at = ops.Add(ops.Multiply(at, nd.Scalar(shape[i+1])), part)
			}
		}
		zeros := nd.Zeros([]int{broadcast.Size(shape)}, x.DType(), x.Device())
		return one(zeros.With(x.Reshape(-1), nd.Pick(at.AsType(dtype.Int64))).Reshape(shape...))
	}
}
