package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func runWith(t *testing.T, s settings) (ok bool, output string) {
	t.Helper()
	var out bytes.Buffer
	ok, err := s.run(&out)
	if err != nil {
		t.Fatal(err)
	}
	return ok, out.String()
}

func TestRun(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.tsv")
	s := settings{golden: "../conformance/testdata", only: `^cupy\.add$`, device: "cpu", report: report}
	ok, out := runWith(t, s)
	const want = "ok   cupy.add: 2 cases, forward 2\norigins: 2 NumPy (1 functions)\nconformance: 1 functions, 2 cases, 2 passed, 0 failed, 0 skipped\n"
	if !ok || out != want {
		t.Errorf("%t, %s", ok, out)
	}
	table, err := os.ReadFile(report)
	if err != nil || strings.Count(string(table), "cupy.add\t") != 2 {
		t.Errorf("report %s, %v", table, err)
	}
}

// TestOrigins checks that results of a formula do not count as those of the system.
func TestOrigins(t *testing.T) {
	_, out := runWith(t, settings{golden: "../conformance/testdata", only: `^mxnet\.npx\.(gather_nd|index_add)$|^accuracy\.exp$`, device: "cpu"})
	const want = "\norigins: 3 formulas in NumPy (2 functions), 2 tables of correctly rounded values (2 functions), 1 MXNet (1 functions)\n"
	if !strings.Contains(out, want) {
		t.Error(out)
	}
}

func TestRunComplete(t *testing.T) {
	if ok, out := runWith(t, settings{complete: "cupy.add"}); !ok || out != "" {
		t.Errorf("%t, %s", ok, out)
	}
	if ok, out := runWith(t, settings{complete: "chainer.Variable.volatile"}); ok != (out == "") {
		t.Errorf("%t, %s", ok, out)
	}
}

func TestRunRefuses(t *testing.T) {
	for name, s := range map[string]settings{
		"folder":     {golden: "nowhere", device: "cpu"},
		"device":     {golden: "../conformance/testdata", device: "abacus"},
		"expression": {golden: "../conformance/testdata", device: "cpu", only: "("},
	} {
		if _, err := s.run(&bytes.Buffer{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
