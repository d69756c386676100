package ref

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
)

// flat is the largest cosine of the angle between two columns that count as orthogonal.
const flat = 1e-15

// SVD turns pairs of columns in their plane until all are orthogonal (one-sided Jacobi): their lengths then are the
// singular values. A wide matrix is transposed first.
func (d *Device) SVD(l *device.Launch) {
	left, hasLeft := d.optional(l, 0)
	values, matrices := d.operand(l, 1), d.operand(l, 3)
	right, hasRight := d.optional(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		a := matrices.matrix(index, m, n)
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
		values.setVector(index, s)
		if hasLeft {
			left.setMatrix(index, transposed(u, m))
		}
		if hasRight {
			right.setMatrix(index, v)
		}
	}
}

// decompose returns the singular values of a tall matrix of n columns, in descending order, and its singular vectors.
func decompose(a [][]float64, n int) (u [][]float64, s []float64, v [][]float64) {
	size := magnitude(a)
	if size == 0 {
		size = 1
	}
	divide(a, size)
	columns, turned := transposed(a, n), identityMatrix(n)
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
	return u, s, v
}

// orthogonalise turns every pair of columns once, and the same pair of turned with it. It reports whether there was anything to
// turn.
func orthogonalise(columns, turned [][]float64) bool {
	any := false
	for p := range columns {
		for q := range p {
			a, b, c := dot(columns[p], columns[p]), dot(columns[q], columns[q]), dot(columns[p], columns[q])
			if math.Abs(c) <= flat*math.Sqrt(a)*math.Sqrt(b) || c == 0 {
				continue
			}
			any = true
			cosine, sine := rotation(a, b, c)
			turn(columns[p], columns[q], cosine, sine)
			turn(turned[p], turned[q], cosine, sine)
		}
	}
	return any
}

func dot(v, w []float64) float64 {
	sum := 0.0
	for i := range v {
		sum += float64(v[i] * w[i])
	}
	return sum
}

// orthogonalTo returns a vector of length 1 that is orthogonal to a basis and has the given direction, which is orthogonal to it but
// for rounding errors. Where the direction is nothing but rounding errors it takes another.
func orthogonalTo(basis [][]float64, direction []float64) []float64 {
	length := norm(direction)
	if length > 0 {
		v := make([]float64, len(direction))
		for i := range v {
			v[i] = direction[i] / length
		}
		if v = without(basis, v); norm(v) > 0.5 {
			divide([][]float64{v}, norm(v))
			return v
		}
	}
	return complete(basis, len(basis)+1, len(direction))[len(basis)]
}

// without returns the part of v that is orthogonal to an orthonormal basis (Gram and Schmidt, twice).
func without(basis [][]float64, v []float64) []float64 {
	for range 2 {
		for _, w := range basis {
			along := dot(v, w)
			for i := range v {
				v[i] -= float64(along * w[i])
			}
		}
	}
	return v
}

// complete adds vectors to an orthonormal basis in n dimensions until it has so many: each is made of the axis that is farthest
// from all others.
func complete(basis [][]float64, many, n int) [][]float64 {
	basis = slices.Clone(basis)
	for len(basis) < many {
		var best []float64
		for axis := range n {
			v := make([]float64, n)
			v[axis] = 1
			if v = without(basis, v); best == nil || norm(v) > norm(best) {
				best = v
			}
		}
		divide([][]float64{best}, norm(best))
		basis = append(basis, best)
	}
	return basis
}
