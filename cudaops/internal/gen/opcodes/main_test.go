package main

import (
	"bytes"
	"os"
	"testing"
)

// TestNumbersAreCurrent writes the header again.
func TestNumbersAreCurrent(t *testing.T) {
	got, err := os.ReadFile("../../../../" + target)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, text()) {
		t.Error("numbers.cuh is not what package device has now: go run ./cudaops/internal/gen/opcodes")
	}
}
