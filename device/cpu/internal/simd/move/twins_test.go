package move

import (
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FuzzTwins moves random numbers of elements.
func FuzzTwins(f *testing.F) {
	f.Add(uint8(1), uint64(1))
	f.Fuzz(func(t *testing.T, level uint8, seed uint64) {
		defer isa.Narrow(level)()
		rng := rand.New(rand.NewPCG(1, seed))
		n, size, wide := rng.IntN(700), 1<<rng.IntN(5), 4<<rng.IntN(2)
		checkCompress(t, rng, n)
		checkReverse(t, rng, n, size)
		checkInterleave(t, rng, 1+rng.IntN(MostRows), n, wide, (n*wide+8)*rng.IntN(2))
		checkTranspose(t, rng, rng.IntN(80), rng.IntN(80), size, rng.IntN(5), rng.IntN(5), rng.IntN(3))
		checkAddRows[float32](t, rng, rng.IntN(30), 1+rng.IntN(300))
		checkAddRows[float64](t, rng, rng.IntN(30), 1+rng.IntN(300))
		checkConvert(t, dtype.Bool+dtype.DType(rng.IntN(int(dtype.Count-dtype.Bool))), dtype.Float32, convertible(rng, dtype.Float32, n))
	})
}
