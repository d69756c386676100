package main

import (
	"bytes"
	"os"
	"testing"
)

// TestHeaderIsCurrent translates the package again and compares the result with scalar.cuh.
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
		t.Error("scalar.cuh does not match package scalar: run go generate ./cudaops/kernels")
	}
}
