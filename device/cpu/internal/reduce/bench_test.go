package reduce

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func BenchmarkSum(b *testing.B) {
	p := launchtest.Compile(b, dtype.Float32, "T x", "T out", "x")
	for _, c := range []struct {
		name    string
		loop    []int
		strides []int
		outputs int
	}{
		{"all/10", []int{10}, []int{1}, 1},
		{"all/1000", []int{1000}, []int{1}, 1},
		{"all/1000000", []int{1_000_000}, []int{1}, 1},
		{"rows/1000x1000", []int{1000, 1000}, []int{1000, 1}, 1000},
		{"columns/1000x1000", []int{1000, 1000}, []int{1, 1000}, 1000},
		{"columns/100000x3", []int{3, 100_000}, []int{1, 3}, 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			size := broadcast.Size(c.loop)
			outStrides := []int{0}
			if len(c.loop) == 2 {
				outStrides = []int{1, 0}
			}
			y, x := launchtest.NewStrided(make([]float32, c.outputs), 0, outStrides), launchtest.NewStrided(launchtest.Uniform(size), 0, c.strides)
			b.ReportAllocs()
			b.SetBytes(int64(4 * size))
			for b.Loop() {
				l := launchtest.Launch(c.loop, y, x)
				l.Program, l.Reduced, l.Combine = p, 1, device.CombineSum
				Reduce(l)
				l.Recycle()
			}
		})
	}
}
