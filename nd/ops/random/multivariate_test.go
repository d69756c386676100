package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func matrix(rows ...[]float64) *nd.Array {
	return nd.FromSlice(slices.Concat(rows...), len(rows), len(rows[0]))
}

func TestMultivariateNormal(t *testing.T) {
	mean := nd.FromSlice([]float64{1, -2, 0.5})
	cov := matrix([]float64{2, 0.6, -0.4}, []float64{0.6, 1, 0.3}, []float64{-0.4, 0.3, 0.5})
	const n = 20000
	for _, method := range []random.CovarianceMethod{"", "svd", "eigh", "cholesky"} {
		x := random.MultivariateNormal(nd.NewRand(11), mean, cov, []int{n / 4, 4}, random.MultivariateNormalOptions{Method: method})
		if !slices.Equal(x.Shape(), []int{n / 4, 4, 3}) || x.DType() != dtype.Float64 {
			t.Fatalf("%q: %v of %s", method, x.Shape(), x.DType())
		}
		off := ops.Max(ops.Absolute(ops.Subtract(ops.Mean(x, ops.Over(0, 1)), mean)))
		if nd.Value[float64](off) > 5*math.Sqrt(2.0/n) {
			t.Errorf("%q: the means are off by %v", method, off)
		}
		off = ops.Max(ops.Absolute(ops.Subtract(ops.Cov(x.Reshape(n, 3).T()), cov)))
		if nd.Value[float64](off) > 5*math.Sqrt(8.0/n) {
			t.Errorf("%q: the covariances are off by %v", method, off)
		}
	}
	singular := matrix([]float64{1, 2}, []float64{2, 4})
	x := random.MultivariateNormal(nd.NewRand(3), nd.Zeros([]int{2}), singular, []int{50})
	if !ops.AllClose(ops.Multiply(x.Index(nd.All(), nd.At(0)), 2), x.Index(nd.All(), nd.At(1))) {
		t.Error("draws of a singular matrix leave their line")
	}
	if y := random.MultivariateNormal(nd.NewRand(3), nd.Zeros([]int{2}), singular, nil, random.MultivariateNormalOptions{DType: dtype.Float32}); !slices.Equal(y.Shape(), []int{2}) || y.DType() != dtype.Float32 {
		t.Errorf("without a shape: %v of %s", y.Shape(), y.DType())
	}
}

func TestMultivariateNormalRefusals(t *testing.T) {
	mean := nd.Zeros([]int{2})
	negative, skew := matrix([]float64{1, 2}, []float64{2, 1}), matrix([]float64{1, 0.5}, []float64{0, 1})
	draw := func(mean, cov *nd.Array, o random.MultivariateNormalOptions) error {
		return nd.Catch(func() { random.MultivariateNormal(nd.NewRand(1), mean, cov, []int{3}, o) })
	}
	for _, method := range []random.CovarianceMethod{"svd", "eigh", "cholesky"} {
		if draw(mean, negative, random.MultivariateNormalOptions{Method: method}) == nil || draw(mean, skew, random.MultivariateNormalOptions{Method: method}) == nil {
			t.Errorf("%s: matrices that are none of covariances are not refused", method)
		}
	}
	if err := draw(mean, negative, random.MultivariateNormalOptions{Unchecked: true}); err != nil {
		t.Errorf("unchecked: %v", err)
	}
	if err := draw(mean, negative, random.MultivariateNormalOptions{Method: "eigh", Tol: new(1.5)}); err != nil {
		t.Errorf("tolerated: %v", err)
	}
	for _, err := range []error{draw(mean, nd.Ones([]int{3, 3}), random.MultivariateNormalOptions{}), draw(mean, negative.Reshape(4), random.MultivariateNormalOptions{}),
		draw(mean, nd.Identity(2), random.MultivariateNormalOptions{Method: "qr"}), draw(mean, nd.Identity(2), random.MultivariateNormalOptions{DType: dtype.Int64})} {
		if err == nil {
			t.Error("other shapes, methods or dtypes are not refused")
		}
	}
}

func TestMultivariateNormalGradients(t *testing.T) {
	mean, root := nd.FromSlice([]float64{1, -2}), matrix([]float64{1, 0.4}, []float64{-0.2, 0.7})
	for _, method := range []random.CovarianceMethod{"svd", "eigh", "cholesky"} {
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
			cov := ops.MatMul(xs[1], xs[1].T())
			return random.MultivariateNormal(nd.NewRand(5), xs[0], cov, []int{3}, random.MultivariateNormalOptions{Method: method})
		}, mean, root)
	}
}

// TestMultinomialOf checks numbers of trials that are an array, for odd and single outcomes.
func TestMultinomialOf(t *testing.T) {
	trials := nd.FromSlice([]int{0, 7, 1000, 1 << 40}, 4, 1)
	p := nd.FromSlice([]float64{0.1, 0.25, 0, 0.45, 0.2})
	x := random.MultinomialOf(nd.NewRand(2), trials, p, []int{4, 30})
	if !slices.Equal(x.Shape(), []int{4, 30, 5}) || x.DType() != dtype.Int64 {
		t.Fatalf("%v of %s", x.Shape(), x.DType())
	}
	if !ops.ArrayEqual(ops.Sum(x, ops.Over(-1)), trials.BroadcastTo(4, 30)) || nd.Value[int](ops.Min(x)) < 0 {
		t.Error("the counts do not add up")
	}
	share := nd.ToSlice[float64](ops.Divide(ops.Mean(x.Index(nd.At(3)), ops.Over(0)), float64(1<<40)))
	for i, want := range []float64{0.1, 0.25, 0, 0.45, 0.2} {
		if math.Abs(share[i]-want) > 1e-6 {
			t.Errorf("outcome %d has a share of %v, want %v", i, share[i], want)
		}
	}
	one := random.MultinomialOf(nd.NewRand(2), trials, nd.Ones([]int{1}), nil)
	if !ops.ArrayEqual(one, trials.Reshape(4, 1, 1)) {
		t.Errorf("of one outcome: %v", one)
	}
	for _, f := range []func(){
		func() { random.MultinomialOf(nd.NewRand(2), nd.FromSlice([]int{-1}), p, nil) },
		func() { random.MultinomialOf(nd.NewRand(2), nd.FromSlice([]float64{1.5}), p, nil) },
		func() { random.MultinomialOf(nd.NewRand(2), trials, p, []int{3}) },
	} {
		if nd.Catch(f) == nil {
			t.Error("trials below 0, of parts, or of another shape are not refused")
		}
	}
}
