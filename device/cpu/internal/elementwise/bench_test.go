package elementwise

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// elementwiseBench runs a program of x, and of y if the body reads it.
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
		Elementwise(l)
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

func BenchmarkTransposedAdd(b *testing.B) {
	const n = 2048
	p := launchtest.Compile(b, dtype.Float32, "T x, T y", "T out", "x+y")
	y, x := launchtest.New(make([]float32, n*n), n, n), launchtest.New(launchtest.Uniform(n*n), n, n)
	turned := launchtest.NewStrided(launchtest.Uniform(n*n), 0, []int{1, n})
	b.SetBytes(12 * n * n)
	for b.Loop() {
		l := launchtest.Launch([]int{n, n}, y, x, turned)
		l.Program = p
		Elementwise(l)
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
				Elementwise(l)
				l.Recycle()
			}
		})
	}
}
