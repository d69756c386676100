package link

import (
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Inception joins the results of three convolutions with different windows and of a max pooling along the channels, and
// applies ReLU. Its children are [Convolution2D] links:
//
//   - conv1, 1 × 1
//   - proj3, 1 × 1, then conv3, 3 × 3
//   - proj5, 1 × 1, then conv5, 5 × 5
//   - max pooling 3 × 3, then projp, 1 × 1
//
// Source: C. Szegedy et al., Going Deeper with Convolutions, 2014.
// Chainer: links.Inception.
type Inception struct {
	InChannels int // 0: from the first input
	// Out1, Proj3 and so on are the numbers of output channels of conv1, proj3 and so on.
	Out1, Proj3, Out3, Proj5, Out5, ProjPool int
	// ConvInit and BiasInit make the initial W and b of all convolutions; nil means initializer.LeCunNormal(1) and zeros.
	ConvInit, BiasInit initializer.Initializer
}

// Apply returns the result for x (B, InChannels, H, W), shape (B, Out1+Out3+Out5+ProjPool, H, W).
// Chainer: links.Inception.__call__.
func (l Inception) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Inception.Apply"
	defer s.Span("Inception", x)()
	fn.Check(x)
	wantChannels(fn, s, x, 5*5, l.Out1, l.Proj3, l.Out3, l.Proj5, l.Out5, l.ProjPool)
	geometryOf(fn, s, x, 2, []int{1}, l.InChannels, l.Out1)
	convolved := func(name string, out, ksize int) func(x *nd.Array) *nd.Array {
		return Convolution2D{OutChannels: out, KSize: []int{ksize}, Pad: []int{ksize / 2}, InitialW: l.ConvInit, InitialBias: l.BiasInit}.
			in(s.Sub(name))
	}
	converted := x.AsType(s.ComputeDType())
	if converted != x {
		defer converted.Release()
	}
	all := joined(
		sequentially(converted, convolved("conv1", l.Out1, 1)),
		sequentially(converted, convolved("proj3", l.Proj3, 1), relu, convolved("conv3", l.Out3, 3)),
		sequentially(converted, convolved("proj5", l.Proj5, 1), relu, convolved("conv5", l.Out5, 5)),
		sequentially(converted, pooled(PoolMax, 1), convolved("projp", l.ProjPool, 1)))
	defer all.Release()
	return fn.Made(relu(all))
}

// PoolType is the pooling of an [InceptionBN].
type PoolType string

const (
	PoolMax     PoolType = "max" // the maximum
	PoolAverage PoolType = "avg" // the mean, including the zeros around the image
)

// InceptionBN is an [Inception] whose convolutions have no biases. A [BatchNormalization], whose name is the
// convolution's plus n, follows each. Two 3 × 3 convolutions replace the 5 × 5 convolution. Its children are:
//
//   - conv1, 1 × 1, and conv1n
//   - proj3, 1 × 1, proj3n, then conv3, 3 × 3, conv3n
//   - proj33, 1 × 1, proj33n, then conv33a and conv33b, both 3 × 3, with conv33an and conv33bn
//   - a max or average pooling 3 × 3, then poolp, 1 × 1, and poolpn
//
// ops.ReLU follows each normalisation.
//
// Source: S. Ioffe and C. Szegedy, Batch Normalization, 2015.
// Chainer: links.InceptionBN.
type InceptionBN struct {
	InChannels int // 0: from the first input
	// Out1, Proj3 and so on are the numbers of output channels of conv1, proj3 and so on. Out1 0 leaves out conv1,
	// ProjPool 0 leaves out poolp.
	Out1, Proj3, Out3, Proj33, Out33 int
	PoolType                         PoolType
	ProjPool                         int
	// Stride is the step of the windows of the last convolution of each branch, and of the pooling; 0 means 1. Other
	// strides than 1 need Out1 0.
	Stride int
	// ConvInit makes the initial weights; nil means initializer.LeCunNormal(1).
	ConvInit initializer.Initializer
}

// Apply returns the result for x (B, InChannels, H, W), shape (B, Out1+Out3+Out33+ProjPool, H', W') with H' = ⌊(H -
// 1)/Stride⌋ + 1; without ProjPool it has InChannels more channels.
// Chainer: links.InceptionBN.__call__.
func (l InceptionBN) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "InceptionBN.Apply"
	defer s.Span("InceptionBN", x)()
	fn.Check(x)
	stride := max(l.Stride, 1)
	if l.PoolType != PoolMax && l.PoolType != PoolAverage || l.Stride < 0 || l.Out1 < 0 || l.ProjPool < 0 || l.Out1 > 0 && stride != 1 {
		panic(fn.Errorf([]*nd.Array{x}, "PoolType %q, Stride %d, Out1 %d, ProjPool %d: want max or avg, no negative numbers, and Stride 1 with Out1",
			l.PoolType, l.Stride, l.Out1, l.ProjPool))
	}
	wantChannels(fn, s, x, 3*3, l.Proj3, l.Out3, l.Proj33, l.Out33, max(l.Out1, 1), max(l.ProjPool, 1))
	geometryOf(fn, s, x, 2, []int{1}, l.InChannels, l.Proj3)
	normalised := func(name string, out, ksize, stride int) func(x *nd.Array) *nd.Array {
		c := Convolution2D{OutChannels: out, KSize: []int{ksize}, Stride: []int{stride}, Pad: []int{ksize / 2}, NoBias: true, InitialW: l.ConvInit}
		return func(x *nd.Array) *nd.Array {
			normalise := func(y *nd.Array) *nd.Array { return BatchNormalization{}.Apply(s.Sub(name+"n"), y) }
			return sequentially(x, c.in(s.Sub(name)), normalise, relu)
		}
	}
	converted := x.AsType(s.ComputeDType())
	if converted != x {
		defer converted.Release()
	}
	var parts []*nd.Array
	if l.Out1 > 0 {
		parts = append(parts, normalised("conv1", l.Out1, 1, 1)(converted))
	}
	parts = append(parts,
		sequentially(converted, normalised("proj3", l.Proj3, 1, 1), normalised("conv3", l.Out3, 3, stride)),
		sequentially(converted, normalised("proj33", l.Proj33, 1, 1), normalised("conv33a", l.Out33, 3, 1), normalised("conv33b", l.Out33, 3, stride)))
	last := []func(x *nd.Array) *nd.Array{pooled(l.PoolType, stride)}
	if l.ProjPool > 0 {
		last = append(last, normalised("poolp", l.ProjPool, 1, 1))
	}
	return fn.Made(joined(append(parts, sequentially(converted, last...))...))
}

// MLPConvolution2D is a convolution followed by 1 × 1 convolutions: a small network at each position. Its children are
// [Convolution2D] links named 0, 1, ….
//
// Source: M. Lin et al., Network In Network, 2013.
// Chainer: links.MLPConvolution2D.
type MLPConvolution2D struct {
	InChannels  int   // 0: from the first input
	OutChannels []int // of each convolution
	// KSize, Stride and Pad are those of the first convolution.
	KSize, Stride, Pad []int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Activation is applied between two convolutions, and must keep the channels; nil means ops.ReLU.
	Activation func(x *nd.Array) *nd.Array
	// ConvInit and BiasInit make the initial W and b of all convolutions; nil means initializer.LeCunNormal(√Wscale)
	// and zeros.
	ConvInit, BiasInit initializer.Initializer
}

// Apply returns the result for x (B, InChannels, H, W), shape (B, last of OutChannels, H', W') with H' as in
// [Convolution2D].
func (l MLPConvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "MLPConvolution2D.Apply"
	defer s.Span("MLPConvolution2D", x)()
	fn.Check(x)
	if len(l.OutChannels) == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "OutChannels %v: want at least one convolution", l.OutChannels))
	}
	wantChannels(fn, s, x, 1, l.OutChannels...)
	activation := l.Activation
	if activation == nil {
		activation = relu
	}
	c := Convolution2D{InChannels: l.InChannels, KSize: l.KSize, Stride: l.Stride, Pad: l.Pad, Wscale: l.Wscale, InitialW: l.ConvInit,
		InitialBias: l.BiasInit}
	var all []func(x *nd.Array) *nd.Array
	for k, out := range l.OutChannels {
		if k > 0 {
			all = append(all, activation)
			c.InChannels, c.KSize, c.Stride, c.Pad = 0, []int{1}, nil, nil
		}
		c.OutChannels = out
		all = append(all, c.in(s.Sub(strconv.Itoa(k))))
	}
	return fn.Made(sequentially(x, all...))
}

// in returns the link bound to the parameters of a scope.
func (l Convolution2D) in(s *nn.Scope) func(x *nd.Array) *nd.Array {
	return func(x *nd.Array) *nd.Array { return l.Apply(s, x) }
}

// sequentially applies functions one after the other, and releases the intermediate results.
func sequentially(x *nd.Array, through ...func(x *nd.Array) *nd.Array) *nd.Array {
	y := x
	for _, f := range through {
		z := f(y)
		if y != x && y != z {
			y.Release()
		}
		y = z
	}
	return y
}

// joined concatenates arrays along the channels, and releases them.
func joined(parts ...*nd.Array) *nd.Array {
	y := ops.Concatenate(parts, ops.Over(1))
	for _, part := range parts {
		part.Release()
	}
	return y
}

func relu(x *nd.Array) *nd.Array { return ops.ReLU(x) }

// pooled returns a 3 × 3 pooling with padding 1: the maximum, or the mean for PoolAverage.
func pooled(kind PoolType, stride int) func(x *nd.Array) *nd.Array {
	strides, pad := []int{stride}, []int{1}
	return func(x *nd.Array) *nd.Array {
		if kind == PoolAverage {
			return conv.AveragePooling(x, []int{3}, conv.AveragePoolingOptions{Stride: strides, Pad: pad})
		}
		return conv.MaxPooling(x, []int{3}, conv.PoolingOptions{Stride: strides, Pad: pad})
	}
}

// wantChannels refuses convolutions without channels, and convolutions whose weights would be too large, before the
// first of them has parameters. window is the number of elements of a window.
func wantChannels(fn nd.Func, s *nn.Scope, x *nd.Array, window int, channels ...int) {
	if least := slices.Min(channels); least < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "%d channels of a convolution: want at least one", least))
	}
	most := slices.Max(channels)
	fn.CheckAllocatable(s.DType(), window, most, most)
}
