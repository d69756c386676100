package optim_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// TestClipsOfAnySize clips gradients whose squares leave the range.
func TestClipsOfAnySize(t *testing.T) {
	for _, test := range []struct {
		dt          dtype.DType
		size, limit float64
	}{
		{dtype.Float32, 1e20, 1}, {dtype.Float32, 1e-25, 1e-30}, {dtype.Float32, 1e-25, 1}, {dtype.Float32, 1e30, 1e25},
		{dtype.BFloat16, 1e25, 10}, {dtype.Float64, 1e200, 1e190}, {dtype.Float64, 1e-200, 1e-210}, {dtype.Complex64, 1e25, 1},
	} {
		for _, joint := range []bool{true, false} {
			scope := nn.NewScope(nn.ScopeOptions{DType: test.dt})
			values := map[string]*nd.Array{"a": nd.FromSlice([]float64{3 * test.size, -4 * test.size}), "b": nd.FromSlice([]float64{0, 12 * test.size})}
			for name, v := range values {
				scope.Parameter(name, []int{2}, initializer.Constant(1), true)
				values[name] = v.AsType(test.dt)
			}
			g := optim.NewGradients(scope, values)
			norms := map[string]float64{"a": 5 * test.size, "b": 12 * test.size}
			if joint {
				if got := g.Norm(); math.Abs(got/(13*test.size)-1) > 0.01 {
					t.Errorf("%s: the norm of gradients of size %v is %v", test.dt, test.size, got)
				}
				g.ClipByGlobalNorm(test.limit)
				norms["a"], norms["b"] = 13*test.size, 13*test.size
			} else {
				g.ClipByNorm(test.limit)
			}
			for name, v := range values {
				got, given := nd.ToSlice[complex128](g.Get(name).AsType(dtype.Complex128)), nd.ToSlice[complex128](v.AsType(dtype.Complex128))
				for i := range got {
					want := real(given[i]) * min(1, test.limit/norms[name])
					if tolerance := 0.01 * math.Abs(want); !(math.Abs(real(got[i])-want) <= tolerance) {
						t.Errorf("%s, size %v, limit %v, joint %v: got %v, want %v", test.dt, test.size, test.limit, joint, got[i], want)
					}
				}
			}
		}
	}
}

// TestRulesOfLargeGradients checks that SMORMS3 and RMSpropGraves move as far for gradients whose squares leave the range
// as for others, and that no parameter becomes NaN.
func TestRulesOfLargeGradients(t *testing.T) {
	rules := map[string]func() *optim.Optimizer{
		"AdaBelief":     func() *optim.Optimizer { return optim.NewAdaBelief() },
		"AdaBound":      func() *optim.Optimizer { return optim.NewAdaBound() },
		"Adadelta":      func() *optim.Optimizer { return optim.NewAdaDelta() },
		"Adagrad":       func() *optim.Optimizer { return optim.NewAdaGrad() },
		"Adam":          func() *optim.Optimizer { return optim.NewAdam() },
		"AdamW":         func() *optim.Optimizer { return optim.NewAdamW() },
		"AMSBound":      func() *optim.Optimizer { return optim.NewAMSBound() },
		"AMSGrad":       func() *optim.Optimizer { return optim.NewAMSGRAD() },
		"Lamb":          func() *optim.Optimizer { return optim.NewLamb() },
		"RMSprop":       func() *optim.Optimizer { return optim.NewRMSprop() },
		"RMSpropGraves": func() *optim.Optimizer { return optim.NewRMSpropGraves() },
		"SMORMS3":       func() *optim.Optimizer { return optim.NewSMORMS3() },
	}
	for name, rule := range rules {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
			moved := func(size float64) []float64 {
				scope := nn.NewScope(nn.ScopeOptions{DType: dt})
				w := scope.Parameter("w", []int{3}, initializer.Constant(1), true)
				o := rule()
				for range 4 {
					g := nd.FromSlice([]float64{size, -2 * size, 3 * size}).AsType(dt)
					o.Update(optim.NewGradients(scope, map[string]*nd.Array{"w": g}))
				}
				return nd.ToSlice[float64](w.AsType(dtype.Float64))
			}
			size := map[dtype.DType]float64{dtype.Float32: 1e25, dtype.Float64: 1e250}[dt]
			want, got := moved(1e10), moved(size)
			for i := range want {
				if (name == "SMORMS3" || name == "RMSpropGraves") && !(math.Abs(got[i]-want[i]) <= 1e-3*math.Abs(want[i]-1)) {
					t.Errorf("%s of %s: moved to %v by gradients of %v, to %v by gradients of 1e10", name, dt, got, size, want)
					break
				}
			}
			for _, v := range got {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s of %s: %v after gradients of %v", name, dt, got, size)
				}
			}
		}
	}
}
