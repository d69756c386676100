package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestListsAreFresh fails if a list differs from what the generator writes now.
func TestListsAreFresh(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for path, write := range outputs {
		want, err := write(root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is stale: go run ./testing/conformance/functionsmd", path)
		}
	}
}

// TestLeftOutNamesSayWhatToUse fails for a name that is left out without an alternative, in its reason or by itself.
func TestLeftOutNamesSayWhatToUse(t *testing.T) {
	for _, o := range catalogue.LeftOutNames() {
		if o.Instead == "" && !strings.Contains(string(o.Reason), ": ") {
			t.Errorf("%s: %s, without an alternative", o.Name, o.Reason)
		}
	}
}

// TestMainFunctionIsListed checks cells of the table.
func TestMainFunctionIsListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "functions.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| `pruned_affine` | `quant.PrunedAffine(scope, x, outputs, quant.PrunedAffineOptions{W: w, B: b, KeepW: keepW, KeepB: keepB})`",
		"| `cupy.get_array_module` | Python-only; the same functions take arrays of every device |",
		"| `__len__` | plain Go: is the length of a slice: `len(layers)` |",
		"| `hinge` | `ops.Mean(ops.Sum(loss.Hinge(x, t, loss.HingeOptions{Norm: loss.HingeNorm(norm)}), ops.Over(1)))` | recorded | `reduce`: no is",
		"| `MemoryPool` | `dev.MemoryPool()` |",
		"| `DebugMode` | `tape.Debug` |",
	} {
		if !strings.Contains(string(text), row) {
			t.Errorf("no row %s", row)
		}
	}
}
