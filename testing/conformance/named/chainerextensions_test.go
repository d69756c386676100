package named_test

import (
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/ndplot"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// run is a training of slope for two epochs. w becomes 0.25, -1.5, -2.25 and -4; the mean losses of the epochs are
// 1.1875 and -5.0625.
type run struct {
	folder    string
	params    *nn.Scope
	optimizer *optim.Optimizer
	trainer   *train.Trainer
}

func newRun(t *testing.T, o ...train.UpdaterOptions) *run {
	r := &run{folder: t.TempDir(), params: nn.NewScope(), optimizer: halfRate()}
	u := train.NewUpdater(pairs(data.SamplerOptions{}), r.params, r.optimizer, slope, o...)
	r.trainer = train.New(u, train.Every(2, train.Epoch), r.folder)
	return r
}

func (r *run) start(t *testing.T, extensions ...train.Extension) {
	t.Helper()
	for _, e := range extensions {
		r.trainer.Extend(e)
	}
	if err := r.trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (r *run) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestChainerReports checks what is observed, logged and printed after each epoch.
func TestChainerReports(t *testing.T) {
	r := newRun(t)
	var table strings.Builder
	log := one[*train.LogReport](t, "chainer.training.extensions.LogReport", with{"trigger": []any{1, "epoch"}, "log_name": "log.json",
		"keys": []string{"main/loss", "rate", "count"}, "postprocess": func(v *report.Values) { v.Set("more", 7) }})
	r.start(t, log,
		one[train.Extension](t, "chainer.training.extensions.observe_lr", r.optimizer, "rate"),
		one[train.Extension](t, "chainer.training.extensions.observe_value", "count", func(t *train.Trainer) float64 { return float64(10 * t.Iteration()) }),
		one[*train.PrintReport](t, "chainer.training.extensions.PrintReport", []string{"epoch", "main/loss", "count"}, log, &table))

	var file []map[string]float64
	if err := json.Unmarshal([]byte(r.read(t, "log.json")), &file); err != nil {
		t.Fatal(err)
	}
	for i, v := range one[[]*report.Values](t, "chainer.training.extensions.LogReport.log", log) {
		seen := valuesOf(v)
		equal(t, "the file's entry", file[i], seen)
		delete(seen, "elapsed_time")
		equal(t, "the log's entry", seen, map[string]float64{"main/loss": []float64{1.1875, -5.0625}[i], "rate": 0.5, "count": float64(20 + 20*i),
			"epoch": float64(1 + i), "iteration": float64(2 + 2*i), "more": 7})
	}
	equal(t, "entries in the file", len(file), 2)
	equal(t, "the table", strings.Fields(strings.ReplaceAll(table.String(), "\x1b[J", "")),
		strings.Fields("epoch main/loss count 1 1.1875 20 2 -5.0625 40"))
}

func TestChainerPlotReport(t *testing.T) {
	r := newRun(t)
	plots := 0
	var picture *ndplot.Picture
	r.start(t, one[*train.PlotReport](t, "chainer.training.extensions.PlotReport", []string{"main/loss"}, with{"x_key": "epoch", "trigger": []any{2, "iteration"},
		"file_name": "loss.png", "marker": nil, "grid": false, "postprocess": func(p *ndplot.Picture, log []*report.Values) {
			plots++
			picture = p
			equal(t, "intervals", len(log), plots)
		}}))
	equal(t, "plots", plots, 2)
	equal(t, "the horizontal axis", picture.X.Label.Text, "epoch")
	if _, err := png.Decode(strings.NewReader(r.read(t, "loss.png"))); err != nil {
		t.Error(err)
	}
}

func TestChainerProgressBar(t *testing.T) {
	r := newRun(t)
	var out strings.Builder
	r.start(t, one[*train.ProgressBar](t, "chainer.training.extensions.ProgressBar", []any{8, "iteration"}, 2, 8, &out))
	drawings := strings.Split(out.String(), "\x1b[J")[1:]
	for i, want := range []string{"total [........]   0.00%", "total [##......]  25.00%", "total [####....]  50.00%"} {
		if !strings.Contains(drawings[i], want) {
			t.Errorf("drawing %d is %q, want %s", i, drawings[i], want)
		}
	}
}

func TestChainerDumpGraph(t *testing.T) {
	e := one[*train.DumpGraph](t, "chainer.training.extensions.dump_graph", "main/loss", with{"out_name": "graph.dot",
		"variable_style": map[string]any{"shape": "octagon"}, "function_style": map[string]any{"shape": "star"}})
	r := newRun(t, train.UpdaterOptions{OnLoss: e.See})
	r.start(t, e)
	text := r.read(t, "graph.dot")
	for _, want := range []string{"digraph", `label="Multiply", shape="star"`, `label="Mean", shape="star"`, `label="w: (1), float32", shape="octagon"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func TestChainerSnapshots(t *testing.T) {
	r := newRun(t)
	r.start(t,
		one[*train.Snapshot](t, "chainer.training.extensions.snapshot", with{"filename": "all_{.updater.iteration}"}),
		one[*train.Snapshot](t, "chainer.training.extensions.snapshot_object", r.params, "w_{.updater.epoch}"))
	files, err := os.ReadDir(r.folder)
	equal(t, "files", fmt.Sprint(len(files), err), "4 <nil>")
	for epoch, w := range map[int]float32{1: -1.5, 2: -4} {
		params := nn.NewScope()
		slope(params, data.Batch{vector(1)}, nil) // it makes w
		restore(t, filepath.Join(r.folder, fmt.Sprint("w_", epoch)), params)
		equal(t, "the saved model", params.Get("w"), []float32{w})
		again := newRun(t)
		slope(again.params, data.Batch{vector(1)}, nil)
		restore(t, filepath.Join(r.folder, fmt.Sprint("all_", 2*epoch)), again.trainer)
		again.start(t)
		equal(t, "w at the end of the resumed training", again.params.Get("w"), []float32{-4})
		equal(t, "updates", again.trainer.Iteration(), 4)
	}
}
