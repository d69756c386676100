package sample

import (
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestPairs loads corners as pairs, and compares them with the corners loaded one by one.
func TestPairs(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for n := range 70 {
			checkPairs[float32](t, rng, n, 4)
			checkPairs[float64](t, rng, n, 8)
		}
	})
}

func checkPairs[T float32 | float64](t *testing.T, rng *rand.Rand, n, size int) {
	t.Helper()
	room := roundedUp(n)
	x := make([]T, 2+rng.IntN(9))
	for i := range x {
		x[i] = T(rng.NormFloat64())
	}
	at, apart := rng.IntN(5), room/8+rng.IntN(3)
	first, second, masks := make([]int, room), make([]int, room), make([]byte, 2*apart+2)
	var want [2][]T
	for i := range first {
		k := rng.IntN(len(x))
		l := min(k+rng.IntN(2), len(x)-1)
		first[i], second[i] = at+k*size, at+l*size
		want[0], want[1] = append(want[0], x[k]), append(want[1], x[l])
	}
	Pairs(n, first, second, at+(len(x)-2)*size, masks, apart)
	loaded, low, high := make([][2]T, room), make([]T, room), make([]T, room)
	for i := range n {
		k := (first[i] - at) / size
		loaded[i] = [2]T{x[k], x[k+1]}
	}
	Split(n, low, high, loaded, masks, apart)
	for i := range n {
		if low[i] != want[0][i] || high[i] != want[1][i] {
			t.Fatalf("pair %d of %d: %v and %v, want %v and %v", i, n, low[i], high[i], want[0][i], want[1][i])
		}
	}
}
