package matmul

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// testFloatProduct multiplies matrices with one worker and with several, and compares some rows with sums in float64.
// form says which matrices are transposed.
func testFloatProduct[T gemm.Float](t *testing.T, m, n, k int, form string) {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(n*k)))
	random := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.Float64() - 0.5)
		}
		return x
	}
	size := int(unsafe.Sizeof(*new(T)))
	a, b, c := random(m*k), random(k*n), random(m*n)
	first := slices.Clone(c)
	w := gemm.Block{
		M: m, N: n, K: k, A: unsafe.Pointer(&a[0]), ALine: k * size, ADepth: size, B: unsafe.Pointer(&b[0]), BDepth: n * size,
		C: unsafe.Pointer(&first[0]), CLine: n * size,
	}
	left, right := func(i, l int) T { return a[i*k+l] }, func(l, j int) T { return b[l*n+j] }
	bLine := size
	if form[0] == 't' {
		w.ALine, w.ADepth = size, m*size
		left = func(i, l int) T { return a[l*m+i] }
	}
	if form[1] == 't' {
		w.BDepth, bLine = size, k*size
		right = func(l, j int) T { return b[j*k+l] }
	}
	multiplyBlock[T](&w, bLine, false)
	for i := 0; i < m; i += 23 {
		for j := range n {
			var want float64
			for l := range k {
				want += float64(left(i, l)) * float64(right(l, j))
			}
			if got := float64(first[i*n+j]); math.Abs(got-want) > 1e-4 {
				t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
	for _, count := range []int{2, 3} {
		old := workers.Set(count)
		w.C = unsafe.Pointer(&c[0])
		multiplyBlock[T](&w, bLine, true)
		workers.Set(old)
		if !slices.Equal(c, first) {
			t.Fatalf("the result with %d workers differs from that with one", count)
		}
	}
}

func TestFloatProductsOfAnySize(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		if isa.Current() == isa.Generic {
			t.Skip("multiplyOne uses another algorithm")
		}
		for _, s := range [][3]int{{20, 1030, 270}, {161, 300, 530}, {100, 300, 40}, {260, 130, 600}, {9, 1100, 250}} {
			for _, form := range []string{"nn", "nt", "tn", "tt"} {
				t.Run(fmt.Sprint(s, form), func(t *testing.T) {
					testFloatProduct[float32](t, s[0], s[1], s[2], form)
					testFloatProduct[float64](t, s[0], s[1], s[2], form)
				})
			}
		}
	})
}
