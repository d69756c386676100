package named_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// distribution is a call that draws numbers, and what is known of them. The moments are those of the documented
// distribution; below is the probability of a number below point.
type distribution struct {
	args              []any
	mean, std         float64
	point, below      float64
	smallest, largest float64
	integers          bool
}

// TestDistributions compares the moments, a quantile and the range of 40,000 draws with those of the distributions,
// with bounds of five standard errors. Draws depend on the stream alone.
func TestDistributions(t *testing.T) {
	infinity := math.Inf(1)
	for name, d := range map[string]distribution{
		"nnabla.functions.rand":          {[]any{-1, 3}, 1, 4 / math.Sqrt(12), 0, 1.0 / 4, -1, 3, false},
		"nnabla.functions.randn":         {[]any{2, 3}, 2, 3, 5, 0.841345, -infinity, infinity, false},
		"nnabla.functions.rand_beta":     {[]any{2, 3}, 0.4, 0.2, 0.5, 11.0 / 16, 0, 1, false},
		"nnabla.functions.rand_gamma":    {[]any{2, 3}, 6, math.Sqrt(18), 3, 1 - 2/math.E, 0, infinity, false},
		"nnabla.functions.rand_binomial": {[]any{5, 0.3}, 1.5, math.Sqrt(5 * 0.3 * 0.7), 1, math.Pow(0.7, 5), 0, 5, true},
	} {
		const n = 40_000
		draw := func(seed uint64) *nd.Array {
			args := append(slices.Clone(d.args), with{"shape": []int{n / 4, 4}}, catalogue.CallOptions{Rand: nd.NewRand(seed)})
			return one[*nd.Array](t, name, args...)
		}
		x := draw(1)
		equal(t, name+": shape", x.Shape(), []int{n / 4, 4})
		equal(t, name+" of the same stream", x, draw(1))
		if again := draw(2); ops.ArrayEqual(x, again) {
			t.Errorf("%s: two streams give the same numbers", name)
		}
		near := func(what string, got, want, deviation float64) {
			t.Helper()
			if math.Abs(got-want) > 5*deviation/math.Sqrt(n) {
				t.Errorf("%s: %s is %v, want %v", name, what, got, want)
			}
		}
		values := nd.ToSlice[float64](x.AsType(dtype.Float64).Ravel())
		var sum, squares, fourth float64
		below := 0
		for _, v := range values {
			c := v - d.mean
			sum, squares, fourth = sum+c, squares+c*c, fourth+c*c*c*c
			if v < d.point {
				below++
			}
			if v < d.smallest || v > d.largest || d.integers && v != math.Trunc(v) {
				t.Errorf("%s draws %v", name, v)
			}
		}
		variance := d.std * d.std
		near("the mean", d.mean+sum/n, d.mean, d.std)
		near("the variance", squares/n, variance, math.Sqrt(fourth/n-variance*variance))
		near("the share below the point", float64(below)/n, d.below, math.Sqrt(d.below*(1-d.below)))
		if x := one[*nd.Array](t, name); x.Rank() != 0 {
			t.Errorf("%s without arguments has shape %v, want 0-d", name, x.Shape())
		}
	}
}

// TestRandomState checks that a seed determines what a state draws, and draws with and without replacement.
func TestRandomState(t *testing.T) {
	first := func(rng *nd.Rand) *nd.Array {
		return one[*nd.Array](t, "cupy.random.RandomState.uniform", 0, 1, []int{5}, catalogue.CallOptions{Rand: rng})
	}
	a := first(one[*nd.Rand](t, "cupy.random.RandomState", 7))
	equal(t, "the same seed", first(one[*nd.Rand](t, "cupy.random.RandomState.seed", 7)), a)
	if b := first(one[*nd.Rand](t, "cupy.random.RandomState", 8)); ops.ArrayEqual(a, b) {
		t.Error("two seeds give the same numbers")
	}

	const choice = "cupy.random.RandomState.choice"
	all := nd.ToSlice[int](one[*nd.Array](t, choice, 10, []int{10}, false))
	slices.Sort(all)
	equal(t, "a choice of all without replacement, sorted", all, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	equal(t, "the only possible element", one[*nd.Array](t, choice, vector(3, 5, 8), []int{2, 2}, with{"p": vector(0, 1, 0)}),
		vector(5, 5, 5, 5).Reshape(2, 2))
	counts := map[float64]int{}
	for _, v := range nd.ToSlice[float64](one[*nd.Array](t, choice, vector(3, 5), 4000, with{"p": vector(0.25, 0.75)})) {
		counts[v]++
	}
	if n := counts[3]; n+counts[5] != 4000 || n < 850 || n > 1150 {
		t.Errorf("%d of 4000 draws with probability 1/4", n)
	}
	refused(t, "Choice", choice, 2, 3, false) // three of two without replacement
}
