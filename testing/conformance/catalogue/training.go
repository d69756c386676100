package catalogue

import (
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// Notes of several rows.
const (
	ofBatches         = "batches are arrays as soon as they are read; data.Examples is the converter"
	triggersAreValues = "a trigger is a value; (3, 'epoch') is train.Every(3, train.Epoch)"
)

// trainingRows is the chapter of the training loop and its parts. Here updaters and evaluators use batches of arrays;
// in Go, batches may have any type.
var trainingRows = []Row{
	{Signature: "chainer.training.Trainer(updater, stop_trigger=None, out='result')", Func: func(updater train.Updater, stop any, out string) *train.Trainer {
		return train.New(updater, triggerOf(stop), out)
	}, NoGrad: true, Note: triggersAreValues},
	{Signature: "chainer.training.Trainer.elapsed_time(self)", Func: (*train.Trainer).Elapsed},
	{Signature: "chainer.training.Trainer.extend(self, extension, name=None, trigger=None, priority=None, invoke_before_training=None)", Func: extend, NoGrad: true,
		Note: "invoke_before_training is Settings.Before; " + triggersAreValues},
	{Signature: "chainer.training.Trainer.get_extension(self, name)", Func: (*train.Trainer).Extension, NoGrad: true},
	{Signature: "chainer.training.Trainer.run(self, ctx)", Func: (*train.Trainer).Run, NoGrad: true, Note: "takes a context that ends the run"},

	{Signature: "chainer.training.Updater(trainer)", Func: (*train.Trainer).Updater, NoGrad: true, Note: "an interface"},
	{Signature: "chainer.training.Updater.finalize(self)", Func: train.Updater.Close, NoGrad: true},
	{Signature: "chainer.training.Updater.serialize(self, serializer)", Func: train.Updater.Archive, NoGrad: true},
	{Signature: "chainer.training.Updater.update(self, reporter=None)", Func: train.Updater.Update, NoGrad: true},
	{Signature: "chainer.training.StandardUpdater(iterator, model, optimizer, loss_func, converter=None, device=None)", Func: train.NewUpdater[data.Batch],
		Ignores: []string{"converter", "device"}, NoGrad: true, Note: ofBatches},
	{Signature: "chainer.training.StandardUpdater.update_core(self, reporter=None)", Func: (*train.Standard[data.Batch]).Update, NoGrad: true,
		Note: "another update core is another Updater"},
	{Signature: "chainer.training.ParallelUpdater(iterator, models, optimizer, loss_func, devices=2, converter=None)", Func: train.NewParallel[data.Batch],
		Ignores: []string{"converter"}, NoGrad: true, Note: "devices become a number of goroutines, each with a replica of the model; " + ofBatches},

	{Signature: "chainer.training.Extension(run)", Func: train.Func, NoGrad: true, Note: "an interface; embed train.Base"},
	{Signature: "chainer.training.Extension.__call__(self, trainer)", Func: train.Extension.Run, NoGrad: true},
	{Signature: "chainer.training.Extension.default_name(self)", Func: func(self train.Extension) string { return self.Settings().Name }, NoGrad: true,
		Note: "the field Name of its Settings"},
	{Signature: "chainer.training.Extension.finalize(self)", Func: train.Extension.Close, NoGrad: true},
	{Signature: "chainer.training.Extension.serialize(self, serializer)", Func: train.Extension.Archive, NoGrad: true},
	{Signature: "chainer.training.make_extension(run, trigger=None, default_name=None, priority=None, invoke_before_training=False, finalizer=None)", Func: makeExtension, NoGrad: true,
		Note: "train.FuncOptions; invoke_before_training is Before, and finalizer is Close; " + triggersAreValues},

	{Signature: "chainer.training.get_trigger(trigger)", Func: triggerOf, NoGrad: true, Note: triggersAreValues},
	{Signature: "chainer.training.triggers.IntervalTrigger(period, unit)", Func: func(period float64, unit string) train.Trigger {
		return train.Every(period, unitOf(unit))
	}, NoGrad: true},
	{Signature: "chainer.training.triggers.IntervalTrigger.__call__(self, trainer)", Func: train.Trigger.Fire, NoGrad: true},
	{Signature: "chainer.training.triggers.ManualScheduleTrigger(points, unit)", Func: func(points []float64, unit string) train.Trigger {
		return train.At(unitOf(unit), points...)
	}, NoGrad: true},
	{Signature: "chainer.training.triggers.ManualScheduleTrigger.__call__(self, trainer)", Func: train.Trigger.Fire, NoGrad: true},
	{Signature: "chainer.training.triggers.MaxValueTrigger(key, trigger=(1, 'epoch'))", Func: func(key string, trigger any) train.Trigger {
		return train.MaxValue(key, triggerOf(trigger))
	}, NoGrad: true, Note: triggersAreValues},
	{Signature: "chainer.training.triggers.MinValueTrigger(key, trigger=(1, 'epoch'))", Func: func(key string, trigger any) train.Trigger {
		return train.MinValue(key, triggerOf(trigger))
	}, NoGrad: true, Note: triggersAreValues},

	{Signature: "chainer.training.extensions.Evaluator(iterator, target, eval_func, converter=None, device=None, eval_hook=None)", Func: train.NewEvaluator[data.Batch],
		Ignores: []string{"converter", "device"}, Renames: map[string]string{"eval_hook": "Hook"}, NoGrad: true, Note: ofBatches},
	{Signature: "chainer.training.extensions.Evaluator.__call__(self, trainer=None)", Func: evaluate, NoGrad: true},
	{Signature: "chainer.training.extensions.Evaluator.evaluate(self)", Func: (*train.Evaluator[data.Batch]).Evaluate, NoGrad: true},
	{Signature: "chainer.training.extensions.LogReport(keys=None, trigger=(1, 'epoch'), postprocess=None, log_name='log')",
		Func: func(keys []string, trigger any, postprocess func(v *report.Values), logName string) *train.LogReport {
			return train.NewLogReport(train.LogReportOptions{Keys: keys, Trigger: triggerOf(trigger), Postprocess: postprocess, FileName: logName})
		}, NoGrad: true},
	{Signature: "chainer.training.extensions.LogReport.log(self)", Func: (*train.LogReport).Log, NoGrad: true},
	{Signature: "chainer.training.extensions.snapshot(savefun=None, filename='snapshot_iter_{.updater.iteration}', trigger=(1, 'epoch'))",
		Func: func(filename string) *train.Snapshot {
			return train.NewSnapshot(train.SnapshotOptions{FileName: inBraces(filename)})
		}, Ignores: []string{"savefun", "trigger"}, NoGrad: true, Note: "the trigger is part of Settings; the file name's extension selects the format"},
	{Signature: "chainer.training.extensions.snapshot_object(target, filename, savefun=None, trigger=(1, 'epoch'))",
		Func: func(target archive.Object, filename string) *train.Snapshot {
			return train.NewSnapshotObject(target, train.SnapshotOptions{FileName: inBraces(filename)})
		}, Ignores: []string{"savefun", "trigger"}, NoGrad: true, Note: "the trigger is part of Settings; the file name's extension selects the format"},
}

// makeExtension makes an extension of a function, with the given defaults.
func makeExtension(run func(t *train.Trainer) error, trigger any, name string, priority int, before bool, finalizer func() error) train.Extension {
	s := train.Settings{Name: name, Priority: priority, Before: before}
	if trigger != nil {
		s.Trigger = triggerOf(trigger)
	}
	return train.Func(run, train.FuncOptions{Settings: s, Close: finalizer})
}

// extend adds an extension with the given settings.
func extend(self *train.Trainer, e train.Extension, opts ...extendOptions) {
	o := options.Read(parametric, opts)
	s := train.Settings{Name: o.Name, Priority: o.Priority, Before: o.InvokeBeforeTraining}
	if o.Trigger != nil {
		s.Trigger = triggerOf(o.Trigger)
	}
	self.Extend(e, s)
}

type extendOptions struct {
	Name                 string
	Trigger              any
	Priority             int
	InvokeBeforeTraining bool
}

// evaluate returns the means, or with a trainer puts them into its observation.
func evaluate(self *train.Evaluator[data.Batch], trainer *train.Trainer) (*report.Values, error) {
	if trainer == nil {
		return self.Evaluate()
	}
	err := self.Run(trainer)
	return trainer.Observation(), err
}

// triggerOf converts a pair such as (3, 'epoch') to a trigger. Nil gives a trigger that never fires.
func triggerOf(trigger any) train.Trigger {
	switch v := trigger.(type) {
	case nil:
		return train.At(train.Iteration)
	case train.Trigger:
		return v
	case []any:
		if len(v) == 2 {
			period, ok := asFloat(v[0])
			if unit, named := v[1].(string); ok && named {
				return train.Every(period, unitOf(unit))
			}
		}
	}
	panic(nd.Func("chainer.training.get_trigger").Errorf(nil, "%v: want a trigger, or a period and its unit", trigger))
}

// unitOf returns the unit with a name.
func unitOf(name string) train.Unit {
	switch name {
	case train.Iteration.String():
		return train.Iteration
	case train.Epoch.String():
		return train.Epoch
	}
	panic(nd.Func("chainer.training.get_trigger").Errorf(nil, "unit %q: want iteration or epoch", name))
}

// inBraces replaces Chainer's attribute names in a pattern by the names of values.
func inBraces(pattern string) string {
	return strings.NewReplacer("{.updater.iteration}", "{iteration}", "{.updater.epoch}", "{epoch}").Replace(pattern)
}
