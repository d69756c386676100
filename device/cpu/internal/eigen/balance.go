package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// balance scales rows and columns by powers of two, D⁻¹·A·D, so that row k and column k have about the same norm (Parlett and
// Reinsch), and stores D.
func balance[T blas.Number](a blas.Matrix[T], scales []float64) {
	n := a.Rows
	for i := range scales {
		scales[i] = 1
	}
	for range 100 {
		changed := false
		for i := range n {
			row, column := 0.0, 0.0
			for j, v := range a.Row(i) {
				if j != i {
					row += blas.Size(v)
					column += blas.Size(a.Data[j*a.Line+i])
				}
			}
			if row == 0 || column == 0 {
				continue
			}
			_, exponent := math.Frexp(math.Sqrt(row) / math.Sqrt(column))
			by := math.Ldexp(1, exponent)
			scaled := scales[i] * by
			if column*by+row/by >= 0.95*(column+row) || math.IsInf(by, 0) || scaled < 1e-30 || scaled > 1e30 {
				continue
			}
			changed = true
			scales[i] = scaled
			up, down := blas.Real[T](by), blas.Real[T](1/by)
			for j := range n {
				a.Data[i*a.Line+j] *= down
				a.Data[j*a.Line+i] *= up
			}
		}
		if !changed {
			return
		}
	}
}
