package quant_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// derived is a layer that computes with values derived from W and b.
type derived struct {
	name   string
	prefix string // of its parameters
	layer  func(s *nn.Scope, x *nd.Array) *nd.Array
	// w and b return the values that the layer computes with, and the factors of the gradients, from the elements of W
	// and b.
	w, b func(p []float64) (q, passes []float64)
	conv bool // the layer is a convolution, otherwise an affine layer
	kept []string
}

// each applies a function to the elements.
func each(f func(v float64) (q float64, passes bool)) func([]float64) ([]float64, []float64) {
	return func(p []float64) (q, factors []float64) {
		for _, v := range p {
			y, ok := f(v)
			factor := 0.
			if ok {
				factor = 1
			}
			q, factors = append(q, y), append(factors, factor)
		}
		return q, factors
	}
}

var same = each(func(v float64) (float64, bool) { return v, true })

// fixed rounds to fixed-point numbers of 4 bits with steps of 1/8: from -7/8 to 7/8.
var fixed = each(func(v float64) (float64, bool) {
	q := math.Copysign(math.Floor(math.Abs(v)*8+0.5), v) / 8
	return max(min(q, 0.875), -0.875), v >= -0.875 && v <= 0.875
})

// power rounds to signed powers of two with the exponents -3 to 0.
var power = each(func(v float64) (float64, bool) {
	e := math.Round(math.Log2(math.Abs(v)))
	return math.Copysign(math.Exp2(max(min(e, 0), -3)), v), e <= 0
})

// half prunes at the median of the absolute values.
func half(p []float64) (q, passes []float64) {
	var sizes []float64
	for _, v := range p {
		sizes = append(sizes, math.Abs(v))
	}
	slices.Sort(sizes)
	threshold := sizes[(len(p)-1)/2]
	return each(func(v float64) (float64, bool) {
		if math.Abs(v) < threshold {
			return 0, true
		}
		return v, true
	})(p)
}

// levels rounds to 9 levels from -0.5 to 0.5.
var levels = each(func(v float64) (float64, bool) {
	return math.Round((max(min(v, 0.5), -0.5)+0.5)*8)/8 - 0.5, v >= -0.5 && v <= 0.5
})

var sign = each(func(v float64) (float64, bool) { return math.Copysign(1, v), true })

// wide initialises parameters from -2 to 2 in all layers.
var wide = initializer.Uniform(-2, 2)

func derivedLayers() []derived {
	const outputs = 3
	affine := nn.AffineOptions{WInit: wide, BInit: wide, BaseAxis: new(-2)}
	conv := nn.ConvolutionOptions{WInit: wide, BInit: wide, BaseAxis: new(-2), Group: 2, Pad: []int{1}}
	kernel, maps := []int{2}, 4
	point := quantize.FixedPointOptions{N: 4, Delta: 0.125}
	two := quantize.Pow2Options{N: 3, M: new(0)}
	prune := quantize.PruneOptions{Rate: new(0.5)}
	range9 := quant.MinMaxOptions{QLMax: new(8.), QRMinInit: initializer.Constant(-0.5), QRMaxInit: initializer.Constant(0.5)}
	both := []string{"W_q", "b_q"}
	return []derived{
		{"fixed point affine", "fp_quantized_affine/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.FixedPointAffine(s, x, outputs, quant.FixedPointAffineOptions{AffineOptions: affine, W: point, B: point})
		}, fixed, fixed, false, both},
		{"fixed point convolution, W as it is", "fp_quantized_conv/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			o := quant.FixedPointConvolutionOptions{ConvolutionOptions: conv, B: point}
			o.W.Quantize = new(false)
			return quant.FixedPointConvolution(s, x, maps, kernel, o)
		}, same, fixed, true, []string{"b_q"}},
		{"power of two affine, b as it is", "pow2_quantized_affine/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			o := quant.Pow2AffineOptions{AffineOptions: affine, W: two}
			o.B.Quantize = new(false)
			return quant.Pow2Affine(s, x, outputs, o)
		}, power, same, false, []string{"W_q"}},
		{"power of two convolution", "pow2_quantized_conv/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.Pow2Convolution(s, x, maps, kernel, quant.Pow2ConvolutionOptions{ConvolutionOptions: conv, W: two, B: two})
		}, power, power, true, both},
		{"pruned affine", "pruned_affine/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.PrunedAffine(s, x, outputs, quant.PrunedAffineOptions{AffineOptions: affine, W: prune, B: prune})
		}, half, half, false, both},
		{"pruned convolution, b as it is", "pruned_conv/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.PrunedConvolution(s, x, maps, kernel, quant.PrunedConvolutionOptions{ConvolutionOptions: conv, W: prune, KeepB: true})
		}, half, same, true, []string{"W_q"}},
		{"least and most affine", "min_max_quantized_affine/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.MinMaxAffine(s, x, outputs, quant.MinMaxAffineOptions{AffineOptions: affine, W: range9, B: range9})
		}, levels, levels, false, both},
		{"least and most convolution, b as it is", "min_max_quantized_conv/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.MinMaxConvolution(s, x, maps, kernel,
				quant.MinMaxConvolutionOptions{ConvolutionOptions: conv, W: range9, KeepB: true})
		}, levels, same, true, []string{"W_q"}},
		{"binary affine", "bicon_affine/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.BinaryConnectAffine(s, x, outputs, quant.BinaryAffineOptions{AffineOptions: affine})
		}, sign, same, false, []string{"Wb"}},
		{"binary convolution", "bicon_conv/", func(s *nn.Scope, x *nd.Array) *nd.Array {
			return quant.BinaryConnectConvolution(s, x, maps, kernel, quant.BinaryConvolutionOptions{ConvolutionOptions: conv})
		}, sign, same, true, []string{"Wb"}},
	}
}

// transposed returns a matrix with the given number of columns transposed.
func transposed(x []float64, columns int) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i%columns*(len(x)/columns)+i/columns] = v
	}
	return y
}

// results returns the result of a layer with w and b on x (2, 4, 5), and the gradient of its sum by w.
func (d *derived) results(x, w, b []float64) (y, gw []float64) {
	c := line{n: 2, channels: 4, length: 5, outmaps: 4, kernel: 2, pad: 1, stride: 1, dilation: 1, group: 2}
	if !d.conv { // an affine layer is a convolution whose window is the whole input
		w = transposed(w, 3)
		c = line{n: 2, channels: 1, length: 20, outmaps: 3, kernel: 20, stride: 1, dilation: 1, group: 1}
	}
	y = c.convolved(x, w, b)
	base := sumOf(y)
	for i := range w { // linear in w
		one := slices.Clone(w)
		one[i]++
		gw = append(gw, sumOf(c.convolved(x, one, b))-base)
	}
	if !d.conv {
		gw = transposed(gw, 20)
	}
	return y, gw
}

func sumOf(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum
}

func TestDerivedLayersAgainstLoops(t *testing.T) {
	x := waves(2, 4, 5)
	for _, d := range derivedLayers() {
		t.Run(d.name, func(t *testing.T) {
			s := float64s()
			y := d.layer(s, x)
			w, b := floats(s.Get(d.prefix+"W")), floats(s.Get(d.prefix+"b"))
			wq, wPasses := d.w(w)
			bq, bPasses := d.b(b)
			want, gw := d.results(floats(x), wq, bq)
			near(t, "in evaluation", y, want)
			var names []string
			for name, p := range s.All() {
				if !p.NeedGrad() {
					names = append(names, name)
				}
			}
			for _, kept := range d.kept {
				if !slices.Contains(names, d.prefix+kept) {
					t.Errorf("there is no untrained %s among %q", kept, names)
				}
			}
			if s.Get(d.prefix+"W_q") != nil != slices.Contains(d.kept, "W_q") || s.Get(d.prefix+"b_q") != nil != slices.Contains(d.kept, "b_q") {
				t.Errorf("%q: want %q beside W and b", s.Names(), d.kept)
			}

			before := fingerprint(s)
			if d.layer(s, x); fingerprint(s) != before {
				t.Error("evaluation wrote to the scope")
			}
			tape := grad.NewTape()
			defer tape.Release()
			model := s.Watch(tape)
			y = d.layer(model, x)
			near(t, "in training", y, want)
			for _, kept := range d.kept {
				values := map[string][]float64{"W_q": wq, "Wb": wq, "b_q": bq}[kept]
				near(t, kept, s.Get(d.prefix+kept), values)
			}
			g := optim.GradientsOf(model, ops.Sum(y))
			for i := range gw {
				gw[i] *= wPasses[i]
			}
			near(t, "the gradient of W", g.Get(d.prefix+"W"), gw)
			positions := float64(len(want) / len(b))
			for i := range bPasses {
				bPasses[i] *= positions
			}
			near(t, "the gradient of b", g.Get(d.prefix+"b"), bPasses)
		})
	}
}
