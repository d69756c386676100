package ref

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
)

// Eig rotates the axes until the matrix is triangular except for 2×2 blocks on the diagonal (the QR algorithm with
// double shifts, Francis). Then it makes those blocks triangular in complex numbers, and finds the eigenvectors by
// substitution.
func (d *Device) Eig(l *device.Launch) {
	if l.Operands[2].DType.IsComplex() {
		eigenpairs[complex128](d, l)
		return
	}
	eigenpairs[float64](d, l)
}

func eigenpairs[T entry](d *Device, l *device.Launch) {
	values, matrices := d.operand(l, 0), d.operand(l, 2)
	vectors, hasVectors := d.optional(l, 1)
	batch, inner := split(l, 2)
	n := inner[1]
	for _, index := range points(batch) {
		a := matrixAt[T](matrices, index, n, n)
		if !allFinite(a) {
			panic(&device.MatrixError{Kernel: "Eig", Msg: "the eigenvalues did not converge"})
		}
		_, exponent := math.Frexp(magnitude(a))
		size := math.Ldexp(1, max(exponent, -1000))
		divide(a, size)
		axes := identityMatrix[T](n)
		triangulariseBlocks(a, axes)
		t, z := complexOf(a), complexOf(axes)
		for k := range max(n-1, 0) {
			if t[k+1][k] != 0 {
				splitBlock(t, z, k)
			}
		}
		w := make([]complex128, n)
		for k := range w {
			w[k] = t[k][k] * complex(size, 0)
		}
		setVector(values, index, w)
		if hasVectors {
			setMatrix(vectors, index, eigenvectorsOf(t, z))
		}
	}
}

func complexOf[T entry](a [][]T) [][]complex128 {
	z := newMatrix[complex128](len(a), len(a))
	for i := range a {
		for j, v := range a[i] {
			z[i][j] = complex(parts(v))
		}
	}
	return z
}

// triangulariseBlocks replaces a by Q·a·Qᴴ, which is 0 below the diagonal except for single elements next to it, and
// axes by Q·axes.
func triangulariseBlocks[T entry](a, axes [][]T) {
	toHessenberg(a, axes)
	for hi, steps := len(a), 1; hi > 2; steps++ {
		lo := hi - 1
		for lo > 0 && abs(a[lo][lo-1]) > 0x1p-53*(abs(a[lo][lo])+abs(a[lo-1][lo-1])) {
			lo--
		}
		if lo > 0 {
			a[lo][lo-1] = 0
		}
		if hi-lo <= 2 {
			hi, steps = lo, 0
			continue
		}
		if steps > 30*len(a) {
			panic(&device.MatrixError{Kernel: "Eig", Msg: "the eigenvalues did not converge"})
		}
		// The first column of a² - trace·a + determinant, whose roots are the eigenvalues of the last two rows and
		// columns.
		trace := a[hi-2][hi-2] + a[hi-1][hi-1]
		determinant := T(a[hi-2][hi-2]*a[hi-1][hi-1]) - T(a[hi-2][hi-1]*a[hi-1][hi-2])
		if steps%10 == 0 { // the iteration goes round in circles
			around := entryOf[T](abs(a[hi-1][hi-2]) + abs(a[hi-2][hi-3]))
			trace, determinant = 1.5*around, T(around*around)
		}
		x := make([]T, len(a))
		x[lo] = T(a[lo][lo]*a[lo][lo]) + T(a[lo][lo+1]*a[lo+1][lo]) - T(trace*a[lo][lo]) + determinant
		x[lo+1] = T(a[lo+1][lo] * (a[lo][lo] + a[lo+1][lo+1] - trace))
		x[lo+2] = T(a[lo+1][lo] * a[lo+2][lo+1])
		reflectAxes(reflectorTo(x, lo), a, axes)
		toHessenberg(a, axes)
	}
}

// toHessenberg makes a zero below the first subdiagonal.
func toHessenberg[T entry](a, axes [][]T) {
	for j := range max(len(a)-2, 0) {
		x := make([]T, len(a))
		for i := range a {
			x[i] = a[i][j]
		}
		reflectAxes(reflectorTo(x, j+1), a, axes)
		for i := j + 2; i < len(a); i++ {
			a[i][j] = 0
		}
	}
}

// reflectAxes replaces a by H·a·H and axes by H·axes, where H is the reflection I - 2·v·vᴴ.
func reflectAxes[T entry](v []T, a, axes [][]T) {
	if v == nil {
		return
	}
	reflect(v, a)
	adjoint := conjugated(transposed(a, len(a)))
	reflect(v, adjoint)
	for i, row := range conjugated(transposed(adjoint, len(a))) {
		copy(a[i], row)
	}
	reflect(v, axes)
}

// splitBlock makes the 2×2 block at rows and columns k and k+1 triangular. A real block has a pair of conjugate
// eigenvalues.
func splitBlock(t, z [][]complex128, k int) {
	a, b, c, d := t[k][k], t[k][k+1], t[k+1][k], t[k+1][k+1]
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
	far := half + root
	if other := half - root; cmplx.Abs(other) > cmplx.Abs(far) {
		far = other
	}
	first, second := d+far, d
	if far != 0 {
		second = d - b*c/far
	}
	if imag(a) == 0 && imag(b) == 0 && imag(c) == 0 && imag(d) == 0 && imag(root) != 0 {
		second = cmplx.Conj(first)
	}
	length := math.Hypot(cmplx.Abs(first-d), cmplx.Abs(c))
	v, w := (first-d)/complex(length, 0), c/complex(length, 0) // the first eigenvector
	for _, m := range [][][]complex128{t, z} {
		for j := range m[k] {
			x, y := m[k][j], m[k+1][j]
			m[k][j], m[k+1][j] = cmplx.Conj(v)*x+cmplx.Conj(w)*y, v*y-w*x
		}
	}
	for i := range t {
		x, y := t[i][k], t[i][k+1]
		t[i][k], t[i][k+1] = v*x+w*y, cmplx.Conj(v)*y-cmplx.Conj(w)*x
	}
	t[k][k], t[k+1][k], t[k+1][k+1] = first, 0, second
}

// eigenvectorsOf returns, as columns, the eigenvectors of zᴴ·t·z for a triangular t. They have length 1, and their
// largest element is real.
func eigenvectorsOf(t, z [][]complex128) [][]complex128 {
	n := len(t)
	least := math.Max(0x1p-52*magnitude(t), 0x1p-1000) // so that equal eigenvalues differ
	all := newMatrix[complex128](n, n)
	for k := range n {
		x := make([]complex128, n)
		x[k] = 1
		for i := k - 1; i >= 0; i-- {
			for j := i + 1; j <= k; j++ {
				x[i] -= t[i][j] * x[j]
			}
			gap := t[i][i] - t[k][k]
			if cmplx.Abs(gap) < least {
				gap = complex(least, 0)
			}
			if x[i] /= gap; cmplx.Abs(x[i]) > 1e100 {
				divide([][]complex128{x}, 1e100)
			}
		}
		largest := 0
		for i := range n {
			for j := range n {
				all[k][i] += cmplx.Conj(z[j][i]) * x[j]
			}
			if cmplx.Abs(all[k][i]) > cmplx.Abs(all[k][largest]) {
				largest = i
			}
		}
		divide(all[k:k+1], norm(all[k]))
		turned := cmplx.Conj(phase(all[k][largest]))
		for i := range n {
			all[k][i] *= turned
		}
		all[k][largest] = complex(real(all[k][largest]), 0)
	}
	return transposed(all, n)
}
