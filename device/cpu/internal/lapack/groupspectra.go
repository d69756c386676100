package lapack

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// The eigenvalues and singular values of small real matrices are computed in groups by rotations of pairs of rows (Jacobi, Hestenes): what a
// lane computes depends only on its own matrix, because a rotation by 0 changes nothing.
const (
	tinySpectrum  = 4 // rows or columns; such matrices have the same values in any batch
	smallSpectrum = 16
)

// rotatesInGroups reports whether the matrices are small enough, or small and many.
func (f *factorisation) rotatesInGroups() bool {
	n := max(f.m, f.n)
	return min(f.m, f.n) > 0 && (n <= tinySpectrum || n <= smallSpectrum && f.batches >= fewMatrices)
}

// mostRotations is the number of sweeps after which a group gives up; matrices need five to ten.
const mostRotations = 30

// halfEpsilon returns the largest relative rounding error.
func halfEpsilon[T lanes.Float]() T {
	if unsafe.Sizeof(*new(T)) == 4 {
		return 0x1p-24
	}
	return 0x1p-53
}

// inRange reports whether matrices whose largest element has this size can be rotated: squares of what is small beside it must not underflow.
func inRange[T lanes.Float](largest T) bool {
	if unsafe.Sizeof(largest) == 4 {
		return largest == 0 || largest > 0x1p-30 && largest < 0x1p40
	}
	return largest == 0 || float64(largest) > 0x1p-300 && float64(largest) < 0x1p300
}

// largest sets sizes, one for each lane, to the largest absolute value in the rows, from column first(i) on in row i. NaN counts as the largest.
func (g *group[T]) largest(sizes []T, m, n int, a lanes.Rows[T], first func(i int) int) {
	clear(sizes)
	for i := range m {
		for j := first(i); j < n; j++ {
			for lane, v := range a.Data[i*a.Row+j*a.Column:][:g.width] {
				sizes[lane] = max(sizes[lane], T(math.Abs(float64(v))))
			}
		}
	}
}

// eighInGroups is Eigh of small matrices.
func eighInGroups[T lanes.Float](f factorisation, alone func(batch int)) {
	n, columns := f.n, 0
	values, vectors, matrices := f.operand(0), f.operand(1).transposed(), f.operand(2)
	if f.has(1) {
		columns = n
	}
	eachGroup(&f, smallCost(20*cube(n), 2*n*n), elementsOf(&matrices, n, n)+n*n+1, func(g group[T]) {
		a, v := g.load(&matrices, n, n), g.identity(n)
		if !f.launch.Upper { // the upper triangle of the transposed matrix
			a.Row, a.Column = a.Column, a.Row
		}
		limits := g.elements(1)
		g.largest(limits, n, n, a, func(i int) int { return i })
		for lane, size := range limits {
			if limits[lane] = size * halfEpsilon[T](); !inRange(size) {
				limits[lane] = T(math.Inf(1)) // no rotations
			}
		}
		for lane := 0; lane < g.count; lane += lanes.Width[T]() {
			for sweep := 0; lanes.Diagonalise(n, part(a, lane), columns, part(v, lane), limits[lane:]) != 0; sweep++ {
				if sweep == mostRotations {
					panic(&device.MatrixError{Kernel: "Eigh", Msg: "the eigenvalues did not converge"})
				}
			}
		}
		var sizes [smallSpectrum]T
		var order [smallSpectrum]int
		for lane, limit := range limits[:g.count] {
			batch := g.first + lane
			if math.IsInf(float64(limit), 1) {
				alone(batch)
				continue
			}
			for i := range n {
				sizes[i] = a.Data[i*(a.Row+a.Column)+lane]
			}
			ascending(order[:n], sizes[:n])
			b := values.Block(batch)
			for i, row := range order[:n] {
				*(*T)(b.At(i, 0)) = sizes[row]
			}
			if columns > 0 {
				storeRows(&vectors, batch, n, order[:n], part(v, lane), nil)
			}
		}
	})
}

// svdInGroups is SVD of small matrices. Rotated rows become orthogonal: their lengths are the singular values, their directions the right
// vectors, and the rotations the left ones. A matrix whose rank is not full is decomposed alone.
func svdInGroups[T lanes.Float](f factorisation, alone func(batch int)) {
	isTall := f.m > f.n
	m, n, columns := min(f.m, f.n), max(f.m, f.n), 0
	values, left, right, matrices := f.operand(1), f.operand(0).transposed(), f.operand(2), f.operand(3)
	hasLeft, hasRight := f.has(0), f.has(2)
	if isTall {
		matrices = matrices.transposed()
		left, right, hasLeft, hasRight = right, left, hasRight, hasLeft
	}
	if hasLeft || hasRight {
		columns = m
	}
	eachGroup(&f, smallCost(20*cube(m)+20*float64(m*m*n), 3*m*n), elementsOf(&matrices, m, n)+m*m+1, func(g group[T]) {
		a, u := g.load(&matrices, m, n), g.identity(m)
		sizes := g.elements(1)
		g.largest(sizes, m, n, a, func(int) int { return 0 })
		limit := T(n) * halfEpsilon[T]()
		for lane := 0; lane < g.count; lane += lanes.Width[T]() {
			rotated := ^uint32(0)
			for sweep := 0; rotated != 0 && sweep < mostRotations; sweep++ {
				rotated = lanes.Orthogonalise(m, n, part(a, lane), columns, part(u, lane), limit)
			}
			for ; rotated != 0; rotated &= rotated - 1 {
				sizes[lane+bits.TrailingZeros32(rotated)] = T(math.Inf(1)) // alone
			}
		}
		var lengths, scales [smallSpectrum]T
		var order [smallSpectrum]int
		for lane, size := range sizes[:g.count] {
			batch := g.first + lane
			for i := range m {
				var square T
				for j := range n {
					v := a.Data[i*a.Row+j*a.Column+lane]
					square += T(v * v)
				}
				lengths[i] = -T(math.Sqrt(float64(square))) // the largest first
			}
			ascending(order[:m], lengths[:m])
			if !inRange(size) || !(lengths[order[m-1]] < lengths[order[0]]*halfEpsilon[T]()/64) {
				alone(batch)
				continue
			}
			b := values.Block(batch)
			for i, row := range order[:m] {
				*(*T)(b.At(i, 0)), scales[row] = -lengths[row], -1/lengths[row]
			}
			if hasLeft {
				storeRows(&left, batch, m, order[:m], part(u, lane), nil)
			}
			if hasRight {
				storeRows(&right, batch, n, order[:m], part(a, lane), scales[:])
			}
		}
	})
}

// ascending sets order to the indices of sizes, the smallest first.
func ascending[T lanes.Float](order []int, sizes []T) {
	for i := range order {
		k := i
		for ; k > 0 && sizes[order[k-1]] > sizes[i]; k-- {
			order[k] = order[k-1]
		}
		order[k] = i
	}
}

// storeRows stores rows of the first matrix of a group, of a number of columns, in an order, and multiplied by scales unless that is nil.
func storeRows[T lanes.Float](m *operand, batch, columns int, order []int, from lanes.Rows[T], scales []T) {
	b := m.Block(batch)
	for i, row := range order {
		scale := T(1)
		if scales != nil {
			scale = scales[row]
		}
		at := row * from.Row
		for j := range columns {
			*(*T)(b.At(i, j)) = from.Data[at] * scale
			at += from.Column
		}
	}
}
