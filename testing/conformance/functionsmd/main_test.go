package main

import (
	"os"
	"path/filepath"
	"testing"
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
