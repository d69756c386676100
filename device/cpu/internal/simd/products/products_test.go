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
	for _, m := range []int{1, 2, 4, 7, 8, 13} {
		for n := 1; n <= MostColumns[T](); n++ {
			for _, k := range []int{1, 2, 3, 8, 30} {
				checkMultiply[T](t, rng, 5, m, n, k)
			}
		}
	}
}

func checkMultiply[T Float](t *testing.T, rng *rand.Rand, count, m, n, k int) {
	t.Helper()
	numbers := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		return x
	}
	size, line := int(unsafe.Sizeof(*new(T))), n+rng.IntN(3)
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
		t.Fatalf("%T: %d products %d×%d×%d differ", got, count, m, n, k)
	}
}

func FuzzTwins(f *testing.F) {
	f.Add(uint8(1), uint64(1))
	f.Fuzz(func(t *testing.T, level uint8, seed uint64) {
		defer isa.Narrow(level)()
		if isa.Current() == isa.Generic {
			return
		}
		rng := rand.New(rand.NewPCG(3, seed))
		checkMultiply[float32](t, rng, 1+rng.IntN(9), 1+rng.IntN(20), 1+rng.IntN(MostColumns[float32]()), 1+rng.IntN(40))
		checkMultiply[float64](t, rng, 1+rng.IntN(9), 1+rng.IntN(20), 1+rng.IntN(MostColumns[float64]()), 1+rng.IntN(40))
	})
}
