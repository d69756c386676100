package named_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
)

// hasGPU reports whether there is a GPU, or the emulator of one.
func hasGPU() bool {
	_, err := device.Get("cuda:0")
	return err == nil
}

// gpu returns the first GPU. It skips the test if there is none.
func gpu(t *testing.T) *cudaops.Device {
	t.Helper()
	dev, err := device.Get("cuda:0")
	if err != nil {
		t.Skip(err)
	}
	d, err := cudaops.Of(dev)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
