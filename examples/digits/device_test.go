package main

import (
	"io"
	"testing"

	_ "github.com/ndgrad/ndgrad/testing/deferring"
)

// TestTrainsOnAnotherDevice trains on a device whose memory the host cannot see.
func TestTrainsOnAnotherDevice(t *testing.T) {
	if err := run([]string{"-epochs", "1", "-out", t.TempDir(), "-device", "deferring"}, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}
