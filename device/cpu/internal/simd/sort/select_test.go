package sort

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestSelect(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for n := range 301 {
			checkSelect[float32](t, rng, n)
			checkSelect[float64](t, rng, n)
		}
		checkSelect[float32](t, rng, 100_000)
		checkSelect[float64](t, rng, 5000)
	})
}

func checkSelect[T float32 | float64](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	x := make([]T, n)
	kind := rng.IntN(4)
	for i := range x {
		switch kind {
		case 0:
			x[i] = T(rng.NormFloat64())
		case 1:
			x[i] = T(rng.IntN(5) - 2)
		case 2:
			x[i] = T(i)
		case 3:
			x[i] = T([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1}[rng.IntN(6)])
		}
	}
	for _, smallest := range []bool{false, true} {
		indices := make([]int, n)
		for i := range indices {
			indices[i] = i
		}
		slices.SortStableFunc(indices, func(a, b int) int {
			switch u, v := x[a], x[b]; {
			case u != u && v == v:
				return 1
			case v != v && u == u:
				return -1
			case beyond(u, v, smallest):
				return -1
			case beyond(v, u, smallest):
				return 1
			}
			return 0
		})
		for _, k := range []int{0, 1, n / 10, n / 2, n} {
			if k > n {
				continue
			}
			for i, item := range Select(x, k, smallest, make([]Item[T], Room(k))) {
				if item.Index != indices[i] {
					t.Fatalf("item %d of %d among %d has index %d, want %d", i, k, n, item.Index, indices[i])
				}
			}
		}
	}
}

func TestKeys(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for n := range 100 {
			x := make([]int32, n)
			y := make([]int64, n)
			for i := range x {
				x[i] = int32(math.Float32bits(float32(rng.NormFloat64())))
				y[i] = int64(math.Float64bits(rng.NormFloat64()))
			}
			checkKeys(t, x, func(k int32) float64 { return float64(math.Float32frombits(uint32(k))) })
			checkKeys(t, y, func(k int64) float64 { return math.Float64frombits(uint64(k)) })
			if n > 0 {
				i := rng.IntN(n)
				for _, bits := range []int32{math.MinInt32, 0x7f800001, -1} {
					x[i] = bits
					if !Keys(make([]int32, n), x, 0, -1) {
						t.Fatalf("%x among %d is not special", uint32(bits), n)
					}
				}
				for _, bits := range []int64{math.MinInt64, 0x7ff0000000000001, -1} {
					y[i] = bits
					if !Keys(make([]int64, n), y, 0, -1) {
						t.Fatalf("%x among %d is not special", uint64(bits), n)
					}
				}
			}
		}
	})
}

// checkKeys compares the order of keys with the order of the floats, in both directions, and converts the keys back.
func checkKeys[K Key](t *testing.T, x []K, float func(K) float64) {
	t.Helper()
	n := len(x)
	k, back := make([]K, n), make([]K, n)
	for _, flip := range []K{0, -1} {
		if Keys(k, x, 0, flip) {
			t.Fatalf("none of %d numbers is special", n)
		}
		for i := 1; i < n; i++ {
			a, b := float(x[i-1]), float(x[i])
			if flip != 0 {
				a, b = b, a
			}
			if (k[i-1] < k[i]) != (a < b) {
				t.Fatalf("the keys of %v and %v are in the wrong order", a, b)
			}
		}
		if Keys(back, k, flip, 0); !slices.Equal(back, x) {
			t.Fatalf("%d floats differ after converting to keys and back", n)
		}
	}
}
