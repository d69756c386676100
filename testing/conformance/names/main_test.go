package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestListsAreCurrent fails if the list of documented names or the table of their signatures is stale.
func TestListsAreCurrent(t *testing.T) {
	const spec = "../../../../shared/spec" // outside the repository
	if _, err := os.Stat(spec); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", spec)
	}
	for file, source := range outputs {
		want, err := source(spec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "catalogue", file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(got), "\r\n", "\n") != string(want) {
			t.Errorf("%s is stale: go run ./testing/conformance/names -spec DIR", file)
		}
	}
}
