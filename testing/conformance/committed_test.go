package conformance_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/testing/conformance"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// Data that lie beside the repository, and are not part of it.
const (
	sharedGolden = "../../../shared/golden"
	sharedSpec   = "../../../shared/spec"
)

// TestCommittedCases runs the committed part of the golden cases on every device.
func TestCommittedCases(t *testing.T) { runOnDevices(t, "testdata") }

// TestEdges runs what edges/record.py recorded from NumPy: arrays without axes or without elements, dtypes and shapes of out.
func TestEdges(t *testing.T) { runOnDevices(t, "edges") }

func runOnDevices(t *testing.T, dir string) {
	for _, name := range []string{"cpu", "ref"} {
		t.Run(name, func(t *testing.T) {
			r, err := conformance.NewRunner(conformance.Catalogue())
			if err != nil {
				t.Fatal(err)
			}
			if r.Device, err = device.Get(name); err != nil {
				t.Fatal(err)
			}
			r.Report = func(f *conformance.Function) {
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
		})
	}
}

// TestCommittedCasesAreComplete says when a row has cases but none are committed.
func TestCommittedCasesAreComplete(t *testing.T) {
	suites := shared(t, sharedGolden, golden.Suites)
	rows := map[string]bool{}
	for _, row := range conformance.Catalogue() {
		name, _, _ := strings.Cut(row.Signature, "(")
		rows[name] = true
	}
	for _, s := range suites {
		if s.Kind() != golden.Functions {
			continue
		}
		paths, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			f, err := golden.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			committed := filepath.Join("testdata", s.Name, filepath.Base(path))
			if _, err := os.Stat(committed); rows[f.Function] && err != nil {
				t.Errorf("%s has a row but no committed case: run testing/conformance/subset", f.Function)
			}
		}
	}
}

// TestCommittedCasesAreSmall keeps the repository small.
func TestCommittedCasesAreSmall(t *testing.T) {
	const limit = 4 << 20
	size := int64(0)
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
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

// TestDocumentedIsCurrent says when the list of documented names, or the table of their signatures, is stale.
func TestDocumentedIsCurrent(t *testing.T) {
	for file, source := range map[string]func(spec string) ([]byte, error){
		"names.go":       conformance.NamesSource,
		"signatures.tsv": conformance.SignaturesTable,
	} {
		want := shared(t, sharedSpec, source)
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(got), "\r\n", "\n") != string(want) {
			t.Errorf("%s is stale: run testing/conformance/names", file)
		}
	}
}

// TestSignaturesAreDocumented compares the rows' arguments and defaults with those that the documents print.
func TestSignaturesAreDocumented(t *testing.T) {
	table, err := os.ReadFile("signatures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	differences, err := conformance.SignatureDifferences(string(table))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences {
		t.Error(d)
	}
}

// shared loads data that may be absent.
func shared[T any](t *testing.T, dir string, load func(dir string) (T, error)) T {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", dir)
	}
	v, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
