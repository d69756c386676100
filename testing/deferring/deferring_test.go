package deferring_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/compliance"
	"github.com/ndgrad/ndgrad/testing/deferring"
)

// TestCompliance checks that the suite accepts the deferred index errors of an asynchronous device.
func TestCompliance(t *testing.T) {
	compliance.Sample(t, deferring.New(ref.New()), 1)
	dev, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	var others []string
	for _, s := range device.Signatures {
		switch s.Kernel {
		case "Gather", "Scatter", "CrossEntropy", "CrossEntropyGrad", "CTC", "CTCGrad":
		default:
			others = append(others, s.Kernel)
		}
	}
	compliance.Run(t, deferring.New(dev), 1, append(others, "SortKept", "SortPartition", "Concurrency")...)
}

// TestWhatReadsNamesTheFunction checks that an index error is reported once, by the first read, and names the function
// that got the index.
func TestWhatReadsNamesTheFunction(t *testing.T) {
	dev := deferring.New(ref.New())
	x := nd.FromSliceOn(dev, []float32{1, 2, 3})
	bad := nd.FromSliceOn(dev, []int{2, 7})
	for name, read := range map[string]func(y *nd.Array){
		"nd.ToSlice": func(y *nd.Array) { nd.ToSlice[float32](y) },
		"nd.Value":   func(y *nd.Array) { nd.Value[float32](y, 0) },
		"Array.To":   func(y *nd.Array) { y.To(nd.Empty(nil).Device()) },
	} {
		y := ops.Take(x, bad)
		err := nd.Catch(func() { read(y) })
		var reader *nd.Error
		var index *device.IndexError
		if !errors.As(err, &reader) || reader.Func != "ops.Take" || !strings.Contains(reader.Msg, name) {
			t.Errorf("%s: %v", name, err)
		}
		if !errors.As(err, &index) || *index != (device.IndexError{Index: 7, Size: 3, Func: "ops.Take"}) {
			t.Errorf("%s: %v", name, err)
		}
		if err := nd.Catch(func() { read(y) }); err != nil {
			t.Errorf("%s again: %v", name, err)
		}
	}
	ops.Take(x, bad)
	var index *device.IndexError
	if err := dev.Synchronize(); !errors.As(err, &index) || index.Func != "ops.Take" || dev.Synchronize() != nil {
		t.Errorf("Synchronize returns %v", err)
	}
}
