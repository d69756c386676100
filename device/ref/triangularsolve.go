package ref

import "github.com/ndgrad/ndgrad/device"

// TriangularSolve computes X row by row: from the first row with a lower triangle, from the last row with an upper
// triangle. Transposing turns a lower triangle into an upper one, and the reverse.
func (d *Device) TriangularSolve(l *device.Launch) {
	if l.Operands[1].DType.IsComplex() {
		substitute[complex128](d, l)
		return
	}
	substitute[float64](d, l)
}

func substitute[T entry](d *Device, l *device.Launch) {
	solutions, triangles, right := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		t, x := matrixAt[T](triangles, index, m, m), matrixAt[T](right, index, m, n)
		if l.Transposed {
			t = transposed(t, m)
		}
		substituteRows(t, x, l.Upper != l.Transposed, l.UnitDiagonal)
		setMatrix(solutions, index, x)
	}
}

// substituteRows replaces x by T⁻¹·x for a triangle T of t, whose diagonal with unit is 1.
func substituteRows[T entry](t, x [][]T, upper, unit bool) {
	m := len(x)
	for step := range m {
		i, from, to := step, 0, step
		if upper {
			i = m - 1 - step
			from, to = i+1, m
		}
		for j := range x[i] {
			for k := from; k < to; k++ {
				x[i][j] -= T(t[i][k] * x[k][j])
			}
			if !unit {
				x[i][j] /= t[i][i]
			}
		}
	}
}
