package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestDerivedOfArrays compares means with those of the distributions: parameters are arrays, views among them, and broadcast.
func TestDerivedOfArrays(t *testing.T) {
	const n = 20000
	a := nd.FromSlice([]float32{2, 0, 5, 0}).Index(nd.All().By(2)).Reshape(2, 1) // 2 and 5
	b := nd.FromSlice([]float64{8, 6, 3}).Flip(0)
	for name, c := range map[string]struct {
		x    func(shape []int) *nd.Array
		mean func(a, b float64) float64
		all  bool // both parameters are arrays
	}{
		"ChiSquare":           {func(s []int) *nd.Array { return random.ChiSquare(nd.NewRand(1), a, s) }, func(a, _ float64) float64 { return a }, false},
		"NoncentralChiSquare": {func(s []int) *nd.Array { return random.NoncentralChiSquare(nd.NewRand(2), a, b, s) }, func(a, b float64) float64 { return a + b }, true},
		"F":                   {func(s []int) *nd.Array { return random.F(nd.NewRand(3), a, b, s) }, func(_, b float64) float64 { return b / (b - 2) }, true},
		"NoncentralF":         {func(s []int) *nd.Array { return random.NoncentralF(nd.NewRand(4), a, 8, b, s) }, func(a, b float64) float64 { return 8 * (a + b) / (a * 6) }, true},
		"StudentT":            {func(s []int) *nd.Array { return random.StudentT(nd.NewRand(5), a, s) }, func(float64, float64) float64 { return 0 }, false},
		"Power":               {func(s []int) *nd.Array { return random.Power(nd.NewRand(6), a, s) }, func(a, _ float64) float64 { return a / (a + 1) }, false},
		"Wald":                {func(s []int) *nd.Array { return random.Wald(nd.NewRand(7), a, b, s) }, func(a, _ float64) float64 { return a }, true},
		"NegativeBinomial": {func(s []int) *nd.Array { return random.NegativeBinomial(nd.NewRand(8), a, ops.Divide(1, b), s) },
			func(a, b float64) float64 { return a * (b - 1) }, true},
		"VonMises": {func(s []int) *nd.Array { return random.VonMises(nd.NewRand(9), 1, b, s) }, func(_, b float64) float64 { return 1 }, false},
		"Zipf": {func(s []int) *nd.Array { return random.Zipf(nd.NewRand(10), ops.Add(b, 1), s) }, func(_, b float64) float64 {
			return map[float64]float64{3: 1.110626535, 6: 1.008932, 8: 1.002066}[b] // ζ(b)/ζ(b+1)
		}, false},
		"LogSeries": {func(s []int) *nd.Array { return random.LogSeries(nd.NewRand(11), ops.Divide(1, a), s) }, func(a, _ float64) float64 {
			p := 1 / a
			return -p / (1 - p) / math.Log1p(-p)
		}, false},
		"Hypergeometric": {func(s []int) *nd.Array {
			return random.Hypergeometric(nd.NewRand(12), a.AsType(dtype.Int32), b.AsType(dtype.Int64), 4, s)
		}, func(a, b float64) float64 { return 4 * a / (a + b) }, true},
	} {
		shape := []int{n, 2, 3}
		x := c.x(shape)
		if !slices.Equal(x.Shape(), shape) {
			t.Fatalf("%s has shape %v", name, x.Shape())
		}
		means, spread := ops.Mean(x, ops.Over(0)), ops.Std(x, ops.Over(0))
		for i, a := range []float64{2, 5} {
			for j, b := range []float64{3, 6, 8} {
				limit := 5*spread.Float(i, j)/math.Sqrt(n) + 1e-9
				if got, want := means.Float(i, j), c.mean(a, b); math.Abs(got-want) > limit && !(name == "F" && b == 3) && !(name == "StudentT" && a == 2) {
					t.Errorf("%s(%v, %v): the mean is %v, want %v within %v", name, a, b, got, want, limit)
				}
			}
		}
		if c.all {
			if x := c.x(nil); !slices.Equal(x.Shape(), []int{2, 3}) {
				t.Errorf("%s without a shape has shape %v", name, x.Shape())
			}
		}
		if x := c.x([]int{0, 2, 3}); x.Size() != 0 {
			t.Errorf("%s: no draws are %v", name, x)
		}
	}
}

func TestDirichlet(t *testing.T) {
	alpha := nd.FromSlice([]float64{1e-3, 2e-3, 1e-3, 5e-4})
	x := random.Dirichlet(nd.NewRand(1), alpha, []int{5000})
	if sums := ops.Sum(x, ops.Over(1)); !ops.AllClose(sums, nd.OnesLike(sums)) || ops.Min(x).Float() < 0 {
		t.Error("the shares do not add up to 1")
	}
	means := nd.ToSlice[float64](ops.Mean(x, ops.Over(0)))
	for i, want := range []float64{1. / 4.5, 2. / 4.5, 1. / 4.5, 0.5 / 4.5} {
		if math.Abs(means[i]-want) > 5*math.Sqrt(want*(1-want)/5000) {
			t.Errorf("the mean of share %d is %v, want %v", i, means[i], want)
		}
	}
	if one := random.Dirichlet(nd.NewRand(1), nd.FromSlice([]float64{2}), nil, dtype.Float32); one.Float(0) != 1 || one.DType() != dtype.Float32 {
		t.Errorf("a single share is %v", one)
	}
	if none := random.Dirichlet(nd.NewRand(1), alpha, []int{0, 2}); !slices.Equal(none.Shape(), []int{0, 2, 4}) {
		t.Errorf("no draws have shape %v", none.Shape())
	}
}

func TestDerivedLimits(t *testing.T) {
	shape := []int{100}
	for name, c := range map[string]struct {
		x    *nd.Array
		want float64
	}{
		"NegativeBinomial of p = 1":   {random.NegativeBinomial(nd.NewRand(1), 3, 1, shape), 0},
		"LogSeries of p = 0":          {random.LogSeries(nd.NewRand(1), 0, shape), 1},
		"Zipf of a large exponent":    {random.Zipf(nd.NewRand(1), 1e4, shape), 1},
		"Hypergeometric of all":       {random.Hypergeometric(nd.NewRand(1), 30, 50, 80, shape), 30},
		"Hypergeometric of none":      {random.Hypergeometric(nd.NewRand(1), 30, 50, 0, shape), 0},
		"Hypergeometric, all marked":  {random.Hypergeometric(nd.NewRand(1), 80, 0, 33, shape), 33},
		"Hypergeometric, none marked": {random.Hypergeometric(nd.NewRand(1), 0, 80, 33, shape), 0},
		"Hypergeometric, empty urn":   {random.Hypergeometric(nd.NewRand(1), 0, 0, 0, shape), 0},
	} {
		assert.Equal(t, c.x, nd.Full(shape, int(c.want)))
		if t.Failed() {
			t.Fatal(name)
		}
	}
	if x := random.Hypergeometric(nd.NewRand(3), 500_000_000, 500_000_000, 400_000_000, []int{1000}); math.Abs(ops.Mean(x).Float()-2e8) > 5*math.Sqrt(6e7)/math.Sqrt(1000)*1.1 {
		t.Errorf("the mean of a large urn is %v", ops.Mean(x))
	}
	if most := ops.Max(random.Zipf(nd.NewRand(4), 1.01, []int{20000})); nd.Value[int64](most) < 1<<40 {
		t.Errorf("Zipf of a small exponent reaches only %v", most)
	}
	rng, none := nd.NewRand(1), nd.FromSlice([]float64{1, math.NaN()})
	for text, f := range map[string]func(){
		"random.ChiSquare: a number of degrees of freedom is not above 0": func() { random.ChiSquare(rng, 0, nil) },
		"random.F: a number of degrees of freedom is not above 0":         func() { random.F(rng, 2, none, nil) },
		"random.F: a number of degrees of freedom is infinite":            func() { random.F(rng, math.Inf(1), 2, nil) },
		"random.NoncentralF: a noncentrality is below 0, or NaN":          func() { random.NoncentralF(rng, 1, 2, -1, nil) },
		"random.NoncentralChiSquare: a noncentrality is too large":        func() { random.NoncentralChiSquare(rng, 1, 1e20, nil) },
		"random.StudentT: no stream of random numbers":                    func() { random.StudentT(nil, 1, nil) },
		"random.Power: an exponent is not above 0":                        func() { random.Power(rng, none, nil) },
		"random.Wald: a mean, or a scale, is not above 0":                 func() { random.Wald(rng, 1, -1, nil) },
		"random.Wald: dtype int64: want a float dtype":                    func() { random.Wald(rng, 1, 1, nil, dtype.Int64) },
		"random.NegativeBinomial: a probability is above 1":               func() { random.NegativeBinomial(rng, 1, 1.5, nil) },
		"random.NegativeBinomial: the number of failures is too large":    func() { random.NegativeBinomial(rng, 1, 1e-18, nil) },
		"random.VonMises: an angle is not finite":                         func() { random.VonMises(rng, none, 1, nil) },
		"random.VonMises: a concentration is below 0, or NaN":             func() { random.VonMises(rng, 0, -1, nil) },
		"random.Zipf: an exponent is not above 1":                         func() { random.Zipf(rng, 1, nil) },
		"random.LogSeries: a probability is not below 1":                  func() { random.LogSeries(rng, 1, nil) },
		"random.Hypergeometric: more balls are drawn than there are":      func() { random.Hypergeometric(rng, 1, 2, 4, nil) },
		"random.Hypergeometric: want whole numbers":                       func() { random.Hypergeometric(rng, 1.5, 2, 1, nil) },
		"random.Hypergeometric: a number of balls is below 0":             func() { random.Hypergeometric(rng, -1, 2, 1, nil) },
		"random.Hypergeometric: an urn has more than a billion balls":     func() { random.Hypergeometric(rng, 1_000_000_000, 2, 1, nil) },
		"random.Dirichlet: an exponent is not above 0":                    func() { random.Dirichlet(rng, none, nil) },
		"random.Dirichlet: want one axis of exponents":                    func() { random.Dirichlet(rng, nd.Ones([]int{1, 2}), nil) },
		"random.ChiSquare: the parameters do not broadcast to shape (3,)": func() { random.ChiSquare(rng, none, []int{3}) },
		"random.Power: want real parameters":                              func() { random.Power(rng, nd.FromSlice([]complex128{1}), nil) },
	} {
		opstest.Refuses(t, text, f)
	}
}
