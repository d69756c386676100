package normalize_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

func TestClipGradByNormAlwaysScales(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{3, 4, 0.3, 0.4}, 2, 2))
	y := normalize.ClipGradByNorm(x, 2, ops.Over(1))
	opstest.Floats(t, "the identity", y, 3, 4, 0.3, 0.4)
	g := tape.Gradient(ops.Multiply(ops.Sum(ops.Square(y)), 0.5), x)[0]
	if want := nd.FromSlice([]float64{1.2, 1.6, 1.2, 1.6}, 2, 2); !ops.AllClose(g, want) {
		t.Errorf("the gradient is %v, want %v", g, want)
	}
	// The gradient of the first element of 2·x/‖x‖ is proportional to ‖x‖² - x[0]² and to -x[0]·x[i], and is scaled
	// again.
	first := tape.GradientRecorded(ops.Multiply(ops.Sum(ops.Square(normalize.ClipGradByNorm(x, 2))), 0.5), x)[0]
	g = tape.Gradient(first.Index(nd.At(0), nd.At(0)), x)[0]
	want := nd.FromSlice([]float64{25.25 - 9, -12, -0.9, -1.2}, 2, 2)
	if want = ops.Divide(want, ops.Multiply(ops.Norm(want), 0.5)); !ops.AllClose(g, want) {
		t.Errorf("the gradient of the gradient is %v, want %v", g, want)
	}
}

// TestMeanSubtractionIsTheMeanOfAllCalls checks that after calls with equally many samples the mean is that of all
// samples.
func TestMeanSubtractionIsTheMeanOfAllCalls(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 80}, 4, 2)
	mean, count := nd.Zeros([]int{2}), nd.FromSlice([]int{0})
	a := normalize.MeanSubtraction(x.Index(nd.Until(2)), mean, count)
	opstest.Floats(t, "the first call", a, -1, -1, 1, 1)
	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(x.Index(nd.From(2)).Copy())
	y := normalize.MeanSubtraction(w, mean, count)
	opstest.Floats(t, "the mean", mean, 4, 23)
	opstest.Floats(t, "the second call", y, 1, -17, 3, 57)
	opstest.Floats(t, "its gradient", tape.Gradient(ops.Sum(y), w)[0], 0.75, 0.75, 0.75, 0.75)
	still := normalize.MeanSubtraction(x, mean, count, normalize.MeanSubtractionOptions{UpdateRunningMean: new(false)})
	opstest.Floats(t, "without update", still, -3, -21, -1, -19, 1, -17, 3, 57)
	if n := nd.Value[int64](count); n != 2 {
		t.Errorf("%d calls are counted, want 2", n)
	}
	opstest.Refuses(t, "recorded", func() { normalize.MeanSubtraction(x, tape.Watch(mean), count) })
	opstest.Refuses(t, "a counter t", func() { normalize.MeanSubtraction(x, mean, mean) })
	opstest.Refuses(t, "axes of samples", func() { normalize.MeanSubtraction(x, mean, count, normalize.MeanSubtractionOptions{BaseAxis: new(2)}) })
	opstest.Refuses(t, "above 0", func() { normalize.ClipByNorm(x, nd.Scalar(0)) })
}
