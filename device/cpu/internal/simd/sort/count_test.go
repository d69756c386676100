package sort

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCount(t *testing.T) {
	testCount[int32](t, math.MinInt32, math.MaxInt32)
	testCount[int64](t, math.MinInt64, math.MaxInt64)
}

// testCount sorts numbers of several ranges, also at the ends of the type.
func testCount[K Key](t *testing.T, least, most K) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{leastCounted, leastCounted + 1, 5003, 30_002, 4*mostValues + 3} {
		for _, values := range []int{1, 2, 100, n/4 - 1, n / 4, mostApart, mostApart + 1, mostValues} {
			if values > min(n/4, mostValues) {
				continue
			}
			for _, low := range []K{least, -3, most - K(values-1)} {
				from, x := make([]K, n), make([]K, n)
				for i := range from {
					from[i] = low + K(rng.IntN(values))
				}
				want := slices.Clone(from)
				slices.Sort(want)
				if !Count(x, make([]K, n), from) || !slices.Equal(x, want) {
					t.Fatalf("%d numbers of %d from %d on are sorted wrongly", n, values, low)
				}
				if !Count(from, x, from) || !slices.Equal(from, want) {
					t.Fatalf("%d numbers of %d from %d on are sorted wrongly in place", n, values, low)
				}
			}
		}
		from := make([]K, n)
		if from[n-1] = most; Count(make([]K, n), make([]K, n), from) {
			t.Fatalf("%d numbers far apart are counted", n)
		}
	}
}
