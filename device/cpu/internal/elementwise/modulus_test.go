package elementwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// TestSingleModulus compares with the modulus in float64, rounded, also next to the middle between two numbers.
func TestSingleModulus(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	numbers := []complex64{0, 1, complex(3, 4), complex(inf, nan), complex(nan, 1), complex(-inf, 2), complex(math.MaxFloat32, math.MaxFloat32), complex(1e-45, 1e-45)}
	for range 200_000 {
		re := math.Float32frombits(rng.Uint32())
		numbers = append(numbers, complex(re, math.Float32frombits(rng.Uint32())), complex(re, re*float32(rng.Float64())), complex(1, float32(math.Ldexp(rng.Float64(), -rng.IntN(24)))))
	}
	for _, v := range numbers {
		got, want := singleModulus(v), float32(scalar.CAbs(complex128(v)))
		if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
			t.Fatalf("the modulus of %v is %v, want %v", v, got, want)
		}
	}
}
