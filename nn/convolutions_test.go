package nn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// line holds the sizes of a one-dimensional layer.
type line struct{ n, channels, length, outmaps, kernel, pad, stride, dilation, group int }

func (c line) outputs() int { return (c.length+2*c.pad-c.dilation*(c.kernel-1)-1)/c.stride + 1 }

// convolved sums over the channels of a group and the taps, by the definition; w (outmaps, channels/group, kernel).
func (c line) convolved(x, w, b []float64) []float64 {
	in, out, positions := c.channels/c.group, c.outmaps/c.group, c.outputs()
	y := make([]float64, c.n*c.outmaps*positions)
	for n := range c.n {
		for m := range c.outmaps {
			for l := range positions {
				sum := b[m]
				for i := range in {
					for k := range c.kernel {
						if at := l*c.stride + k*c.dilation - c.pad; at >= 0 && at < c.length {
							sum += w[(m*in+i)*c.kernel+k] * x[(n*c.channels+m/out*in+i)*c.length+at]
						}
					}
				}
				y[(n*c.outmaps+m)*positions+l] = sum
			}
		}
	}
	return y
}

// spread is the transpose: it adds a window for each element of x; w (channels, outmaps/group, kernel).
func (c line) spread(x, w, b []float64) []float64 {
	in, out := c.channels/c.group, c.outmaps/c.group
	positions := c.stride*(c.length-1) + c.dilation*(c.kernel-1) + 1 - 2*c.pad
	y := make([]float64, c.n*c.outmaps*positions)
	for i := range y {
		y[i] = b[i/positions%c.outmaps]
	}
	for n := range c.n {
		for ch := range c.channels {
			for m := range out {
				for l := range c.length {
					for k := range c.kernel {
						if at := l*c.stride + k*c.dilation - c.pad; at >= 0 && at < positions {
							y[(n*c.outmaps+ch/in*out+m)*positions+at] += w[(ch*out+m)*c.kernel+k] * x[(n*c.channels+ch)*c.length+l]
						}
					}
				}
			}
		}
	}
	return y
}

func TestDeconvolutionAgainstLoops(t *testing.T) {
	for _, c := range []line{
		{n: 2, channels: 3, length: 4, outmaps: 2, kernel: 3, stride: 1, dilation: 1, group: 1},
		{n: 1, channels: 4, length: 5, outmaps: 6, kernel: 2, stride: 2, dilation: 1, group: 2},
		{n: 2, channels: 2, length: 3, outmaps: 2, kernel: 3, pad: 2, stride: 3, dilation: 2, group: 2},
		{n: 0, channels: 2, length: 3, outmaps: 2, kernel: 3, stride: 1, dilation: 1, group: 1},
	} {
		s := float64s()
		x := waves(c.n, c.channels, c.length)
		y := nn.Deconvolution(s, x, c.outmaps, []int{c.kernel}, nn.DeconvolutionOptions{BaseAxis: new(-2), BInit: initializer.Uniform(-1, 1),
			Pad: []int{c.pad}, Stride: []int{c.stride}, Dilation: []int{c.dilation}, Group: c.group})
		near(t, "the result", y, c.spread(floats(x), floats(s.Get("deconv/W")), floats(s.Get("deconv/b"))))
	}
	s := float64s()
	y := nn.Deconvolution(s, waves(2, 4, 5, 3), 2, []int{3, 3}, nn.DeconvolutionOptions{ChannelLast: true, WithBias: new(false),
		Stride: []int{2}, OutputPadding: []int{1}})
	if !cmp.Equal(y.Shape(), []int{2, 10, 12, 2}) || !cmp.Equal(s.Get("deconv/W").Shape(), []int{3, 3, 3, 2}) || s.Get("deconv/b") != nil {
		t.Errorf("with the channels last the result has shape %v, W %v", y.Shape(), s.Get("deconv/W").Shape())
	}
	x, w := waves(1, 2, 3, 4), s.Sub("sized")
	for _, o := range []nn.DeconvolutionOptions{{OutSize: []int{4, 6}}, {Stride: []int{2}, Pad: []int{1}, OutSize: []int{6, 8}}} {
		y := nn.Deconvolution(w, x, 2, []int{3}, o)
		want := conv.Deconvolution(x, w.Get("deconv/W"), w.Get("deconv/b"), conv.DeconvolutionOptions{Stride: o.Stride, Pad: o.Pad, OutSize: o.OutSize})
		if !cmp.Equal(y.Shape()[2:], o.OutSize) || !nd.Value[bool](ops.All(ops.Equal(y, want))) {
			t.Errorf("OutSize %v: shape %v", o.OutSize, y.Shape())
		}
	}
}

func TestDepthwiseAgainstLoops(t *testing.T) {
	const channels = 3
	x := waves(2, channels, 6)
	s := float64s()
	y := nn.DepthwiseConvolution(s, x, []int{2}, nn.DepthwiseConvolutionOptions{Multiplier: 2, Pad: []int{1}, Stride: []int{2},
		Dilation: []int{2}, BInit: initializer.Uniform(-1, 1)})
	c := line{n: 2, channels: channels, length: 6, outmaps: 2 * channels, kernel: 2, pad: 1, stride: 2, dilation: 2, group: channels}
	near(t, "the convolution", y, c.convolved(floats(x), floats(s.Get("depthwise_conv/W")), floats(s.Get("depthwise_conv/b"))))

	s = float64s()
	y = nn.DepthwiseDeconvolution(s, x, []int{2}, nn.DepthwiseDeconvolutionOptions{Divisor: channels, Stride: []int{2},
		BInit: initializer.Uniform(-1, 1)})
	c = line{n: 2, channels: channels, length: 6, outmaps: 1, kernel: 2, stride: 2, dilation: 1, group: 1}
	near(t, "the deconvolution", y, c.spread(floats(x), floats(s.Get("depthwise_deconv/W")), floats(s.Get("depthwise_deconv/b"))))
}

// Without offsets a deformable convolution is a convolution, and whole offsets move the image.
func TestDeformableConvolution(t *testing.T) {
	x, kernel := waves(2, 4, 5, 6), []int{3, 2}
	o := nn.DeformableConvolutionOptions{ConvolutionOptions: nn.ConvolutionOptions{Group: 2, BInit: initializer.Uniform(-1, 1)}}
	s := float64s()
	still := nd.Zeros([]int{2, 3 * 2 * 2, 3, 5}, dtype.Float64)
	y := nn.DeformableConvolution(s, x, 6, kernel, still, o)
	w, b := s.Get("deformable_conv/W"), s.Get("deformable_conv/b")
	if !cmp.Equal(w.Shape(), []int{6, 2, 3, 2}) {
		t.Errorf("W has shape %v", w.Shape())
	}
	near(t, "without offsets", y, floats(conv.Convolution(x, w, b, conv.ConvolutionOptions{Group: 2})))

	down := still.Copy()
	down.Assign(nd.Scalar(1), nd.All(), nd.From(0).By(2)) // one row down
	moved := ops.Pad(x.Index(nd.All(), nd.All(), nd.From(1)), [][2]int{{0, 0}, {0, 0}, {0, 1}, {0, 0}})
	near(t, "one row down", nn.DeformableConvolution(s, x, 6, kernel, down, o), floats(conv.Convolution(moved, w, b, conv.ConvolutionOptions{Group: 2})))

	o.Mask = nd.Full([]int{2, 3 * 2, 3, 5}, 0.5, dtype.Float64)
	half := nn.DeformableConvolution(s, ops.Multiply(x, 2), 6, kernel, still, o)
	near(t, "twice x, half a mask", half, floats(y))

	o.PerPixel, o.Stride, o.Mask = true, []int{2, 3}, waves(2, 3*2, 5, 6)
	down = waves(2, 3*2*2, 5, 6)
	at := func(a *nd.Array) *nd.Array { return a.Index(nd.All(), nd.All(), nd.Until(3).By(2), nd.Until(4).By(3)) }
	got := nn.DeformableConvolution(s, x, 6, kernel, down, o)
	o.PerPixel, o.Mask = false, at(o.Mask)
	near(t, "offsets per pixel", got, floats(nn.DeformableConvolution(s, x, 6, kernel, at(down), o)))
	o = nn.DeformableConvolutionOptions{PerPixel: true, ConvolutionOptions: nn.ConvolutionOptions{Pad: []int{3, 0}}}
	refused(t, "windows that begin at pixels", func() { nn.DeformableConvolution(float64s(), x, 6, kernel, down, o) })
	o.Pad = nil
	refused(t, "want a real offset", func() { nn.DeformableConvolution(float64s(), x, 6, kernel, at(down), o) })
}

func TestGradientsOfConvolutions(t *testing.T) {
	x := waves(2, 4, 5)
	s := float64s()
	layer := func(s *nn.Scope, xs []*nd.Array) *nd.Array {
		h := nn.Deconvolution(s, xs[0], 2, []int{2}, nn.DeconvolutionOptions{Group: 2})
		h = nn.DepthwiseConvolution(s, h, []int{3}, nn.DepthwiseConvolutionOptions{Multiplier: 2})
		return nn.DepthwiseDeconvolution(s, h, []int{2}, nn.DepthwiseDeconvolutionOptions{Divisor: 2})
	}
	layer(s, []*nd.Array{x})
	checkGradients(t, s, layer, x)
}

// TestOneLengthForAllAxes compares layers with a kernel of one length with those of a length for each axis.
func TestOneLengthForAllAxes(t *testing.T) {
	x, two, one := ramp(2, 4, 5, 6), []int{2, 2}, []int{2}
	for name, layer := range map[string]func(s *nn.Scope, kernel []int) *nd.Array{
		"Convolution":            func(s *nn.Scope, kernel []int) *nd.Array { return nn.Convolution(s, x, 3, kernel) },
		"Deconvolution":          func(s *nn.Scope, kernel []int) *nd.Array { return nn.Deconvolution(s, x, 3, kernel) },
		"DepthwiseConvolution":   func(s *nn.Scope, kernel []int) *nd.Array { return nn.DepthwiseConvolution(s, x, kernel) },
		"DepthwiseDeconvolution": func(s *nn.Scope, kernel []int) *nd.Array { return nn.DepthwiseDeconvolution(s, x, kernel) },
		"SVDConvolution":         func(s *nn.Scope, kernel []int) *nd.Array { return nn.SVDConvolution(s, x, 3, kernel, 2) },
		"CPD3Convolution":        func(s *nn.Scope, kernel []int) *nd.Array { return nn.CPD3Convolution(s, x, 3, kernel, 2) },
	} {
		if got, want := floats(layer(nn.NewScope(), one)), floats(layer(nn.NewScope(), two)); !cmp.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestConvolutionsRefuse(t *testing.T) {
	s, x := nn.NewScope(), ramp(2, 3, 6, 6)
	square := []int{3, 3}
	refused(t, "want a length for each axis", func() { nn.Deconvolution(s, x, 4, []int{3, 3, 3}) })
	refused(t, "groups: want numbers that the groups divide", func() { nn.Deconvolution(s, x, 4, square, nn.DeconvolutionOptions{Group: 2}) })
	refused(t, "want positive lengths", func() { nn.DepthwiseConvolution(s, x, []int{3, 0}) })
	refused(t, "Multiplier -1", func() { nn.DepthwiseConvolution(s, x, square, nn.DepthwiseConvolutionOptions{Multiplier: -1}) })
	refused(t, "Divisor 2: want one that divides the channels", func() {
		nn.DepthwiseDeconvolution(s, x, square, nn.DepthwiseDeconvolutionOptions{Divisor: 2})
	})
	refused(t, "BaseAxis 4", func() { nn.DepthwiseDeconvolution(s, x, square, nn.DepthwiseDeconvolutionOptions{BaseAxis: new(4)}) })
	refused(t, "want two lengths", func() { nn.DeformableConvolution(s, ramp(2, 3, 6), 4, []int{3}, x) })
	refused(t, "nil", func() { nn.DeformableConvolution(s, x, 4, square, nil) })
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}
