package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

// foldersOf creates empty folders.
func foldersOf(t *testing.T, paths ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Join(dir, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSuitesWithoutARunner(t *testing.T) {
	for name, fails := range map[string]string{
		"chainer_files/graphs": "",
		"files/disks":          "suite files/disks",
		"newcomer":             "suite newcomer",
	} {
		dir := foldersOf(t, "numpy", name)
		r, err := New(nil)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		r.Report = func(f *FunctionOutcome) { lines = append(lines, f.String(), f.Table()) }
		total, err := r.Run(dir)
		expectFailure(t, name, err, fails)
		if fails != "" {
			continue
		}
		const reason = "the tests of nd/graph run it"
		want := []string{"open chainer_files/graphs: " + reason, "chainer_files/graphs\t\topen\t" + reason + "\n"}
		if strings.Join(lines, ";") != strings.Join(want, ";") || total.Open != 1 || total.Functions != 0 {
			t.Errorf("%s: reported %q, %v, want %q", name, lines, total, want)
		}
		if got := total.String(); !strings.HasSuffix(got, ", 1 suites open") {
			t.Errorf("totals %s", got)
		}
	}
}

// TestSuitesOfFilesRun gives a suite of files a runner.
func TestSuitesOfFilesRun(t *testing.T) {
	defer delete(fileSuites, "files/test")
	var ran []string
	fileSuites["files/test"] = fileSuite{run: func(dir string, _ device.Device) ([]Outcome, error) {
		ran = append(ran, filepath.Base(dir))
		return []Outcome{{ID: "a"}}, nil
	}}
	r, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	total, err := r.Run(foldersOf(t, "files/test"))
	if err != nil || total.Passed != 1 || len(ran) != 1 || ran[0] != "test" {
		t.Errorf("%v, %v, ran %q", total, err, ran)
	}
}
