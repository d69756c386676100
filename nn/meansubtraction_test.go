package nn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// After training with batches, the mean is the mean of all their samples.
func TestMeanSubtraction(t *testing.T) {
	first, second := nd.FromSlice([]float64{1, 10, 3, 30}, 2, 2), nd.FromSlice([]float64{5, 50, 7, 70}, 2, 2)
	s := float64s()
	tape := grad.NewTape()
	defer tape.Release()
	closeTo(t, "before training", nn.MeanSubtraction(s, first), floats(first), 0)
	closeTo(t, "the first batch", nn.MeanSubtraction(s.Watch(tape), first), []float64{-1, -10, 1, 10}, 0)
	x := tape.Watch(second)
	y := nn.MeanSubtraction(s.Watch(tape), x)
	closeTo(t, "the second batch", y, []float64{1, 10, 3, 30}, 0)
	closeTo(t, "the gradient", tape.Gradient(ops.Sum(y), x)[0], []float64{.75, .75, .75, .75}, 1e-15)

	before := fingerprint(s)
	closeTo(t, "evaluation", nn.MeanSubtraction(s, first), []float64{-3, -30, -1, -10}, 0)
	closeTo(t, "tuning", nn.MeanSubtraction(s.Watch(tape, nn.WatchOptions{Test: true}), first), []float64{-3, -30, -1, -10}, 0)
	still := nn.MeanSubtractionOptions{UpdateRunningMean: new(false)}
	closeTo(t, "training without an update", nn.MeanSubtraction(s.Watch(tape), first, still), []float64{-3, -30, -1, -10}, 0)
	if fingerprint(s) != before {
		t.Error("evaluation changed the mean")
	}
	closeTo(t, "the mean", s.Get("mean_subtraction/mean"), []float64{4, 40}, 0)
	closeTo(t, "the count", s.Get("mean_subtraction/t"), []float64{2}, 0)
	if s.Param("mean_subtraction/mean").NeedGrad() || s.Param("mean_subtraction/t").NeedGrad() {
		t.Error("the mean is trained")
	}
}

func TestMeanSubtractionOptions(t *testing.T) {
	s, x := nn.NewScope(), waves(2, 3, 4)
	y := nn.MeanSubtraction(s, x, nn.MeanSubtractionOptions{BaseAxis: new(-1)})
	if got := s.Get("mean_subtraction/mean").Shape(); !cmp.Equal(got, []int{4}) || y.DType() != dtype.Float32 {
		t.Errorf("the mean has the shape %v, the result the dtype %s", got, y.DType())
	}
	whole := nn.NewScope()
	nn.MeanSubtraction(whole, x, nn.MeanSubtractionOptions{BaseAxis: new(3)})
	if got := whole.Get("mean_subtraction/mean").Shape(); len(got) != 0 {
		t.Errorf("the mean of all elements has the shape %v", got)
	}
	none := nn.NewScope()
	refused(t, "BaseAxis 4", func() { nn.MeanSubtraction(none, x, nn.MeanSubtractionOptions{BaseAxis: new(4)}) })
	refused(t, "real numbers", func() { nn.MeanSubtraction(none, x.AsType(dtype.Complex64)) })
	if len(none.Names()) != 0 {
		t.Errorf("refused calls created %q", none.Names())
	}
}
