package ref

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
)

// Eigh turns pairs of axes until the matrix is diagonal (cyclic Jacobi).
func (d *Device) Eigh(l *device.Launch) {
	values, matrices := d.operand(l, 0), d.operand(l, 2)
	vectors, hasVectors := d.optional(l, 1)
	batch, inner := split(l, 2)
	n := inner[1]
	for _, index := range points(batch) {
		a := mirrored(matrices.matrix(index, n, n), l.Upper)
		if !allFinite(a) {
			panic(&device.MatrixError{Kernel: "Eigh", Msg: "the eigenvalues did not converge"})
		}
		axes := diagonalise(a)
		order := make([]int, n)
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[i][i], a[j][j]) })
		w, v := make([]float64, n), newMatrix(n, n)
		for k, from := range order {
			w[k], v[k] = a[from][from], axes[from]
		}
		values.setVector(index, w)
		if hasVectors {
			vectors.setMatrix(index, transposed(v, n))
		}
	}
}

// mirrored copies one triangle of a to the other.
func mirrored(a [][]float64, upper bool) [][]float64 {
	for i := range a {
		for j := range i {
			if upper {
				a[i][j] = a[j][i]
			} else {
				a[j][i] = a[i][j]
			}
		}
	}
	return a
}

// diagonalise makes a symmetric matrix diagonal in place, and returns the eigenvectors as rows.
func diagonalise(a [][]float64) [][]float64 {
	n := len(a)
	axes := identityMatrix(n)
	size := magnitude(a)
	for range sweeps {
		largest := 0.0
		for p := range n {
			for q := range p {
				largest = math.Max(largest, math.Abs(a[p][q]))
				if a[p][q] == 0 {
					continue
				}
				cosine, sine := rotation(a[p][p], a[q][q], a[p][q])
				turn(a[p], a[q], cosine, sine)
				for i := range n {
					x, y := a[i][p], a[i][q]
					a[i][p] = float64(cosine*x) - float64(sine*y)
					a[i][q] = float64(sine*x) + float64(cosine*y)
				}
				turn(axes[p], axes[q], cosine, sine)
			}
		}
		if largest <= 1e-300 || largest <= 1e-18*size {
			break
		}
	}
	return axes
}
