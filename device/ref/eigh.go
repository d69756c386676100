package ref

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
)

// Eigh rotates pairs of axes until the matrix is diagonal (cyclic Jacobi).
func (d *Device) Eigh(l *device.Launch) {
	if l.Operands[2].DType.IsComplex() {
		eigenvectors[complex128](d, l)
		return
	}
	eigenvectors[float64](d, l)
}

func eigenvectors[T entry](d *Device, l *device.Launch) {
	values, matrices := d.operand(l, 0), d.operand(l, 2)
	vectors, hasVectors := d.optional(l, 1)
	batch, inner := split(l, 2)
	n := inner[1]
	for _, index := range points(batch) {
		a := mirrored(matrixAt[T](matrices, index, n, n), l.Upper)
		if !allFinite(a) {
			panic(&device.MatrixError{Kernel: "Eigh", Msg: "the eigenvalues did not converge"})
		}
		axes := diagonalise(a)
		order := make([]int, n)
		for k := range order {
			order[k] = k
		}
		diagonal := make([]float64, n)
		for k := range order {
			diagonal[k], _ = parts(a[k][k])
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(diagonal[i], diagonal[j]) })
		w, v := make([]float64, n), newMatrix[T](n, n)
		for k, from := range order {
			w[k], v[k] = diagonal[from], axes[from]
		}
		setVector(values, index, w)
		if hasVectors {
			setMatrix(vectors, index, conjugated(transposed(v, n)))
		}
	}
}

// mirrored copies the conjugate of one triangle of a to the other, and makes the diagonal real.
func mirrored[T entry](a [][]T, upper bool) [][]T {
	for i := range a {
		for j := range i {
			if upper {
				a[i][j] = conj(a[j][i])
			} else {
				a[j][i] = conj(a[i][j])
			}
		}
		diagonal, _ := parts(a[i][i])
		a[i][i] = entryOf[T](diagonal)
	}
	return a
}

// diagonalise makes a Hermitian matrix diagonal in place, and returns the conjugated eigenvectors as rows.
func diagonalise[T entry](a [][]T) [][]T {
	n := len(a)
	axes := identityMatrix[T](n)
	size := magnitude(a)
	for range sweeps {
		largest := 0.0
		for p := range n {
			for q := range p {
				largest = math.Max(largest, abs(a[p][q]))
				if a[p][q] == 0 {
					continue
				}
				first, _ := parts(a[p][p])
				second, _ := parts(a[q][q])
				cosine, sine := rotation(first, second, a[p][q])
				rotateRows(a[p], a[q], cosine, sine)
				for i := range n {
					a[i][p], a[i][q] = turned(a[i][p], a[i][q], cosine, conj(sine))
				}
				rotateRows(axes[p], axes[q], cosine, sine)
			}
		}
		if largest <= 1e-300 || largest <= 1e-18*size {
			break
		}
	}
	return axes
}
