package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

func TestExportedNetworkReadsDigits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "digits.onnx")
	if err := run([]string{"-epochs", "1", "-export", path}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	_, test, err := digits.Load()
	if err != nil {
		t.Fatal(err)
	}
	scores := m.Call(map[string]*nd.Array{"images": test.X})[0]
	right := ops.Equal(ops.ArgMax(scores, ops.Over(1)), test.Labels)
	if accuracy := ops.Mean(right).Float(); accuracy < 0.7 {
		t.Errorf("the exported network reads %.2f of the digits", accuracy)
	}
}
