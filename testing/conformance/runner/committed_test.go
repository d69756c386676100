package runner_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"

	_ "github.com/ndgrad/ndgrad/device/ref"
	_ "github.com/ndgrad/ndgrad/testing/deferring"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// sharedGolden is outside the repository.
const sharedGolden = "../../../../shared/golden"

// TestCommittedCases runs the committed golden cases on every device, and on one that reports index errors late.
func TestCommittedCases(t *testing.T) { runOnDevices(t, "../testdata") }

// TestEdges runs the cases that the scripts in edges recorded: from NumPy for 0-d and empty arrays and for dtypes and
// shapes of out, and from torch.
func TestEdges(t *testing.T) { runOnDevices(t, "../edges") }

func runOnDevices(t *testing.T, dir string) {
	for _, name := range device.Names() {
		t.Run(name, func(t *testing.T) {
			dev, err := device.Get(name)
			if err != nil {
				t.Skip(err)
			}
			runOn(t, dev, dir)
		})
	}
}

func runOn(t *testing.T, dev device.Device, dir string) {
	r, err := runner.New(catalogue.Rows())
	if err != nil {
		t.Fatal(err)
	}
	r.Device = dev
	r.Report = func(f *runner.FunctionOutcome) {
		if line := f.String(); strings.HasPrefix(line, "FAIL") {
			t.Error(line)
		}
	}
	total, err := r.Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	if total.Passed == 0 {
		t.Error("no case was run")
	}
}

// TestCommittedCasesAreComplete fails if a row has cases but none are committed.
func TestCommittedCasesAreComplete(t *testing.T) {
	if _, err := os.Stat(sharedGolden); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", sharedGolden)
	}
	suites, err := golden.Suites(sharedGolden)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, row := range catalogue.Rows() {
		rows[row.Name()] = true
	}
	for _, s := range suites {
		if s.Kind() != golden.Functions && s.Kind() != golden.Solvers && s.Kind() != golden.Exercises {
			continue
		}
		for f, err := range s.Open() {
			if err != nil {
				t.Fatal(err)
			}
			committed := filepath.Join("../testdata", s.Name, filepath.Base(f.Path))
			if _, err := os.Stat(committed); rows[f.Function] && err != nil {
				t.Errorf("%s has a row but no committed case: run testing/conformance/subset", f.Function)
			}
		}
	}
}

// TestCommittedCasesAreSmall limits the size of the committed cases.
func TestCommittedCasesAreSmall(t *testing.T) {
	const limit = 6 << 20
	size := int64(0)
	err := filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > limit {
		t.Errorf("testdata holds %d bytes, want at most %d", size, limit)
	}
}
