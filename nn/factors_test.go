package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// error2 is the sum of squared differences.
func error2(x, y *nd.Array) float64 { return ops.Sum(ops.Square(ops.Subtract(x, y))).Float() }

// tail is the sum of the squares of all but the r largest singular values: what the best approximation of that rank leaves.
func tail(m *nd.Array, r int) float64 {
	s := linalg.SVDVals(m)
	return ops.Sum(ops.Square(s.Index(nd.Ellipsis(), nd.From(r)))).Float()
}

func TestSVDAffineBeginsWithTheNearestProduct(t *testing.T) {
	w, x := waves(6, 5), waves(2, 3, 2)
	for r := 1; r <= 5; r++ {
		s := float64s()
		y := nn.SVDAffine(s, x, 5, r, nn.SVDAffineOptions{UVInit: nn.Values(w), BInit: nn.Uniform(-1, 1), BaseAxis: new(-2)})
		u, v, b := s.Get("svd_affine/U"), s.Get("svd_affine/V"), s.Get("svd_affine/b")
		product := ops.MatMul(u, v)
		if got, want := error2(product, w), tail(w, r); math.Abs(got-want) > 1e-12 {
			t.Errorf("rank %d: the squared error is %v, want %v", r, got, want)
		}
		near(t, "the result", y, floats(ops.Affine(x, product, ops.AffineOptions{Bias: b})))
		if gram := ops.MatMul(v, v.T()); error2(gram, nd.Eye(r, r, 0)) > 1e-20 {
			t.Errorf("rank %d: the rows of V are not orthonormal: the values belong into U", r)
		}
	}
	s := float64s()
	y := nn.SVDAffine(s, x, 6, 2, nn.SVDAffineOptions{OutShape: []int{2, 3}, WithBias: new(false)})
	if !cmp.Equal(y.Shape(), []int{2, 2, 3}) || !cmp.Equal(s.Get("svd_affine/V").Shape(), []int{2, 2, 3}) || len(s.Names()) != 2 {
		t.Errorf("shape %v of the result, %v", y.Shape(), s)
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		given := map[string]*nd.Array{"svd_affine/U": xs[1], "svd_affine/V": xs[2]}
		return nn.SVDAffine(s.With(given), xs[0], 6, 2, nn.SVDAffineOptions{OutShape: []int{2, 3}, WithBias: new(false)})
	}, append([]*nd.Array{x}, values(s)...)...)
}

func TestSVDConvolutionBeginsWithTheNearestProducts(t *testing.T) {
	w, x := waves(4, 2, 3, 2), waves(2, 2, 6, 5)
	for r := 1; r <= 4; r++ {
		s := float64s()
		o := nn.SVDConvolutionOptions{UVInit: nn.Values(w), Pad: []int{1, 0}, Stride: []int{2, 1}}
		y := nn.SVDConvolution(s, x, 4, []int{3, 2}, r, o)
		u := s.Get("svd_conv/U").Reshape(2, r, 3, 2)
		v := s.Get("svd_conv/V").Reshape(4, 2, r)
		product := ops.Einsum("irkl,oir->oikl", u, v)
		want := tail(w.Reshape(4, 2, 6).Transpose(1, 2, 0), r)
		if got := error2(product, w); math.Abs(got-want) > 1e-12 {
			t.Errorf("rank %d: the squared error is %v, want %v", r, got, want)
		}
		near(t, "the result", y, floats(ops.Convolution(x, product, nil, ops.ConvolutionOptions{Pad: o.Pad, Stride: o.Stride})))
	}
}

// A sum of few products is found from random beginnings, to the last digits.
func TestCPD3ConvolutionFindsExactProducts(t *testing.T) {
	rng := nd.NewRand(11)
	draw := func(shape ...int) *nd.Array {
		return nn.Normal(1)(rng, shape, nd.ArrayOptions{DType: dtype.Float64})
	}
	x := waves(2, 3, 6, 5)
	for r := 1; r <= 3; r++ {
		w := ops.Einsum("or,ir,rkl->oikl", draw(5, r), draw(3, r), draw(r, 2, 3))
		s := float64s()
		o := nn.CPD3ConvolutionOptions{OIKInit: nn.Values(w), MaxIter: 3000, StoppingCriterion: new(1e-15), Pad: []int{0, 1}, BInit: nn.Uniform(-1, 1)}
		y := nn.CPD3Convolution(s, x, 5, []int{2, 3}, r, o)
		if got := error2(cpd3(s), w) / ops.Sum(ops.Square(w)).Float(); got > 1e-10 {
			t.Errorf("rank %d: the relative squared error is %v", r, got)
		}
		want := ops.Convolution(x, cpd3(s), s.Get("cpd3_conv/b"), ops.ConvolutionOptions{Pad: o.Pad})
		if got := error2(y, want); got > 1e-20 {
			t.Errorf("rank %d: the result is off by %v from the dense convolution's", r, math.Sqrt(got))
		}
	}
}

// cpd3 is the windows that the factors make up.
func cpd3(s *nn.Scope) *nd.Array {
	o, i, k := s.Get("cpd3_conv/O"), s.Get("cpd3_conv/I"), s.Get("cpd3_conv/K")
	return ops.Einsum("or,ri,rkl->oikl", o.Reshape(o.Dim(0), -1), i.Reshape(i.Dim(0), -1), k)
}

func TestCPD3Convolution(t *testing.T) {
	w, x := waves(4, 3, 2, 2), waves(1, 3, 4, 4)
	fit := func(o nn.CPD3ConvolutionOptions, r int) float64 {
		s := float64s()
		o.OIKInit = nn.Values(w)
		nn.CPD3Convolution(s, x, 4, []int{2, 2}, r, o)
		return 1 - error2(cpd3(s), w)/ops.Sum(ops.Square(w)).Float()
	}
	never := new(-1.)
	few := fit(nn.CPD3ConvolutionOptions{MaxIter: 2, StoppingCriterion: never}, 2)
	many := fit(nn.CPD3ConvolutionOptions{MaxIter: 200, StoppingCriterion: never}, 2)
	if !(few <= many+1e-9 && many < 1) {
		t.Errorf("2 rounds fit by %v, 200 by %v", few, many)
	}
	if soon := fit(nn.CPD3ConvolutionOptions{MaxIter: 200, StoppingCriterion: new(10.)}, 2); math.Abs(soon-few) > 1e-12 {
		t.Errorf("a criterion that stops at once fits by %v, want that of 2 rounds, %v", soon, few)
	}
	if held := fit(nn.CPD3ConvolutionOptions{LambdaReg: 0.1}, 2); !(held < many) {
		t.Errorf("with LambdaReg the factors fit by %v, without by %v", held, many)
	}
	if full := fit(nn.CPD3ConvolutionOptions{}, 12); full < 1-1e-9 { // more products than the weights need
		t.Errorf("12 products fit by %v", full)
	}
	s := float64s()
	nn.CPD3Convolution(s, x, 4, []int{2, 2}, 2, nn.CPD3ConvolutionOptions{OIKInit: nn.Constant(0)})
	if e := ops.Sum(ops.Square(cpd3(s))).Float(); e != 0 {
		t.Errorf("zeros are decomposed into %v", cpd3(s))
	}
	s = float64s()
	layer := func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.CPD3Convolution(s, x, 4, []int{2, 2}, 2) }
	layer(s, x)
	again := float64s()
	layer(again, x)
	if fingerprint(s) != fingerprint(again) {
		t.Error("two scopes of one seed begin with other factors")
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		given := map[string]*nd.Array{}
		for i, name := range s.Names() {
			given[name] = xs[i+1]
		}
		return layer(s.With(given), xs[0])
	}, append([]*nd.Array{x}, values(s)...)...)
}

// What is in the scope wins over initial values; half of it is refused.
func TestFactorsInTheScopeStay(t *testing.T) {
	s, x := nn.NewScope(), ramp(2, 3)
	s.Set("svd_affine/U", nd.Ones([]int{3, 7})) // of a higher rank than a new matrix could have
	refused(t, `there is "svd_affine/U" and no "svd_affine/V"`, func() { nn.SVDAffine(s, x, 2, 7) })
	s.Set("svd_affine/V", nd.Ones([]int{7, 2}))
	y := nn.SVDAffine(s, x, 2, 7, nn.SVDAffineOptions{UVInit: nn.Constant(9)})
	if got := floats(y); !cmp.Equal(got, []float64{21, 21, 84, 84}) {
		t.Errorf("with factors of ones: %v", got)
	}
	if !s.Param("svd_affine/U").NeedGrad() {
		t.Error("U is not trained")
	}

	s = nn.NewScope()
	image := ramp(1, 2, 4, 4)
	refused(t, "rank 0: want a positive one", func() { nn.SVDAffine(s, x, 2, 0) })
	refused(t, "rank 3: want at most 2", func() { nn.SVDAffine(s, x, 2, 3) })
	refused(t, "rank 4: want at most 3", func() { nn.SVDConvolution(s, image, 3, []int{2, 2}, 4) })
	refused(t, "rank -1", func() { nn.CPD3Convolution(s, image, 3, []int{2, 2}, -1) })
	refused(t, "MaxIter -1", func() { nn.CPD3Convolution(s, image, 3, []int{2, 2}, 1, nn.CPD3ConvolutionOptions{MaxIter: -1}) })
	refused(t, "another shape than (3, 2)", func() { nn.SVDAffine(s, x, 2, 1, nn.SVDAffineOptions{UVInit: nn.Values(x)}) })
	refused(t, "rank 1: want at most 0", func() { nn.CPD3Convolution(s, image, 0, []int{2, 2}, 1) })
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
	s.Close("model.npz")
	refused(t, "is not among the parameters that model.npz brought", func() { nn.SVDAffine(s, x, 2, 1) })
}

// Decompositions are computed in float32 where parameters are shorter.
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
		nn.CPD3Convolution(c, ramp(1, 2, 4), 3, []int{2}, 2, nn.CPD3ConvolutionOptions{OIKInit: nn.Constant(1)})
	})
}
