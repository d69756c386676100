package nn_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// waves are float64 numbers from -1 to 1.
func waves(shape ...int) *nd.Array {
	x := nd.Zeros(shape, dtype.Float64)
	values := make([]float64, x.Size())
	for k := range values {
		values[k] = math.Sin(1.7*float64(k) + 0.3*float64(len(shape)))
	}
	return nd.FromSlice(values, shape...)
}

// normal draws float64 numbers.
func normal(seed uint64, shape ...int) *nd.Array {
	return random.Normal(nd.NewRand(seed), 0, 1, shape)
}

// float64s returns a scope of float64.
func float64s() *nn.Scope {
	return nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Rand: nd.NewRand(5)})
}

// vary sets all parameters of a scope to different values.
func vary(s *nn.Scope) {
	k := 0.0
	for _, p := range s.All() {
		values := make([]float64, p.Value().Size())
		for i := range values {
			k++
			values[i] = 0.8 * math.Cos(2.3*k)
		}
		p.Value().Assign(nd.FromSlice(values, p.Value().Shape()...))
	}
}

// checkGradients compares the gradients of a layer's operands and trained parameters, which must exist, with
// differences.
func checkGradients(t *testing.T, s *nn.Scope, layer func(s *nn.Scope, xs []*nd.Array) *nd.Array, xs ...*nd.Array) {
	t.Helper()
	operands := len(xs)
	var names []string
	for name, p := range s.All() {
		if p.NeedGrad() {
			names, xs = append(names, name), append(xs, p.Value())
		}
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		given := map[string]*nd.Array{}
		for k, name := range names {
			given[name] = xs[operands+k]
		}
		return layer(s.With(given), xs[:operands])
	}, xs...)
}

// closeTo compares with a tolerance.
func closeTo(t *testing.T, what string, got *nd.Array, want []float64, tolerance float64) {
	t.Helper()
	values := floats(got)
	if len(values) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(values), len(want))
	}
	for k, v := range values {
		if math.IsNaN(v) != math.IsNaN(want[k]) || math.Abs(v-want[k]) > tolerance {
			t.Fatalf("%s: element %d is %v, want %v", what, k, v, want[k])
		}
	}
}

// near compares with a tolerance for sums of float64.
func near(t *testing.T, what string, got *nd.Array, want []float64) {
	t.Helper()
	most := 1.
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	closeTo(t, what, got, want, 1e-11*most)
}
