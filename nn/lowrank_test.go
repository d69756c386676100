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
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// norm is ‖x‖ over all elements.
func norm(x *nd.Array) float64 { return math.Sqrt(ops.Sum(ops.Square(x)).Float()) }

// apart is the largest difference between elements.
func apart(a, b *nd.Array) float64 { return ops.Max(ops.Absolute(ops.Subtract(a, b))).Float() }

// The weights U·V are the nearest to the initial weights with the rank. Their distance follows from the omitted
// singular values.
func TestSVDAffineIsOfLowRank(t *testing.T) {
	w := normal(1, 12, 6)
	values := linalg.SVDVals(w)
	for r := 1; r <= 6; r++ {
		for _, out := range [][]int{nil, {2, 3}} {
			s := float64s()
			x := normal(2, 5, 3, 4)
			init := initializer.Values(w)
			if out != nil {
				init = initializer.Values(w.Reshape(12, 2, 3))
			}
			y := nn.SVDAffine(s, x, 6, r, nn.SVDAffineOptions{UVInit: init, BInit: initializer.Uniform(-1, 1), OutShape: out,
				BaseAxis: new(-2)})
			u, v := s.Get("svd_affine/U"), s.Get("svd_affine/V").Reshape(r, 6)
			uv := ops.MatMul(u, v)
			if got, want := norm(ops.Subtract(uv, w)), norm(values.Index(nd.From(r))); math.Abs(got-want) > 1e-12 {
				t.Errorf("rank %d: U·V is %v from W, want %v", r, got, want)
			}
			if d := apart(ops.MatMul(v, v.T()), nd.Eye(r, r, 0)); d > 1e-12 {
				t.Errorf("rank %d: the rows of V are not orthonormal, by %v", r, d)
			}
			want := ops.Add(ops.MatMul(x.Reshape(5, 12), uv), s.Get("svd_affine/b").Reshape(6))
			if d := apart(y.Reshape(5, 6), want); d > 1e-12 {
				t.Errorf("rank %d: y is %v from x·U·V + b", r, d)
			}
			if out != nil && !cmp.Equal(y.Shape(), []int{5, 2, 3}) {
				t.Errorf("OutShape %v: y has shape %v", out, y.Shape())
			}
		}
	}
}

// geometry holds the options of a convolution.
type geometry struct{ pad, stride, dilation int }

// correlated is the convolution of x (N, C, H, W) with w (O, C, K, L) and b, by its definition.
func correlated(x, w, b *nd.Array, g geometry) []float64 {
	n, c, h, wide := x.Dim(0), x.Dim(1), x.Dim(2), x.Dim(3)
	o, kh, kw := w.Dim(0), w.Dim(2), w.Dim(3)
	xs, ws, bs := floats(x), floats(w), floats(b)
	rows, columns := (h+2*g.pad-g.dilation*(kh-1)-1)/g.stride+1, (wide+2*g.pad-g.dilation*(kw-1)-1)/g.stride+1
	var y []float64
	for example := range n {
		for out := range o {
			for at := range rows * columns {
				sum := bs[out]
				for in := range c {
					for tap := range kh * kw {
						i := at/columns*g.stride + tap/kw*g.dilation - g.pad
						j := at%columns*g.stride + tap%kw*g.dilation - g.pad
						if i >= 0 && i < h && j >= 0 && j < wide {
							sum += xs[((example*c+in)*h+i)*wide+j] * ws[(out*c+in)*kh*kw+tap]
						}
					}
				}
				y = append(y, sum)
			}
		}
	}
	return y
}

// At full rank it is the convolution with the initial weights, below full rank the convolution with the product of its
// factors.
func TestSVDConvolutionIsAConvolution(t *testing.T) {
	x, w := normal(1, 2, 3, 6, 5), normal(2, 4, 3, 3, 2)
	for _, g := range []geometry{{0, 1, 1}, {1, 2, 1}, {2, 1, 2}} {
		for r := 1; r <= 4; r++ {
			s := float64s()
			y := nn.SVDConvolution(s, x, 4, []int{3, 2}, r, nn.SVDConvolutionOptions{Pad: []int{g.pad}, Stride: []int{g.stride},
				Dilation: []int{g.dilation}, UVInit: initializer.Values(w), BInit: initializer.Uniform(-1, 1)})
			products := ops.Einsum("crk,ocr->ock", s.Get("svd_conv/U").Reshape(3, r, 6), s.Get("svd_conv/V").Reshape(4, 3, r)).Reshape(4, 3, 3, 2)
			closeTo(t, fmt.Sprint(g, r), y, correlated(x, products, s.Get("svd_conv/b"), g), 1e-12)
			values := linalg.SVDVals(w.Reshape(4, 3, 6).Transpose(1, 2, 0))
			if got, want := norm(ops.Subtract(products, w)), norm(values.Index(nd.All(), nd.From(r))); math.Abs(got-want) > 1e-12 {
				t.Errorf("rank %d: the products are %v from W, want %v", r, got, want)
			}
		}
	}
}

// polyadic returns the weights that the factors of CPD3Convolution represent.
func polyadic(s *nn.Scope, outmaps, channels, r int, kernel ...int) *nd.Array {
	o, i := s.Get("cpd3_conv/O").Reshape(outmaps, r), s.Get("cpd3_conv/I").Reshape(r, channels)
	w := ops.Einsum("or,rc,rk->ock", o, i, s.Get("cpd3_conv/K").Reshape(r, -1))
	return w.Reshape(append([]int{outmaps, channels}, kernel...)...)
}

// Weights of the given rank are found again, up to rounding.
func TestCPD3ConvolutionFindsWhatIsOfTheRank(t *testing.T) {
	x := normal(1, 2, 5, 7, 6)
	for _, r := range []int{1, 2, 3} {
		w := ops.Einsum("or,cr,kr->ock", normal(24, 6, r), normal(124, 5, r), normal(224, 9, r)).Reshape(6, 5, 3, 3)
		for _, scale := range []float64{1e-3, 1, 100} {
			s := float64s()
			g := geometry{1, 2, 1}
			y := nn.CPD3Convolution(s, x, 6, []int{3, 3}, r, nn.CPD3ConvolutionOptions{Pad: []int{1}, Stride: []int{2}, MaxIter: 300,
				StoppingCriterion: new(-1.), OIKInit: initializer.Values(ops.Multiply(w, scale)), BInit: initializer.Uniform(-1, 1)})
			products := polyadic(s, 6, 5, r, 3, 3)
			if d := norm(ops.Subtract(ops.Divide(products, scale), w)) / norm(w); d > 1e-12 {
				t.Errorf("rank %d, scale %v: the distance is %v of the norm", r, scale, d)
			}
			closeTo(t, "y", y, correlated(x, products, s.Get("cpd3_conv/b"), g), 1e-11*scale+1e-12)
		}
	}
}

// The sum of squares falls from sweep to sweep, and a small change of the fit ends them.
func TestCPD3ConvolutionDescends(t *testing.T) {
	x, w := normal(1, 1, 4, 3, 3), normal(2, 5, 4, 3, 2)
	fit := func(sweeps int, criterion float64) float64 {
		s := float64s()
		nn.CPD3Convolution(s, x, 5, []int{3, 2}, 2, nn.CPD3ConvolutionOptions{OIKInit: initializer.Values(w), MaxIter: sweeps, StoppingCriterion: &criterion})
		d := norm(ops.Subtract(polyadic(s, 5, 4, 2, 3, 2), w)) / norm(w)
		return 1 - d*d
	}
	last := math.Inf(-1)
	for _, sweeps := range []int{1, 2, 5, 20, 100} {
		got := fit(sweeps, -1)
		if got < last-1e-12 {
			t.Errorf("after %d sweeps the fit is %v, before %v", sweeps, got, last)
		}
		last = got
	}
	const criterion = 1e-3
	sweeps := 2
	for math.Abs(fit(sweeps, -1)-fit(sweeps-1, -1)) >= criterion {
		sweeps++
	}
	if got, want := fit(500, criterion), fit(sweeps, -1); math.Abs(got-want) > 1e-12 {
		t.Errorf("the fit is %v, want %v, as after %d sweeps", got, want, sweeps)
	}
}

// More products than the weights need fit them exactly, and zeros are products of zeros.
func TestCPD3ConvolutionOfManyProductsAndOfZeros(t *testing.T) {
	x, w := normal(1, 1, 3, 4, 4), normal(2, 4, 3, 2, 2)
	s := float64s()
	nn.CPD3Convolution(s, x, 4, []int{2, 2}, 12, nn.CPD3ConvolutionOptions{OIKInit: initializer.Values(w)})
	if d := norm(ops.Subtract(polyadic(s, 4, 3, 12, 2, 2), w)) / norm(w); d > 1e-5 {
		t.Errorf("12 products are %v of the norm from the weights", d)
	}
	s = float64s()
	y := nn.CPD3Convolution(s, x, 4, []int{2, 2}, 2, nn.CPD3ConvolutionOptions{OIKInit: initializer.Constant(0)})
	if norm(polyadic(s, 4, 3, 2, 2, 2)) != 0 || norm(y) != 0 {
		t.Errorf("zeros are decomposed into %v", s.Get("cpd3_conv/K"))
	}
}

// LambdaReg makes the factor that is solved last, K, a ridge regression on the others.
func TestCPD3ConvolutionRidge(t *testing.T) {
	const lambda = 0.5
	s, w := float64s(), normal(2, 5, 4, 3)
	nn.CPD3Convolution(s, normal(1, 1, 4, 3), 5, []int{3}, 2, nn.CPD3ConvolutionOptions{OIKInit: initializer.Values(w), MaxIter: 1, LambdaReg: lambda})
	residual := ops.Subtract(polyadic(s, 5, 4, 2, 3), w)
	// The columns of O have length 1, except for K's scale.
	o, i, k := s.Get("cpd3_conv/O").Reshape(5, 2), s.Get("cpd3_conv/I").Reshape(2, 4), s.Get("cpd3_conv/K")
	scale := ops.Sqrt(ops.Sum(ops.Square(o), ops.Over(0)))
	o, k = ops.Divide(o, scale), ops.Multiply(k, scale.ExpandDims(1))
	slope := ops.Add(ops.Einsum("ock,or,rc->rk", residual, o, i), ops.Multiply(k, lambda))
	if n := norm(slope); n > 1e-10 {
		t.Errorf("the gradient of the sum is %v", n)
	}
}

// lowRanks has calls of all low-rank layers for images of two channels.
var lowRanks = []struct {
	name, path string
	of         []string
	call       func(s *nn.Scope, x *nd.Array) *nd.Array
}{
	{"SVDAffine", "svd_affine", []string{"U", "V"}, func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.SVDAffine(s, x, 3, 2) }},
	{"SVDConvolution", "svd_conv", []string{"U", "V"}, func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.SVDConvolution(s, x, 3, []int{2, 2}, 2, nn.SVDConvolutionOptions{Stride: []int{2}})
	}},
	{"CPD3Convolution", "cpd3_conv", []string{"I", "O", "K"}, func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.CPD3Convolution(s, x, 3, []int{2, 2}, 2, nn.CPD3ConvolutionOptions{Pad: []int{1}})
	}},
}

func TestLowRankGradients(t *testing.T) {
	for _, c := range lowRanks {
		t.Run(c.name, func(t *testing.T) {
			params, x := float64s(), normal(1, 2, 2, 3, 4)
			c.call(params, x)
			checkGradients(t, params, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return c.call(s, xs[0]) }, x)
		})
	}
}

// The factors are ordinary parameters: they can be trained and fixed, and existing ones stay as they are.
func TestLowRankParameters(t *testing.T) {
	for _, c := range lowRanks {
		t.Run(c.name, func(t *testing.T) {
			x := images(2)
			params := nn.NewScope()
			want := floats(c.call(params, x))
			if got := floats(c.call(nn.NewScope(), x)); !cmp.Equal(got, want) {
				t.Error("the initial values of two scopes differ")
			}
			if got := floats(c.call(nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(9)}), x)); cmp.Equal(got, want) {
				t.Error("another seed makes the same initial values")
			}
			tape := grad.NewTape()
			model := params.Watch(tape)
			y := c.call(model, x)
			if !cmp.Equal(floats(y), want) {
				t.Error("training and evaluation have different results")
			}
			g := optim.GradientsOf(model, ops.Sum(y))
			for _, name := range append([]string{"b"}, c.of...) {
				if !params.Param(c.path+"/"+name).NeedGrad() || g.Get(c.path+"/"+name) == nil {
					t.Errorf("%s is not trained", name)
				}
			}
			fixed := params.Watch(tape)
			if g := optim.GradientsOf(fixed, ops.Sum(c.call(fixed.Fixed(), tape.Watch(x)))); g.Get(c.path+"/"+c.of[0]) != nil {
				t.Error("gradients flow to fixed factors")
			}

			brought := nn.NewScope()
			for name, p := range params.All() {
				brought.Set(name, ops.Multiply(p.Value(), 2))
			}
			before := fingerprint(brought)
			c.call(brought, x)
			if fingerprint(brought) != before {
				t.Error("parameters that were there are others now")
			}
			partly := nn.NewScope()
			partly.Set(c.path+"/"+c.of[1], params.Get(c.path+"/"+c.of[1]))
			refused(t, "want all factors in the scope, or none", func() { c.call(partly, x) })
			if names := partly.Names(); len(names) != 1 {
				t.Errorf("a refused call left %v", names)
			}
		})
	}
}

func TestLowRankRefusals(t *testing.T) {
	s, x := nn.NewScope(), images(2)
	kernel := []int{3, 3}
	other := initializer.Values(nd.Zeros([]int{3, 3}))
	bad := initializer.Constant(math.NaN())
	for _, c := range []struct {
		name, want string
		call       func()
	}{
		{"affine rank", "rank 0: want a positive one", func() { nn.SVDAffine(s, x, 3, 0) }},
		{"affine high rank", "rank 4: want at most 3", func() { nn.SVDAffine(s, x, 3, 4) }},
		{"affine outputs", "OutShape", func() { nn.SVDAffine(s, x, 3, 2, nn.SVDAffineOptions{OutShape: []int{2, 2}}) }},
		{"affine weights", "another shape than", func() { nn.SVDAffine(s, x, 3, 2, nn.SVDAffineOptions{UVInit: other}) }},
		{"affine NaN", "not finite", func() { nn.SVDAffine(s, x, 3, 2, nn.SVDAffineOptions{UVInit: bad}) }},
		{"affine base", "BaseAxis 5", func() { nn.SVDAffine(s, x, 3, 2, nn.SVDAffineOptions{BaseAxis: new(5)}) }},
		{"convolution rank", "rank -1: want a positive one", func() { nn.SVDConvolution(s, x, 3, kernel, -1) }},
		{"convolution high rank", "rank 4: want at most 3", func() { nn.SVDConvolution(s, x, 3, kernel, 4) }},
		{"convolution kernel", "kernel [3 3 3]", func() { nn.SVDConvolution(s, x, 3, []int{3, 3, 3}, 1) }},
		{"convolution weights", "another shape than", func() { nn.SVDConvolution(s, x, 3, kernel, 1, nn.SVDConvolutionOptions{UVInit: other}) }},
		{"cpd rank", "rank 0: want a positive one", func() { nn.CPD3Convolution(s, x, 3, kernel, 0) }},
		{"cpd high rank", "rank 55: want at most 54", func() { nn.CPD3Convolution(s, x, 3, kernel, 55) }},
		{"cpd weights", "another shape than", func() { nn.CPD3Convolution(s, x, 3, kernel, 1, nn.CPD3ConvolutionOptions{OIKInit: other}) }},
		{"cpd sweeps", "MaxIter -1", func() { nn.CPD3Convolution(s, x, 3, kernel, 1, nn.CPD3ConvolutionOptions{MaxIter: -1}) }},
		{"cpd ridge", "LambdaReg -1", func() { nn.CPD3Convolution(s, x, 3, kernel, 1, nn.CPD3ConvolutionOptions{LambdaReg: -1}) }},
		{"cpd huge", "want finite ones", func() {
			nn.CPD3Convolution(float64s(), x, 3, kernel, 1, nn.CPD3ConvolutionOptions{OIKInit: initializer.Constant(1e200)})
		}},
		{"cpd outmaps", "rank 1: want at most 0", func() { nn.CPD3Convolution(s, x, 0, kernel, 1) }},
		{"cpd NaN", "not finite", func() { nn.CPD3Convolution(s, x, 3, kernel, 1, nn.CPD3ConvolutionOptions{OIKInit: bad}) }},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.want, c.call) })
	}
	if names := s.Names(); len(names) != 0 {
		t.Errorf("refused calls left %v", names)
	}
}

// Existing factors in the scope replace initial values; an incomplete set of factors is refused.
func TestFactorsInTheScopeStay(t *testing.T) {
	s, x := nn.NewScope(), ramp(2, 3)
	s.Set("svd_affine/U", nd.Ones([]int{3, 7})) // of a higher rank than a new matrix can have
	refused(t, `"svd_affine/U" exists and "svd_affine/V" does not`, func() { nn.SVDAffine(s, x, 2, 7) })
	s.Set("svd_affine/V", nd.Ones([]int{7, 2}))
	y := nn.SVDAffine(s, x, 2, 7, nn.SVDAffineOptions{UVInit: initializer.Constant(9)})
	if got := floats(y); !cmp.Equal(got, []float64{21, 21, 84, 84}) {
		t.Errorf("with factors of ones: %v", got)
	}
	if !s.Param("svd_affine/U").NeedGrad() {
		t.Error("U is not trained")
	}

	s = nn.NewScope()
	s.Close("model.npz")
	refused(t, "is not among the parameters that model.npz brought", func() { nn.SVDAffine(s, x, 2, 1) })
}

// Decompositions of 16-bit parameters are computed in float32.
func TestFactorsOfShortParameters(t *testing.T) {
	s := nn.NewScope(nn.ScopeOptions{DType: dtype.BFloat16})
	y := nn.SVDAffine(s, ramp(2, 3), 2, 2)
	nn.SVDConvolution(s, ramp(1, 2, 4), 3, []int{2}, 2)
	nn.CPD3Convolution(s, ramp(1, 2, 4), 3, []int{2}, 2)
	for name, p := range s.All() {
		if p.Value().DType() != dtype.BFloat16 {
			t.Errorf("%s is of dtype %s", name, p.Value().DType())
		}
	}
	if y.DType() != dtype.BFloat16 {
		t.Errorf("the result is of dtype %s", y.DType())
	}
	c := nn.NewScope(nn.ScopeOptions{DType: dtype.Complex128})
	refused(t, "want real ones", func() {
		nn.CPD3Convolution(c, ramp(1, 2, 4), 3, []int{2}, 2, nn.CPD3ConvolutionOptions{OIKInit: initializer.Constant(1)})
	})
}
