package matmul

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestPost compares products that have a Post with products that a launch of it follows, bit for bit, with any number of workers.
func TestPost(t *testing.T) {
	defer workers.BeEager(workers.BeEager(true))
	twin.Levels(t, func(t *testing.T) {
		testPost[float32](t, dtype.Float32)
		testPost[float64](t, dtype.Float64)
	})
}

func testPost[T gemm.Float](t *testing.T, dt dtype.DType) {
	rng := rand.New(rand.NewPCG(5, 6))
	numbers := func(n int) []T {
		x := make([]T, n+1)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		x[rng.IntN(n+1)] = T([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}[rng.IntN(4)])
		return x
	}
	for _, c := range []struct {
		what           string
		batch, m, n, k int
		turned         bool // whether both factors are transposed
	}{
		{"few rows", 1, 5, 70, 40, false}, {"factors in place", 1, 30, 50, 70, false}, {"several sums along k", 1, 20, 35, 1100, false},
		{"b is copied", 1, 70, 40, 600, true}, {"a is copied in parts", 1, 170, 256, 200, true}, {"a is copied", 1, 150, 256, 230, true},
		{"a column", 1, 40, 1, 30, false}, {"a batch", 3, 30, 33, 90, false}, {"few columns", 1, 30, 3, 80, false},
		{"a small batch", 3, 8, 8, 8, false}, {"one number", 1, 1, 1, 50, false}, {"an empty sum", 1, 3, 4, 0, false},
	} {
		a, b, row := numbers(c.batch*c.m*c.k), numbers(c.batch*c.k*c.n), numbers(c.n)
		bodies := []string{"max(0, x)", "min(max(x, -0.5), 6)", "min(x, 0)", "x < 0 ? x / 4 : x"}
		if c.m*c.n*c.k > 1<<20 {
			bodies = bodies[:1] // they take long
		}
		for _, body := range bodies {
			post := launchtest.Compile(t, dt, "T x", "T y", "y = "+body)
			across, adds := rng.IntN(2) == 0, rng.IntN(2) == 0 // whether the columns of c are contiguous
			product := func(post, after *device.Program, count int) []T {
				defer workers.Set(workers.Set(count))
				y, strides := make([]T, c.batch*c.m*c.n), []int{c.m * c.n, c.n, 1, 0}
				if across {
					strides = []int{c.m * c.n, 1, c.m, 0}
				}
				left, right := []int{c.m * c.k, c.k, 0, 1}, []int{c.k * c.n, 0, 1, c.n}
				if c.turned {
					left, right = []int{c.m * c.k, 1, 0, c.m}, []int{c.k * c.n, 0, c.k, 1}
				}
				operands := []launchtest.Array{launchtest.NewStrided(y, 0, strides), launchtest.NewStrided(a, 0, left), launchtest.NewStrided(b, 0, right),
					launchtest.NewStrided(row, 0, []int{0, 0, 1, 0})}
				if !adds {
					operands = operands[:3]
				}
				l := launchtest.Launch([]int{c.batch, c.m, c.n, c.k}, operands...)
				defer l.Recycle()
				l.Post = post
				MatMul(l)
				if l.Post = after; after != nil {
					l.ApplyPost(l.Rank-1, elementwise.Elementwise)
				}
				return y
			}
			want := fmt.Sprint(product(nil, post, 1))
			for _, count := range []int{1, 3} {
				if got := fmt.Sprint(product(post, nil, count)); got != want {
					t.Fatalf("%s, %s, across %v, adds %v, %d workers: got %s, want %s", c.what, body, across, adds, count, got, want)
				}
			}
		}
	}
}
