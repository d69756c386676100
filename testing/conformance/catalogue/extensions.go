package catalogue

import (
	"io"

	"github.com/ndgrad/ndgrad/nd/ndplot"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

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
	{Signature: "chainer.training.extensions.ProgressBar(training_length=None, update_interval=100, bar_length=50, out=None)", Func: progressBar,
		Note: "out is standard output if it is None; " + triggersAreValues},
	{Signature: "chainer.training.extensions.PlotReport(y_keys, x_key='iteration', trigger=(1, 'epoch'), postprocess=None, " +
		"file_name='plot.png', marker='x', grid=True)",
		Func: func(keys []string, x string, trigger any, postprocess func(p *ndplot.Picture, log []*report.Values), file string, mark *string, grid bool) *train.PlotReport {
			marker := mark != nil
			return train.NewPlotReport(keys, train.PlotReportOptions{XKey: x, Trigger: triggerOf(trigger), Postprocess: postprocess, FileName: file,
				Marker: &marker, Grid: &grid})
		}, Note: "every marker is a dot; " + triggersAreValues},
	{Signature: "chainer.training.extensions.PrintReport(entries, log_report, out=None)", Func: printReport,
		Note: "the log is also an extension of the trainer; out is the field Out, standard output if it is None"},
	{Signature: "chainer.training.extensions.dump_graph(root_name, out_name='cg.dot', variable_style=None, function_style=None)",
		Func: train.NewDumpGraph, Ignores: []string{"root_name"}, Note: "the updater passes it the loss: UpdaterOptions.OnLoss"},
}

func progressBar(length any, updates, columns int, out io.Writer) *train.ProgressBar {
	o := train.ProgressBarOptions{UpdateInterval: updates, BarLength: columns, Out: out}
	if length != nil {
		o.TrainingLength = triggerOf(length)
	}
	return train.NewProgressBar(o)
}

func printReport(entries []string, log *train.LogReport, out io.Writer) *train.PrintReport {
	p := train.NewPrintReport(log, entries...)
	if out != nil {
		p.Out = out
	}
	return p
}
