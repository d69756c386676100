package ref

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
)

// orthogonalLimit is the largest cosine of the angle between two columns that counts as orthogonal.
const orthogonalLimit = 1e-15

// SVD rotates pairs of columns in their plane until all columns are orthogonal (one-sided Jacobi). Then their lengths
// are the singular values. A wide matrix is transposed first.
func (d *Device) SVD(l *device.Launch) {
	if l.Operands[3].DType.IsComplex() {
		singularVectors[complex128](d, l)
		return
	}
	singularVectors[float64](d, l)
}

func singularVectors[T entry](d *Device, l *device.Launch) {
	left, hasLeft := d.optional(l, 0)
	values, matrices := d.operand(l, 1), d.operand(l, 3)
	right, hasRight := d.optional(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		a := matrixAt[T](matrices, index, m, n)
		if !allFinite(a) {
			panic(&device.MatrixError{Kernel: "SVD", Msg: "it did not converge"})
		}
		if m < n {
			a = transposed(a, n)
		}
		u, s, v := decompose(a, min(m, n))
		if l.Full {
			u = complete(u, max(m, n), max(m, n))
		}
		if m < n {
			u, v = v, u
		}
		setVector(values, index, s)
		if hasLeft {
			setMatrix(left, index, transposed(u, m))
		}
		if hasRight {
			setMatrix(right, index, v)
		}
	}
}

// decompose returns the singular values of a tall matrix with n columns, in descending order, and the rows of uᵀ and
// vt.
func decompose[T entry](a [][]T, n int) (u [][]T, s []float64, v [][]T) {
	size := magnitude(a)
	if size == 0 {
		size = 1
	}
	divide(a, size)
	columns, turned := transposed(a, n), identityMatrix[T](n)
	for range sweeps {
		if !orthogonalise(columns, turned) {
			break
		}
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(norm(columns[b]), norm(columns[a])) })
	for _, k := range order {
		s = append(s, norm(columns[k])*size)
		u = append(u, orthogonalTo(u, columns[k]))
		v = append(v, turned[k])
	}
	return u, s, conjugated(v)
}

// orthogonalise rotates every pair of columns once, and the same pair of turned with it. It reports whether it rotated
// any.
func orthogonalise[T entry](columns, turned [][]T) bool {
	any := false
	for p := range columns {
		for q := range p {
			a, _ := parts(dot(columns[p], columns[p]))
			b, _ := parts(dot(columns[q], columns[q]))
			c := dot(columns[p], columns[q])
			if abs(c) <= orthogonalLimit*math.Sqrt(a)*math.Sqrt(b) || c == 0 {
				continue
			}
			any = true
			cosine, sine := rotation(a, b, c)
			rotateRows(columns[p], columns[q], cosine, sine)
			rotateRows(turned[p], turned[q], cosine, sine)
		}
	}
	return any
}

// dot returns Σ v·w̄.
func dot[T entry](v, w []T) (sum T) {
	for i := range v {
		sum += T(v[i] * conj(w[i]))
	}
	return sum
}

// orthogonalTo returns a vector of length 1 that is orthogonal to a basis and has the given direction, which is
// orthogonal to the basis except for rounding errors. If the direction consists only of rounding errors, the function
// uses another one.
func orthogonalTo[T entry](basis [][]T, direction []T) []T {
	length := norm(direction)
	if length > 0 {
		v := make([]T, len(direction))
		for i := range v {
			v[i] = direction[i] / entryOf[T](length)
		}
		if v = without(basis, v); norm(v) > 0.5 {
			divide([][]T{v}, norm(v))
			return v
		}
	}
	return complete(basis, len(basis)+1, len(direction))[len(basis)]
}

// without returns the part of v that is orthogonal to an orthonormal basis (Gram and Schmidt, twice).
func without[T entry](basis [][]T, v []T) []T {
	for range 2 {
		for _, w := range basis {
			along := dot(v, w)
			for i := range v {
				v[i] -= T(along * w[i])
			}
		}
	}
	return v
}

// complete adds vectors to an orthonormal basis in n dimensions until it has the given number. Each new vector comes
// from the axis that is farthest from all vectors so far.
func complete[T entry](basis [][]T, many, n int) [][]T {
	basis = slices.Clone(basis)
	for len(basis) < many {
		var best []T
		for axis := range n {
			v := make([]T, n)
			v[axis] = 1
			if v = without(basis, v); best == nil || norm(v) > norm(best) {
				best = v
			}
		}
		divide([][]T{best}, norm(best))
		basis = append(basis, best)
	}
	return basis
}
