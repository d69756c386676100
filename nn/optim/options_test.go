package optim_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func TestOptionsHaveTheirDefaults(t *testing.T) {
	decay, beta := 0.25, 0.5
	for _, test := range []struct {
		opt  *optim.Optimizer
		want any
	}{
		{optim.NewSGD(), optim.SGDOptions{LR: 1e-3}},
		{optim.NewSGDW(), optim.SGDWOptions{LR: 1e-3, Momentum: new(0.9), WeightDecay: new(1e-4)}},
		{optim.NewMomentum(), optim.MomentumOptions{LR: 1e-3, Momentum: new(0.9)}},
		{optim.NewNesterov(), optim.NesterovOptions{LR: 1e-3, Momentum: new(0.9)}},
		{optim.NewNesterovAG(), optim.NesterovAGOptions{LR: 0.01, Momentum: new(0.9)}},
		{optim.NewAdam(optim.AdamOptions{LR: 2, Beta2: &beta, EpsOutside: true}),
			optim.AdamOptions{LR: 2, Beta1: new(0.9), Beta2: new(0.5), Eps: new(1e-8), EpsOutside: true}},
		{optim.NewAdamW(optim.AdamWOptions{WeightDecay: &decay}),
			optim.AdamWOptions{LR: 1e-3, Beta1: new(0.9), Beta2: new(0.999), Eps: new(1e-8), WeightDecay: new(0.25)}},
		{optim.NewAdamax(), optim.AdamaxOptions{LR: 2e-3, Beta1: new(0.9), Beta2: new(0.999), Eps: new(1e-8)}},
		{optim.NewAMSGRAD(), optim.AMSGRADOptions{LR: 1e-3, Beta1: new(0.9), Beta2: new(0.999), Eps: new(1e-8)}},
		{optim.NewAdaBelief(), optim.AdaBeliefOptions{LR: 1e-3, Beta1: new(0.9), Beta2: new(0.999), Eps: new(1e-8)}},
		{optim.NewAdaBound(), optim.AdaBoundOptions{LR: 1e-3, Beta1: new(0.9), Beta2: new(0.999), Eps: new(1e-8), FinalLR: 0.1, Gamma: 1e-3}},
		{optim.NewAMSBound(), optim.AMSBoundOptions{LR: 1e-3, Beta1: new(0.9), Beta2: new(0.999), Eps: new(1e-8), FinalLR: 0.1, Gamma: 1e-3}},
		{optim.NewAdaGrad(), optim.AdaGradOptions{LR: 0.01, Eps: new(1e-8)}},
		{optim.NewAdaDelta(), optim.AdaDeltaOptions{LR: 1, Decay: new(0.95), Eps: new(1e-6)}},
		{optim.NewRMSprop(), optim.RMSpropOptions{LR: 1e-3, Decay: new(0.9), Eps: new(1e-8)}},
		{optim.NewRMSpropGraves(), optim.RMSpropGravesOptions{LR: 1e-4, Decay: new(0.95), Momentum: new(0.9), Eps: 1e-4}},
		{optim.NewSMORMS3(), optim.SMORMS3Options{LR: 1e-3, Eps: new(1e-16)}},
		{optim.NewLion(), optim.LionOptions{LR: 1e-4, Beta1: new(0.9), Beta2: new(0.99)}},
		{optim.NewLars(), optim.LarsOptions{LR: 1e-3, Momentum: new(0.9), Coefficient: 1e-3, Eps: new(1e-6)}},
		{optim.NewLamb(), optim.LambOptions{LR: 1e-3, Beta1: new(0.9), Beta2: new(0.999), GammaU: 10, Eps: new(1e-6)}},
		{optim.NewOptimizer(optim.Rule{Name: "none", Body: "w = w_old"}), nil},
	} {
		decay, beta = 7, 7 // the result is not what the caller holds
		if got := test.opt.Options(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %s", test.opt.Name(), cmp.Diff(test.want, got))
		}
		decay, beta = 0.25, 0.5
	}
}

func TestSetStateOfTheCount(t *testing.T) {
	scope, opt := nn.NewScope(), optim.NewAdam()
	scope.Parameter("w", []int{2}, nil, true)
	p := scope.Param("w")
	opt.SetState(p, nd.NamedArrays{{Name: "t", Array: nd.FromSlice([]int32{5})}})
	if opt.Updates() != 5 || nd.Value[int](opt.State(scope).Get("w/t")) != 5 {
		t.Errorf("%d, %v", opt.Updates(), opt.State(scope))
	}
	for what, x := range map[string]*nd.Array{"negative": nd.FromSlice([]int{-1}), "a float": nd.FromSlice([]float64{1}), "two": nd.FromSlice([]int{1, 2})} {
		func() {
			defer func() {
				if err, ok := recover().(*nd.Error); !ok || err.Func != "Adam.SetState" {
					t.Errorf("%s: %v", what, err)
				}
			}()
			opt.SetState(p, nd.NamedArrays{{Name: "mean", Array: nd.FromSlice([]float32{1, 1})}, {Name: "t", Array: x}})
		}()
	}
	if opt.Updates() != 5 || opt.State(scope).Get("w/mean").Float(0) != 0 {
		t.Errorf("a refused state changed others: %v", opt.State(scope))
	}
}
