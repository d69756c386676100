package main

import (
	"context"
	"io"
	"testing"

	_ "github.com/ndgrad/ndgrad/testing/deferring"
)

// TestTrainsOnAnotherDevice trains on a device whose memory the host cannot see.
func TestTrainsOnAnotherDevice(t *testing.T) {
	if err := run(context.Background(), []string{"-updates", "4", "-every", "2", "-letters", "5", "-device", "deferring"}, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}
