package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// QR reflects each column onto the axis of the diagonal (Householder): what stands there gets the sign that the element
// before did not have, and all of Q is the product of the reflections.
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

// mirrorOf returns the unit vector v for which I - 2·v·vᵀ takes column j of a, from row j on, to a multiple of its first
// element. It is nil where the column is one already.
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
