package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// Cholesky finds L row by row (Cholesky and Banachiewicz), each element from those to the left and above.
func (d *Device) Cholesky(l *device.Launch) {
	lower, matrices := d.operand(l, 0), d.operand(l, 1)
	batch, inner := split(l, 2)
	n := inner[1]
	for _, index := range points(batch) {
		a, t := matrices.matrix(index, n, n), newMatrix(n, n)
		for i := range n {
			for j := range i + 1 {
				rest := a[i][j]
				for k := range j {
					rest -= float64(t[i][k] * t[j][k])
				}
				switch {
				case j < i:
					t[i][j] = rest / t[j][j]
				case rest > 0:
					t[i][i] = math.Sqrt(rest)
				default:
					panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
				}
			}
		}
		lower.setMatrix(index, t)
	}
}
