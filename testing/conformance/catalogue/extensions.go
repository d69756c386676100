package catalogue

import "github.com/ndgrad/ndgrad/nn/train"

// ofOptimizer says what stands for an optimizer's attribute of some name.
const ofOptimizer = "the attribute is a pair of functions, such as train.LearningRate(optimizer)"

// extensionRows is the chapter of what a training shows and adjusts between its updates.
var extensionRows = []Row{
	{Signature: "chainer.training.extensions.ExponentialShift(attr, rate, init=None, target=None, optimizer=None)", Func: train.NewExponentialShift,
		Ignores: []string{"optimizer"}, Note: ofOptimizer},
	{Signature: "chainer.training.extensions.LinearShift(attr, value_range, time_range, optimizer=None)", Func: train.NewLinearShift,
		Ignores: []string{"optimizer"}, Note: ofOptimizer},
	{Signature: "chainer.training.extensions.observe_lr(optimizer_name='main', observation_key='lr')", Func: train.ObserveLR,
		Note: "it takes the optimizer itself"},
	{Signature: "chainer.training.extensions.observe_value(observation_key, target_func)", Func: train.ObserveValue},
	{Signature: "chainer.training.extensions.ProgressBar(training_length=None, update_interval=100, bar_length=50, out=None)", Func: train.NewProgressBar,
		Note: "out is standard output where it is None"},
}
