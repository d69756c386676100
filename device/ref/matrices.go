package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The factorisations compute in float64 and round once, as they store. A matrix is a slice of rows.

func newMatrix(rows, columns int) [][]float64 {
	a := make([][]float64, rows)
	for i := range a {
		a[i] = make([]float64, columns)
	}
	return a
}

func identityMatrix(n int) [][]float64 {
	a := newMatrix(n, n)
	for i := range a {
		a[i][i] = 1
	}
	return a
}

// transposed returns the transpose of a matrix of so many columns.
func transposed(a [][]float64, columns int) [][]float64 {
	t := newMatrix(columns, len(a))
	for i := range a {
		for j := range columns {
			t[j][i] = a[i][j]
		}
	}
	return t
}

// matrix reads the matrix at a point of the batch.
func (o operand) matrix(index []int, rows, columns int) [][]float64 {
	a := newMatrix(rows, columns)
	for i := range rows {
		for j := range columns {
			a[i][j] = o.load(o.within(index, i, j), dtype.Float64).x
		}
	}
	return a
}

// setMatrix stores the matrix at a point of the batch.
func (o operand) setMatrix(index []int, a [][]float64) {
	for i := range a {
		for j, v := range a[i] {
			o.store(o.within(index, i, j), value{x: v}, dtype.Float64)
		}
	}
}

// setVector stores the vector at a point of the batch.
func (o operand) setVector(index []int, v []float64) {
	for i := range v {
		o.store(o.within(index, i, 0), value{x: v[i]}, dtype.Float64)
	}
}

// within returns the number of element (i, j) of the matrix at a point of the batch.
func (o operand) within(index []int, i, j int) int {
	return o.at(index) + i*o.strides[len(index)] + j*o.strides[len(index)+1]
}

// optional returns operand k, and whether it was given.
func (d *Device) optional(l *device.Launch, k int) (o operand, given bool) {
	if l.Operands[k].Memory.IsNil() {
		return operand{}, false
	}
	return d.operand(l, k), true
}

func allFinite(a [][]float64) bool {
	for _, row := range a {
		for _, v := range row {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return false
			}
		}
	}
	return true
}

// magnitude returns the largest |a|.
func magnitude(a [][]float64) float64 {
	largest := 0.0
	for _, row := range a {
		for _, v := range row {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	return largest
}

// divide divides a matrix by a number.
func divide(a [][]float64, by float64) {
	for _, row := range a {
		for j := range row {
			row[j] /= by
		}
	}
}
