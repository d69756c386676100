package train_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// logged is a trainer of four updates whose observation is what observe makes it.
func logged(t *testing.T, dir string, log *train.LogReport, observe func(update int, v *report.Values)) *train.Trainer {
	t.Helper()
	u := train.NewUpdater(loader(8, 4), nn.NewScope(), nn.NewSgd(), regression, train.UpdaterOptions{Rand: nd.NewRand(1)})
	trainer := train.New(u, train.Every(4, train.Iteration), dir)
	trainer.Extend(train.Func(func(t *train.Trainer) error {
		observe(t.Iteration(), t.Observation())
		return nil
	}), train.Settings{Priority: train.Writer})
	trainer.Extend(log)
	return trainer
}

// The file is what Python's json writes: numbers that JSON lacks too.
func TestLogFile(t *testing.T) {
	dir := t.TempDir()
	log := train.NewLogReport(train.LogReportOptions{Trigger: train.Every(2, train.Iteration), Postprocess: func(v *report.Values) {
		v.Set("elapsed_time", 0.5)
	}})
	trainer := logged(t, dir, log, func(update int, v *report.Values) {
		v.Clear()
		v.Set("b", float64(update))
		if update > 2 {
			v.Set(`a "b"`, []float64{math.NaN(), math.Inf(1)}[update-3])
			v.Set("small", 1e-7)
		}
	})
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `[
    {
        "b": 1.5,
        "epoch": 1,
        "iteration": 2,
        "elapsed_time": 0.5
    },
    {
        "b": 3.5,
        "a \"b\"": NaN,
        "small": 1e-07,
        "epoch": 2,
        "iteration": 4,
        "elapsed_time": 0.5
    }
]`
	if string(raw) != want {
		t.Errorf("the file is\n%s\nwant\n%s", raw, want)
	}
	path := filepath.Join(dir, "log.npz")
	if err := archive.Save(path, log); err != nil {
		t.Fatal(err)
	}
	again := train.NewLogReport()
	if err := archive.Load(path, again); err != nil {
		t.Fatal(err)
	}
	if got := again.Log(); len(got) != 2 || !slices.Equal(got[1].Names(), log.Log()[1].Names()) {
		t.Errorf("restored %v", got)
	} else if v, _ := got[1].Get(`a "b"`); !math.IsNaN(v) {
		t.Errorf("a not-a-number became %v", v)
	}
}

func TestKeptKeys(t *testing.T) {
	dir := t.TempDir()
	log := train.NewLogReport(train.LogReportOptions{Keys: []string{"x", "never"}, Trigger: train.Every(2, train.Iteration), FileName: "log_{iteration}"})
	trainer := logged(t, dir, log, func(update int, v *report.Values) { v.Set("x", 1); v.Set("y", 2) })
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wholeFiles(t, dir, "log_2", "log_4")
	if got := fmt.Sprint(log.Log()[0].Names()); got != "[x epoch iteration elapsed_time]" {
		t.Errorf("names %s", got)
	}
}

// Only the newest files remain, and none of another's.
func TestSnapshotsAreBounded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a_0.npz"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	trainer := logged(t, dir, train.NewLogReport(train.LogReportOptions{NoFile: true}), func(int, *report.Values) {})
	trainer.Extend(train.NewSnapshot(train.SnapshotOptions{FileName: "a_{iteration}.npz", Keep: 2}), train.Settings{Trigger: train.Every(1, train.Iteration)})
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wholeFiles(t, dir, "a_0.npz", "a_3.npz", "a_4.npz")
}
