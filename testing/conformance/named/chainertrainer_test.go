package named_test

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// slope is the loss of a model with one parameter w, initially 1: the mean of w·x. Its gradient is the mean of x.
var slope train.LossFunc[data.Batch] = func(s *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	loss := ops.Mean(ops.Multiply(s.Parameter("w", []int{1}, initializer.Constant(1), true), b[0]))
	r.Report("loss", loss)
	return loss
}

// pairs are the batches (1, 2) and (3, 4).
func pairs(o data.SamplerOptions) data.Batches[data.Batch] {
	return data.NewLoader(data.NewSampler(4, 2, o), data.Rows(nd.FromSlice([]float32{1, 2, 3, 4})))
}

func halfRate() *optim.Optimizer { return optim.NewSGD(optim.SGDOptions{LR: 0.5}) }

// valuesOf returns reported values as a map.
func valuesOf(v *report.Values) map[string]float64 { return maps.Collect(v.All()) }

// saved writes an object to a file, and returns its path.
func saved(t *testing.T, o archive.Object) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "saved.npz")
	if err := archive.Save(path, o); err != nil {
		t.Fatal(err)
	}
	return path
}

func restore(t *testing.T, path string, o archive.Object) {
	t.Helper()
	if err := archive.Load(path, o); err != nil {
		t.Fatal(err)
	}
}

// closable is an updater that counts calls of Close.
type closable struct {
	train.Updater
	closed int
}

func (c *closable) Close() error { c.closed++; return c.Updater.Close() }

// TestChainerUpdaters checks one update of each kind: w - 0.5·g, where g is the gradient of one batch, or the mean over
// those of two.
func TestChainerUpdaters(t *testing.T) {
	updated := func(name string, loss float64, w float32, more ...any) (train.Updater, *nn.Scope) {
		params := nn.NewScope()
		u := one[train.Updater](t, name, append([]any{pairs(data.SamplerOptions{}), params, halfRate(), slope}, more...)...)
		var seen report.Values
		call(t, "chainer.training.Updater.update", u, report.New(&seen))
		equal(t, name+": w", params.Get("w"), []float32{w})
		equal(t, name+": reports", valuesOf(&seen), map[string]float64{"main/loss": loss})
		return u, params
	}
	updated("chainer.training.ParallelUpdater", 1.5, 1-0.5*2.5, 2)
	u, params := updated("chainer.training.StandardUpdater", 1.5, 1-0.5*1.5)
	call(t, "chainer.training.StandardUpdater.update_core", u, nil)
	equal(t, "w after two updates", params.Get("w"), []float32{0.25 - 0.5*3.5})

	serialized := func(u train.Updater) archive.Object {
		return archive.Func(func(a *archive.Archive) { call(t, "chainer.training.Updater.serialize", u, a) })
	}
	again := nn.NewScope()
	v := train.NewUpdater(pairs(data.SamplerOptions{}), again, halfRate(), slope)
	if err := v.Update(nil); err != nil {
		t.Fatal(err)
	}
	restore(t, saved(t, serialized(u)), serialized(v))
	equal(t, "restored w", again.Get("w"), []float32{-1.5})
	equal(t, "restored number of updates", v.Iteration(), 2)
	equal(t, "restored epoch", v.Position().Epoch, 1)

	c := &closable{Updater: u}
	call(t, "chainer.training.Updater.finalize", c)
	equal(t, "calls of Close", c.closed, 1)
}

func TestChainerTrainer(t *testing.T) {
	u := &closable{Updater: train.NewUpdater(pairs(data.SamplerOptions{}), nn.NewScope(), halfRate(), slope)}
	trainer := one[*train.Trainer](t, "chainer.training.Trainer", u, []any{2, "epoch"}, t.TempDir())
	equal(t, "the updater", one[train.Updater](t, "chainer.training.Updater", trainer), u)
	var at []int
	e := one[train.Extension](t, "chainer.training.Extension", func(t *train.Trainer) error {
		at = append(at, t.Iteration())
		return nil
	})
	call(t, "chainer.training.Trainer.extend", trainer, e, with{"name": "mine", "trigger": []any{1, "epoch"}, "invoke_before_training": true})
	equal(t, "the extension", one[train.Extension](t, "chainer.training.Trainer.get_extension", trainer, "mine"), e)
	equal(t, "an unknown extension", call(t, "chainer.training.Trainer.get_extension", trainer, "other").Values, []any{nil})

	call(t, "chainer.training.Trainer.run", trainer, t.Context())
	equal(t, "runs of the extension", at, []int{0, 2, 4})
	equal(t, "updates", u.Iteration(), 4)
	equal(t, "calls of Close", u.closed, 1)
	elapsed := one[float64](t, "chainer.training.Trainer.elapsed_time", trainer)
	if elapsed <= 0 || elapsed > 600 || elapsed != trainer.Elapsed() {
		t.Errorf("the training took %v seconds", elapsed)
	}
}

// tally is an extension that counts its calls.
type tally struct {
	train.Base
	runs, closed int
}

func (e *tally) Settings() train.Settings   { return train.Settings{Name: "tally"} }
func (e *tally) Run(*train.Trainer) error   { e.runs++; return nil }
func (e *tally) Close() error               { e.closed++; return nil }
func (e *tally) Archive(a *archive.Archive) { a.Int("runs", &e.runs) }

func TestChainerExtensionMethods(t *testing.T) {
	e := &tally{}
	trainer := train.New(&closable{}, train.At(train.Iteration), t.TempDir())
	for range 3 {
		call(t, "chainer.training.Extension.__call__", e, trainer)
	}
	call(t, "chainer.training.Extension.finalize", e)
	equal(t, "the extension", *e, tally{runs: 3, closed: 1})
	equal(t, "the default name", one[string](t, "chainer.training.Extension.default_name", e), "tally")
	serialized := func(e *tally) archive.Object {
		return archive.Func(func(a *archive.Archive) { call(t, "chainer.training.Extension.serialize", e, a) })
	}
	var other tally
	restore(t, saved(t, serialized(e)), serialized(&other))
	equal(t, "restored runs", other.runs, 3)
}

// TestChainerTriggers asks triggers after each update of a walk over four examples in batches of three.
func TestChainerTriggers(t *testing.T) {
	fires := func(name string, trigger train.Trigger, want ...bool) {
		t.Helper()
		u := train.NewUpdater(data.Batches[data.Batch](data.NewLoader(data.NewSampler(4, 3), data.Rows(nd.Ones([]int{4})))), nn.NewScope(), halfRate(), slope)
		trainer := train.New(u, train.At(train.Iteration), t.TempDir())
		var got []bool
		for range want {
			if err := u.Update(nil); err != nil {
				t.Fatal(err)
			}
			got = append(got, one[bool](t, name, trigger, trainer))
		}
		equal(t, name, got, want)
	}
	fires("chainer.training.triggers.IntervalTrigger.__call__",
		one[train.Trigger](t, "chainer.training.triggers.IntervalTrigger", 2, "iteration"), false, true, false, true, false)
	fires("chainer.training.triggers.IntervalTrigger.__call__",
		one[train.Trigger](t, "chainer.training.triggers.IntervalTrigger", 2, "epoch"), false, false, true, false, false, true) // 0.75, 1.5, 2.25, 3, 3.75, 4.5
	fires("chainer.training.triggers.ManualScheduleTrigger.__call__",
		one[train.Trigger](t, "chainer.training.triggers.ManualScheduleTrigger", []any{1, 4}, "iteration"), true, false, false, true, false)
	fires("chainer.training.triggers.ManualScheduleTrigger.__call__",
		one[train.Trigger](t, "chainer.training.triggers.ManualScheduleTrigger", []any{1, 3}, "epoch"), false, true, false, true, false)
}

// TestChainerEvaluator checks the mean over the batches: of 2·1.5 and 2·3.5.
func TestChainerEvaluator(t *testing.T) {
	params := nn.NewScope()
	params.Set("w", nd.FromSlice([]float32{2}))
	made := func() *train.Evaluator[data.Batch] {
		return one[*train.Evaluator[data.Batch]](t, "chainer.training.extensions.Evaluator", pairs(data.SamplerOptions{Once: true}), params, slope)
	}
	e := made()
	for range 2 {
		equal(t, "evaluate", valuesOf(one[*report.Values](t, "chainer.training.extensions.Evaluator.evaluate", e)), map[string]float64{"main/loss": 5})
	}
	equal(t, "a call without a trainer", valuesOf(one[*report.Values](t, "chainer.training.extensions.Evaluator.__call__", e)),
		map[string]float64{"main/loss": 5})
	trainer := train.New(&closable{}, train.At(train.Iteration), t.TempDir())
	trainer.Extend(e)
	call(t, "chainer.training.extensions.Evaluator.__call__", e, trainer)
	equal(t, "the observation", valuesOf(trainer.Observation()), map[string]float64{"validation/main/loss": 5})
	equal(t, "w", params.Get("w"), []float32{2})
}
