package elementwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestRemainders(t *testing.T) { twin.Levels(t, testRemainders) }

func testRemainders(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, z := []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1, 1 << 63, 1<<63 - 1}, make([]uint64, 1003)
	for len(x) < len(z) {
		x = append(x, rng.Uint64()>>rng.IntN(64))
	}
	for _, divisor := range []uint64{0, 1, 2, 3, 7, 10, 1000, 1 << 32, 1<<32 + 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64} {
		remainders(z, x, divisor)
		for i, v := range x {
			want := uint64(0) // as for other integers
			if divisor > 0 {
				want = v % divisor
			}
			if z[i] != want {
				t.Fatalf("%d modulo %d is %d, want %d", v, divisor, z[i], want)
			}
		}
	}
}
