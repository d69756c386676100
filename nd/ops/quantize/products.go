package quantize

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Add returns the elementwise sums of a and b, which broadcast, in the steps that Symmetric chooses for them.
// MXNet: quantized_elemwise_add, quantized_npi_add.
func Add(a, b Array, opts ...SymmetricOptions) Array {
	const fn nd.Func = "quantize.Add"
	o := options.Read(fn, opts)
	a.check(fn)
	b.check(fn)
	fn.Check(a.Values, b.Values)
	x, y := a.numbers(dtype.Float64), b.numbers(dtype.Float64)
	defer x.Release()
	defer y.Release()
	sum := ops.Add(x, y)
	defer sum.Release()
	return symmetric(fn, sum, 1, o)
}

// The products are exact: integers of int8 and uint8, summed in int32, which holds 2¹⁶ products of the largest values.

// Multiply returns the elementwise products of a and b, which broadcast, in int32. Requantize gives them in the steps of
// a calibrated range; MXNet rounds them toward 0 there.
// MXNet: quantized_elemwise_mul.
func Multiply(a, b Array) Array {
	return product("quantize.Multiply", a, b, func(x, y *nd.Array) *nd.Array {
		return ops.Multiply(x, y, ops.UfuncOptions{DType: dtype.Int32})
	})
}

// MatMul is ops.MatMul of integers, in int32.
//
// Shapes: (…, m, k) and (…, k, n) give (…, m, n).
func MatMul(a, b Array) Array {
	return product("quantize.MatMul", a, b, func(x, y *nd.Array) *nd.Array {
		return ops.MatMul(x, y, ops.ProductOptions{DType: dtype.Int32})
	})
}

// product multiplies the values after subtracting their zero points.
func product(fn nd.Func, a, b Array, multiply func(x, y *nd.Array) *nd.Array) Array {
	a.check(fn)
	b.check(fn)
	fn.Check(a.Values, b.Values)
	x, y := a.centered(fn), b.centered(fn)
	z := multiply(x, y)
	release.Unless(x, a.Values)
	release.Unless(y, b.Values)
	return Array{Values: z, Scale: a.Scale * b.Scale}
}

// FullyConnectedOptions are the options of FullyConnected.
type FullyConnectedOptions struct {
	// Bias is added to every product, rounded to the result's steps; nil adds nothing.
	Bias *Array
	// BaseAxis is the first axis of the features of x; negative axes count from the end, and nil means 1. The axes
	// before it are those of the examples.
	BaseAxis *int
}

// FullyConnected returns x·wᵀ + bias in int32.
//
// Shapes: x (M…, K…), w (N, K), bias (N); the result (M…, N).
// MXNet: quantized_fully_connected.
func FullyConnected(x, w Array, opts ...FullyConnectedOptions) Array {
	const fn nd.Func = "quantize.FullyConnected"
	o := options.Read(fn, opts)
	x.check(fn)
	base := fn.Axis(x.Values, []int{argument.ValueOr(o.BaseAxis, 1)}, 1)
	shape := x.Values.Shape()
	outer, k := shape[:base], broadcast.Size(shape[base:])
	w.check(fn)
	if w.Values.Rank() != 2 || w.Values.Dim(1) != k {
		panic(fn.Errorf([]*nd.Array{x.Values, w.Values}, "x has %d features: want weights of shape (N, %[1]d)", k))
	}
	n := w.Values.Dim(0)
	o.Bias.fits(fn, x, w, n)
	y := product(fn, x, w, func(x, w *nd.Array) *nd.Array {
		made := fn.Temporaries(&x, &w)
		defer made.Release()
		z := ops.MatMul(x.Reshape(broadcast.Size(outer), k), w.T(), ops.ProductOptions{DType: dtype.Int32})
		return made.Keep(z.Reshape(slices.Concat(outer, []int{n})...))
	})
	return y.plus(fn, o.Bias, n)
}

// ConvolutionOptions are the options of Convolution; options that conv.Convolution has too mean the same.
type ConvolutionOptions struct {
	// Bias is added to every channel, rounded to the result's steps; nil adds nothing.
	Bias                  *Array
	BaseAxis              *int
	Pad, Stride, Dilation []int
	Group                 int
	ChannelLast           bool
}

// Convolution is conv.Convolution of integers, in int32. The padding represents 0.
//
// Shapes: x (M…, C, L…), w (N, C/Group, K…), bias (N); the result (M…, N, L'…).
// MXNet: quantized_conv.
func Convolution(x, w Array, opts ...ConvolutionOptions) Array {
	const fn nd.Func = "quantize.Convolution"
	o := options.Read(fn, opts)
	x.check(fn)
	w.check(fn)
	if w.Values.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{x.Values, w.Values}, "want windows"))
	}
	n := w.Values.Dim(0)
	o.Bias.fits(fn, x, w, n)
	y := product(fn, x, w, func(x, w *nd.Array) *nd.Array {
		return conv.Convolution(x, w, nil, conv.ConvolutionOptions{BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation,
			Group: o.Group, ChannelLast: o.ChannelLast, DType: dtype.Int32})
	})
	shape := []int{n}
	for axes := w.Values.Rank() - 2; axes > 0 && !o.ChannelLast; axes-- {
		shape = append(shape, 1)
	}
	return y.plus(fn, o.Bias, shape...)
}

// fits panics if the bias does not have n elements.
func (b *Array) fits(fn nd.Func, x, w Array, n int) {
	if b == nil {
		return
	}
	b.check(fn)
	in := []*nd.Array{x.Values, w.Values, b.Values}
	fn.Check(in...)
	if !broadcast.Equal(b.Values.Shape(), []int{n}) {
		panic(fn.Errorf(in, "want a bias of shape (%d,)", n))
	}
}

// plus adds a bias with the given shape to a, in a's steps.
func (a Array) plus(fn nd.Func, bias *Array, shape ...int) Array {
	if bias == nil {
		return a
	}
	made := fn.Temporaries(&a.Values)
	defer made.Release()
	steps := made.Own(rounded(&toSteps, bias.Values, bias.Scale/a.Scale, -bias.ZeroPoint*bias.Scale/a.Scale, maxInt32, dtype.Int32))
	return Array{Values: made.Keep(ops.Add(a.Values, steps.Reshape(shape...))), Scale: a.Scale}
}

const maxInt32 = 1<<31 - 1
