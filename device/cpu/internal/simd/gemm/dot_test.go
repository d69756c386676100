package gemm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestDot(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := range 300 {
			for _, offset := range []int{0, 1, 3} {
				a, b := make([]float32, n+offset)[offset:], make([]float32, n)
				a64, b64 := make([]float64, n+offset)[offset:], make([]float64, n)
				var want, magnitude float64
				for i := range a {
					a[i], b[i] = rng.Float32()-0.5, rng.Float32()-0.5
					a64[i], b64[i] = float64(a[i]), float64(b[i])
					want += a64[i] * b64[i]
					magnitude += math.Abs(a64[i] * b64[i])
				}
				if got := Dot(a, b); math.Abs(float64(got)-want) > 1e-6*magnitude {
					t.Fatalf("n=%d: %v, want %v", n, got, want)
				}
				if got := Dot(a64, b64); math.Abs(got-want) > 1e-14*magnitude {
					t.Fatalf("n=%d: %v, want %v", n, got, want)
				}
			}
		}
	})
}
