package reduce

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

func TestIntegers(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testIntegers[int8](t)
		testIntegers[int16](t)
		testIntegers[int32](t)
		testIntegers[int64](t)
		testIntegers[uint8](t)
		testIntegers[uint16](t)
		testIntegers[uint32](t)
		testIntegers[uint64](t)
	})
}

// integersOf returns numbers with random bits, or numbers that are close to each other.
func integersOf[T scalar.Integer](rng *rand.Rand, n int) []T {
	x, few := make([]T, n), rng.IntN(3) == 0
	for i := range x {
		x[i] = T(rng.Uint64())
		if few {
			x[i] = T(rng.IntN(4)) - 1
		}
	}
	return x
}

func testIntegers[T scalar.Integer](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, n := range append([]int{bytesAtOnce + 100}, lengths...) {
		const rows = 3
		pitch, offset := n+rng.IntN(3), rng.IntN(17)
		a := integersOf[T](rng, offset+rows*pitch)[offset:]
		for _, op := range []Op{Sum, Max, Min} {
			what := fmt.Sprintf("op %d of %d %T", op, n, a[0])
			got := []T{77, 0, 0, 0, 78}
			IntegerRows(op, &got[1], &a[0], rows, n, pitch)
			if got[0] != 77 || got[4] != 78 {
				t.Fatalf("%s: written outside", what)
			}
			for i, v := range got[1:4] {
				if want := plainIntegerRow(op, row(&a[0], i, n, pitch)); v != want {
					t.Fatalf("%s, row %d: %v, want %v", what, i, v, want)
				}
			}
			sums := integersOf[T](rng, n+2)
			want := append([]T(nil), sums...)
			IntegerColumns(op, &sums[1], &a[0], rows, n, pitch)
			for i := range rows {
				plainIntegerColumn(op, want[1:n+1], row(&a[0], i, n, pitch))
			}
			for k := range sums {
				if sums[k] != want[k] {
					t.Fatalf("%s, column %d: %v, want %v", what, k-1, sums[k], want[k])
				}
			}
		}
		v := a[rng.IntN(n)]
		if got, want := FindInteger(&a[0], n, v), plainFindInteger(a[:n], v); got != want {
			t.Fatalf("%v is at %d of %d %T, want index %d", v, want, n, v, got)
		}
		for _, bits := range []T{T(rng.Uint64()), 1, ^T(0), ^T(0) >> 1} {
			if got, want := Count(a[:n], bits), plainCount(a[:n], bits); got != want {
				t.Fatalf("%d of %d %T have one of the bits %x, want %d", want, n, v, bits, got)
			}
		}
	}
}

func BenchmarkIntegers(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		a := make([]int64, n)
		for i := range a {
			a[i] = int64(i * 7919 % 1009)
		}
		var v int64
		b.Run(fmt.Sprintf("max/%d", n), func(b *testing.B) {
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				IntegerRows(Max, &v, &a[0], 1, n, n)
			}
		})
		b.Run(fmt.Sprintf("count/%d", n), func(b *testing.B) {
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				Count(a, -1)
			}
		})
	}
}
