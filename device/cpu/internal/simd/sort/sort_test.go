package sort

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestSort(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := range 301 {
			checkSort[int32](t, rng, n)
			checkSort[int64](t, rng, n)
		}
		for _, n := range []int{511, 512, 513, 600, 601, 1000, 4096, 5000, 30_000} {
			checkSort[int32](t, rng, n)
			checkSort[int64](t, rng, n)
		}
	})
}

func checkSort[K Key](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	for name, next := range map[string]func(i int) K{
		"random":  func(int) K { return K(rng.Uint64()) },
		"few":     func(int) K { return K(rng.IntN(5)) - 2 },
		"rising":  func(i int) K { return K(i) },
		"falling": func(i int) K { return -K(i) },
		"organ":   func(i int) K { return K(min(i, n-i)) },
		"largest": func(i int) K { return largest[K]() - K(rng.IntN(2)*(i%2)) },
		"lowest":  func(i int) K { return -largest[K]() - 1 + K(rng.IntN(2)) },
	} {
		const guard = 20
		x := make([]K, n+2*guard)
		for i := range x {
			x[i] = next(i)
		}
		want := slices.Clone(x)
		slices.Sort(want[guard : guard+n])
		part := x[guard : guard+n]
		if Sort(part, make([]K, n)); !slices.Equal(x, want) {
			t.Fatalf("%d %s keys are not sorted", n, name)
		}
		for range 3 {
			for i := range part {
				part[i] = next(i)
			}
			copy(want[guard:], part)
			slices.Sort(want[guard : guard+n])
			from := rng.IntN(n + 1)
			to := from + rng.IntN(n-from+1)
			if SortWithin(part, make([]K, n), from, to); !slices.Equal(part[from:to], want[guard+from:guard+to]) {
				t.Fatalf("%d %s keys: those from %d to %d are wrong", n, name, from, to)
			}
		}
		for i := range part {
			part[i] = next(i)
		}
		copy(want[guard:], part)
		slices.Sort(want[guard : guard+n])
		if whole, ok := Whole(part, make([]K, n)); ok {
			low, high := whole.Halves()
			high.Sort()
			low.Sort()
		} else {
			slices.Sort(part)
		}
		if !slices.Equal(x, want) {
			t.Fatalf("%d %s keys are split wrongly", n, name)
		}
	}
}

func TestSortFloats(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for n := range 301 {
			checkSortFloats[float32](t, rng, n)
			checkSortFloats[float64](t, rng, n)
		}
		for _, n := range []int{511, 512, 513, 600, 1000, 4096, 5000, 30_000} {
			checkSortFloats[float32](t, rng, n)
			checkSortFloats[float64](t, rng, n)
		}
	})
}

func checkSortFloats[F Float](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	infinity := F(math.Inf(1))
	for name, next := range map[string]func(i int) F{
		"random":     func(int) F { return F(rng.NormFloat64()) },
		"few":        func(int) F { return F(rng.IntN(5)) - 2 },
		"rising":     func(i int) F { return F(i) },
		"falling":    func(i int) F { return F(n - i) },
		"infinite":   func(i int) F { return []F{infinity, -infinity, 0, 1}[rng.IntN(4)] },
		"largest":    func(i int) F { return infinity },
		"denormal":   func(i int) F { return F(rng.IntN(100)) * F(1e-45) },
		"notanumber": func(i int) F { return []F{F(math.NaN()), 1}[min(1, i^(n-1))] },
		"minuszero":  func(i int) F { return []F{F(math.Copysign(0, -1)), 1}[min(1, i^(n/2))] },
	} {
		const guard = 20
		from, x, spare := make([]F, n), make([]F, n+2*guard), make([]F, n+2*guard)
		for i := range from {
			from[i] = next(i)
		}
		part := x[guard : guard+n]
		low, high, ok := CopyParts(part, spare[guard:guard+n], slices.Clone(from))
		if sortable := vectors() && (n == 0 || name != "notanumber" && name != "minuszero"); ok != sortable {
			t.Fatalf("%d %s floats: Take returns ok = %t", n, name, ok)
		}
		if ok {
			middle, high := high.Halves()
			high.Sort()
			low.Sort()
			middle.Sort()
		}
		for _, beyond := range [][]F{x[:guard], x[guard+n:], spare[:guard], spare[guard+n:]} {
			if slices.ContainsFunc(beyond, func(v F) bool { return v != 0 }) {
				t.Fatalf("%d %s floats: memory outside the result was written", n, name)
			}
		}
		if !ok {
			continue
		}
		slices.Sort(from)
		if !slices.Equal(part, from) {
			t.Fatalf("%d %s floats are not sorted", n, name)
		}
	}
}

func TestSortPairs(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{0, 1, 2, 100, 599, 600, 5000} {
			for _, mask := range []uint64{^uint64(0), 3 << 40, 0xffff << 48} {
				x := make([]int64, n)
				for i := range x {
					x[i] = int64(rng.Uint64()&mask>>32<<32 | uint64(i))
				}
				want := slices.Clone(x)
				slices.Sort(want)
				if got := SortPairs(x, make([]int64, n)); !slices.Equal(got, want) {
					t.Fatalf("%d pairs are not sorted", n)
				}
			}
		}
	})
}

// TestIndices sorts keys that are far apart, close to each other, or both, and many of which are equal.
func TestIndices(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 3))
		for _, n := range []int{0, 1, 2, 3, 17, 100, 1000, 3000} {
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
				slices.SortStableFunc(want, func(a, b int64) int { return cmp.Compare(keys[a], keys[b]) })
				if got := Indices(keys, make([]int64, n), make([]int64, n)); !slices.Equal(got, want) {
					t.Fatalf("%d keys of kind %d: %v, want %v", n, kind, got, want)
				}
			}
		}
	})
}
