package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// QR reflects the matrix once for each column, so that the column is 0 below the diagonal (Householder). The element on the
// diagonal gets the sign that it did not have. Q is the product of the reflections.
func (d *Device) QR(l *device.Launch) {
	orthonormal, triangular, matrices := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	k := min(m, n)
	if l.Full {
		k = m
	}
	for _, index := range points(batch) {
		r, q := matrices.matrix(index, m, n), identityMatrix(m)
		for j := range min(m, n) {
			mirror := mirrorOf(r, j)
			reflect(mirror, r)
			for i := j + 1; i < m; i++ {
				r[i][j] = 0
			}
			reflect(mirror, q)
		}
		triangular.setMatrix(index, r[:k])
		orthonormal.setMatrix(index, transposed(q[:k], m))
	}
}

// mirrorOf returns the vector v of length 1 for which (I - 2·v·vᵀ)·a is 0 in column j below row j. It is nil where a is so already.
func mirrorOf(a [][]float64, j int) []float64 {
	v := make([]float64, len(a))
	largest := 0.0
	for i := j; i < len(a); i++ {
		v[i] = a[i][j]
		if i > j {
			largest = math.Max(largest, math.Abs(v[i]))
		}
	}
	if largest == 0 {
		return nil
	}
	v[j] += math.Copysign(norm(v), v[j])
	length := norm(v)
	for i := range v {
		v[i] /= length
	}
	return v
}

// reflect replaces a by (I - 2·v·vᵀ)·a.
func reflect(v []float64, a [][]float64) {
	if v == nil || len(a) == 0 {
		return
	}
	for j := range a[0] {
		along := 0.0
		for i := range a {
			along += float64(v[i] * a[i][j])
		}
		for i := range a {
			a[i][j] -= float64(2 * along * v[i])
		}
	}
}

// norm is the Euclidean length, which does not overflow before it must.
func norm(v []float64) float64 {
	largest := magnitude([][]float64{v})
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	sum := 0.0
	for _, x := range v {
		x /= largest
		sum += float64(x * x)
	}
	return largest * math.Sqrt(sum)
}
