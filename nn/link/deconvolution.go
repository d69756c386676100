package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Deconvolution2D is the transpose of a [Convolution2D], plus a bias: see ops.Deconvolution. Its parameters are W
// (InChannels, OutChannels, KSize…) and b (OutChannels).
// PyTorch: nn.ConvTranspose2d. Chainer: links.Deconvolution2D.
type Deconvolution2D struct {
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize is the height and width of the windows, Stride the distance between them (nil: 1), Pad the number of
	// elements cut off on all sides of the result (nil: 0): two numbers, or one for both.
	KSize, Stride, Pad []int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// OutSize is the height and width of the result; nil means Stride·(H - 1) + KSize - 2·Pad. It may be larger by up
	// to Stride - 1.
	OutSize []int
	// InitialW makes the initial weights; nil means nn.LeCunNormal(√Wscale), with the variance
	// Wscale/(OutChannels·KSize…).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias nn.Initializer
}

// Apply returns the deconvolution of x (B, InChannels, H, W), shape (B, OutChannels, OutSize…).
func (l Deconvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Deconvolution2D.Apply"
	defer s.Span("Deconvolution2D", x)()
	return deconvolution{axes: 2, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad, outSize: l.OutSize,
		w: or(l.InitialW, scaled(l.Wscale)), b: biasOf(l.NoBias, l.InitialBias, l.Bias)}.apply(fn, s, x)
}

// DeconvolutionND is the transpose of a [ConvolutionND], plus a bias: see ops.Deconvolution. Its parameters are W
// (InChannels, OutChannels, KSize…) and b (OutChannels).
// PyTorch: nn.ConvTranspose1d, nn.ConvTranspose3d. Chainer: links.DeconvolutionND.
type DeconvolutionND struct {
	Ndim        int
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize, Stride, Pad and OutSize are those of [Deconvolution2D], with a number per axis, or one for all axes.
	KSize, Stride, Pad, OutSize []int
	// InitialW makes the initial weights; nil means nn.LeCunNormal(1), with the variance 1/(OutChannels·KSize…).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil means zeros.
	InitialBias nn.Initializer
	// NoBias leaves b out: Chainer's initial_bias=None.
	NoBias bool
}

// Apply returns the deconvolution of x (B, InChannels, L…), shape (B, OutChannels, OutSize…).
func (l DeconvolutionND) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "DeconvolutionND.Apply"
	defer s.Span("DeconvolutionND", x)()
	return deconvolution{axes: l.Ndim, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad,
		outSize: l.OutSize, w: or(l.InitialW, nn.LeCunNormal(1)), b: biasOf(l.NoBias, l.InitialBias, 0)}.apply(fn, s, x)
}

// deconvolution is the common part of deconvolutions.
type deconvolution struct {
	axes, in, out               int
	ksize, stride, pad, outSize []int
	w, b                        nn.Initializer // b is nil for none
}

func (d deconvolution) apply(fn nd.Func, s *nn.Scope, x *nd.Array) *nd.Array {
	g := geometryOf(fn, s, x, d.axes, d.ksize, d.in, d.out)
	more := d.longer(g)
	g.Put(d.pad, d.stride, nil, more)
	w := s.Parameter("W", g.Windows(g.Channels, d.out), d.w, true)
	var b *nd.Array
	if d.b != nil {
		b = s.Parameter("b", []int{d.out}, d.b, true)
	}
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(ops.Deconvolution(layer.InDType(x, w), w, b, ops.DeconvolutionOptions{Stride: d.stride, Pad: d.pad, OutputPadding: more}))
}

// longer returns the extra length of the result, compared with the default, that gives it the lengths of OutSize.
func (d deconvolution) longer(g *layer.Geometry) []int {
	if d.outSize == nil {
		return nil
	}
	wanted := g.PerAxis("OutSize", d.outSize, 0, 0)
	pads, strides := g.PerAxis("Pad", d.pad, 0, 0), g.PerAxis("Stride", d.stride, 1, 1)
	more := make([]int, len(wanted))
	for axis, length := range g.Lengths() {
		usual := broadcast.Sum(broadcast.Product(strides[axis], length-1), g.Kernel[axis], broadcast.Product(-2, pads[axis]))
		if more[axis] = wanted[axis] - usual; more[axis] < 0 || more[axis] >= strides[axis] {
			g.Refuse("OutSize %v along axis %d: want %d to %d", d.outSize, axis, usual, usual+strides[axis]-1)
		}
	}
	return more
}
