package catalogue

import "github.com/ndgrad/ndgrad/nn"

// solverRows is the chapter of optimizers; the runner drives what these functions return.
var solverRows = []Row{
	{Signature: "nnabla.solvers.Sgd(lr=0.001)", Func: nn.NewSgd},
	{Signature: "nnabla.solvers.SgdW(lr=0.001, momentum=0.9, wd=0.0001)", Func: nn.NewSgdW},
	{Signature: "nnabla.solvers.Momentum(lr=0.001, momentum=0.9)", Func: nn.NewMomentum},
	{Signature: "nnabla.solvers.Nesterov(lr=0.001, momentum=0.9)", Func: nn.NewNesterov},
	{Signature: "nnabla.solvers.Lars(lr=0.001, momentum=0.9, coefficient=0.001, eps=1e-06)", Func: nn.NewLars},
	{Signature: "nnabla.solvers.Adadelta(lr=1.0, decay=0.95, eps=1e-06)", Func: nn.NewAdaDelta},
	{Signature: "nnabla.solvers.Adagrad(lr=0.01, eps=1e-08)", Func: nn.NewAdaGrad},
	{Signature: "nnabla.solvers.AdaBelief(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, wd=0.0, amsgrad=False, " +
		"weight_decouple=False, fixed_decay=False, rectify=False)", Func: nn.NewAdaBelief},
	{Signature: "nnabla.solvers.RMSprop(lr=0.001, decay=0.9, eps=1e-08)", Func: nn.NewRMSprop},
	{Signature: "nnabla.solvers.RMSpropGraves(lr=0.0001, decay=0.95, momentum=0.9, eps=0.0001)", Func: nn.NewRMSpropGraves},
	{Signature: "nnabla.solvers.Adam(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08)", Func: nn.NewAdam},
	{Signature: "nnabla.solvers.AdamW(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, wd=0.0001)", Func: nn.NewAdamW},
	{Signature: "nnabla.solvers.AdaBound(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, final_lr=0.1, gamma=0.001)",
		Func: nn.NewAdaBound},
	{Signature: "nnabla.solvers.Adamax(alpha=0.002, beta1=0.9, beta2=0.999, eps=1e-08)", Func: nn.NewAdamax},
	{Signature: "nnabla.solvers.AMSGRAD(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, bias_correction=False)",
		Func: nn.NewAMSGRAD},
	{Signature: "nnabla.solvers.AMSBound(alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, final_lr=0.1, gamma=0.001, " +
		"bias_correction=False)", Func: nn.NewAMSBound},
	{Signature: "nnabla.solvers.Lamb(eta=0.001, beta1=0.9, beta2=0.999, gamma_l=0.0, gamma_u=10.0, eps=1e-06, " +
		"bias_correction=False)", Func: nn.NewLamb},
	{Signature: "nnabla.solvers.Lion(lr=0.0001, beta1=0.9, beta2=0.99)", Func: nn.NewLion},

	{Signature: "nnabla.solvers.Solver.scale_grad(self, scale)", Func: (*nn.Gradients).Scale},
	{Signature: "nnabla.solvers.Solver.weight_decay(self, decay_rate)", Func: (*nn.Gradients).WeightDecay},
	{Signature: "nnabla.solvers.Solver.clip_grad_by_norm(self, clip_norm)", Func: (*nn.Gradients).ClipByNorm},
	{Signature: "nnabla.solvers.Solver.check_inf_grad(self)", Func: (*nn.Gradients).HasInf},
	{Signature: "nnabla.solvers.Solver.check_nan_grad(self)", Func: (*nn.Gradients).HasNaN},
	{Signature: "nnabla.solvers.Solver.check_inf_or_nan_grad(self)", Func: (*nn.Gradients).HasInfOrNaN},

	{Signature: "nnabla.utils.learning_rate_scheduler.PolynomialScheduler(init_lr, max_iter, power)", Func: nn.PolynomialSchedule},
	{Signature: "nnabla.utils.learning_rate_scheduler.CosineScheduler(init_lr, max_iter)", Func: nn.CosineSchedule},
	{Signature: "nnabla.utils.learning_rate_scheduler.ExponentialScheduler(init_lr, gamma, iter_interval=1)",
		Func: nn.ExponentialSchedule},
	{Signature: "nnabla.utils.learning_rate_scheduler.StepScheduler(init_lr, gamma, iter_steps)", Func: nn.StepSchedule},
	{Signature: "nnabla.utils.learning_rate_scheduler.LinearWarmupScheduler(scheduler, warmup_iter)", Func: nn.Schedule.WithWarmup},
}
