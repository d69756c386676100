package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var root = filepath.Join("..", "..", "..")

// TestDocumentsAreFresh fails if a document differs from what the generator writes now.
func TestDocumentsAreFresh(t *testing.T) {
	want, err := documents(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root, "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(text) {
			t.Errorf("docs/%s is stale: go generate ./testing/conformance/usersmd", name)
		}
	}
}

// TestPhrasesRun runs the Go code of every phrase and idiom.
func TestPhrasesRun(t *testing.T) {
	path = t.TempDir() + string(filepath.Separator)
	for _, topic := range slices.Concat(numpyTopics, torchTopics, []topic{{"", numpyIdioms}, {"", torchIdioms}}) {
		for _, p := range topic.phrases {
			t.Run(p.python, func(t *testing.T) {
				makeOperands()
				result := p.ndgrad()
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
