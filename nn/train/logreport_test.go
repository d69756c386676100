package train_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// logText is a file of a log report, like Chainer's: without the sums of an interval.
type logText string

func (l logText) Archive(a *archive.Archive) {
	text := string(l)
	a.Text("_log", &text)
}

// readLog returns the entries of the log in a file.
func readLog(t *testing.T, saved archive.Object) ([]*report.Values, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.npz")
	if err := archive.Save(path, saved); err != nil {
		t.Fatal(err)
	}
	l := train.NewLogReport()
	err := archive.Load(path, l)
	return l.Log(), err
}

// written returns the log file for entries, each the mean of an interval. Counts and time come last in an entry.
func written(t *testing.T, entries []*report.Values) string {
	t.Helper()
	dir := t.TempDir()
	u := newCounter(8, 4, func(n int, r *report.Reporter) {
		for name, x := range entries[n-1].All() {
			if !slices.Contains([]string{"epoch", "iteration", "elapsed_time"}, name) {
				r.Value(name, x)
			}
		}
	})
	trainer := train.New(u, train.Every(float64(len(entries)), train.Iteration), dir)
	trainer.Extend(train.NewLogReport(train.LogReportOptions{
		Trigger: train.Every(1, train.Iteration),
		Postprocess: func(v *report.Values) {
			for name, x := range entries[u.iteration-1].All() {
				v.Set(name, x)
			}
		},
	}))
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestLogAgainstChainer checks that logs written by Chainer are reproduced byte for byte.
func TestLogAgainstChainer(t *testing.T) {
	for _, name := range []string{"sgd", "momentum", "adam"} {
		want, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		entries, err := readLog(t, logText(want))
		if err != nil {
			t.Fatal(err)
		}
		if got := written(t, entries); got != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Python's json output for unusual numbers and texts.
const oddLog = `[
    {
        "main/loss": 0.1,
        "whole": 3.0,
        "small": 1e-05,
        "ten-thousandth": 0.0001,
        "large": 1e+16,
        "below": 1000000000000000.0,
        "none": NaN,
        "up": Infinity,
        "down": -Infinity,
        "a \"NaN\" <c>\\\n\u00fc\ud83d\ude00\u007f": -0.0,
        "epoch": 0,
        "iteration": 1,
        "elapsed_time": 0.5
    }
]`

func TestLogOfOddNumbers(t *testing.T) {
	entries, err := readLog(t, logText(oddLog))
	if err != nil {
		t.Fatal(err)
	}
	if got := written(t, entries); got != oddLog {
		t.Errorf("%s\nwant\n%s", got, oddLog)
	}
	for name, want := range map[string]float64{"up": math.Inf(1), "down": math.Inf(-1), "a \"NaN\" <c>\\\nü😀\x7f": 0} {
		if x, ok := entries[0].Get(name); !ok || x != want {
			t.Errorf("%s is %g", name, x)
		}
	}
	if x, _ := entries[0].Get("none"); !math.IsNaN(x) {
		t.Errorf("none is %g", x)
	}
}

func TestLogRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", "[1]", "[{]", `[{"a": }]`, `[{"a": 1}`, `[{"a": NaNa}]`, `["a"]`} {
		if entries, err := readLog(t, logText(text)); err == nil || !strings.Contains(err.Error(), "the log is not a list of objects with numbers") || len(entries) > 0 {
			t.Errorf("%s: %d entries, error %v", text, len(entries), err)
		}
	}
	// Values other than numbers, which a user of Chainer may have added, are ignored.
	entries, err := readLog(t, logText(`[{"a": "b", "c": [1], "d": {"e": 2}, "f": null, "g": 3}]`))
	if err != nil || len(entries) != 1 || !slices.Equal(entries[0].Names(), []string{"g"}) {
		t.Errorf("%d entries, error %v", len(entries), err)
	}
}

func FuzzLog(f *testing.F) {
	for _, text := range []string{oddLog, "[]", `[{"a": NaN}, {}]`, `[{"a\"": -Infinity, "a": "x"}]`, "[{", `[null]`, `[{"a": 1e999}]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "log.npz")
		if archive.Save(path, logText(text)) != nil {
			return // a text that no file of arrays can hold
		}
		l := train.NewLogReport()
		if archive.Load(path, l) != nil {
			return
		}
		again, err := readLog(t, l)
		if err != nil || len(again) != len(l.Log()) {
			t.Fatalf("%d entries, then %d, error %v", len(l.Log()), len(again), err)
		}
		for i, v := range l.Log() {
			for name, x := range v.All() {
				if y, ok := again[i].Get(name); !ok || x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
					t.Errorf("%q is %g, then %g", name, x, y)
				}
			}
		}
	})
}

func TestLogReport(t *testing.T) {
	dir := t.TempDir()
	u := newCounter(8, 4, func(n int, r *report.Reporter) {
		if r.Value("loss", float64(n)); n%2 == 0 {
			r.Value("even", 1)
		}
		r.Value("other", 7)
	})
	log := train.NewLogReport(train.LogReportOptions{Keys: []string{"even", "loss", "absent"}, FileName: "log_{epoch}"})
	quiet := train.NewLogReport(train.LogReportOptions{Trigger: train.Every(3, train.Iteration), NoFile: true})
	trainer := train.New(u, train.Every(2, train.Epoch), dir)
	trainer.Extend(log)
	trainer.Extend(quiet)
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wholeFiles(t, dir, "log_1", "log_2")
	if len(log.Log()) != 2 || len(quiet.Log()) != 1 {
		t.Fatalf("%d and %d entries", len(log.Log()), len(quiet.Log()))
	}
	for key, want := range map[string]float64{"even": 1, "loss": 3.5, "epoch": 2, "iteration": 4} {
		if x, _ := log.Log()[1].Get(key); x != want {
			t.Errorf("%s is %g, want %g", key, x, want)
		}
	}
	// The values of an interval come in the order of their first appearance.
	if got := quiet.Log()[0].Names(); !slices.Equal(got, []string{"loss", "other", "even", "epoch", "iteration", "elapsed_time"}) {
		t.Errorf("%v", got)
	}
}
