package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

func TestUniformStaysBelowItsUpperEnd(t *testing.T) {
	for _, c := range []struct {
		dt        dtype.DType
		low, high float64
	}{
		{dtype.Float64, 5, 6}, {dtype.Float64, 1, 1 + 0x1p-51}, {dtype.Float64, -1e300, 1e300}, {dtype.Float64, 0, 5e-324},
		{dtype.Float32, 1, 1 + 0x1p-22}, {dtype.Float32, -1, -0.5}, {dtype.Float32, -1, 0}, {dtype.Float16, 0, 1}, {dtype.Float16, -1, 0},
		{dtype.Float16, 2, 3}, {dtype.Float16, -8, -1}, {dtype.BFloat16, 0, 1}, {dtype.BFloat16, -3, -2}, {dtype.BFloat16, 0.5, 1},
	} {
		x := random.Uniform(nd.NewRand(3), c.low, c.high, []int{20000}, c.dt).AsType(dtype.Float64)
		low, high := nd.Value[float64](ops.Min(x)), nd.Value[float64](ops.Max(x))
		if low < c.low || high >= c.high {
			t.Errorf("%s from %v to %v: drew from %v to %v", c.dt, c.low, c.high, low, high)
		}
	}
	if x := random.Uniform(nd.NewRand(1), 2, 2, nil); nd.Value[float64](x) != 2 {
		t.Errorf("from 2 to 2: %v", x)
	}
	if x := random.Uniform(nd.NewRand(1), 3, 2, nil); !(nd.Value[float64](x) > 2 && nd.Value[float64](x) <= 3) {
		t.Errorf("from 3 to 2: %v", x)
	}
}

// With 64 random bits modulo three quarters of their range, the first third would be twice as likely.
func TestIntegersOverHugeRangesAreAsLikely(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("an int has 32 bits")
	}
	const n = 30000
	low, quarter := math.MinInt, uint64(1)<<62
	x := nd.ToSlice[int64](random.Integers(nd.NewRand(2), low, low+int(3*quarter), []int{n}))
	counts := make([]int, 3)
	for _, v := range x {
		counts[(uint64(v)-uint64(low))/quarter]++
	}
	for k, count := range counts {
		if math.Abs(float64(count)-n/3) > 5*math.Sqrt(n*2/9.) {
			t.Errorf("third %d has %d of %d", k, count, n)
		}
	}
	whole := random.IntegersClosed(nd.NewRand(3), math.MinInt, math.MaxInt, []int{1000})
	if share := nd.Value[float64](ops.Mean(ops.Less(whole, 0))); share < 0.4 || share > 0.6 {
		t.Errorf("%v of the whole range are below 0", share)
	}
}

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		x         *nd.Array
		dt        dtype.DType
		low, high int64
	}{
		{random.Integers(nd.NewRand(1), -3, 4, []int{2000}), dtype.Int64, -3, 3},
		{random.Integers(nd.NewRand(2), 0, 256, []int{20000}, dtype.Uint8), dtype.Uint8, 0, 255},
		{random.Integers(nd.NewRand(3), -128, 128, []int{20000}, dtype.Int8), dtype.Int8, -128, 127},
		{random.IntegersClosed(nd.NewRand(4), 1, 6, []int{2000}, dtype.Int32), dtype.Int32, 1, 6},
		{random.IntegersClosed(nd.NewRand(5), 7, 7, []int{3}), dtype.Int64, 7, 7},
		{random.Bits(nd.NewRand(6), []int{20000}, dtype.Int8), dtype.Int8, -128, 127},
	} {
		low, high := nd.Value[int64](ops.Min(c.x)), nd.Value[int64](ops.Max(c.x))
		if c.x.DType() != c.dt || low != c.low || high != c.high {
			t.Errorf("%s from %d to %d, want %s from %d to %d", c.x.DType(), low, high, c.dt, c.low, c.high)
		}
	}
	if x := random.Bits(nd.NewRand(7), []int{4}); x.DType() != dtype.Uint64 {
		t.Errorf("bits are %s", x.DType())
	}
	if x := random.Integers(nd.NewRand(1), 0, 5, []int{0, 3}); !slices.Equal(x.Shape(), []int{0, 3}) {
		t.Errorf("shape %v", x.Shape())
	}
	if x := random.Bernoulli(nd.NewRand(5), 1, []int{3}); x.DType() != dtype.Bool || !nd.Value[bool](ops.All(x)) {
		t.Errorf("Bernoulli with p = 1: %v", x)
	}
	if x := random.Bernoulli(nd.NewRand(5), 1e-12, []int{100000}); nd.Value[bool](ops.Any(x)) {
		t.Error("an event of probability 1e-12 occurred")
	}
}

func TestCountsAtTheEndsOfTheirRanges(t *testing.T) {
	for _, c := range []struct {
		x    *nd.Array
		want int64
	}{
		{random.Poisson(nd.NewRand(1), 0, []int{50}), 0},
		{random.Binomial(nd.NewRand(1), 0, 0.5, []int{50}), 0},
		{random.Binomial(nd.NewRand(1), 9, 0, []int{50}), 0},
		{random.Binomial(nd.NewRand(1), 9, 1, []int{50}), 9},
		{random.Geometric(nd.NewRand(1), 1, []int{50}), 1},
	} {
		if nd.Value[int64](ops.Min(c.x)) != c.want || nd.Value[int64](ops.Max(c.x)) != c.want {
			t.Errorf("%v, want %d everywhere", c.x, c.want)
		}
	}
	if x := random.Gamma(nd.NewRand(1), 0, 1, []int{3}); nd.Value[float64](ops.Max(x)) != 0 {
		t.Errorf("Gamma(0): %v", x)
	}
	tiny := random.Beta(nd.NewRand(1), 1e-3, 1e-3, []int{1000}) // nearly all draws are 0 or 1
	if mean := nd.Value[float64](ops.Mean(tiny)); !(math.Abs(mean-0.5) < 0.08) {
		t.Errorf("the mean of Beta(0.001, 0.001) is %v", mean)
	}
	if x := random.Poisson(nd.NewRand(1), 3, nil, dtype.Float32); x.DType() != dtype.Float32 || x.Rank() != 0 {
		t.Errorf("%#v", x)
	}
}

func TestPoissonOf(t *testing.T) {
	rates := nd.FromSlice([]float32{0, 5, 100, 0}, 2, 2)
	x := random.PoissonOf(nd.NewRand(4), rates, []int{3, 1000})
	if !slices.Equal(x.Shape(), []int{2, 2, 3, 1000}) || x.DType() != dtype.Int64 {
		t.Fatalf("%s, shape %v", x.DType(), x.Shape())
	}
	means := nd.ToSlice[float64](ops.Mean(x, ops.Over(2, 3)))
	for i, want := range []float64{0, 5, 100, 0} {
		if math.Abs(means[i]-want) > 5*math.Sqrt(want/3000) {
			t.Errorf("the mean of rate %v is %v", want, means[i])
		}
	}
	if x := random.PoissonOf(nd.NewRand(4), rates, nil); !slices.Equal(x.Shape(), []int{2, 2}) {
		t.Errorf("shape %v", x.Shape())
	}
}

func TestMultinomial(t *testing.T) {
	p := nd.FromSlice([]float64{0.2, 0, 0.5, 0.3})
	x := random.Multinomial(nd.NewRand(6), 100, p, []int{20, 50})
	if !slices.Equal(x.Shape(), []int{20, 50, 4}) {
		t.Fatalf("shape %v", x.Shape())
	}
	if none := random.Multinomial(nd.NewRand(6), 100, p, []int{3, 0}); !slices.Equal(none.Shape(), []int{3, 0, 4}) {
		t.Errorf("no draws have shape %v", none.Shape())
	}
	sums := ops.Sum(x, ops.Over(-1))
	if nd.Value[int](ops.Min(sums)) != 100 || nd.Value[int](ops.Max(sums)) != 100 || nd.Value[int](ops.Min(x)) < 0 {
		t.Error("the counts do not add up")
	}
	means := nd.ToSlice[float64](ops.Mean(x, ops.Over(0, 1)))
	for i, want := range []float64{20, 0, 50, 30} {
		if math.Abs(means[i]-want) > 5*math.Sqrt(want*(1-want/100)/1000) {
			t.Errorf("the mean of outcome %d is %v, want %v", i, means[i], want)
		}
	}
}
