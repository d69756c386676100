package matvec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestUpdate compares Update with its reference, and checks that nothing beside the rows is written.
func TestUpdate(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, rows := range []int{0, 1, 2, 3, 4, 5, 8, 11} {
			for _, n := range []int{0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100} {
				testUpdate[float32](t, rng, rows, n, 1e-6)
				testUpdate[float64](t, rng, rows, n, 1e-14)
			}
		}
		testUpdate[float64](t, rng, 2*work/piece+1, piece, 1e-14)
	})
}

func testUpdate[T Float](t *testing.T, rng *rand.Rand, rows, n int, tolerance float64) {
	random := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = T(rng.Float64() - 0.5)
		}
		return v
	}
	stride := n + rows%3
	a, f, g, v, w, x, sums := random(rows*stride+n), random(rows), random(rows), random(n), random(n), random(n), random(rows)
	want, wantSums := append([]T(nil), a...), make([]T, rows)
	Update(sums, a, stride, f, v, g, w, x)
	plainUpdate(wantSums, want, stride, f, v, g, w, x)
	for i, y := range a {
		if math.Abs(float64(y-want[i])) > tolerance || (stride > 0 && (i/stride >= rows || i%stride >= n)) && y != want[i] {
			t.Fatalf("%d rows of %d: element %d is %v, want %v", rows, n, i, y, want[i])
		}
	}
	for i, y := range sums {
		if math.Abs(float64(y-wantSums[i])) > tolerance*float64(n+1) {
			t.Fatalf("%d rows of %d: sum %d is %v, want %v", rows, n, i, y, wantSums[i])
		}
	}
}
