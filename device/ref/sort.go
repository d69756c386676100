package ref

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Sort stores the values of operand 2, sorted along the last axis, in operand 0, and their original indices in operand
//  1. Equal values keep their order, also in descending order; NaNs come last.
func (d *Device) Sort(l *device.Launch) {
	x := d.operand(l, 2)
	t := x.compute()
	outer, row := split(l, 1)
	n := row[0]
	compare := order(t, l.Descending)
	for _, index := range points(outer) {
		values := x.row(index, n, t)
		indices := make([]int, n)
		for k := range indices {
			indices[k] = k
		}
		slices.SortStableFunc(indices, func(a, b int) int { return compare(values[a], values[b]) })
		if l.Keep > 0 && !l.Partition {
			indices = indices[l.From:min(l.From+l.Keep, n)]
		}
		if !l.Operands[0].Memory.IsNil() {
			sorted := d.operand(l, 0)
			at, step := sorted.at(index), sorted.strides[len(index)]
			for k, i := range indices {
				sorted.store(at+k*step, values[i], t)
			}
		}
		if !l.Operands[1].Memory.IsNil() {
			from := d.operand(l, 1)
			at, step := from.at(index), from.strides[len(index)]
			for k, i := range indices {
				from.store(at+k*step, value{i: int64(i)}, dtype.Int64)
			}
		}
	}
}

// order returns a comparison of values of type t: negative if a comes before b, 0 if they are equal. It compares first
// which parts are NaN, and then the other parts.
func order(t dtype.DType, descending bool) func(a, b value) int {
	before := device.OpLt
	if descending {
		before = device.OpGt
	}
	return func(a, b value) int {
		if c := cmp.Compare(nanRank(t, a), nanRank(t, b)); c != 0 {
			return c
		}
		a, b = withoutNaN(a), withoutNaN(b)
		switch {
		case apply(before, t, a, b).i != 0:
			return -1
		case apply(before, t, b, a).i != 0:
			return 1
		}
		return 0
	}
}

// nanRank says which parts of v are NaN: 0 for none, 1 for the imaginary part, 2 for the real part, 3 for both.
func nanRank(t dtype.DType, v value) (degree int) {
	re, im := v.x, 0.0
	if t.IsComplex() {
		re, im = real(v.z), imag(v.z)
	}
	if math.IsNaN(im) {
		degree++
	}
	if math.IsNaN(re) {
		degree += 2
	}
	return degree
}

// withoutNaN returns v with 0 instead of NaN.
func withoutNaN(v value) value {
	number := func(x float64) float64 {
		if math.IsNaN(x) {
			return 0
		}
		return x
	}
	v.x, v.z = number(v.x), complex(number(real(v.z)), number(imag(v.z)))
	return v
}
