package named_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nn/report"
)

func TestChainerReporter(t *testing.T) {
	var seen, other report.Values
	r := one[*report.Reporter](t, "chainer.Reporter", &seen)
	model := one[*report.Reporter](t, "chainer.Reporter.add_observer", r, "main", nil)
	layer := one[*report.Reporter](t, "chainer.Reporter.add_observers", model, "l1", nil)
	call(t, "chainer.Reporter.report", r, map[string]any{"loss": vector(2.5), "n": 3}, model)
	call(t, "chainer.Reporter.report", r, map[string]any{"norm": 1.5}, layer)
	call(t, "chainer.Reporter.report", r, map[string]any{"lr": 0.1})
	call(t, "chainer.report", map[string]any{"loss": 2}, model) // it replaces the first one
	call(t, "chainer.report", map[string]any{"loss": 9})        // without a reporter
	equal(t, "values", valuesOf(&seen), map[string]float64{"main/loss": 2, "main/n": 3, "main/l1/norm": 1.5, "lr": 0.1})
	within := one[*report.Reporter](t, "chainer.Reporter.scope", &other)
	call(t, "chainer.report", map[string]any{"loss": 4}, within)
	equal(t, "values of another scope", valuesOf(&other), map[string]float64{"loss": 4})
	equal(t, "number of values", seen.Len(), 4)
}

func TestChainerSummary(t *testing.T) {
	s := one[*report.Summary](t, "chainer.Summary")
	for _, v := range []any{1, 2.0, vector(6).Reshape()} {
		call(t, "chainer.Summary.add", s, v)
	}
	equal(t, "the mean", one[float64](t, "chainer.Summary.compute_mean", s), 3.0)
	both := call(t, "chainer.Summary.make_statistics", s).Values
	equal(t, "the mean", both[0], 3.0)
	if std := both[1].(float64); math.Abs(std-math.Sqrt(14.0/3)) > 1e-15 {
		t.Errorf("the standard deviation is %v", std)
	}
}

// TestChainerDictSummary checks that a name's mean is over the times that it was added, and that only numbers count.
func TestChainerDictSummary(t *testing.T) {
	s := one[*report.Summaries](t, "chainer.DictSummary")
	for _, d := range []map[string]any{{"a": 1, "b": vector(5).Reshape(), "name": "x", "list": vector(1, 2)}, {"a": 4}} {
		call(t, "chainer.DictSummary.add", s, d)
	}
	equal(t, "means", valuesOf(one[*report.Values](t, "chainer.DictSummary.compute_mean", s)), map[string]float64{"a": 2.5, "b": 5})
	equal(t, "statistics", valuesOf(one[*report.Values](t, "chainer.DictSummary.make_statistics", s)),
		map[string]float64{"a": 2.5, "a.std": 1.5, "b": 5, "b.std": 0})
}
