package cpu_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// FuzzKernels looks for shapes, strides and programs for which the kernels, with the instructions of any processor,
// differ from the reference device's kernels.
func FuzzKernels(f *testing.F) {
	dev, err := device.Get("cpu")
	if err != nil {
		f.Fatal(err)
	}
	for kernel := range 256 {
		f.Add(uint8(kernel), []byte{byte(kernel)})
	}
	f.Fuzz(func(t *testing.T, level uint8, data []byte) {
		defer isa.Narrow(level)()
		compliance.Fuzz(t, dev, data)
	})
}

// TestNarrowerVectors compares the kernels for processors without AVX-512 with the definition of the kernels, on a
// processor that has AVX-512. It leaves out the kernels that are the same Go code on both.
func TestNarrowerVectors(t *testing.T) {
	if testing.Short() || isa.Current() <= isa.AVX2 {
		t.Skip("the tests of package compliance run the same kernels, or -short")
	}
	dev, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer isa.Use(isa.Use(isa.AVX2))
	compliance.Run(t, dev, 1, "SearchSorted", "Cholesky", "LU", "TriangularSolve", "Solve", "QR", "SVD", "Eigh", "Eig",
		"Signatures", "Concurrency", "NoElements")
}
