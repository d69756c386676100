package dtype

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestIntegerToFloat32 tests, on every platform, the loops that only 32-bit platforms use.
func TestIntegerToFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	src := []int64{0, 1, -1, 1<<24 + 1, 1<<46 + 1, 1<<47 - 1, -(1<<46 + 1), math.MaxInt64, math.MinInt64, 1<<62 + 1<<38, 1<<62 + 1<<38 + 1}
	for shift := range 64 {
		src = append(src, int64(rng.Uint64())>>shift, int64(rng.Uint64())>>shift)
	}
	n := len(src)
	dst, parts := make([]float32, n), make([]complex64, n)
	for i := range parts {
		parts[i] = complex(9, 9)
	}
	integerToFloat32[int64](run{unsafe.Pointer(&dst[0]), 1, unsafe.Pointer(&src[0]), 1, n})
	integerToComplex64[int64](run{unsafe.Pointer(&parts[0]), 1, unsafe.Pointer(&src[0]), 1, n})
	for i, v := range src {
		want, _ := new(big.Float).SetInt64(v).Float32()
		if dst[i] != want || parts[i] != complex(want, 0) {
			t.Errorf("%d: %v and %v, want %v", v, dst[i], parts[i], want)
		}
	}
}
