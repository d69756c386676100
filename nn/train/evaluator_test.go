package train_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// once reads 1, 2, …, 5 in batches of two.
func once() data.Batches[data.Batch] {
	return data.NewLoader(data.NewSampler(5, 2, data.SamplerOptions{Once: true}), data.Rows(nd.FromSlice([]float64{1, 2, 3, 4, 5})))
}

// mean reports the mean of a batch.
func mean(_ *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	m := ops.Mean(b[0])
	r.Report("mean", m)
	if b[0].Dim(0) == 1 {
		r.Value("small", 1)
	}
	return m
}

// TestEvaluator checks that all batches have the same weight, even small ones, and that a value is averaged over the
// batches that have it.
func TestEvaluator(t *testing.T) {
	e := train.NewEvaluator(once(), nn.NewScope(), mean)
	for range 2 { // from the beginning
		v, err := e.Evaluate()
		if err != nil {
			t.Fatal(err)
		}
		got, _ := v.Get("main/mean")
		small, _ := v.Get("main/small")
		if want := (1.5 + 3.5 + 5) / 3; got != want || small != 1 || v.Len() != 2 {
			t.Errorf("%v: mean %g, want %g; %g", v.Names(), got, want, small)
		}
	}
}

// TestEvaluatorReports checks that reports have the trainer's name of the evaluator.
func TestEvaluatorReports(t *testing.T) {
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	trainer.Extend(train.NewEvaluator(once(), nn.NewScope(), mean))
	trainer.Extend(train.NewEvaluator(once(), nn.NewScope(), mean))
	trainer.Extend(train.NewEvaluator(once(), nn.NewScope(), mean), train.Settings{Name: "test"})
	log := train.NewLogReport(train.LogReportOptions{NoFile: true})
	trainer.Extend(log)
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"validation/main/mean", "validation/main/small", "validation_1/main/mean", "validation_1/main/small",
		"test/main/mean", "test/main/small", "epoch", "iteration", "elapsed_time"}
	if got := log.Log()[0].Names(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// values returns the numbers of all parameters.
func values(s *nn.Scope) (all []float32) {
	for _, p := range s.All() {
		all = append(all, nd.ToSlice[float32](p.Value())...)
	}
	return all
}

// TestEvaluatorIsPure checks that parameters and statistics stay as they are.
func TestEvaluatorIsPure(t *testing.T) {
	x, y := examples(4)
	params := nn.NewScope()
	regression(params, data.Batch{x, y}, nil)
	before := values(params)
	e := train.NewEvaluator(data.NewLoader(data.NewSampler(4, 2, data.SamplerOptions{Once: true}), data.Rows(x, y)), params, regression)
	if _, err := e.Evaluate(); err != nil {
		t.Fatal(err)
	}
	if got := values(params); !slices.Equal(got, before) {
		t.Errorf("%v, before %v", got, before)
	}
}

func TestEvaluatorFaults(t *testing.T) {
	broken := errors.New("broken")
	batches := data.NewLoader(data.NewSampler(4, 2, data.SamplerOptions{Once: true}), func([]int) (data.Batch, error) { return nil, broken })
	v, err := train.NewEvaluator(batches, nn.NewScope(), mean).Evaluate()
	if v != nil || !errors.Is(err, broken) {
		t.Errorf("%v, error %v", v, err)
	}
}

// TestEvaluatorHook checks that the hook is called once at the beginning of each evaluation, with the evaluator.
func TestEvaluatorHook(t *testing.T) {
	var seen []string
	var e *train.Evaluator[data.Batch]
	loss := func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		seen = append(seen, "batch")
		return mean(m, b, r)
	}
	e = train.NewEvaluator(once(), nn.NewScope(), loss, train.EvaluatorOptions[data.Batch]{Hook: func(got *train.Evaluator[data.Batch]) {
		seen = append(seen, "hook")
		if got != e {
			t.Error("the hook gets another evaluator")
		}
	}})
	for range 2 {
		if _, err := e.Evaluate(); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"hook", "batch", "batch", "batch", "hook", "batch", "batch", "batch"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
}
