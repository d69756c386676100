package train_test

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd/ndplot"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// plotted runs a training of two epochs with a plot, and returns the folder with its files.
func plotted(t *testing.T, keys []string, o train.PlotReportOptions) string {
	t.Helper()
	folder := t.TempDir()
	tr := train.New(newCounter(10, 5, func(i int, r *report.Reporter) {
		r.Value("loss", 1/float64(i))
		r.Value("gap", math.NaN())
	}), train.Every(2, train.Epoch), folder)
	tr.Extend(train.NewPlotReport(keys, o))
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestPlotReport(t *testing.T) {
	var seen []*report.Values
	folder := plotted(t, []string{"loss", "gap", "unknown"}, train.PlotReportOptions{XKey: "epoch", FileName: "at_{iteration}.png",
		Postprocess: func(p *ndplot.Picture, log []*report.Values) {
			p.Title.Text = "loss"
			seen = log
		}})
	for _, name := range []string{"at_2.png", "at_4.png"} {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := image.Decode(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
	if len(seen) != 2 {
		t.Fatalf("Postprocess sees %d intervals", len(seen))
	}
	if v, _ := seen[1].Get("loss"); math.Abs(v-(1/3.0+1/4.0)/2) > 1e-12 {
		t.Errorf("the mean loss of the second epoch is %v", v)
	}
}

func TestPlotReportOfNothing(t *testing.T) {
	for _, keys := range [][]string{nil, {"unknown"}} {
		if _, err := os.Stat(filepath.Join(plotted(t, keys, train.PlotReportOptions{}), "plot.png")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a picture of %q: %v", keys, err)
		}
	}
}

func TestPlotReportAlongAnotherValue(t *testing.T) {
	folder := plotted(t, []string{"loss"}, train.PlotReportOptions{XKey: "gap", Marker: new(true), Grid: new(false)})
	if _, err := os.Stat(filepath.Join(folder, "plot.png")); err != nil {
		t.Error(err)
	}
}

// The curves of a resumed training include the earlier intervals. A Chainer file, which stores other data, causes no
// error.
func TestPlotReportGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plot.npz")
	intervals := func(before archive.Object, updates float64) (n int) {
		u := newCounter(10, 5, func(i int, r *report.Reporter) { r.Value("loss", 1) })
		tr := train.New(u, train.Every(updates, train.Iteration), t.TempDir())
		p := train.NewPlotReport([]string{"loss"}, train.PlotReportOptions{Postprocess: func(_ *ndplot.Picture, log []*report.Values) { n = len(log) }})
		if before != nil {
			if err := archive.Save(path, before); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(path); err == nil {
			if err := archive.Load(path, p); err != nil {
				t.Fatal(err)
			}
		}
		tr.Extend(p)
		if err := tr.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := archive.Save(path, p); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if first, second := intervals(nil, 5), intervals(nil, 3); first != 2 || second != 3 {
		t.Errorf("%d intervals, then %d", first, second)
	}
	points := "{}"
	if n := intervals(archive.Func(func(a *archive.Archive) { a.Text("_plot_plot.png", &points) }), 4); n != 2 {
		t.Errorf("%d intervals after a file of Chainer's", n)
	}
}
