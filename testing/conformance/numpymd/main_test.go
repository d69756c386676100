package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDocumentIsFresh fails when docs/numpy.md is not what the catalogue, the library and the remarks make it.
func TestDocumentIsFresh(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	want, err := document(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "numpy.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("docs/numpy.md is stale: go generate ./testing/conformance/numpymd")
	}
}

// TestPhrasesRun runs what stands in the tables of syntax.
func TestPhrasesRun(t *testing.T) {
	path = t.TempDir() + string(filepath.Separator)
	for _, topic := range topics {
		for _, p := range topic.phrases {
			t.Run(p.python, func(t *testing.T) {
				makeOperands()
				result := p.here()
				list, _ := result.([]any)
				for _, r := range append(list, result) {
					if err, ok := r.(error); ok && p.python != "try: … except ValueError:" {
						t.Error(err)
					}
				}
			})
		}
	}
}
