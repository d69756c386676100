package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// windows holds the options that convolutions and their transposes share.
type windows struct {
	axes, in, out, groups      int
	ksize, stride, pad, dilate []int
	coverAll                   bool                    // for a convolution
	outSize                    []int                   // for a transpose
	w, b                       initializer.Initializer // b is nil for no bias
}

// convolve slides the windows over x.
func (c windows) convolve(fn nd.Func, s *nn.Scope, x *nd.Array) *nd.Array {
	g := geometryOf(fn, s, x, c.axes, c.ksize, c.in, c.out)
	g.Divide(c.out, c.groups)
	g.CoverAll = c.coverAll
	g.Slide(c.pad, c.stride, c.dilate)
	return g.Convolve(s, c.out, layer.Weights{WInit: c.w, BInit: c.b, NoBias: c.b == nil})
}

// deconvolve adds up the windows at the positions of x.
func (c windows) deconvolve(fn nd.Func, s *nn.Scope, x *nd.Array) *nd.Array {
	g := geometryOf(fn, s, x, c.axes, c.ksize, c.in, c.out)
	g.Divide(c.out, c.groups)
	pad := c.pad
	if len(pad) == 0 {
		pad = []int{0} // without Pad, OutSize would determine it
	}
	g.Transpose(pad, c.stride, c.dilate, nil, c.outSize)
	return g.Deconvolve(s, c.out, layer.Weights{WInit: c.w, BInit: c.b, NoBias: c.b == nil})
}

// geometryOf checks the input x of a convolution of any kind. The windows have the given number of axes. in is the
// number of input channels, 0 for that of x, and out the number of output channels.
func geometryOf(fn nd.Func, s *nn.Scope, x *nd.Array, axes int, ksize []int, in, out int) *layer.Geometry {
	layer.WantReal(fn, s.DType(), x)
	switch {
	case axes < 1 || len(ksize) != 1 && len(ksize) != axes:
		panic(fn.Errorf([]*nd.Array{x}, "KSize %v: want a length for each of %d axes, or one for all, and at least one axis", ksize, axes))
	case x.Rank() != axes+2:
		panic(fn.Errorf([]*nd.Array{x}, "want examples of channels with %d axes", axes))
	case in != 0 && in != x.Dim(1):
		panic(fn.Errorf([]*nd.Array{x}, "%d channels, want %d", x.Dim(1), in))
	case out < 1:
		panic(fn.Errorf([]*nd.Array{x}, "%d channels of the result: want at least one", out))
	}
	return layer.GeometryOf(fn, x, 1, ksize, false)
}

// biasOf returns the initializer of a layer's bias, or nil for a layer without bias.
func biasOf(none bool, initial initializer.Initializer, value float64) initializer.Initializer {
	if none {
		return nil
	}
	return orDefault(initial, initializer.Constant(value))
}
