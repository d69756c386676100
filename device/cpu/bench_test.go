package cpu

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/rowops"
	"github.com/ndgrad/ndgrad/device/cpu/internal/sorting"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// elementwiseBench runs a program of x, and y where there is one.
func elementwiseBench(b *testing.B, body string, n int) {
	inputs, operands := "T x", []launchtest.Array{launchtest.New(make([]float32, n), n), launchtest.New(launchtest.Uniform(n), n)}
	if len(body) > 1 && body[0] == 'x' {
		inputs, operands = "T x, T y", append(operands, launchtest.New(launchtest.Uniform(n), n))
	}
	p := launchtest.Compile(b, dtype.Float32, inputs, "T out", body)
	loop := []int{n}
	b.ReportAllocs()
	b.SetBytes(int64(4 * n * len(operands)))
	for b.Loop() {
		l := launchtest.Launch(loop, operands...)
		l.Program = p
		elementwise.Elementwise(l)
		l.Recycle()
	}
}

func BenchmarkElementwise(b *testing.B) {
	for _, body := range []string{"x+y", "x*y+x", "tanh(x)", "exp(x)"} {
		for _, n := range []int{10, 1000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", body, n), func(b *testing.B) { elementwiseBench(b, body, n) })
		}
	}
}

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
				reduce.Reduce(l)
				l.Recycle()
			}
		})
	}
}

func BenchmarkMatMul(b *testing.B) {
	for _, n := range []int{4, 32, 64, 128, 256, 512, 1024, 2048} {
		b.Run(fmt.Sprintf("square/%d/f32", n), func(b *testing.B) { matMulBench[float32](b, 1, n, n, n, "nn") })
	}
	for _, n := range []int{32, 128, 256, 1024} {
		b.Run(fmt.Sprintf("square/%d/f64", n), func(b *testing.B) { matMulBench[float64](b, 1, n, n, n, "nn") })
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
		matmul.MatMul(l)
		l.Recycle()
	}
	b.ReportMetric(2*float64(batch*m*n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkTransposedAdd(b *testing.B) {
	const n = 2048
	p := launchtest.Compile(b, dtype.Float32, "T x, T y", "T out", "x+y")
	y, x := launchtest.New(make([]float32, n*n), n, n), launchtest.New(launchtest.Uniform(n*n), n, n)
	turned := launchtest.NewStrided(launchtest.Uniform(n*n), 0, []int{1, n})
	b.SetBytes(12 * n * n)
	for b.Loop() {
		l := launchtest.Launch([]int{n, n}, y, x, turned)
		l.Program = p
		elementwise.Elementwise(l)
		l.Recycle()
	}
}

func BenchmarkBroadcastAdd(b *testing.B) {
	p := launchtest.Compile(b, dtype.Float32, "T x, T y", "T out", "x+y")
	for _, columns := range []int{3, 64, 1000} {
		b.Run(fmt.Sprint(columns), func(b *testing.B) {
			rows := 1_000_000 / columns
			y, x := launchtest.New(make([]float32, rows*columns), rows, columns), launchtest.New(launchtest.Uniform(rows*columns), rows, columns)
			bias := launchtest.NewStrided(launchtest.Uniform(columns), 0, []int{0, 1})
			b.SetBytes(int64(8 * rows * columns))
			for b.Loop() {
				l := launchtest.Launch([]int{rows, columns}, y, x, bias)
				l.Program = p
				elementwise.Elementwise(l)
				l.Recycle()
			}
		})
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{100, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			y, places, x := launchtest.New(make([]float32, n), n), launchtest.New(make([]int64, n), n), launchtest.New(launchtest.Uniform(n), n)
			b.ReportAllocs()
			for b.Loop() {
				l := launchtest.Launch([]int{n}, y, places, x)
				sorting.Sort(l)
				l.Recycle()
			}
		})
	}
}

func BenchmarkSoftmax(b *testing.B) {
	y, x := launchtest.New(make([]float32, 1000*1000), 1000, 1000), launchtest.New(launchtest.Uniform(1000*1000), 1000, 1000)
	for b.Loop() {
		l := launchtest.Launch([]int{1000, 1000}, y, x)
		rowops.Softmax(l)
		l.Recycle()
	}
}
