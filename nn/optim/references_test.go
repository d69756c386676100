package optim_test

import (
	"math"

	"github.com/ndgrad/ndgrad/nn/optim"
)

// reference moves w along g by the formulas of the papers and NNabla: in float64, element by element.
type reference struct {
	opt       func() *optim.Optimizer
	decoupled bool    // weight decay is not added to the gradient
	decay     float64 // of the options
	step      func(w, g []float64, s map[string][]float64, t, rate, decay float64)
}

func square(x float64) float64 { return x * x }

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// adaptive updates Adam's moments.
func adaptive(m, v, g, b1, b2 float64) (float64, float64) {
	return b1*m + (1-b1)*g, b2*v + (1-b2)*g*g
}

// references has all rules, with options other than the defaults.
var references = []reference{
	{opt: func() *optim.Optimizer { return optim.NewSGD(optim.SGDOptions{LR: 0.1}) },
		step: func(w, g []float64, _ map[string][]float64, _, rate, _ float64) {
			for i := range w {
				w[i] -= rate * g[i]
			}
		}},
	{opt: func() *optim.Optimizer {
		return optim.NewSGDW(optim.SGDWOptions{LR: 0.1, Momentum: new(0.7), WeightDecay: new(0.02)})
	}, decoupled: true, decay: 0.02,
		step: func(w, g []float64, s map[string][]float64, _, rate, decay float64) {
			for i := range w {
				s["m"][i] = 0.7*s["m"][i] + rate*g[i]
				w[i] -= s["m"][i] + rate/0.1*decay*w[i]
			}
		}},
	{opt: func() *optim.Optimizer { return optim.NewMomentum(optim.MomentumOptions{LR: 0.1, Momentum: new(0.7)}) },
		step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
			for i := range w {
				s["m"][i] = 0.7*s["m"][i] + rate*g[i]
				w[i] -= s["m"][i]
			}
		}},
	{opt: func() *optim.Optimizer { return optim.NewNesterov(optim.NesterovOptions{LR: 0.1, Momentum: new(0.7)}) },
		step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
			for i := range w {
				before := s["m"][i]
				s["m"][i] = 0.7*before - rate*g[i]
				w[i] += -0.7*before + 1.7*s["m"][i]
			}
		}},
	{opt: func() *optim.Optimizer {
		return optim.NewNesterovAG(optim.NesterovAGOptions{LR: 0.1, Momentum: new(0.7)})
	},
		step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
			for i := range w {
				s["m"][i] = 0.7*s["m"][i] - rate*g[i]
				w[i] += 0.7*0.7*s["m"][i] - 1.7*rate*g[i]
			}
		}},
	{opt: func() *optim.Optimizer { return optim.NewSMORMS3(optim.SMORMS3Options{LR: 0.1, Eps: new(1e-3)}) },
		step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
			for i := range w {
				if t == 1 {
					s["mem"][i] = 1
				}
				r := 1 / (s["mem"][i] + 1)
				s["g"][i] = (1-r)*s["g"][i] + r*g[i]
				s["g2"][i] = (1-r)*s["g2"][i] + r*square(g[i])
				x := square(s["g"][i]) / (s["g2"][i] + 1e-3)
				w[i] -= min(rate, x) * g[i] / (math.Sqrt(s["g2"][i]) + 1e-3)
				s["mem"][i] = 1 + s["mem"][i]*(1-x)
			}
		}},
	{opt: func() *optim.Optimizer {
		return optim.NewLars(optim.LarsOptions{LR: 0.1, Momentum: new(0.7), Coefficient: 0.3, Eps: new(1e-3)})
	}, decoupled: true,
		step: func(w, g []float64, s map[string][]float64, _, rate, decay float64) {
			ratio, divisor := 1.0, length(g)+decay*length(w)
			if divisor < 1e-3 {
				divisor += 1e-3
			}
			if length(w) >= 1e-3 {
				ratio = 0.3 * length(w) / divisor
			}
			for i := range w {
				s["v"][i] = 0.7*s["v"][i] + rate*ratio*(g[i]+decay*w[i])
				w[i] -= s["v"][i]
			}
		}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdaDelta(optim.AdaDeltaOptions{LR: 0.5, Decay: new(0.8), Eps: new(1e-3)})
	},
		step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
			for i := range w {
				s["e_sqr_grad"][i] = 0.8*s["e_sqr_grad"][i] + 0.2*square(g[i])
				delta := math.Sqrt((s["e_sqr_delta"][i]+1e-3)/(s["e_sqr_grad"][i]+1e-3)) * g[i]
				s["e_sqr_delta"][i] = 0.8*s["e_sqr_delta"][i] + 0.2*square(delta)
				w[i] -= rate * delta
			}
		}},
	{opt: func() *optim.Optimizer { return optim.NewAdaGrad(optim.AdaGradOptions{LR: 0.1, Eps: new(0.01)}) },
		step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
			for i := range w {
				s["v"][i] += square(g[i])
				w[i] -= rate * g[i] / (math.Sqrt(s["v"][i]) + 0.01)
			}
		}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdaBelief(optim.AdaBeliefOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01)})
	}, step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
		belief(w, g, s["mean"], s["var"], nil, rate/(1-math.Pow(0.8, t)), 1/(1-math.Pow(0.9, t)), 0)
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdaBelief(optim.AdaBeliefOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01), AMSGrad: true,
			WeightDecouple: true, WeightDecay: 0.2})
	}, decoupled: true, decay: 0.2, step: func(w, g []float64, s map[string][]float64, t, rate, decay float64) {
		belief(w, g, s["mean"], s["var"], s["s_max"], rate/(1-math.Pow(0.8, t)), 1/(1-math.Pow(0.9, t)), decay*rate)
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdaBelief(optim.AdaBeliefOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01), Rectify: true,
			WeightDecouple: true, FixedDecay: true, WeightDecay: 0.2})
	}, decoupled: true, decay: 0.2, step: func(w, g []float64, s map[string][]float64, t, rate, decay float64) {
		most := 2/(1-0.9) - 1
		rho := most - 2*t*math.Pow(0.9, t)/(1-math.Pow(0.9, t))
		if rho <= 4 {
			belief(w, g, s["mean"], s["var"], nil, rate, 0, decay)
			return
		}
		r := math.Sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho))
		belief(w, g, s["mean"], s["var"], nil, r*rate/(1-math.Pow(0.8, t)), 1/(1-math.Pow(0.9, t)), decay)
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewRMSprop(optim.RMSpropOptions{LR: 0.1, Decay: new(0.8), Eps: new(0.01)})
	},
		step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
			for i := range w {
				s["v"][i] = 0.8*s["v"][i] + 0.2*square(g[i])
				w[i] -= rate * g[i] / (math.Sqrt(s["v"][i]) + 0.01)
			}
		}},
	{opt: func() *optim.Optimizer {
		return optim.NewRMSpropGraves(optim.RMSpropGravesOptions{LR: 0.1, Decay: new(0.8), Momentum: new(0.5), Eps: 0.01})
	}, step: func(w, g []float64, s map[string][]float64, _, rate, _ float64) {
		for i := range w {
			s["n"][i] = 0.8*s["n"][i] + 0.2*square(g[i])
			s["g"][i] = 0.8*s["g"][i] + 0.2*g[i]
			s["d"][i] = 0.5*s["d"][i] - rate*g[i]/math.Sqrt(s["n"][i]-square(s["g"][i])+0.01)
			w[i] += s["d"][i]
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdam(optim.AdamOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01)})
	}, step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
		for i := range w {
			s["mean"][i], s["var"][i] = adaptive(s["mean"][i], s["var"][i], g[i], 0.8, 0.9)
			w[i] -= rate * math.Sqrt(1-math.Pow(0.9, t)) / (1 - math.Pow(0.8, t)) * s["mean"][i] / (math.Sqrt(s["var"][i]) + 0.01)
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdamW(optim.AdamWOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01), WeightDecay: new(0.02), EpsOutside: true})
	}, decoupled: true, decay: 0.02, step: func(w, g []float64, s map[string][]float64, t, rate, decay float64) {
		for i := range w {
			s["mean"][i], s["var"][i] = adaptive(s["mean"][i], s["var"][i], g[i], 0.8, 0.9)
			root := math.Sqrt(s["var"][i] / (1 - math.Pow(0.9, t)))
			w[i] -= rate/(1-math.Pow(0.8, t))*s["mean"][i]/(root+0.01) + rate/0.1*decay*w[i]
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdaBound(optim.AdaBoundOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01), FinalLR: 0.2, Gamma: 0.5})
	}, step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
		final := 0.2 * rate / 0.1
		alpha := rate * math.Sqrt(1-math.Pow(0.9, t)) / (1 - math.Pow(0.8, t))
		for i := range w {
			s["mean"][i], s["var"][i] = adaptive(s["mean"][i], s["var"][i], g[i], 0.8, 0.9)
			eta := max(alpha/(math.Sqrt(s["var"][i])+0.01), final*(1-1/(0.5*t+1)))
			w[i] -= min(eta, final*(1+1/(0.5*t))) * s["mean"][i]
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAdamax(optim.AdamaxOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01)})
	}, step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
		for i := range w {
			s["m"][i] = 0.8*s["m"][i] + 0.2*g[i]
			s["u"][i] = max(0.9*s["u"][i], math.Abs(g[i]))
			w[i] -= rate / (1 - math.Pow(0.8, t)) * s["m"][i] / (s["u"][i] + 0.01)
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAMSGRAD(optim.AMSGRADOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01), BiasCorrection: true})
	}, step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
		for i := range w {
			s["m"][i], s["v"][i] = adaptive(s["m"][i], s["v"][i], g[i], 0.8, 0.9)
			s["v_hat"][i] = max(s["v_hat"][i], s["v"][i])
			w[i] -= rate * math.Sqrt(1-math.Pow(0.9, t)) / (1 - math.Pow(0.8, t)) * s["m"][i] / (math.Sqrt(s["v_hat"][i]) + 0.01)
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewAMSBound(optim.AMSBoundOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), Eps: new(0.01), FinalLR: 0.2, Gamma: 3})
	}, step: func(w, g []float64, s map[string][]float64, t, rate, _ float64) {
		final := 0.2 * rate / 0.1
		for i := range w {
			s["m"][i], s["v"][i] = adaptive(s["m"][i], s["v"][i], g[i], 0.8, 0.9)
			s["v_hat"][i] = max(s["v_hat"][i], s["v"][i])
			eta := max(rate/(math.Sqrt(s["v_hat"][i])+0.01), final*(1-1/(3*t+1)))
			w[i] -= min(eta, final*(1+t/3)) * s["m"][i]
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewLamb(optim.LambOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9), GammaL: 0.5, GammaU: 1.5, Eps: new(0.01), BiasCorrection: true})
	}, decoupled: true, step: func(w, g []float64, s map[string][]float64, t, rate, decay float64) {
		r := make([]float64, len(w))
		for i := range w {
			s["mean"][i], s["var"][i] = adaptive(s["mean"][i], s["var"][i], g[i], 0.8, 0.9)
			r[i] = s["mean"][i]/(1-math.Pow(0.8, t))/(math.Sqrt(s["var"][i]/(1-math.Pow(0.9, t)))+0.01) + decay*w[i]
		}
		ratio := 1.0
		if length(r) > 0.01 {
			ratio = min(max(length(w), 0.5), 1.5) / length(r)
		}
		for i := range w {
			w[i] -= rate * ratio * r[i]
		}
	}},
	{opt: func() *optim.Optimizer {
		return optim.NewLion(optim.LionOptions{LR: 0.1, Beta1: new(0.8), Beta2: new(0.9)})
	}, decoupled: true,
		step: func(w, g []float64, s map[string][]float64, _, rate, decay float64) {
			for i := range w {
				u := 0.8*s["m"][i] + 0.2*g[i]
				switch {
				case u > 0:
					u = 1
				case u < 0:
					u = -1
				}
				s["m"][i] = 0.9*s["m"][i] + 0.1*g[i]
				w[i] -= rate * (u + decay*w[i])
			}
		}},
}

// belief is a step of AdaBelief with the root of scale·variance; a scale of 0 means no division.
func belief(w, g, mean, variance, most []float64, step, scale, decay float64) {
	for i := range w {
		mean[i] = 0.8*mean[i] + 0.2*g[i]
		variance[i] = 0.9*variance[i] + 0.1*square(g[i]-mean[i])
		known := variance
		if most != nil {
			most[i] = max(most[i], variance[i])
			known = most
		}
		known[i] += 0.01
		divisor := 1.0
		if scale > 0 {
			divisor = math.Sqrt(known[i]*scale) + 0.01
		}
		w[i] -= decay*w[i] + step*mean[i]/divisor
	}
}
