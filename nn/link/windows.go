package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// windows are what convolutions, and their transposes, have in common.
type windows struct {
	axes, in, out              int
	ksize, stride, pad, dilate []int
	coverAll                   bool                    // of a convolution
	outSize                    []int                   // of a transpose
	w, b                       initializer.Initializer // b is nil for none
}

// convolve slides the windows over x.
func (c windows) convolve(fn nd.Func, s *nn.Scope, x *nd.Array) *nd.Array {
	g := geometryOf(fn, s, x, c.axes, c.ksize, c.in, c.out)
	g.CoverAll = c.coverAll
	g.Slide(c.pad, c.stride, c.dilate)
	return g.Convolve(s, c.out, layer.Weights{WInit: c.w, BInit: c.b, NoBias: c.b == nil})
}

// deconvolve adds a window for each element of x.
func (c windows) deconvolve(fn nd.Func, s *nn.Scope, x *nd.Array) *nd.Array {
	g := geometryOf(fn, s, x, c.axes, c.ksize, c.in, c.out)
	g.Transpose(c.pad, c.stride, nil, c.longer(g))
	return g.Deconvolve(s, c.out, layer.Weights{WInit: c.w, BInit: c.b, NoBias: c.b == nil})
}

// longer returns the extra length of the result, compared with the default, that gives it the lengths of OutSize.
func (c windows) longer(g *layer.Geometry) []int {
	if c.outSize == nil {
		return nil
	}
	wanted := g.PerAxis("OutSize", c.outSize, 0, 0)
	pads, strides := g.PerAxis("Pad", c.pad, 0, 0), g.PerAxis("Stride", c.stride, 1, 1)
	more := make([]int, len(wanted))
	for axis, length := range g.Lengths() {
		usual := broadcast.Sum(broadcast.Product(strides[axis], length-1), g.Kernel[axis], broadcast.Product(-2, pads[axis]))
		if more[axis] = wanted[axis] - usual; more[axis] < 0 || more[axis] >= strides[axis] {
			g.Refuse("OutSize %v along axis %d: want %d to %d", c.outSize, axis, usual, usual+strides[axis]-1)
		}
	}
	return more
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
	kernel := make([]int, axes)
	for k := range kernel {
		kernel[k] = ksize[min(k, len(ksize)-1)]
	}
	return layer.GeometryOf(fn, x, 1, kernel, false)
}

// biasOf returns the initializer of a layer's bias, or nil for a layer without bias.
func biasOf(none bool, initial initializer.Initializer, value float64) initializer.Initializer {
	if none {
		return nil
	}
	return orDefault(initial, initializer.Constant(value))
}
