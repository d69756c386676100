package cudaops

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// TestOwnProducts checks that the kernels that replace cuBLAS pass, too.
func TestOwnProducts(t *testing.T) {
	dev, err := device.Get("cuda:0")
	if err != nil {
		t.Skip(err)
	}
	d := dev.(*Device)
	if d.Products() == "own kernels" {
		t.Skip("cuBLAS is not found: TestCompliance runs them")
	}
	others := []string{"Memory", "SortKept", "SortPartition", "Signatures", "Concurrency", "NoElements"}
	for _, s := range device.Signatures {
		if s.Kernel != "MatMul" {
			others = append(others, s.Kernel)
		}
	}
	t.Logf("the other tests use %s", d.Products())
	blas := d.products.blas
	d.products.blas = nil
	defer func() { d.products.blas = blas }()
	compliance.Run(t, dev, 1, others...)
}
