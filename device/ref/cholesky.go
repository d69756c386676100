package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// Cholesky computes L row by row (Cholesky-Banachiewicz), each element from the elements to its left and above it.
func (d *Device) Cholesky(l *device.Launch) {
	if l.Operands[1].DType.IsComplex() {
		choleskyOf[complex128](d, l)
		return
	}
	choleskyOf[float64](d, l)
}

func choleskyOf[T entry](d *Device, l *device.Launch) {
	lower, matrices := d.operand(l, 0), d.operand(l, 1)
	batch, inner := split(l, 2)
	n := inner[1]
	for _, index := range points(batch) {
		a, t := matrixAt[T](matrices, index, n, n), newMatrix[T](n, n)
		for i := range n {
			for j := range i + 1 {
				rest := a[i][j]
				for k := range j {
					rest -= T(t[i][k] * conj(t[j][k]))
				}
				square, _ := parts(rest)
				switch {
				case j < i:
					t[i][j] = rest / t[j][j]
				case square > 0:
					t[i][i] = entryOf[T](math.Sqrt(square))
				default:
					panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
				}
			}
		}
		setMatrix(lower, index, t)
	}
}
