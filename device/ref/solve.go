package ref

import "github.com/ndgrad/ndgrad/device"

// Solve eliminates a and b side by side.
func (d *Device) Solve(l *device.Launch) {
	if l.Operands[2].DType.IsComplex() {
		solve[complex128](d, l)
		return
	}
	solve[float64](d, l)
}

func solve[T entry](d *Device, l *device.Launch) {
	solutions, solves := d.optional(l, 0)
	determinants, hasDeterminants := d.optional(l, 1)
	matrices := d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		a, x := matrixAt[T](matrices, index, m, m), newMatrix[T](m, 0)
		switch {
		case solves && l.N > 3:
			x = matrixAt[T](d.operand(l, 3), index, m, n)
		case solves:
			x = identityMatrix[T](m)
		}
		for i := range a {
			a[i] = append(a[i], x[i]...)
		}
		det := entryOf[T](1)
		for k, pivot := range eliminateRows(a, m) {
			if det *= a[k][k]; pivot != k {
				det = -det
			}
			if solves && a[k][k] == 0 {
				panic(&device.MatrixError{Kernel: "Solve", Msg: "the matrix is singular"})
			}
		}
		if hasDeterminants {
			setVector(determinants, index, []T{det})
		}
		if solves {
			for i := range a {
				x[i] = a[i][m:]
			}
			substituteRows(a, x, true, false)
			setMatrix(solutions, index, x)
		}
	}
}
