package vision

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// step computes an array from an array, with parameters of a scope.
type step func(s *nn.Scope, x *nd.Array) *nd.Array

// steps are computed one after the other; intermediate results are released.
type steps []step

func (l steps) apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := x
	for _, step := range l {
		y := step(s, h)
		if h != x && h != y { // dropout returns its input in evaluation
			h.Release()
		}
		h = y
	}
	return h
}

// at returns a layer with its parameters below the given name.
func at(name string, l link.Layer) step {
	return func(s *nn.Scope, x *nd.Array) *nd.Array { return l.Apply(s.Sub(name), x) }
}

// convolution returns a convolution with square windows, and the padding that keeps the size if the stride is 1.
func convolution(in, out, kernel, stride int, initial initializer.Initializer) link.Convolution2D {
	return link.Convolution2D{InChannels: in, OutChannels: out, KSize: []int{kernel}, Stride: []int{stride}, Pad: []int{kernel / 2},
		InitialW: initial}
}

func relu(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.ReLU(x) }

func softmax(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.Softmax(x, ops.Over(1)) }

func dropout(p float64) step {
	return func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Dropout(s, x, p) }
}

// maxPooling covers all elements, like Chainer's: the last windows may extend beyond the image.
func maxPooling(kernel, stride int) step {
	return func(_ *nn.Scope, x *nd.Array) *nd.Array {
		return conv.MaxPooling(x, []int{kernel}, conv.PoolingOptions{Stride: []int{stride}, CoverAll: true})
	}
}

func averagePooling(kernel, stride int) step {
	return func(_ *nn.Scope, x *nd.Array) *nd.Array {
		return conv.AveragePooling(x, []int{kernel}, conv.AveragePoolingOptions{Stride: []int{stride}})
	}
}

// The functions below return the length of an axis after a layer.

// halved is the length after windows of 2, or of single elements, with stride 2.
func halved(n int) int { return (n + 1) / 2 }

// halvedBy3 is the length after windows of 3 without padding, with stride 2.
func halvedBy3(n int) int { return n / 2 }

// fixedLength is for layers whose weights need exactly n positions along the axis: the length is 1, or 0 for any other
// number.
func fixedLength(n int) func(int) int {
	return func(given int) int {
		if given != n {
			return 0
		}
		return 1
	}
}
