package main

import (
	"bytes"
	"os"
	"testing"
)

// TestHeaderIsCurrent translates the package again.
func TestHeaderIsCurrent(t *testing.T) {
	want, err := header()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("scalar.cuh is not what package scalar is now: go generate ./cudaops/kernels")
	}
}
