package sample

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestSums(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := range 70 {
			for _, corners := range []int{1, 2, 4, 5, 8} {
				checkSums[float32](t, rng, n, corners)
				checkSums[float64](t, rng, n, corners)
			}
		}
		checkSums[float32](t, rng, 20_000, 2)
	})
}

func checkSums[T float32 | float64](t *testing.T, rng *rand.Rand, n, corners int) {
	t.Helper()
	stride := n + 3
	values, weights := make([]T, corners*stride), make([]T, corners*stride)
	for i := range values {
		values[i], weights[i] = T(rng.NormFloat64()), T(rng.NormFloat64())
	}
	y, want, numbers := make([]T, n+1), make([]T, n+1), true
	for i := range n {
		for c := range corners {
			p := T(weights[c*stride+i] * values[c*stride+i])
			want[i] += p
		}
	}
	if n > 0 && rng.IntN(2) == 0 {
		k := rng.IntN(n)
		weights[k], want[k], numbers = T(math.NaN()), T(math.NaN()), false
	}
	if got := Sums(y[:n], values, weights, corners, stride); got != numbers {
		t.Fatalf("%d sums of %d: none is NaN: %v, want %v", n, corners, got, numbers)
	}
	if !slices.EqualFunc(y, want, func(a, b T) bool { return a == b || a != a && b != b }) {
		t.Fatalf("%d sums of %d: %v, want %v", n, corners, y, want)
	}
}

func TestMix(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for n := range 70 {
			checkMix[float32](t, rng, n)
			checkMix[float64](t, rng, n)
		}
		checkMix[float32](t, rng, 20_000)
	})
}

func checkMix[T float32 | float64](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	a, b, want := make([]T, n+1), make([]T, n+1), make([]T, n+1)
	for i := range n {
		a[i], b[i] = T(rng.NormFloat64()), T(rng.NormFloat64())
		p, q := T(T(0.3)*a[i]), T(T(-2.7)*b[i])
		want[i] = p + q
	}
	if Mix(a[:n], a[:n], b[:n], 0.3, -2.7); !slices.Equal(a, want) {
		t.Fatalf("%d elements: %v, want %v", n, a, want)
	}
}
