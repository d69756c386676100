package train

import (
	"errors"
	"io"

	"github.com/ndgrad/ndgrad/internal/options"
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
	o       EvaluatorOptions
}

// EvaluatorOptions are the options of [NewEvaluator].
type EvaluatorOptions struct {
	// Name tells several evaluators of a trainer apart: what they report begins with it and a slash.
	Name string
}

// NewEvaluator returns the evaluation of a model, a plain scope, on batches that end, such as those of a sampler with Once. The evaluator
// reads them from the beginning each time, and closes them.
func NewEvaluator[B any](batches data.Batches[B], model *nn.Scope, loss LossFunc[B], opts ...EvaluatorOptions) *Evaluator[B] {
	const fn nd.Func = "train.NewEvaluator"
	if model.Training() {
		panic(fn.Errorf(nil, "the model is a view that trains: want a plain scope"))
	}
	return &Evaluator[B]{batches: batches, model: model, loss: loss, o: options.Read(fn, opts)}
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
		if errors.Is(err, io.EOF) {
			return all.Means(), nil
		}
		if err != nil {
			return nil, err
		}
		var one report.Values
		arena := nd.NewArena()
		e.loss(e.model, lent(arena, batch), report.New(&one).Sub("main"))
		arena.Release()
		all.Add(&one)
	}
}

// Run reports the means, with the evaluator's name and "validation/" before them.
func (e *Evaluator[B]) Run(t *Trainer) error {
	means, err := e.Evaluate()
	if err != nil {
		return err
	}
	prefix := "validation/"
	if e.o.Name != "" {
		prefix = e.o.Name + "/" + prefix
	}
	for name, v := range means.All() {
		t.Observation().Set(prefix+name, v)
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
