package train_test

import (
	"context"
	"image"
	_ "image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

func TestParameterStatistics(t *testing.T) {
	params := nn.NewScope()
	params.Set("l/w", nd.FromSlice([]float32{0, 1, 2, 3, 4}))
	params.Set("l/b", nd.FromSlice([]float32{math.MaxFloat32, float32(math.NaN())}))
	params.Value("l/n", nd.FromSlice([]int{7}))
	s := train.NewParameterStatistics(params, train.ParameterStatisticsOptions{Prefix: "p"})
	gradient := nd.FromSlice([]float32{0, 0, 0, 0, 10})
	see := func(int, *report.Reporter) { s.See(optim.NewGradients(params, map[string]*nd.Array{"l/w": gradient})) }
	var all *report.Values
	tr := train.New(newCounter(2, 2, see), train.Every(1, train.Iteration), t.TempDir())
	tr.Extend(s)
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	all = tr.Observation()
	for name, want := range map[string]float64{
		"p/l/w/data/mean": 2, "p/l/w/data/std": math.Sqrt2, "p/l/w/data/min": 0, "p/l/w/data/max": 4, "p/l/w/data/zeros": 1,
		"p/l/w/data/percentile/3": 2, "p/l/w/data/percentile/0": 0.0052, "p/l/w/data/percentile/6": 3.9948,
		"p/l/w/grad/mean": 2, "p/l/w/grad/std": 4, "p/l/w/grad/zeros": 4, "p/l/w/grad/max": 10,
	} {
		if got, ok := all.Get(name); !ok || math.Abs(got-want) > 1e-6 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got, ok := all.Get("p/l/b/data/percentile/3"); !ok || !math.IsNaN(got) {
		t.Errorf("the median with a NaN is %v", got)
	}
	if _, ok := all.Get("p/l/b/grad/mean"); ok {
		t.Error("a parameter without a gradient has statistics of it")
	}
	for _, name := range all.Names() {
		if strings.HasPrefix(name, "p/l/n") {
			t.Errorf("%s is of no trained parameter", name)
		}
	}
}

// The picture has a bounded number of samples, however many updates there are. A resumed training continues the curves.
func TestVariableStatisticsPlot(t *testing.T) {
	params := nn.NewScope()
	params.Set("w", nd.Arange(0, 10, 1))
	path := filepath.Join(t.TempDir(), "plot.npz")
	var last *train.VariableStatisticsPlot
	for _, updates := range []float64{40, 50} {
		plot := train.NewVariableStatisticsPlot(params, train.VariableStatisticsPlotOptions{
			MaxSampleSize: 6, Trigger: train.Every(updates, train.Iteration)})
		if last != nil {
			if err := archive.Load(path, plot); err != nil {
				t.Fatal(err)
			}
		}
		out := t.TempDir()
		see := func(int, *report.Reporter) {
			plot.See(optim.NewGradients(params, map[string]*nd.Array{"w": nd.Ones([]int{10})}))
		}
		tr := train.New(newCounter(10, 5, see), train.Every(updates, train.Iteration), out)
		tr.Extend(plot, train.Settings{Name: "plot"})
		if err := tr.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := archive.Save(path, plot); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(filepath.Join(out, "statistics.png"))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := image.Decode(file); err != nil {
			t.Error(err)
		}
		file.Close()
		last = plot
	}
	var calls, between int
	var points *nd.Array
	if err := archive.Load(path, archive.Func(func(a *archive.Archive) {
		a.Int("_calls", &calls)
		a.Int("_between", &between)
		a.NewArray("_points", &points)
	})); err != nil {
		t.Fatal(err)
	}
	if calls != 90 || between != 16 || points.Dim(0) != 6 {
		t.Errorf("%d calls, of which every %dth counts: %v", calls, between, points.Shape())
	}
	between = 0
	if err := archive.Save(path, archive.Func(func(a *archive.Archive) {
		a.Int("_calls", &calls)
		a.Int("_between", &between)
		a.Array("_points", points)
	})); err != nil {
		t.Fatal(err)
	}
	if archive.Load(path, train.NewVariableStatisticsPlot(params)) == nil {
		t.Error("a file in which every 0th sample counts was accepted")
	}
	if nd.Catch(func() { train.NewVariableStatisticsPlot(params, train.VariableStatisticsPlotOptions{MaxSampleSize: 1}) }) == nil {
		t.Error("one sample was accepted")
	}
}

func TestFailOnNonNumber(t *testing.T) {
	params := nn.NewScope()
	params.Set("good", nd.Ones([]int{3}))
	params.Set("part/bad", nd.Ones([]int{3}))
	params.Value("n", nd.FromSlice([]int{1}))
	spoil := func(iteration int, _ *report.Reporter) {
		if iteration == 3 {
			params.Set("part/bad", nd.FromSlice([]float64{1, math.Inf(1), 2}))
		}
	}
	tr := train.New(newCounter(10, 5, spoil), train.Every(10, train.Epoch), t.TempDir())
	tr.Extend(train.FailOnNonNumber(params))
	err := tr.Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), `"part/bad"`) || !strings.Contains(err.Error(), "update 3") {
		t.Errorf("%v, want an error that names the parameter", err)
	}
	empty := train.New(newCounter(10, 5, nil), train.Every(1, train.Epoch), t.TempDir())
	empty.Extend(train.FailOnNonNumber(nn.NewScope()))
	if err := empty.Run(context.Background()); err != nil {
		t.Error(err)
	}
}
