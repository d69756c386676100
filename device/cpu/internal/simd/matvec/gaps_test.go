package matvec

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestGaps compares Gaps and SquareGaps with their references, to the last bit.
func TestGaps(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for n := range 70 {
			d, gaps, want := make([]float64, n), make([]float64, n+1), make([]float64, n+1)
			for i := range d {
				d[i] = math.Sin(float64(i)) * float64(i)
			}
			for k, f := range [][2]func(gaps, d []float64, at float64){{Gaps, plainGaps}, {SquareGaps, plainSquareGaps}} {
				f[0](gaps[:n], d, 0.7)
				f[1](want[:n], d, 0.7)
				for i, v := range gaps {
					if v != want[i] {
						t.Fatalf("function %d, n=%d: gap %d is %v, want %v", k, n, i, v, want[i])
					}
				}
			}
		}
	})
}
