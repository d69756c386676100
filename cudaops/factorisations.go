package cudaops

import "github.com/ndgrad/ndgrad/device"

// Cholesky computes L with L·Lᵀ = a, one column after another.
func (d *Device) Cholesky(l *device.Launch) {
	n := l.Shape[l.Rank-1]
	d.matrices(l, matrixKernel{name: "Cholesky", kernel: "cholesky", numbers: n * n, refusal: "the matrix is not positive definite"},
		&l.Operands[0], &l.Operands[1])
}

// LU runs Gaussian elimination with row exchanges.
func (d *Device) LU(l *device.Launch) {
	m, n := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	var rows *device.Operand // for each row its row in a
	if !l.Operands[2].Memory.IsNil() {
		rows = &l.Operands[2]
	}
	d.matrices(l, matrixKernel{name: "LU", kernel: "lu", numbers: m * n, bytes: 8 * (m + min(m, n))},
		&l.Operands[0], &l.Operands[1], rows, &l.Operands[3])
}

// TriangularSolve solves by substitution.
func (d *Device) TriangularSolve(l *device.Launch) {
	m, n := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	d.matrices(l, matrixKernel{name: "TriangularSolve", kernel: "triangular_solve", numbers: m * n},
		&l.Operands[0], &l.Operands[1], &l.Operands[2])
}

// Solve eliminates the matrix and the right sides side by side.
func (d *Device) Solve(l *device.Launch) {
	m, n := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	var right *device.Operand
	if l.N > 3 {
		right = &l.Operands[3]
	}
	d.matrices(l, matrixKernel{name: "Solve", kernel: "solve", numbers: m * (m + n), bytes: 8 * m, refusal: "the matrix is singular"},
		&l.Operands[0], &l.Operands[1], right, &l.Operands[2])
}

// QR uses Householder reflections.
func (d *Device) QR(l *device.Launch) {
	m, n := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	least := min(m, n)
	k := least
	if l.Full {
		k = m
	}
	d.matrices(l, matrixKernel{name: "QR", kernel: "qr", numbers: m*n + m*k + least*m + least},
		&l.Operands[0], &l.Operands[1], &l.Operands[2])
}

// SVD rotates pairs of columns (one-sided Jacobi).
func (d *Device) SVD(l *device.Launch) {
	m, n := l.Shape[l.Rank-2], l.Shape[l.Rank-1]
	length, count := max(m, n), min(m, n)
	numbers := length * count
	if !l.Operands[0].Memory.IsNil() || !l.Operands[2].Memory.IsNil() {
		vectors := count
		if l.Full {
			vectors = length
		}
		numbers += count*count + vectors*length + vectors
	}
	d.matrices(l, matrixKernel{name: "SVD", kernel: "svd", numbers: numbers, bytes: 16 * count, refusal: "it did not converge"},
		&l.Operands[0], &l.Operands[1], &l.Operands[2], &l.Operands[3])
}

// Eigh rotates pairs of axes (cyclic Jacobi).
func (d *Device) Eigh(l *device.Launch) {
	n := l.Shape[l.Rank-1]
	const rotation = 24 // bytes
	d.matrices(l, matrixKernel{name: "Eigh", kernel: "eigh", numbers: 2 * n * n, bytes: (n+1)/2*rotation + 8*n,
		refusal: "the eigenvalues did not converge"}, &l.Operands[0], &l.Operands[1], &l.Operands[2])
}

// Eig balances the matrix and rotates the axes until the matrix is triangular (the QR algorithm).
func (d *Device) Eig(l *device.Launch) {
	n := l.Shape[l.Rank-1]
	d.matrices(l, matrixKernel{name: "Eig", kernel: "eig", numbers: 2*n*n + n, bytes: 3*16*n*n + 8*n,
		refusal: "the eigenvalues did not converge"}, &l.Operands[0], &l.Operands[1], &l.Operands[2])
}
