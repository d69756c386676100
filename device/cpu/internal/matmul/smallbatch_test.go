package matmul

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/products"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestSmallBatches compares batches with the products of the matrices one by one, bit for bit.
func TestSmallBatches(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testSmallBatches[float32](t)
		testSmallBatches[float64](t)
	})
}

func testSmallBatches[T products.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	numbers := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		return x
	}
	const batch = 3
	for _, m := range []int{1, 2, 4, 8, 13, 17, 64} {
		for _, n := range []int{2, 3, 4, 5, 8, 16, 17, 31, 32, 33, 64} {
			for _, k := range []int{1, 2, 4, 8, 33, 63} {
				for _, transposed := range []bool{false, true} {
					a, b, got, want := numbers(batch*m*k), numbers(batch*k*n), numbers(batch*m*n), make([]T, batch*m*n)
					strides := []int{m * k, k, 0, 1}
					if transposed {
						strides = []int{m * k, 1, 0, m}
					}
					product := func(c, a, b []T, batch int) {
						l := launchtest.Launch([]int{batch, m, n, k}, launchtest.NewStrided(c, 0, []int{m * n, n, 1, 0}),
							launchtest.NewStrided(a, 0, strides), launchtest.NewStrided(b, 0, []int{k * n, 0, 1, n}))
						MatMul(l)
						l.Recycle()
					}
					product(got, a, b, batch)
					for i := range batch {
						product(want[i*m*n:][:m*n], a[i*m*k:][:m*k], b[i*k*n:][:k*n], 1)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%T: %d×%d×%d, a transposed %v: the batch differs from its matrices", got, m, n, k, transposed)
					}
				}
			}
		}
	}
}
