package matmul

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func BenchmarkMatMul(b *testing.B) {
	for _, n := range []int{4, 32, 64, 128, 256, 512, 1024, 2048} {
		b.Run(fmt.Sprintf("square/%d/f32", n), func(b *testing.B) { matMulBench[float32](b, 1, n, n, n, "nn") })
	}
	for _, n := range []int{32, 128, 256, 1024} {
		b.Run(fmt.Sprintf("square/%d/f64", n), func(b *testing.B) { matMulBench[float64](b, 1, n, n, n, "nn") })
	}
	for _, n := range []int{64, 256, 1024} {
		b.Run(fmt.Sprintf("square/%d/bf16", n), func(b *testing.B) { matMulBench[dtype.BF16](b, 1, n, n, n, "nn") })
	}
	for _, kind := range []string{"nt", "tn"} {
		b.Run(kind+"/1024x1024x1024/f32", func(b *testing.B) { matMulBench[float32](b, 1, 1024, 1024, 1024, kind) })
	}
	for _, c := range []struct{ m, k, n int }{{100, 784, 1000}, {64, 9216, 128}, {1600, 256, 1024}, {32, 256, 1024}, {100, 1000, 10}} {
		b.Run(fmt.Sprintf("rect/%dx%dx%d/f32", c.m, c.k, c.n), func(b *testing.B) { matMulBench[float32](b, 1, c.m, c.n, c.k, "nn") })
	}
	b.Run("batched/64x128x128/f32", func(b *testing.B) { matMulBench[float32](b, 64, 128, 128, 128, "nn") })
	b.Run("batched/64x256x64x256t/f32", func(b *testing.B) { matMulBench[float32](b, 64, 256, 256, 64, "nt") })
	b.Run("matvec/4096/f32", func(b *testing.B) { matMulBench[float32](b, 1, 4096, 1, 4096, "nn") })
	b.Run("vecmat/4096/f32", func(b *testing.B) { matMulBench[float32](b, 1, 1, 4096, 4096, "nn") })
	b.Run("dot/1e6/f32", func(b *testing.B) { matMulBench[float32](b, 1, 1, 1, 1_000_000, "nn") })
	b.Run("outer/1000/f32", func(b *testing.B) { matMulBench[float32](b, 1, 1000, 1000, 1, "nn") })
}

// matMulBench multiplies batches of matrices; kind says which factors are transposed.
func matMulBench[T dtype.Element](b *testing.B, batch, m, n, k int, kind string) {
	random := func(n int) []T {
		data := make([]T, n)
		for i, v := range launchtest.Uniform(n) {
			data[i] = *new(T)
			switch x := any(&data[i]).(type) {
			case *float32:
				*x = v
			case *float64:
				*x = float64(v)
			case *dtype.BF16:
				*x = dtype.BFloat16FromFloat32(v)
			}
		}
		return data
	}
	aStrides, bStrides := []int{m * k, k, 0, 1}, []int{k * n, 0, 1, n}
	if kind[0] == 't' {
		aStrides = []int{m * k, 1, 0, m}
	}
	if kind[1] == 't' {
		bStrides = []int{k * n, 0, k, 1}
	}
	y, x, w := launchtest.NewStrided(make([]T, batch*m*n), 0, []int{m * n, n, 1, 0}), launchtest.NewStrided(random(batch*m*k), 0, aStrides), launchtest.NewStrided(random(batch*k*n), 0, bStrides)
	loop := []int{batch, m, n, k}
	b.ReportAllocs()
	for b.Loop() {
		l := launchtest.Launch(loop, y, x, w)
		MatMul(l)
		l.Recycle()
	}
	b.ReportMetric(2*float64(batch*m*n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
