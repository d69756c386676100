package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// grouped is the windows (O, C, K, L) of one group that do the same as w (O, C/groups, K, L): zeros between groups.
func grouped(w *nd.Array, groups int) *nd.Array {
	o, c := w.Dim(0), w.Dim(1)
	all := nd.Zeros([]int{o, c * groups, w.Dim(2), w.Dim(3)}, nd.ArrayOptions{DType: dtype.Float64})
	for out := range o {
		first := out / (o / groups) * c
		all.Index(nd.At(out), nd.Span(first, first+c)).Assign(w.Index(nd.At(out)))
	}
	return all
}

// putDown is the deconvolution of x (N, C, H, W) by windows w (C, O, K, L), by its definition: each element puts down its window.
func putDown(x, w, b *nd.Array, g geometry, padding int) []float64 {
	n, c, h, wide := x.Dim(0), x.Dim(1), x.Dim(2), x.Dim(3)
	o, kh, kw := w.Dim(1), w.Dim(2), w.Dim(3)
	rows := g.stride*(h-1) + g.dilation*(kh-1) + 1 - 2*g.pad + padding
	columns := g.stride*(wide-1) + g.dilation*(kw-1) + 1 - 2*g.pad + padding
	xs, ws, bs := floats(x), floats(w), floats(b)
	y := make([]float64, n*o*rows*columns)
	for k := range y {
		y[k] = bs[k/(rows*columns)%o]
	}
	for k, v := range xs {
		example, in, at := k/(c*h*wide), k/(h*wide)%c, k%(h*wide)
		for out := range o {
			for tap := range kh * kw {
				i := at/wide*g.stride + tap/kw*g.dilation - g.pad
				j := at%wide*g.stride + tap%kw*g.dilation - g.pad
				if i >= 0 && i < rows && j >= 0 && j < columns {
					y[((example*o+out)*rows+i)*columns+j] += v * ws[(in*o+out)*kh*kw+tap]
				}
			}
		}
	}
	return y
}

func TestDeconvolutionAgainstLoops(t *testing.T) {
	x := normal(1, 2, 4, 3, 5)
	for _, g := range []geometry{{0, 1, 1}, {1, 2, 1}, {2, 3, 2}} {
		for _, group := range []int{0, 1, 2} {
			for _, padding := range []int{0, 1} {
				if padding >= max(g.stride, g.dilation) {
					continue
				}
				o := nn.DeconvolutionOptions{Pad: []int{g.pad}, Stride: []int{g.stride}, Dilation: []int{g.dilation}, Group: group,
					OutputPadding: []int{padding}, BInit: nn.Uniform(-1, 1)}
				s := doubles()
				y := nn.Deconvolution(s, x, 6, []int{3, 2}, o)
				w := grouped(s.Get("deconv/W"), max(group, 1))
				close64(t, fmt.Sprint(g, group, padding), y, putDown(x, w, s.Get("deconv/b"), g, padding), 1e-12)

				o.ChannelLast = true
				last := doubles()
				last.Set("deconv/W", s.Get("deconv/W").Transpose(0, 2, 3, 1).Copy())
				last.Set("deconv/b", s.Get("deconv/b"))
				z := nn.Deconvolution(last, x.Transpose(0, 2, 3, 1), 6, []int{3, 2}, o)
				if d := apart(z.Transpose(0, 3, 1, 2), y); d > 1e-12 {
					t.Errorf("%v, %d groups: with ChannelLast it is %v off", g, group, d)
				}
			}
		}
	}
}

// A depthwise convolution has a group for each channel.
func TestDepthwiseConvolutionAgainstLoops(t *testing.T) {
	x := normal(1, 2, 3, 6, 5)
	for _, g := range []geometry{{0, 1, 1}, {1, 2, 1}, {2, 1, 2}} {
		for _, multiplier := range []int{0, 1, 3} {
			s := doubles()
			y := nn.DepthwiseConvolution(s, x, []int{3, 2}, nn.DepthwiseConvolutionOptions{Pad: []int{g.pad}, Stride: []int{g.stride},
				Dilation: []int{g.dilation}, Multiplier: multiplier, BInit: nn.Uniform(-1, 1)})
			w := grouped(s.Get("depthwise_conv/W").ExpandDims(1), 3)
			close64(t, fmt.Sprint(g, multiplier), y, correlated(x, w, s.Get("depthwise_conv/b"), g), 1e-12)
		}
	}
}

// A depthwise deconvolution adds up the channels of a group.
func TestDepthwiseDeconvolutionAgainstLoops(t *testing.T) {
	x := normal(1, 2, 6, 3, 4)
	for _, g := range []geometry{{0, 1, 1}, {1, 2, 1}, {2, 3, 2}} {
		for _, divisor := range []int{0, 1, 2, 6} {
			s := doubles()
			y := nn.DepthwiseDeconvolution(s, x, []int{3, 2}, nn.DepthwiseDeconvolutionOptions{Pad: []int{g.pad}, Stride: []int{g.stride},
				Dilation: []int{g.dilation}, Divisor: divisor, BInit: nn.Uniform(-1, 1)})
			w := grouped(s.Get("depthwise_deconv/W").ExpandDims(1), 6/max(divisor, 1))
			close64(t, fmt.Sprint(g, divisor), y, putDown(x, w, s.Get("depthwise_deconv/b"), g, 0), 1e-12)
		}
	}
}

// convolutions are calls of the further convolutions, and of how far their initial weights go.
var convolutions = []struct {
	name, path string
	limit      [2]int // of UniformGlorot, for windows of 2 by 2
	call       func(s *nn.Scope, x *nd.Array) *nd.Array
}{
	{"Deconvolution", "deconv", [2]int{4, 2}, func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.Deconvolution(s, x, 4, []int{2, 2}, nn.DeconvolutionOptions{Group: 2, Stride: []int{2}})
	}},
	{"DepthwiseConvolution", "depthwise_conv", [2]int{6, 2}, func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.DepthwiseConvolution(s, x, []int{2, 2}, nn.DepthwiseConvolutionOptions{Multiplier: 3})
	}},
	{"DepthwiseDeconvolution", "depthwise_deconv", [2]int{2, 2}, func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.DepthwiseDeconvolution(s, x, []int{2, 2}, nn.DepthwiseDeconvolutionOptions{Divisor: 2})
	}},
	{"DeformableConvolution", "deformable_conv", [2]int{2, 3}, func(s *nn.Scope, x *nd.Array) *nd.Array {
		h, w := x.Dim(-2)-1, x.Dim(-1)-1
		offset := random.Uniform(nd.NewRand(5), 0.1, 0.9, []int{x.Dim(0), 8, h, w}, nd.ArrayOptions{DType: dtype.Float64})
		return nn.DeformableConvolution(s, x, 3, []int{2, 2}, offset, nn.DeformableConvolutionOptions{Mask: ops.Cos(offset.Index(nd.All(), nd.Until(4)))})
	}},
}

func TestConvolutionGradients(t *testing.T) {
	for _, c := range convolutions {
		t.Run(c.name, func(t *testing.T) {
			params, x := doubles(), normal(1, 2, 2, 3, 4)
			c.call(params, x)
			names := []string{c.path + "/W", c.path + "/b"}
			gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
				return c.call(params.With(map[string]*nd.Array{names[0]: xs[1], names[1]: xs[2]}), xs[0])
			}, x, params.Get(names[0]), params.Get(names[1]))
		})
	}
}

func TestConvolutionParameters(t *testing.T) {
	for _, c := range convolutions {
		t.Run(c.name, func(t *testing.T) {
			params, x := nn.NewScope(), images(2)
			y := c.call(params, x)
			if got, want := params.Names(), []string{c.path + "/W", c.path + "/b"}; !cmp.Equal(got, want) {
				t.Fatalf("the parameters are %v, want %v", got, want)
			}
			if y.DType() != dtype.Float32 || c.call(params, x.AsType(dtype.Float64)).DType() != dtype.Float32 {
				t.Error("it does not compute in the parameters' dtype")
			}
			_, limit := nn.CalcUniformLimGlorot(c.limit[0], c.limit[1], 2, 2)
			if most := ops.Max(ops.Absolute(params.Get(c.path + "/W"))).Float(); most > limit || most < limit/2 {
				t.Errorf("initial weights go to %v, want them within %v", most, limit)
			}
			tape := grad.NewTape()
			model := params.Watch(tape)
			trained := c.call(model, x)
			if !cmp.Equal(floats(trained), floats(y)) {
				t.Error("training computes something else than evaluation")
			}
			g := model.Gradients(ops.Sum(trained))
			if g.Get(c.path+"/W") == nil || g.Get(c.path+"/b") == nil {
				t.Error("a parameter has no gradient")
			}
			fixed := params.Watch(tape)
			if g := fixed.Gradients(ops.Sum(c.call(fixed.Fixed(), tape.Watch(x)))); g.Get(c.path+"/W") != nil {
				t.Error("gradients flow to fixed windows")
			}
		})
	}
}

// at is x (H, W) between its elements, which are zeros outside.
func at(x []float64, h, w int, i, j float64) float64 {
	sum := 0.0
	for row := range h {
		for column := range w {
			sum += x[row*w+column] * max(0, 1-math.Abs(i-float64(row))) * max(0, 1-math.Abs(j-float64(column)))
		}
	}
	return sum
}

func TestDeformableConvolutionAgainstLoops(t *testing.T) {
	const n, c, h, w, o, taps = 2, 4, 5, 6, 6, 6
	x := normal(1, n, c, h, w)
	for _, group := range []int{1, 2} {
		for _, deformable := range []int{0, 2} {
			for _, g := range []geometry{{0, 1, 1}, {1, 2, 2}} {
				rows, columns := (h+2*g.pad-2*g.dilation-1)/g.stride+1, (w+2*g.pad-g.dilation-1)/g.stride+1
				fields := max(deformable, 1)
				offset, mask := normal(2, n, fields*taps*2, rows, columns), normal(3, n, fields*taps, rows, columns)
				s := doubles()
				y := nn.DeformableConvolution(s, x, o, []int{3, 2}, offset, nn.DeformableConvolutionOptions{
					ConvolutionOptions: nn.ConvolutionOptions{Pad: []int{g.pad}, Stride: []int{g.stride}, Dilation: []int{g.dilation}, Group: group,
						BInit: nn.Uniform(-1, 1)}, Mask: mask, DeformableGroup: deformable})
				xs, moves, masks := floats(x), floats(offset), floats(mask)
				ws, bs := floats(grouped(s.Get("deformable_conv/W"), group)), floats(s.Get("deformable_conv/b"))
				var want []float64
				places := rows * columns
				for k := range n * o * places {
					example, out, place := k/(o*places), k/places%o, k%places
					sum := bs[out]
					for in := range c {
						for tap := range taps {
							field := (example*fields+in/(c/fields))*taps + tap
							i := float64(place/columns*g.stride+tap/2*g.dilation-g.pad) + moves[2*field*places+place]
							j := float64(place%columns*g.stride+tap%2*g.dilation-g.pad) + moves[(2*field+1)*places+place]
							image := xs[(example*c+in)*h*w:][:h*w]
							sum += ws[(out*c+in)*taps+tap] * masks[field*places+place] * at(image, h, w, i, j)
						}
					}
					want = append(want, sum)
				}
				close64(t, fmt.Sprint(group, deformable, g), y, want, 1e-12)
			}
		}
	}
}

func TestConvolutionRefusals(t *testing.T) {
	s, x := nn.NewScope(), images(2)
	kernel := []int{2, 2}
	offset := nd.Zeros([]int{2, 8, 4, 4})
	for _, c := range []struct {
		name, want string
		call       func()
	}{
		{"deconvolution groups", "want numbers that the groups divide", func() { nn.Deconvolution(s, x, 3, kernel, nn.DeconvolutionOptions{Group: 2}) }},
		{"deconvolution kernel", "kernel [2]", func() { nn.Deconvolution(s, x, 3, []int{2}) }},
		{"deconvolution lengths", "want positive lengths", func() { nn.Deconvolution(s, x, 3, []int{2, 0}) }},
		{"deconvolution outmaps", "-1 outmaps", func() { nn.Deconvolution(s, x, -1, kernel) }},
		{"multiplier", "Multiplier -1", func() { nn.DepthwiseConvolution(s, x, kernel, nn.DepthwiseConvolutionOptions{Multiplier: -1}) }},
		{"depthwise base", "BaseAxis 7", func() { nn.DepthwiseConvolution(s, x, kernel, nn.DepthwiseConvolutionOptions{BaseAxis: new(7)}) }},
		{"divisor", "Divisor 3", func() { nn.DepthwiseDeconvolution(s, x, kernel, nn.DepthwiseDeconvolutionOptions{Divisor: 3}) }},
		{"negative divisor", "Divisor -2", func() { nn.DepthwiseDeconvolution(s, x, kernel, nn.DepthwiseDeconvolutionOptions{Divisor: -2}) }},
		{"deformable kernel", "want two lengths", func() { nn.DeformableConvolution(s, x, 3, []int{2}, offset) }},
		{"deformable groups", "want numbers that the groups divide", func() {
			nn.DeformableConvolution(s, x, 3, kernel, offset, nn.DeformableConvolutionOptions{ConvolutionOptions: nn.ConvolutionOptions{Group: 2}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.want, c.call) })
	}
	if names := s.Names(); len(names) != 0 {
		t.Errorf("refused calls left %v", names)
	}
}
