package train_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// printed returns the output of a report of entries for a training with one update per row, in which the row's values
// are observed.
func printed(t *testing.T, rows []map[string]float64, entries ...string) string {
	t.Helper()
	var out strings.Builder
	tr := train.New(newCounter(1, 1, func(i int, r *report.Reporter) {
		for name, v := range rows[i-1] {
			r.Value(name, v)
		}
	}), train.Every(float64(len(rows)), train.Iteration), t.TempDir())
	log := train.NewLogReport(train.LogReportOptions{Postprocess: func(v *report.Values) {
		for name, x := range rows[tr.Iteration()-1] { // the rows contain epoch and iteration, too
			v.Set(name, x)
		}
	}})
	tr.Extend(log)
	p := train.NewPrintReport(log, entries...)
	p.Out = &out
	tr.Extend(p)
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The output for Chainer's logs is Chainer's, byte for byte.
func TestPrintReportAgainstChainer(t *testing.T) {
	logs, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil || len(logs) != 3 {
		t.Fatal(logs, err)
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var rows []map[string]float64
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(want), "\n")
		if got := printed(t, rows, strings.Fields(header)...); got != string(want) {
			t.Errorf("%s: it prints\n%q, want\n%q", path, got, want)
		}
	}
}

func TestPrintReportNumbers(t *testing.T) {
	rows := []map[string]float64{{"x": 1e-5, "longer than ten": 123456789}, {"x": 100000}, {"x": 0.1234567, "longer than ten": -0.5}}
	want := "x           longer than ten\n" +
		"\x1b[J1e-05       1.23457e+08      \n" +
		"\x1b[J100000                       \n" +
		"\x1b[J0.123457    -0.5             \n"
	if got := printed(t, rows, "x", "longer than ten"); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// A file gets the table without escape sequences.
func TestPrintReportIntoFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "table"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log := train.NewLogReport()
	p := train.NewPrintReport(log, "iteration")
	p.Out = f
	tr := train.New(newCounter(2, 1, nil), train.Every(2, train.Epoch), t.TempDir())
	tr.Extend(log)
	tr.Extend(p)
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(f.Name())
	if got := strings.Fields(string(text)); err != nil || !slices.Equal(got, []string{"iteration", "2", "4"}) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestPrintReportRefuses(t *testing.T) {
	if nd.Catch(func() { train.NewPrintReport(nil, "epoch") }) == nil || nd.Catch(func() { train.NewPrintReport(train.NewLogReport()) }) == nil {
		t.Error("a report of nothing was accepted")
	}
	tr := train.New(newCounter(2, 1, nil), train.Every(2, train.Epoch), t.TempDir())
	tr.Extend(train.NewPrintReport(train.NewLogReport(), "epoch"))
	if err := tr.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "log") {
		t.Errorf("%v, want an error that says that the log is missing", err)
	}
}
