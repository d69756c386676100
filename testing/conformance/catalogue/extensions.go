package catalogue

import "github.com/ndgrad/ndgrad/nn/train"

// ofOptimizer is the note for an optimizer's attribute that is given by name.
const ofOptimizer = "the attribute is given as a pair of functions, such as train.LearningRate(optimizer)"

// extensionRows is the chapter of what a training run shows and adjusts between its updates.
var extensionRows = []Row{
	{Signature: "chainer.training.extensions.ExponentialShift(attr, rate, init=None, target=None, optimizer=None)", Func: train.NewExponentialShift,
		Ignores: []string{"optimizer"}, Note: ofOptimizer},
	{Signature: "chainer.training.extensions.LinearShift(attr, value_range, time_range, optimizer=None)", Func: train.NewLinearShift,
		Ignores: []string{"optimizer"}, Note: ofOptimizer},
	{Signature: "chainer.training.extensions.observe_lr(optimizer_name='main', observation_key='lr')", Func: train.ObserveLR,
		Note: "takes the optimizer itself"},
	{Signature: "chainer.training.extensions.observe_value(observation_key, target_func)", Func: train.ObserveValue},
	{Signature: "chainer.training.extensions.ProgressBar(training_length=None, update_interval=100, bar_length=50, out=None)", Func: train.NewProgressBar,
		Note: "out is standard output if it is None"},
	{Signature: "chainer.training.extensions.PlotReport(y_keys, x_key='iteration', trigger=(1, 'epoch'), postprocess=None, " +
		"file_name='plot.png', marker='x', grid=True)", Func: train.NewPlotReport, Note: "the marker is a dot, drawn if there are few points"},
	{Signature: "chainer.training.extensions.PrintReport(entries, log_report, out=None)", Func: printReport, Ignores: []string{"out"},
		Note: "the log is also an extension of the trainer; it is printed to PrintReport.Out"},
	{Signature: "chainer.training.extensions.dump_graph(root_name, out_name='cg.dot', variable_style=None, function_style=None)",
		Func: train.NewDumpGraph, Ignores: []string{"root_name"}, Note: "the updater passes it the loss: UpdaterOptions.OnLoss"},
}

func printReport(entries []string, log *train.LogReport) *train.PrintReport {
	return train.NewPrintReport(log, entries...)
}
