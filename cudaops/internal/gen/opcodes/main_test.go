package main

import (
	"bytes"
	"os"
	"testing"
)

// TestNumbersAreCurrent generates the header again and compares it.
func TestNumbersAreCurrent(t *testing.T) {
	got, err := os.ReadFile("../../../../" + target)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, text()) {
		t.Error("numbers.cuh does not match package device: run go run ./cudaops/internal/gen/opcodes")
	}
}
