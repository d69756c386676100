package eigen

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// TestVectorsAreContinuous changes matrices by little: the signs of vectors must not change, as gradients are compared with
// differences.
func TestVectorsAreContinuous(t *testing.T) {
	for n := 2; n < 12; n++ {
		for seed := range 30 {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
			data := make([]float64, n*n)
			for i := range data {
				data[i] = rng.Float64() - 0.5
			}
			var first, firstLeft []float64
			for k := range 8 {
				a := build(n, func(i, j int) float64 { return data[max(i, j)*n+min(i, j)] + 1e-9*math.Sin(float64(k*(1+i*j))) })
				b := build(n, func(i, j int) float64 { return data[i*n+j] + 1e-9*math.Sin(float64(k*(1+i*j))) })
				z, u, v, values := build(n, func(i, j int) float64 { return 0 }), build(n, func(i, j int) float64 { return 0 }), build(n, func(i, j int) float64 { return 0 }), make([]float64, n)
				Hermitian[float64, float64](a, values, z)
				Singular[float64, float64](b, values, u, v)
				if k == 0 {
					first, firstLeft = z.Data, u.Data
					continue
				}
				for i := range n {
					if blas.Dot(z.Row(i), first[i*n:(i+1)*n]) < 0 {
						t.Errorf("n = %d, seed %d: eigenvector %d changes its sign", n, seed, i)
					}
					if blas.Dot(u.Row(i), firstLeft[i*n:(i+1)*n]) < 0 {
						t.Errorf("n = %d, seed %d: left singular vector %d changes its sign", n, seed, i)
					}
				}
			}
		}
	}
}
