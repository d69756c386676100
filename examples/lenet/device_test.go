package main

import (
	"context"
	"io"
	"testing"

	_ "github.com/ndgrad/ndgrad/testing/deferring"
)

// TestTrainsOnAnotherDevice trains where the host does not see arrays.
func TestTrainsOnAnotherDevice(t *testing.T) {
	if err := run(context.Background(), []string{"-stop", "5", "-epochs", "1", "-device", "deferring"}, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}
