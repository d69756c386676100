package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// QR reflects the matrix once for each column, so that the column is 0 below the diagonal (Householder). The diagonal
// element changes its sign; a complex diagonal element is made real by a rotation of its row. Q is the product of all
// these steps.
func (d *Device) QR(l *device.Launch) {
	if l.Operands[2].DType.IsComplex() {
		triangularise[complex128](d, l)
		return
	}
	triangularise[float64](d, l)
}

func triangularise[T entry](d *Device, l *device.Launch) {
	orthonormal, triangular, matrices := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	k := min(m, n)
	if l.Full {
		k = m
	}
	for _, index := range points(batch) {
		r, q := matrixAt[T](matrices, index, m, n), identityMatrix[T](m)
		for j := range min(m, n) {
			mirror := reflectorOf(r, j)
			re, im := parts(r[j][j])
			reflect(mirror, r)
			for i := j + 1; i < m; i++ {
				r[i][j] = 0
			}
			reflect(mirror, q)
			if im != 0 {
				turned := conj(phase(r[j][j])) * entryOf[T](-math.Copysign(1, re))
				for _, row := range [][]T{r[j], q[j]} {
					for c := range row {
						row[c] *= turned
					}
				}
				diagonal, _ := parts(r[j][j])
				r[j][j] = entryOf[T](diagonal)
			}
		}
		setMatrix(triangular, index, r[:k])
		setMatrix(orthonormal, index, conjugated(transposed(q[:k], m)))
	}
}

// reflectorOf returns the vector v of length 1 for which (I - 2·v·vᴴ)·a is 0 in column j below row j. It returns nil if
// the column already is 0 there.
func reflectorOf[T entry](a [][]T, j int) []T {
	column := make([]T, len(a))
	for i := range a {
		column[i] = a[i][j]
	}
	return reflectorTo(column, j)
}

// reflectorTo is mirrorOf for a column, which it overwrites, and any row j.
func reflectorTo[T entry](v []T, j int) []T {
	clear(v[:j])
	if magnitude([][]T{v[j+1:]}) == 0 {
		return nil
	}
	v[j] += phase(v[j]) * entryOf[T](norm(v))
	length := norm(v)
	for i := range v {
		v[i] /= entryOf[T](length)
	}
	return v
}

// reflect replaces a by (I - 2·v·vᴴ)·a.
func reflect[T entry](v []T, a [][]T) {
	if v == nil || len(a) == 0 {
		return
	}
	for j := range a[0] {
		var along T
		for i := range a {
			along += T(conj(v[i]) * a[i][j])
		}
		for i := range a {
			a[i][j] -= T(2 * along * v[i])
		}
	}
}

// norm returns the Euclidean length. It overflows only if the length itself does.
func norm[T entry](v []T) float64 {
	largest := magnitude([][]T{v})
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	sum := 0.0
	for _, x := range v {
		size := abs(x) / largest
		sum += float64(size * size)
	}
	return largest * math.Sqrt(sum)
}
