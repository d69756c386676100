package matmul

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// TestSymmetricProduct compares the product of a matrix and its own transpose with that of the matrix and a copy, with any number of workers.
func TestSymmetricProduct(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		if isa.Current() == isa.Generic {
			t.Skip("multiplyOne uses another algorithm")
		}
		for _, s := range [][2]int{{64, 256}, {100, 3000}, {161, 300}, {150, 2100}, {515, 400}, {1100, 257}} {
			testSymmetricProduct[float32](t, s[0], s[1])
			testSymmetricProduct[float64](t, s[0], s[1])
		}
	})
}

func testSymmetricProduct[T gemm.Float](t *testing.T, n, k int) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	a, size := make([]T, n*k), int(unsafe.Sizeof(T(0)))
	for i := range a {
		a[i] = T(rng.Float64() - 0.5)
	}
	other := slices.Clone(a)
	for _, across := range []bool{false, true} {
		line, depth := k*size, size
		if across {
			line, depth = size, n*size
		}
		product := func(b []T, count int) []T {
			defer workers.Set(workers.Set(count))
			const gap = 3 // between the rows of the result
			c := make([]T, n*(n+gap))
			multiplyBlock[T](&gemm.Block{
				M: n, N: n, K: k, A: unsafe.Pointer(&a[0]), ALine: line, ADepth: depth, B: unsafe.Pointer(&b[0]), BDepth: depth,
				C: unsafe.Pointer(&c[0]), CLine: (n + gap) * size,
			}, line, count > 1)
			return c
		}
		want := product(other, 1)
		for _, count := range []int{1, 2, 3} {
			if !slices.Equal(product(a, count), want) {
				t.Fatalf("%d×%d, across %v, %d workers: the product with the same matrix differs from that with a copy", n, k, across, count)
			}
		}
	}
}
