package cudaops_test

import (
	"flag"
	"testing"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

var seed = flag.Uint64("seed", 1, "of the compliance suite")

// TestCompliance checks all kernels of the device against their definitions.
func TestCompliance(t *testing.T) { compliance.Run(t, gpu(t), *seed) }

// gpu returns the first device. Without a device it skips the test with the reason.
func gpu(t testing.TB) *cudaops.Device {
	t.Helper()
	if err := cudaops.Err(); err != nil {
		t.Skip(err)
	}
	dev, err := device.Get("cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	d, err := cudaops.Of(dev)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// FuzzKernels runs launches that the fuzzer chooses.
func FuzzKernels(f *testing.F) {
	for seed := range 8 {
		f.Add([]byte{byte(seed), 1, 2, 3, 4, 5, 6, 7})
	}
	f.Fuzz(func(t *testing.T, data []byte) { compliance.Fuzz(t, gpu(t), data) })
}
