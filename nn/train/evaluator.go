package train

import (
	"io"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Evaluator reports what a loss function reports of the batches of a set: the means over batches, each with the same weight, however
// many examples it has. chainer.training.extensions.Evaluator.
type Evaluator[B any] struct {
	Base
	batches data.Batches[B]
	model   *nn.Scope
	loss    LossFunc[B]
}

// NewEvaluator returns the evaluation of a model, a plain scope, on batches that end, such as those of a sampler with Once. The evaluator
// reads them from the beginning each time, and closes them.
func NewEvaluator[B any](batches data.Batches[B], model *nn.Scope, loss LossFunc[B]) *Evaluator[B] {
	const fn nd.Func = "train.NewEvaluator"
	if batches == nil || model == nil || loss == nil {
		panic(fn.Errorf(nil, "want batches, a model and a loss function"))
	}
	if model.Training() {
		panic(fn.Errorf(nil, "the model is a view that trains: want a plain scope"))
	}
	return &Evaluator[B]{batches: batches, model: model, loss: loss}
}

// Settings have it run after each epoch, before what reads the observation.
func (e *Evaluator[B]) Settings() Settings {
	return Settings{Name: "validation", Trigger: Every(1, Epoch), Priority: Writer}
}

// Evaluate returns the means. What the loss function reports has "main/" before it. chainer.training.extensions.Evaluator.evaluate.
func (e *Evaluator[B]) Evaluate() (*report.Values, error) {
	var all report.Summaries
	e.batches.Reset()
	for {
		batch, err := e.batches.Next()
		if err == io.EOF {
			return all.Means(), nil
		}
		if err != nil {
			return nil, err
		}
		all.Add(e.observe(batch))
	}
}

// observe returns what the loss function reports of a batch.
func (e *Evaluator[B]) observe(batch B) *report.Values {
	var seen report.Values
	arena := nd.NewArena()
	defer arena.Release()
	e.loss(e.model, lent(arena, batch), report.New(&seen).Sub("main"))
	return &seen
}

// Run reports the means, with the name that the trainer knows the evaluator by before them: "validation", unless Settings say another.
func (e *Evaluator[B]) Run(t *Trainer) error {
	means, err := e.Evaluate()
	if err != nil {
		return err
	}
	r := report.New(t.Observation()).Sub(t.nameOf(e))
	for name, v := range means.All() {
		r.Value(name, v)
	}
	return nil
}

// Close closes the batches.
func (e *Evaluator[B]) Close() error { return e.batches.Close() }

// lent is a batch whose arrays are headers of an arena, so that all that is computed of them is its, and is released with it. The batch
// itself is not.
func lent[B any](arena *nd.Arena, batch B) B {
	arrays, ok := any(batch).(data.Batch)
	if !ok {
		return batch
	}
	views := make(data.Batch, len(arrays))
	for i, x := range arrays {
		views[i] = arena.Own(x.Detach())
	}
	return any(views).(B)
}
