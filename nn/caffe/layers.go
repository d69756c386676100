package caffe

import (
	"errors"
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// function computes the top blobs of a layer from the bottom blobs. The scope is that of the layer's parameters.
type function func(s *nn.Scope, x []*nd.Array) []*nd.Array

// one makes a function of one blob.
func one(f func(s *nn.Scope, x *nd.Array) *nd.Array) function {
	return func(s *nn.Scope, x []*nd.Array) []*nd.Array { return []*nd.Array{f(s, x[0])} }
}

// unsupported says why a layer is skipped.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// builder makes the functions of layers, and puts their parameters into scopes.
type builder struct {
	*layerMessage
	scope *nn.Scope // of the layer
	spare *int      // see blob.grouped
}

// function returns the function of the layer. The error is unsupported if the layer is to be skipped.
func (b builder) function() (function, error) {
	switch b.Type {
	case "Concat":
		return b.concat()
	case "Convolution":
		return b.convolution()
	case "Deconvolution":
		return b.deconvolution()
	case "Dropout":
		ratio := number(orEmpty(b.Dropout).DropoutRatio, 0.5)
		return one(func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Dropout(s, x, ratio) }), nil
	case "InnerProduct":
		return b.innerProduct()
	case "LRN":
		return b.lrn()
	case "Pooling":
		return b.pooling()
	case "ReLU":
		slope := float64(orEmpty(b.ReLU).NegativeSlope)
		if slope == 0 {
			return one(func(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.ReLU(x) }), nil
		}
		return one(func(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.LeakyReLU(x, ops.LeakyReLUOptions{Alpha: &slope}) }), nil
	case "Reshape":
		return b.reshape()
	case "BatchNorm":
		return b.batchNorm()
	case "Eltwise":
		return b.eltwise()
	case "Scale":
		return b.scale()
	case "Slice":
		return b.slice()
	case "Softmax", "SoftmaxWithLoss":
		return b.softmax()
	case "Sigmoid":
		return one(func(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.Sigmoid(x) }), nil
	}
	return nil, unsupported(fmt.Sprintf("layers of type %q are not supported", b.Type))
}

// orEmpty returns the message, or an empty one if it is missing.
func orEmpty[T any](m *T) *T {
	if m == nil {
		return new(T)
	}
	return m
}

// number returns the value of a field, or its default.
func number[T int32 | uint32 | float32](p *T, def float64) float64 {
	if p == nil {
		return def
	}
	return float64(*p)
}

// isTrue returns the value of a field that is true by default.
func isTrue(p *bool) bool { return p == nil || *p }

// set stores a blob as a parameter.
func (b builder) set(name string, i int, shape []int) error {
	if i >= len(b.Blobs) {
		return fmt.Errorf("blob %d, the parameter %q, is missing", i, name)
	}
	x, err := b.Blobs[i].array(shape)
	if err != nil {
		return fmt.Errorf("parameter %q: %w", name, err)
	}
	b.scope.Set(name, x)
	return nil
}

// first returns the first blob.
func (b builder) first() (*blob, error) {
	if len(b.Blobs) == 0 {
		return nil, errors.New("it has no weights")
	}
	return b.Blobs[0], nil
}

func (b builder) concat() (function, error) {
	p := orEmpty(b.Concat)
	axis := int(number(p.Axis, number(p.ConcatDim, 1)))
	return func(_ *nn.Scope, x []*nd.Array) []*nd.Array { return []*nd.Array{ops.Concatenate(x, ops.Over(axis))} }, nil
}

// pair returns what fields say about both axes of an image: height and width, or a list.
func pair(h, w uint32, list []uint32, def int) []int {
	if h > 0 || w > 0 {
		return []int{int(h), int(w)}
	}
	if len(list) == 0 {
		return []int{def}
	}
	return ints(list)
}

func ints(list []uint32) []int {
	all := make([]int, len(list))
	for i, n := range list {
		all[i] = int(n)
	}
	return all
}

// weights stores the weights, without groups, and the bias of a convolution. It returns the shape of the weights.
func (b builder) weights(p *convolutionParameter, biasAxis int) ([]int, error) {
	w, err := b.first()
	if err != nil {
		return nil, err
	}
	x, err := w.grouped(int(number(p.Group, 1)), b.spare)
	if err != nil {
		return nil, err
	}
	if x.Rank() != 4 {
		return nil, unsupported(fmt.Sprintf("windows with %d axes are not supported", x.Rank()-2))
	}
	b.scope.Set("W", x)
	if isTrue(p.BiasTerm) {
		err = b.set("b", 1, []int{x.Dim(biasAxis)})
	}
	return x.Shape(), err
}

func (b builder) convolution() (function, error) {
	p := orEmpty(b.Convolution)
	shape, err := b.weights(p, 0)
	if err != nil {
		return nil, err
	}
	l := link.Convolution2D{InChannels: shape[1], OutChannels: shape[0], KSize: shape[2:], Stride: pair(p.StrideH, p.StrideW, p.Stride, 1),
		Pad: pair(p.PadH, p.PadW, p.Pad, 0), Dilate: pair(0, 0, p.Dilation, 1), NoBias: !isTrue(p.BiasTerm)}
	return one(l.Apply), nil
}

func (b builder) deconvolution() (function, error) {
	p := orEmpty(b.Convolution)
	shape, err := b.weights(p, 1)
	if err != nil {
		return nil, err
	}
	l := link.Deconvolution2D{InChannels: shape[0], OutChannels: shape[1], KSize: shape[2:], Stride: pair(p.StrideH, p.StrideW, p.Stride, 1),
		Pad: pair(p.PadH, p.PadW, p.Pad, 0), Dilate: pair(0, 0, p.Dilation, 1), NoBias: !isTrue(p.BiasTerm)}
	return one(l.Apply), nil
}

func (b builder) innerProduct() (function, error) {
	p := orEmpty(b.InnerProduct)
	if number(p.Axis, 1) != 1 {
		return nil, unsupported("an InnerProduct is supported along axis 1 only")
	}
	w, err := b.first()
	if err != nil {
		return nil, err
	}
	shape := w.shape() // (out, in), in the old format (1, 1, out, in)
	if n := len(shape); n != 2 && n != 4 {
		return nil, fmt.Errorf("weights with %d axes, want 2 or 4", n)
	}
	shape = shape[len(shape)-2:]
	x, err := w.array(shape)
	if err != nil {
		return nil, err
	}
	if p.Transpose {
		x = x.T()
	}
	b.scope.Set("W", x)
	l := link.Linear{InSize: x.Dim(1), OutSize: x.Dim(0), NoBias: !isTrue(p.BiasTerm)}
	if !l.NoBias {
		err = b.set("b", 1, []int{l.OutSize})
	}
	return one(l.Apply), err
}

func (b builder) lrn() (function, error) {
	p := orEmpty(b.LRN)
	if p.NormRegion != 0 {
		return nil, unsupported("an LRN within channels is not supported")
	}
	n := number(p.LocalSize, 5)
	o := normalize.LocalResponseNormalizationOptions{N: int(n), K: new(number(p.K, 1)), Alpha: new(number(p.Alpha, 1) / n), Beta: new(number(p.Beta, 0.75))}
	return one(func(_ *nn.Scope, x *nd.Array) *nd.Array { return normalize.LocalResponseNormalization(x, o) }), nil
}

func (b builder) pooling() (function, error) {
	p := orEmpty(b.Pooling)
	kernel := pair(p.KernelH, p.KernelW, nil, int(p.KernelSize))
	global := p.GlobalPooling && kernel[0] == 0
	if !global && kernel[0] == 0 {
		return nil, errors.New("windows of length 0")
	}
	o := conv.PoolingOptions{Stride: pair(p.StrideH, p.StrideW, nil, int(number(p.Stride, 1))), Pad: pair(p.PadH, p.PadW, nil, int(p.Pad)), CoverAll: true}
	var pool func(x *nd.Array, kernel []int) *nd.Array
	switch p.Pool {
	case 0:
		pool = func(x *nd.Array, kernel []int) *nd.Array { return conv.MaxPooling(x, kernel, o) }
	case 1:
		pool = func(x *nd.Array, kernel []int) *nd.Array {
			return conv.AveragePooling(x, kernel, conv.AveragePoolingOptions{Stride: o.Stride, Pad: o.Pad})
		}
	default:
		return nil, unsupported("stochastic pooling is not supported")
	}
	return one(func(_ *nn.Scope, x *nd.Array) *nd.Array {
		if global && x.Rank() > 2 {
			return pool(x, x.Shape()[2:])
		}
		return pool(x, kernel)
	}), nil
}

// reshape returns the function of a Reshape layer, in which a length of 0 stands for the length of the bottom blob.
func (b builder) reshape() (function, error) {
	dims := orEmpty(orEmpty(b.Reshape).Shape).Dim
	return one(func(_ *nn.Scope, x *nd.Array) *nd.Array {
		shape := make([]int, len(dims))
		for i, n := range dims {
			if shape[i] = int(n); n == 0 && i < x.Rank() {
				shape[i] = x.Dim(i)
			}
		}
		return x.Reshape(shape...)
	}), nil
}

// batchNorm stores the running statistics. Caffe keeps sums of them, and in a third blob their weight.
func (b builder) batchNorm() (function, error) {
	mean, err := b.first()
	if err != nil {
		return nil, err
	}
	n := mean.Data.Len()
	if mean.Shape != nil && len(mean.Shape.Dim) > 0 {
		n = int(mean.Shape.Dim[0])
	}
	for i, name := range []string{"avg_mean", "avg_var"} {
		if err := b.set(name, i, []int{n}); err != nil {
			return nil, err
		}
		b.scope.Param(name).SetNeedGrad(false)
	}
	if len(b.Blobs) > 2 {
		weight, err := b.Blobs[2].array([]int{1})
		if err != nil {
			return nil, fmt.Errorf("the weight of the statistics: %w", err)
		}
		for _, name := range []string{"avg_mean", "avg_var"} {
			b.scope.Set(name, ops.Divide(b.scope.Get(name), weight))
		}
	}
	b.scope.Value("N", nd.Full(nil, int64(0)))
	p := orEmpty(b.BatchNorm)
	eps := number(p.Eps, 1e-5)
	l := link.BatchNormalization{Size: []int{n}, Decay: new(number(p.MovingAverageFraction, 0.999)), Eps: &eps, UseGamma: new(false), UseBeta: new(false)}
	if !p.UseGlobalStats {
		return one(l.Apply), nil
	}
	return one(func(s *nn.Scope, x *nd.Array) *nd.Array { // in training, too
		mean, variance := ops.AlignLike(s.Get("avg_mean"), x, ops.Over(1)), ops.AlignLike(s.Get("avg_var"), x, ops.Over(1))
		defer mean.Release()
		defer variance.Release()
		return normalize.BatchNormalization(x, nil, nil, mean, variance, normalize.BatchNormalizationOptions{Axes: ops.Over(1), Eps: &eps, BatchStat: new(false)})
	}), nil
}

// scale multiplies by a parameter, or by the second bottom blob, and adds a bias.
func (b builder) scale() (function, error) {
	p := orEmpty(b.Scale)
	l := link.Scale{Axis: ops.Over(int(number(p.Axis, 1))), BiasTerm: p.BiasTerm}
	next := 0
	if len(b.Bottom) == 1 {
		w, err := b.first()
		if err != nil {
			return nil, err
		}
		l.WShape = w.shape()
		if err := b.set("W", next, l.WShape); err != nil {
			return nil, err
		}
		next++
	}
	if p.BiasTerm {
		if next >= len(b.Blobs) {
			return nil, errors.New("the bias is missing")
		}
		l.BiasShape = b.Blobs[next].shape()
		if err := b.set("bias/b", next, l.BiasShape); err != nil {
			return nil, err
		}
	}
	return func(s *nn.Scope, x []*nd.Array) []*nd.Array {
		if len(x) == 1 {
			return []*nd.Array{l.Apply(s, x[0])}
		}
		return []*nd.Array{l.Of(s, x[0], x[1])}
	}, nil
}

func (b builder) slice() (function, error) {
	p := orEmpty(b.Slice)
	axis, points, parts := ops.Over(int(number(p.Axis, number(p.SliceDim, 1)))), ints(p.SlicePoint), len(b.Top)
	return func(_ *nn.Scope, x []*nd.Array) []*nd.Array {
		if len(points) > 0 {
			return ops.SplitAt(x[0], points, axis)
		}
		return ops.Split(x[0], parts, axis)
	}, nil
}

func (b builder) softmax() (function, error) {
	if number(orEmpty(b.Softmax).Axis, 1) != 1 {
		return nil, unsupported("a Softmax is supported along axis 1 only")
	}
	if b.Type == "Softmax" {
		return one(func(_ *nn.Scope, x *nd.Array) *nd.Array { return ops.Softmax(x, ops.Over(1)) }), nil
	}
	return func(_ *nn.Scope, x []*nd.Array) []*nd.Array {
		return []*nd.Array{loss.SoftmaxCrossEntropy(x[0], x[1], loss.CrossEntropyOptions{Reduction: loss.CountMeanReduction})}
	}, nil
}
