package catalogue

import "github.com/ndgrad/ndgrad/nn/optim"

// solverRows is the chapter of optimizers; the runner drives what these functions return.
var solverRows = []Row{
	{Signature: "nnabla.solvers.Sgd(lr=0.001)", Func: optim.NewSGD},
	{Signature: "nnabla.solvers.SgdW(lr=0.001, momentum=0.9, wd=0.0001)", Func: optim.NewSGDW, Renames: map[string]string{"wd": "WeightDecay"}},
	{Signature: "nnabla.solvers.Momentum(lr=0.001, momentum=0.9)", Func: optim.NewMomentum},
	{Signature: "nnabla.solvers.Nesterov(lr=0.001, momentum=0.9)", Func: optim.NewNesterov},
	{Signature: "nnabla.solvers.Lars(lr=0.001, momentum=0.9, coefficient=0.001, eps=1e-06)", Func: optim.NewLars},
	{Signature: "nnabla.solvers.Adadelta(lr=1.0, decay=0.95, eps=1e-06)", Func: optim.NewAdaDelta},
	{Signature: "nnabla.solvers.Adagrad(lr=0.01, eps=1e-08)", Func: optim.NewAdaGrad},
	{Signature: "nnabla.solvers.AdaBelief(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, wd=0.0, amsgrad=False, " +
		"weight_decouple=False, fixed_decay=False, rectify=False)", Func: adaBelief},
	{Signature: "nnabla.solvers.RMSprop(lr=0.001, decay=0.9, eps=1e-08)", Func: optim.NewRMSprop},
	{Signature: "nnabla.solvers.RMSpropGraves(lr=0.0001, decay=0.95, momentum=0.9, eps=0.0001)", Func: optim.NewRMSpropGraves},
	{Signature: "nnabla.solvers.Adam(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08)", Func: optim.NewAdam, Renames: alphaIsLR},
	{Signature: "nnabla.solvers.AdamW(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, wd=0.0001)", Func: optim.NewAdamW, Renames: map[string]string{"alpha": "LR", "wd": "WeightDecay"}},
	{Signature: "nnabla.solvers.AdaBound(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, final_lr=0.1, gamma=0.001)",
		Func: optim.NewAdaBound, Renames: alphaIsLR},
	{Signature: "nnabla.solvers.Adamax(alpha=0.002, beta1=0.9, beta2=0.999, eps=1e-08)", Func: optim.NewAdamax, Renames: alphaIsLR},
	{Signature: "nnabla.solvers.AMSGRAD(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, bias_correction=False)",
		Func: optim.NewAMSGRAD, Renames: alphaIsLR},
	{Signature: "nnabla.solvers.AMSBound(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, final_lr=0.1, gamma=0.001, " +
		"bias_correction=False)", Func: optim.NewAMSBound, Renames: alphaIsLR},
	{Signature: "nnabla.solvers.Lamb(eta=0.001, beta1=0.9, beta2=0.999, gamma_l=0.0, gamma_u=10.0, eps=1e-06, " +
		"bias_correction=False)", Func: lamb},
	{Signature: "nnabla.solvers.Lion(lr=0.0001, beta1=0.9, beta2=0.99)", Func: optim.NewLion},

	{Signature: "nnabla.solvers.Solver.scale_grad(self, scale)", Func: (*optim.Gradients).Scale},
	{Signature: "nnabla.solvers.Solver.weight_decay(self, decay_rate)", Func: (*optim.Gradients).WeightDecay},
	{Signature: "nnabla.solvers.Solver.clip_grad_by_norm(self, clip_norm)", Func: (*optim.Gradients).ClipByNorm},
	{Signature: "nnabla.solvers.Solver.check_inf_grad(self)", Func: (*optim.Gradients).HasInf},
	{Signature: "nnabla.solvers.Solver.check_nan_grad(self)", Func: (*optim.Gradients).HasNaN},
	{Signature: "nnabla.solvers.Solver.check_inf_or_nan_grad(self)", Func: (*optim.Gradients).HasInfOrNaN},

	{Signature: "nnabla.utils.learning_rate_scheduler.PolynomialScheduler(init_lr, max_iter, power)",
		Func: func(rate float64, updates int, power float64) optim.Schedule {
			return optim.PolynomialSchedule(rate, updates, power, endless)
		}},
	{Signature: "nnabla.utils.learning_rate_scheduler.CosineScheduler(init_lr, max_iter)",
		Func: func(rate float64, updates int) optim.Schedule { return optim.CosineSchedule(rate, updates, endless) }},
	{Signature: "nnabla.utils.learning_rate_scheduler.ExponentialScheduler(init_lr, gamma, iter_interval=1)",
		Func: optim.ExponentialSchedule},
	{Signature: "nnabla.utils.learning_rate_scheduler.StepScheduler(init_lr, gamma, iter_steps)", Func: optim.StepSchedule},
	{Signature: "nnabla.utils.learning_rate_scheduler.LinearWarmupScheduler(scheduler, warmup_iter)", Func: optim.Schedule.WithWarmup},
}

// alphaIsLR is the learning rate's name.
var alphaIsLR = map[string]string{"alpha": "LR"}

// endless says that the formula holds after the last update too, as in NNabla.
var endless = optim.ScheduleOptions{Endless: true}

// lamb never moves a parameter of zeros.
func lamb(eta, beta1, beta2, low, high, eps float64, bias bool) *optim.Optimizer {
	return optim.NewLamb(optim.LambOptions{LR: eta, Beta1: &beta1, Beta2: &beta2, GammaL: low, GammaU: high, Eps: &eps, BiasCorrection: bias,
		KeepZeros: true})
}

// adaBelief has no weight decay without weight_decouple.
func adaBelief(alpha, beta1, beta2, eps, wd float64, amsgrad, weightDecouple, fixedDecay, rectify bool) *optim.Optimizer {
	if !weightDecouple {
		wd = 0
	}
	return optim.NewAdaBelief(optim.AdaBeliefOptions{LR: alpha, Beta1: &beta1, Beta2: &beta2, Eps: &eps, WeightDecay: wd, AMSGrad: amsgrad,
		WeightDecouple: weightDecouple, FixedDecay: fixedDecay, Rectify: rectify})
}
