package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// LU is Gaussian elimination. The pivot is the first NaN of the column, or else the element with the largest |Re| +
// |Im|.
func (d *Device) LU(l *device.Launch) {
	if l.Operands[3].DType.IsComplex() {
		eliminate[complex128](d, l)
		return
	}
	eliminate[float64](d, l)
}

func eliminate[T entry](d *Device, l *device.Launch) {
	factors, exchanges, matrices := d.operand(l, 0), d.operand(l, 1), d.operand(l, 3)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		a := matrixAt[T](matrices, index, m, n)
		pivots := eliminateRows(a, min(m, n))
		rows, exchanged := make([]float64, m), make([]float64, len(pivots))
		for i := range rows {
			rows[i] = float64(i)
		}
		for k, pivot := range pivots {
			rows[k], rows[pivot] = rows[pivot], rows[k]
			exchanged[k] = float64(pivot)
		}
		setVector(exchanges, index, exchanged)
		if !l.Operands[2].Memory.IsNil() {
			setVector(d.operand(l, 2), index, rows)
		}
		setMatrix(factors, index, a)
	}
}

// eliminateRows replaces the first columns of a by their factors, and the others by what elimination leaves of them. It returns with which row
// each row was exchanged.
func eliminateRows[T entry](a [][]T, columns int) []int {
	pivots := make([]int, columns)
	for k := range pivots {
		pivot := k
		for i := k; i < len(a); i++ {
			if math.IsNaN(size(a[i][k])) {
				pivot = i
				break
			}
			if size(a[i][k]) > size(a[pivot][k]) {
				pivot = i
			}
		}
		a[k], a[pivot] = a[pivot], a[k]
		pivots[k] = pivot
		for i := k + 1; i < len(a) && a[k][k] != 0; i++ {
			a[i][k] /= a[k][k]
			for j := k + 1; j < len(a[i]); j++ {
				a[i][j] -= T(a[i][k] * a[k][j])
			}
		}
	}
	return pivots
}

// size returns |Re| + |Im|.
func size[T entry](x T) float64 {
	re, im := parts(x)
	return math.Abs(re) + math.Abs(im)
}
