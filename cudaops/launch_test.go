package cudaops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// BenchmarkAdd measures the host's part of an operation on 10 elements. With NDGRAD_EMULATOR_IDLE=1 the CPU emulator
// accepts work and does nothing, so that nothing else is measured.
func BenchmarkAdd(b *testing.B) {
	d := gpu(b)
	x := nd.Ones([]int{10}, nd.ArrayOptions{DType: dtype.Float32, Device: d})
	out := nd.Ones([]int{10}, nd.ArrayOptions{DType: dtype.Float32, Device: d})
	b.Run("Out", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ops.Add(x, x, ops.Into(out))
		}
	})
	b.Run("Fresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ops.Add(x, x).Release()
		}
	})
}
