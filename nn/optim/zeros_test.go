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

// afterOneUpdate returns a parameter that began as zeros, after an update by the gradient [1 -2].
func afterOneUpdate(opt *optim.Optimizer, t dtype.DType) []float64 {
	s := nn.NewScope(nn.ScopeOptions{DType: t})
	w := s.Parameter("w", []int{2}, initializer.Constant(0), true)
	opt.Update(optim.NewGradients(s, map[string]*nd.Array{"w": nd.FromSlice([]float64{1, -2}).AsType(t)}))
	return floats(w)
}

// TestZerosMove checks that every optimizer moves a parameter of zeros against its gradient, with its defaults and with
// other options.
func TestZerosMove(t *testing.T) {
	opts := []*optim.Optimizer{optim.NewSGD(), optim.NewMomentum(), optim.NewNesterov(), optim.NewNesterovAG(), optim.NewSGDW(), optim.NewAdam(),
		optim.NewAdamW(), optim.NewAdaBelief(), optim.NewAdaBound(), optim.NewAdaDelta(), optim.NewAdaGrad(), optim.NewAdamax(),
		optim.NewAMSBound(), optim.NewAMSGRAD(), optim.NewLamb(), optim.NewLars(), optim.NewLion(), optim.NewRMSprop(),
		optim.NewRMSpropGraves(), optim.NewSMORMS3()}
	for k := range references {
		opts = append(opts, references[k].opt())
	}
	for _, opt := range opts {
		if w := afterOneUpdate(opt, dtype.Float32); !(w[0] < 0 && w[1] > 0) {
			t.Errorf("%s: %v after one update of zeros by the gradient [1 -2]", opt.Name(), w)
		}
	}
}

// TestLambOfZeros checks the first step from 0: r = 0.1·g/(√0.001·|g| + 1e-6), with a quotient of 1 or of 0.
func TestLambOfZeros(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		want := 1e-3 * 0.1 / math.Sqrt(1e-3)
		if w := afterOneUpdate(optim.NewLamb(), dt); math.Abs(w[0]+want) > 0.01*want || math.Abs(w[1]-want) > 0.01*want {
			t.Errorf("%s: %v after one update of zeros, want ∓%v", dt, w, want)
		}
		if w := afterOneUpdate(optim.NewLamb(optim.LambOptions{KeepZeros: true}), dt); w[0] != 0 || w[1] != 0 {
			t.Errorf("%s: KeepZeros moves zeros to %v", dt, w)
		}
		bounded := afterOneUpdate(optim.NewLamb(optim.LambOptions{GammaL: 0.5}), dt) // 0.5/‖r‖·r, where r is ±√10
		if step := 1e-3 * 0.5 / math.Sqrt2; math.Abs(bounded[0]+step) > 0.01*step {
			t.Errorf("%s: %v after one update of zeros with GammaL 0.5, want %v", dt, bounded, -step)
		}
	}
}
