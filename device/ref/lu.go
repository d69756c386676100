package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// LU is Gaussian elimination. The pivot is the largest element of the column, or the first not-a-number in it.
func (d *Device) LU(l *device.Launch) {
	factors, exchanges, matrices := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		a := matrices.matrix(index, m, n)
		for k := range min(m, n) {
			pivot := k
			for i := k; i < m; i++ {
				if math.IsNaN(a[i][k]) {
					pivot = i
					break
				}
				if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
					pivot = i
				}
			}
			a[k], a[pivot] = a[pivot], a[k]
			exchanges.store(exchanges.within(index, k, 0), value{i: int64(pivot)}, dtype.Int64)
			for i := k + 1; i < m && a[k][k] != 0; i++ {
				a[i][k] /= a[k][k]
				for j := k + 1; j < n; j++ {
					a[i][j] -= float64(a[i][k] * a[k][j])
				}
			}
		}
		factors.setMatrix(index, a)
	}
}
