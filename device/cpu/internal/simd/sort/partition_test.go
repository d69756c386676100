package sort

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

func TestPartition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, n := range []int{1, 2, 31, 100, 128, 129, 256, 257, 1000, 5000, 100_000} {
		checkPartition[int32](t, rng, n)
		checkPartition[int64](t, rng, n)
		checkPartition[float32](t, rng, n)
		checkPartition[float64](t, rng, n)
	}
}

// checkPartition checks partitions at the highest instruction level, and that the order is the same at the lowest.
func checkPartition[N Number](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	for name, next := range map[string]func(i int) N{
		"random":  func(int) N { return N(rng.IntN(1 << 30)) },
		"few":     func(int) N { return N(rng.IntN(5)) - 2 },
		"rising":  func(i int) N { return N(i) },
		"organ":   func(i int) N { return N(min(i, n-i)) },
		"largest": func(i int) N { return largest[N]() - N(rng.IntN(2)*(i%2)) },
		"equal":   func(int) N { return 7 },
	} {
		from, spare := make([]N, n), make([]N, n)
		for i := range from {
			from[i] = next(i)
		}
		want := slices.Sorted(slices.Values(from))
		for _, k := range []int{0, n / 2, n - 1, rng.IntN(n)} {
			x, plain := make([]N, n), slices.Clone(from)
			ok := Partition(x, spare, from, k)
			old := isa.Use(isa.Generic)
			same := Partition(plain, spare, plain, k) == ok && slices.Equal(x, plain)
			isa.Use(old)
			switch {
			case !ok || !same:
				t.Fatalf("%d %s numbers are not partitioned in the same way at all instruction levels: ok = %t", n, name, ok)
			case x[k] != want[k] || slices.Max(x[:k+1]) > x[k] || slices.Min(x[k:]) < x[k]:
				t.Fatalf("%d %s numbers are not partitioned at %d", n, name, k)
			}
			if slices.Sort(x); !slices.Equal(x, want) {
				t.Fatalf("%d %s numbers, partitioned at %d, are not the same", n, name, k)
			}
		}
		if v := N(0); v/2 != N(1)/2 { // floats
			for _, bad := range []float64{math.NaN(), math.Copysign(0, -1)} {
				spoiled := slices.Clone(from)
				spoiled[rng.IntN(n)] = N(bad)
				old := isa.Use(isa.Generic)
				plain := Partition(make([]N, n), spare, spoiled, n/2)
				isa.Use(old)
				if plain || Partition(make([]N, n), spare, spoiled, n/2) {
					t.Fatalf("%v is partitioned among %d numbers", bad, n)
				}
			}
		}
	}
}

// TestPartitionIndices compares partitions with the order of a stable sort.
func TestPartitionIndices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 2, 3, 17, 100, 1000, 3000} {
		for kind, key := range []func() int64{
			func() int64 { return int64(rng.Uint64()) },
			func() int64 { return int64(rng.IntN(20)) - 10 },
			func() int64 { return int64(rng.IntN(3))<<62 + int64(rng.IntN(500)) },
			func() int64 { return math.MinInt64 + int64(rng.IntN(2))*(math.MaxInt64>>2) + int64(rng.IntN(n+1)/50) },
			func() int64 { return 7 },
		} {
			keys, want := make([]int64, n), make([]int64, n)
			for i := range keys {
				keys[i], want[i] = key(), int64(i)
			}
			byKey := func(a, b int64) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) }
			slices.SortFunc(want, byKey)
			k := rng.IntN(n)
			got := slices.Clone(PartitionIndices(keys, make([]int64, n), make([]int64, n), k))
			old := isa.Use(isa.Generic)
			plain := PartitionIndices(keys, make([]int64, n), make([]int64, n), k)
			isa.Use(old)
			if !slices.Equal(got, plain) {
				t.Fatalf("%d keys of kind %d: the order depends on the instruction level", n, kind)
			}
			slices.SortFunc(got[:k], byKey)
			slices.SortFunc(got[k+1:], byKey)
			if !slices.Equal(got, want) {
				t.Fatalf("%d keys of kind %d, partitioned at %d: %v, want %v", n, kind, k, got, want)
			}
		}
	}
}
