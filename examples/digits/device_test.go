package main

import (
	"io"
	"testing"

	_ "github.com/ndgrad/ndgrad/testing/deferring"
)

// TestTrainsOnAnotherDevice trains where the host does not see arrays.
func TestTrainsOnAnotherDevice(t *testing.T) {
	if err := run([]string{"-epochs", "1", "-out", t.TempDir(), "-device", "deferring"}, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}
