package sorting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestEvenlySpacedRows compares with searches by halving.
func TestEvenlySpacedRows(t *testing.T) {
	twin.Levels(t, testEvenlySpacedRows[float32])
	twin.Levels(t, testEvenlySpacedRows[float64])
}

func testEvenlySpacedRows[F float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{12, 13, 100, 1000} {
		for _, span := range []float64{1e-30, 1, 3, 1e30} {
			row := make([]F, n)
			for k := range row {
				row[k] = F(span * (float64(k)/float64(n-1) - 0.3 + 0.4/float64(n)*rng.Float64()))
			}
			values := slices.Concat(row, []F{F(math.NaN()), F(math.Inf(1)), F(math.Inf(-1)), 0, math.MaxFloat32, -math.MaxFloat32})
			for range 1000 {
				values = append(values, F(span*(rng.Float64()*1.2-0.4)))
			}
			e, ok := evenlySpaced(row, len(values))
			if !ok {
				t.Fatalf("%T: a row of %d is not evenly spaced", row, n)
			}
			for _, right := range []bool{false, true} {
				got, want := make([]int64, len(values)), make([]int64, len(values))
				e.search(got, row, values, right, n+7)
				searchHalves(want, row, values, right)
				for i, v := range values {
					if v != v {
						want[i] = int64(n + 7)
					}
					if got[i] != want[i] {
						t.Fatalf("%T: %v in a row of %d up to %v: position %d, want %d", row, v, n, row[n-1], got[i], want[i])
					}
				}
			}
		}
	}
	for _, row := range [][]F{slices.Repeat([]F{1}, 20), append(make([]F, 20), 1), {0, F(math.Inf(1))}} {
		if _, ok := evenlySpaced(row, 1000); ok {
			t.Errorf("%v is not evenly spaced", row)
		}
	}
}
