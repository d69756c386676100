package normalize_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// TestNormalisationsOfEqualNumbers checks that the rounding error of a mean is not normalised, in every layout.
func TestNormalisationsOfEqualNumbers(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64} {
		for _, n := range []int{3, 300, 10_000} {
			x := nd.Full([]int{2, n}, 0.1, nd.ArrayOptions{DType: dt})
			for name, y := range map[string]*nd.Array{
				"LayerNormalization":                 normalize.LayerNormalization(x, nil, nil),
				"LayerNormalization of columns":      normalize.LayerNormalization(nd.Full([]int{n, 2}, 0.1, nd.ArrayOptions{DType: dt}).T(), nil, nil),
				"LayerNormalization of mixed dtypes": normalize.LayerNormalization(x, nil, nd.Ones([]int{n}, dtype.Float64)),
				"BatchNormalization":                 normalize.BatchNormalization(x.T().Copy(), nil, nil, nil, nil),
			} {
				if nd.Value[bool](ops.Any(ops.NotEqual(y, 0))) {
					t.Errorf("%s of %d times 0.1 in %s: %v", name, n, dt, ops.Max(ops.Absolute(y)))
				}
			}
		}
	}
}

// TestNormalisationsOfAnySize checks that results do not depend on the size of the numbers, and gradients as they should,
// if the squares of the numbers leave the range.
func TestNormalisationsOfAnySize(t *testing.T) {
	gamma, limit := opstest.Normal(2, dtype.Float64, 5), nd.Scalar(1.0)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"LayerNormalization":           func(x *nd.Array) *nd.Array { return normalize.LayerNormalization(x, nil, gamma.AsType(x.DType())) },
		"LayerNormalization of strips": func(x *nd.Array) *nd.Array { return normalize.LayerNormalization(x.T(), nil, nil, ops.Over(1)) },
		"BatchNormalization":           func(x *nd.Array) *nd.Array { return normalize.BatchNormalization(x, nil, nil, nil, nil) },
		"RMSNormalization":             func(x *nd.Array) *nd.Array { return normalize.RMSNormalization(x, gamma.AsType(x.DType())) },
		"Normalize":                    func(x *nd.Array) *nd.Array { return normalize.Normalize(x) },
		"NormNormalization":            func(x *nd.Array) *nd.Array { return normalize.NormNormalization(x) },
		"NormNormalization of order 3": func(x *nd.Array) *nd.Array {
			return normalize.NormNormalization(x, normalize.NormNormalizationOptions{P: new(3.0)})
		},
		"WeightNormalization": func(x *nd.Array) *nd.Array { return normalize.WeightNormalization(x, nd.Ones([]int{4}, x.DType())) },
		"SpectralNorm": func(x *nd.Array) *nd.Array {
			return normalize.SpectralNorm(x, nd.Ones([]int{4}, x.DType()))
		},
		"ClipByNorm": func(x *nd.Array) *nd.Array { return normalize.ClipByNorm(x, limit) },
	} {
		for dt, size := range map[dtype.DType]float64{dtype.Float32: 0x1p60, dtype.Float64: 0x1p650} {
			x := opstest.Normal(1, dtype.Float64, 4, 5).AsType(dt)
			of := func(x *nd.Array) *nd.Array {
				return ops.Sum(ops.Multiply(f(x), ops.Sin(nd.Arange(0, 20, 1, x.DType())).Reshape(f(x).Shape()...)))
			}
			base := ops.Multiply(x, 0x1p40)
			opstest.Close(t, f(ops.Multiply(base, size)), f(base), 1e3*dtype.Info(dt).Eps)
			_, want := opstest.ValueAndGrad(of, base)
			_, got := opstest.ValueAndGrad(of, ops.Multiply(base, size))
			largest := nd.Value[float64](ops.Max(ops.Absolute(want)).AsType(dtype.Float64))
			difference := ops.Subtract(ops.Multiply(got, size), want)
			if v := nd.Value[float64](ops.Max(ops.Absolute(difference)).AsType(dtype.Float64)); !(v <= 1e4*dtype.Info(dt).Eps*largest) {
				t.Errorf("%s of %s: the gradient of large numbers times their size is %v off, of %v", name, dt, v, largest)
			}
		}
	}
	y := normalize.LocalResponseNormalization(opstest.Vector(3e200, 4e200).Reshape(1, 2), normalize.LocalResponseNormalizationOptions{Beta: new(0.5), Alpha: new(1.0)})
	opstest.Close(t, y, nd.FromSlice([]float64{0.6, 0.8}, 1, 2), 1e-14)
	if v := nd.Value[float64](ops.Norm(y)); math.IsNaN(v) {
		t.Error(v)
	}
}
