package train

import (
	"io"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Evaluator reports the values that a loss function reports for the batches of a data set: the means over batches, all
// with the same weight, whatever their number of examples.
// Chainer: training.extensions.Evaluator.
type Evaluator[B any] struct {
	Base
	batches data.Batches[B]
	model   *nn.Scope
	loss    LossFunc[B]
	o       EvaluatorOptions[B]
}

// EvaluatorOptions are the options of NewEvaluator.
type EvaluatorOptions[B any] struct {
	// Hook is called at the beginning of each evaluation, with the evaluator.
	Hook func(e *Evaluator[B])
}

// NewEvaluator returns the evaluation of a model, a scope that is not watched. The batches must end, such as those of a
// sampler with Once. The evaluator reads them from the beginning each time, and closes them.
func NewEvaluator[B any](batches data.Batches[B], model *nn.Scope, loss LossFunc[B], opts ...EvaluatorOptions[B]) *Evaluator[B] {
	const fn nd.Func = "train.NewEvaluator"
	if batches == nil || model == nil || loss == nil {
		panic(fn.Errorf(nil, "want batches, a model and a loss function"))
	}
	if model.Training() {
		panic(fn.Errorf(nil, "the model is a view that trains: want the scope itself"))
	}
	return &Evaluator[B]{batches: batches, model: model, loss: loss, o: options.Read(fn, opts)}
}

// Settings make the evaluator run after each epoch, before extensions that read the observation.
func (e *Evaluator[B]) Settings() Settings {
	return Settings{Name: "validation", Trigger: Every(1, Epoch), Priority: Writer}
}

// Evaluate returns the means. The reports of the loss function get the prefix "main/".
// Chainer: training.extensions.Evaluator.evaluate.
func (e *Evaluator[B]) Evaluate() (*report.Values, error) {
	seen, err := e.each()
	if err != nil {
		return nil, err
	}
	var all report.Summaries
	for i := range seen {
		all.Add(&seen[i])
	}
	return all.Means(), nil
}

// each returns the reports for each batch.
func (e *Evaluator[B]) each() (seen []report.Values, err error) {
	if e.o.Hook != nil {
		e.o.Hook(e)
	}
	e.batches.Reset()
	for {
		batch, err := e.batches.Next()
		if err == io.EOF {
			return seen, nil
		}
		if err != nil {
			return nil, err
		}
		seen = append(seen, *e.observe(batch))
	}
}

// evaluateAll returns the means over the batches of all ranks, added in the order in which a sampler deals them.
func (e *Evaluator[B]) evaluateAll(c collective) (*report.Values, error) {
	if err := c.shareStatistics(); err != nil {
		return nil, err
	}
	mine, err := e.each()
	if err != nil {
		return nil, err
	}
	seen, err := c.gatherValues(mine)
	if err != nil {
		return nil, err
	}
	var all report.Summaries
	for i, found := 0, true; found; i++ {
		found = false
		for r := range seen {
			if i < len(seen[r]) {
				all.Add(&seen[r][i])
				found = true
			}
		}
	}
	return all.Means(), nil
}

// observe returns the reports of the loss function for a batch.
func (e *Evaluator[B]) observe(batch B) *report.Values {
	var seen report.Values
	arena := nd.NewArena()
	defer arena.Release()
	e.loss(e.model, inArena(arena, batch), report.New(&seen).Sub("main"))
	return &seen
}

// Run reports the means. It puts the trainer's name of the evaluator before their names: "validation", unless Settings
// give another. If the updater is a [Distributed], the batches are those of all ranks: the sampler deals them, by its
// options Rank and Size.
func (e *Evaluator[B]) Run(t *Trainer) error {
	evaluate := e.Evaluate
	if c := t.collective(); c != nil {
		evaluate = func() (*report.Values, error) { return e.evaluateAll(c) }
	}
	means, err := evaluate()
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

// inArena returns a batch whose arrays are headers of an arena. The arena then owns all results computed from them, which
// are released with it. The arena does not own the memory of the batch itself.
func inArena[B any](arena *nd.Arena, batch B) B {
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
