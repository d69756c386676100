package main

import (
	"os"
	"testing"
)

// TestNetworks exports the smaller networks; Export compares the outputs of the files.
func TestNetworks(t *testing.T) {
	folder := t.TempDir()
	for _, n := range networks() {
		for _, batch := range []bool{false, true} {
			if n.name == "resnet50" || n.single && batch {
				continue
			}
			if err := n.write(folder, batch); err != nil {
				t.Error(err)
			}
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) == 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
