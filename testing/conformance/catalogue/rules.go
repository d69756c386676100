package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// ruleRows is the chapter of Chainer's optimizers and of gradient hooks. A link is a scope, and its gradients are
// separate values. A hook is a statement that changes them before the update.
var ruleRows = []Row{
	{Signature: "chainer.optimizers.SGD(lr=0.01)", Func: func(lr float64) *optim.Optimizer { return atRate(optim.NewSGD(), lr) }},
	{Signature: "chainer.optimizers.MomentumSGD(lr=0.01, momentum=0.9)", Func: func(lr, momentum float64) *optim.Optimizer {
		return atRate(optim.NewMomentum(optim.MomentumOptions{Momentum: &momentum}), lr)
	}, Note: "the state is -v"},
	{Signature: "chainer.optimizers.NesterovAG(lr=0.01, momentum=0.9)", Func: optim.NewNesterovAG},
	{Signature: "chainer.optimizers.AdaGrad(lr=0.001, eps=1e-08)", Func: func(lr, eps float64) *optim.Optimizer {
		return atRate(optim.NewAdaGrad(optim.AdaGradOptions{Eps: &eps}), lr)
	}},
	{Signature: "chainer.optimizers.AdaDelta(rho=0.95, eps=1e-06)", Func: func(rho, eps float64) *optim.Optimizer {
		return optim.NewAdaDelta(optim.AdaDeltaOptions{Decay: &rho, Eps: &eps})
	}},
	{Signature: "chainer.optimizers.RMSprop(lr=0.01, alpha=0.99, eps=1e-08)", Func: func(lr, alpha, eps float64) *optim.Optimizer {
		return atRate(optim.NewRMSprop(optim.RMSpropOptions{Decay: &alpha, Eps: &eps}), lr)
	}},
	{Signature: "chainer.optimizers.RMSpropGraves(lr=0.0001, alpha=0.95, momentum=0.9, eps=0.0001)",
		Func: func(lr, alpha, momentum, eps float64) *optim.Optimizer {
			return atRate(optim.NewRMSpropGraves(optim.RMSpropGravesOptions{Decay: &alpha, Momentum: &momentum, Eps: eps}), lr)
		}},
	{Signature: "chainer.optimizers.SMORMS3(lr=0.001, eps=1e-16)", Func: optim.NewSMORMS3},
	{Signature: "chainer.optimizers.Adam(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08)", Func: optim.NewAdam,
		Renames: alphaIsLR},

	{Signature: "chainer.optimizer.WeightDecay(self, rate)", Func: (*optim.Gradients).WeightDecay},
	{Signature: "chainer.optimizer.Lasso(self, rate)", Func: (*optim.Gradients).Lasso},
	{Signature: "chainer.optimizer.GradientClipping(self, threshold)", Func: (*optim.Gradients).ClipByGlobalNorm},
	{Signature: "chainer.optimizer.GradientNoise(self, eta, t=0)", Func: func(rng *nd.Rand, self *optim.Gradients, eta float64, t int) {
		self.Noise(rng, optim.AnnealedNoise(eta, t))
	}, Note: "Gradients.Noise takes any deviation, instead of a noise_func; t is Optimizer.Updates", Random: true},

	{Signature: "chainer.Optimizer(rule)", Func: optim.NewOptimizer},
	{Signature: "chainer.Optimizer.setup(optimizer, link)", Func: (*optim.Optimizer).Setup,
		Note: "optional: a parameter otherwise gets its states at its first update"},
	{Signature: "chainer.Optimizer.init_state(self, param, state)", Func: initState, Note: statesOfRules},
	{Signature: "chainer.Optimizer.init_state_cpu(self, param, state)", Func: initState, Note: statesOfRules},
	{Signature: "chainer.Optimizer.init_state_gpu(self, param, state)", Func: initState, Note: statesOfRules},
	{Signature: "chainer.Optimizer.prepare(optimizer, link)", Func: (*optim.Optimizer).Prepare, Note: "optional, as setup is"},
	{Signature: "chainer.Optimizer.update(self, gradients)", Func: (*optim.Optimizer).Update,
		Note: "gradients come of optim.GradientsOf, and FillMissing makes those zeros that Chainer takes for such"},
	{Signature: "chainer.Optimizer.add_hook(self, hook, name=None)", Func: addHook, Ignores: []string{"name"},
		Note: "train.UpdaterOptions.Hook is called before every update"},
	{Signature: "chainer.Optimizer.call_hooks(self, gradients)", Func: callHook},
	{Signature: "chainer.Optimizer.serialize(self, serializer)", Func: (*optim.Optimizer).ChainerOf, Ignores: []string{"serializer"},
		Note: "package archive saves and loads the optimizer"},
	{Signature: "chainer.Optimizer.accumulate_grads(self, grads)", Func: sumOfGradients},
	{Signature: "chainer.Optimizer.clip_grads(self, maxnorm)", Func: (*optim.Gradients).ClipByGlobalNorm},
	{Signature: "chainer.Optimizer.compute_grads_norm(self)", Func: (*optim.Gradients).Norm},
	{Signature: "chainer.Optimizer.weight_decay(self, decay)", Func: (*optim.Gradients).WeightDecay},
	{Signature: "chainer.Optimizer.zero_grads()", Func: zeroGradients},

	{Signature: "chainer.GradientMethod(rule)", Func: optim.NewOptimizer},
	{Signature: "chainer.GradientMethod.call_hooks(self, gradients)", Func: callHook},
	{Signature: "chainer.GradientMethod.reallocate_cleared_grads(self)", Func: (*optim.Gradients).FillMissing},
	{Signature: "chainer.GradientMethod.update(self, gradients)", Func: (*optim.Optimizer).Update},
	{Signature: "chainer.GradientMethod.update_one(self, gradients, param, state)", Func: updateOne, Note: updateOfOne},
	{Signature: "chainer.GradientMethod.update_one_cpu(self, gradients, param, state)", Func: updateOne, Note: updateOfOne},
	{Signature: "chainer.GradientMethod.update_one_gpu(self, gradients, param, state)", Func: updateOne, Note: updateOfOne},

	{Signature: "chainer.Link.addgrads(self, link)", Func: sumOfGradients, Note: "an Accumulator sums the gradients of any number of batches"},
	{Signature: "chainer.Link.cleargrads()", Func: func(s *nn.Scope) *optim.Gradients { return optim.NewGradients(s, nil) },
		Note: "gradients belong to one step: there is nothing to clear"},
	{Signature: "chainer.Link.zerograds()", Func: zeroGradients},
	{Signature: "chainer.Link.copyparams(link)", Func: (*nn.Scope).CopyFrom},

	{Signature: "chainer.FunctionSet()", Func: nn.NewScope},
	{Signature: "chainer.FunctionSet.__getitem__(key)", Func: (*nn.Scope).Sub},
	{Signature: "chainer.FunctionSet.parameters()", Func: (*nn.Scope).All},
	{Signature: "chainer.FunctionSet.gradients(self)", Func: (*optim.Gradients).All},
	{Signature: "chainer.FunctionSet.collect_parameters(gradients)", Func: func(s *nn.Scope, gradients *optim.Gradients) (parameters, grads []*nd.Array) {
		for name, g := range gradients.All() {
			parameters, grads = append(parameters, s.Get(name)), append(grads, g)
		}
		return parameters, grads
	}},
	{Signature: "chainer.FunctionSet.copy_parameters_from(params)", Func: func(s *nn.Scope, params []*nd.Array) {
		names := s.Names()
		if len(names) != len(params) {
			panic(nd.Func("copy_parameters_from").Errorf(params, "%d arrays for %d parameters", len(params), len(names)))
		}
		for k, name := range names {
			s.Set(name, params[k])
		}
	}},
}

const (
	statesOfRules = "the optimizer holds the states, on the parameter's device; Optimizer.State returns them"
	updateOfOne   = "on any device; the optimizer holds the states, and SetState replaces them; Rule.Body is another update"
)

// initState gives a parameter its initial states, and adds them to the dictionary.
func initState(self *optim.Optimizer, param *nn.Param, state map[string]*nd.Array) {
	for _, s := range self.InitState(param) {
		state[s.Name] = s.Array
	}
}

// updateOne updates a parameter with the states of the dictionary.
func updateOne(self *optim.Optimizer, g *optim.Gradients, param *nn.Param, state map[string]*nd.Array) {
	for name, x := range state {
		self.SetState(param, nd.NamedArrays{{Name: name, Array: x}})
	}
	self.UpdateOne(g, param)
}

// atRate returns an optimizer with the given learning rate, which may be 0.
func atRate(o *optim.Optimizer, rate float64) *optim.Optimizer {
	o.SetLearningRate(rate)
	return o
}

// hook changes gradients before an update.
type hook func(g *optim.Gradients)

// addHook returns a hook that calls self, then next.
func addHook(self, next hook) hook {
	return func(g *optim.Gradients) {
		callHook(self, g)
		next(g)
	}
}

func callHook(self hook, g *optim.Gradients) {
	if self != nil {
		self(g)
	}
}

// sumOfGradients adds the gradients of others to those of the same parameters in self.
func sumOfGradients(self, others *optim.Gradients) *optim.Gradients {
	sum := optim.NewAccumulator()
	sum.Add(self)
	sum.Add(others)
	return sum.Sum()
}

// zeroGradients returns gradients that are all zero.
func zeroGradients(s *nn.Scope) *optim.Gradients {
	g := optim.NewGradients(s, nil)
	g.FillMissing()
	return g
}
