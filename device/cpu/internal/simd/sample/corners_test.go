package sample

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestCorners(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for n := range 40 {
			checkCorners[float32](t, rng, n)
			checkCorners[float64](t, rng, n)
		}
	})
}

// checkCorners compares with the plain Go version, bit for bit.
func checkCorners[T float32 | float64](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	a := Axis{Last: rng.IntN(9), Stride: 8 * (rng.IntN(2000) - 1000), Clip: rng.IntN(2) == 0}
	if rng.IntN(4) == 0 {
		a.Stride <<= 30
	}
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e-300, math.Copysign(0, -1), -1, -2, float64(a.Last), float64(a.Last) + 1}
	locations := make([]float64, roundedUp(n))
	for i := range locations {
		if locations[i] = rng.Float64()*float64(a.Last+5) - 2; rng.IntN(3) == 0 {
			locations[i] = odd[rng.IntN(len(odd))]
		}
	}
	apart := roundedUp(n) + 16*rng.IntN(2)
	var found [2]struct {
		offsets         []int
		sums            [2][]int
		weights, slopes []T
		products        [2][]T
	}
	for plain := range found {
		f := &found[plain]
		func() {
			if plain == 1 {
				defer isa.Use(isa.Use(isa.Generic))
			}
			f.offsets = make([]int, 2*apart)
			f.weights, f.slopes = make([]T, 2*apart), make([]T, 2*apart)
			Corners(n, locations, a, f.offsets, f.weights, f.slopes, apart)
			for k := range 2 {
				f.sums[k], f.products[k] = make([]int, roundedUp(n)), make([]T, roundedUp(n))
			}
			Offsets(n, f.sums[0], f.sums[1], f.offsets, f.offsets, apart)
			copy(f.products[0], f.slopes)
			Products(n, f.products[0], f.products[1], f.products[0], f.weights, apart)
		}()
	}
	same := func(what string, i int, got, want float64) {
		if got != got && want != want {
			return
		}
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s %d of %d, at location %v along %+v: %v, want %v", what, i, n, locations[i%apart], a, got, want)
		}
	}
	got, want := found[0], found[1]
	for i := range n {
		for k := i; k < 2*apart; k += apart {
			same("offset", k, float64(got.offsets[k]), float64(want.offsets[k]))
			same("weight", k, float64(got.weights[k]), float64(want.weights[k]))
			same("slope", k, float64(got.slopes[k]), float64(want.slopes[k]))
		}
		for k := range 2 {
			same("sum", i, float64(got.sums[k][i]), float64(want.sums[k][i]))
			same("product", i, float64(got.products[k][i]), float64(want.products[k][i]))
		}
	}
}
