package products

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestMultiply compares with plain Go code, bit for bit.
func TestMultiply(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		if isa.Current() > isa.Generic {
			testMultiply[float32](t)
			testMultiply[float64](t)
		}
	})
}

func testMultiply[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		return x
	}
	const count = 5
	size := int(unsafe.Sizeof(*new(T)))
	for _, m := range []int{1, 2, 4, 7, 8, 13} {
		for n := 1; n <= MostColumns[T](); n++ {
			for _, k := range []int{1, 2, 3, 8, 30} {
				line := n + rng.IntN(3)
				a, b := numbers(count*m*k), numbers(count*k*line)
				p := Batch{
					Count: count, M: m, N: n, K: k, A: unsafe.Pointer(&a[0]), B: unsafe.Pointer(&b[0]),
					ANext: m * k * size, ALine: k * size, ADepth: size, BNext: k * line * size, BLine: line * size, CNext: m * line * size, CLine: line * size,
				}
				if rng.IntN(2) == 0 {
					p.ALine, p.ADepth = size, m*size
				}
				got := numbers(count * m * line)
				want := slices.Clone(got)
				p.C = unsafe.Pointer(&want[0])
				plain[T](&p)
				p.C = unsafe.Pointer(&got[0])
				if Multiply[T](&p); !slices.Equal(got, want) {
					t.Fatalf("%T: %d×%d×%d differ", got, m, n, k)
				}
			}
		}
	}
}
