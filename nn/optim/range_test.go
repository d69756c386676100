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

// TestRulesOfLargeGradients checks that rules move parameters as far by gradients whose squares leave the range as by
// others, or as much farther as their bounds say, and that no parameter or state leaves the range.
func TestRulesOfLargeGradients(t *testing.T) {
	half := new(0.5)
	rules := map[string]func() *optim.Optimizer{
		"AdaBelief":          func() *optim.Optimizer { return optim.NewAdaBelief() },
		"AdaBelief, AMSGrad": func() *optim.Optimizer { return optim.NewAdaBelief(optim.AdaBeliefOptions{AMSGrad: true}) },
		"AdaBound":           func() *optim.Optimizer { return optim.NewAdaBound() },
		"Adadelta":           func() *optim.Optimizer { return optim.NewAdaDelta() },
		"Adagrad":            func() *optim.Optimizer { return optim.NewAdaGrad() },
		"Adam":               func() *optim.Optimizer { return optim.NewAdam() },
		"Adam of short memory": func() *optim.Optimizer {
			return optim.NewAdam(optim.AdamOptions{Beta1: half, Beta2: half, EpsOutside: true})
		},
		"AdamW":         func() *optim.Optimizer { return optim.NewAdamW() },
		"AMSBound":      func() *optim.Optimizer { return optim.NewAMSBound() },
		"AMSGrad":       func() *optim.Optimizer { return optim.NewAMSGRAD() },
		"Lamb":          func() *optim.Optimizer { return optim.NewLamb() },
		"RMSprop":       func() *optim.Optimizer { return optim.NewRMSprop() },
		"RMSpropGraves": func() *optim.Optimizer { return optim.NewRMSpropGraves() },
		"SMORMS3":       func() *optim.Optimizer { return optim.NewSMORMS3() },
	}
	bounded := map[string]bool{"AdaBound": true, "AMSBound": true} // their steps grow with the gradient
	for name, rule := range rules {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.BFloat16} {
			moved := func(size float64) []float64 {
				scope := nn.NewScope(nn.ScopeOptions{DType: dt})
				w := scope.Parameter("w", []int{3}, initializer.Constant(1), true)
				o := rule()
				for range 4 {
					g := nd.FromSlice([]float64{size, -2 * size, 3 * size}).AsType(dt)
					o.Update(optim.NewGradients(scope, map[string]*nd.Array{"w": g}))
				}
				for _, state := range o.State(scope) {
					for _, v := range nd.ToSlice[float64](state.Array.AsType(dtype.Float64)) {
						if math.IsNaN(v) || math.IsInf(v, 0) {
							t.Errorf("%s of %s: the state %s is %v after gradients of %v", name, dt, state.Name, state.Array, size)
							break
						}
					}
				}
				return nd.ToSlice[float64](w.AsType(dtype.Float64))
			}
			usual, size, tolerance := 1e10, 1e25, 1e-3
			switch dt {
			case dtype.Float64:
				size = 1e250
			case dtype.BFloat16:
				tolerance = 0.02
			}
			want, got := moved(usual), moved(size)
			for i := range want {
				step, expected := got[i]-1, want[i]-1
				if bounded[name] {
					expected *= size / usual
				}
				if !(math.Abs(step-expected) <= tolerance*math.Abs(expected)) || expected == 0 && dt != dtype.BFloat16 {
					t.Errorf("%s of %s: moved by %v by gradients of %v, want %v", name, dt, step, size, expected)
				}
			}
		}
	}
}

// TestRulesRecoverFromOneLargeGradient gives a rule one gradient that is too large to square, then usual ones, which
// must move the parameter when the mean of squares has decayed.
func TestRulesRecoverFromOneLargeGradient(t *testing.T) {
	scope := nn.NewScope()
	w := scope.Parameter("w", nil, initializer.Constant(1), true)
	o := optim.NewRMSprop(optim.RMSpropOptions{Decay: new(0.5), LR: 0.1})
	for step, size := range []float64{100: 0} {
		if size = 1e3; step == 0 {
			size = 3e38
		}
		o.Update(optim.NewGradients(scope, map[string]*nd.Array{"w": nd.FromSlice([]float64{size}).Reshape()}))
	}
	if got := nd.Value[float64](w.AsType(dtype.Float64)); got > 0.75 {
		t.Errorf("after usual gradients the parameter is %v", got)
	}
}

// TestSmallGradientsAfterLargeOnes checks that a rule that keeps nothing of its states moves by the last gradient alone.
func TestSmallGradientsAfterLargeOnes(t *testing.T) {
	none := new(0.0)
	for name, o := range map[string]*optim.Optimizer{
		"Adam":    optim.NewAdam(optim.AdamOptions{LR: 0.25, Beta1: none, Beta2: none}),
		"AMSGRAD": optim.NewAMSGRAD(optim.AMSGRADOptions{LR: 0.25, Beta1: none, Beta2: none}),
	} {
		scope := nn.NewScope()
		w := scope.Parameter("w", nil, initializer.Constant(1), true)
		var before float32
		for _, size := range []float64{1e8, 1e-2} {
			before = nd.Value[float32](w)
			o.Update(optim.NewGradients(scope, map[string]*nd.Array{"w": nd.FromSlice([]float64{size}).Reshape()}))
		}
		want := float32(0.25)
		if name == "AMSGRAD" { // divides by the largest
			want = 0
		}
		if got := before - nd.Value[float32](w); math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("%s moved by %v, want %v", name, got, want)
		}
	}
}
