package compliance

import (
	"math/cmplx"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testLU(s *suite) {
	for _, t := range factorisables {
		overShapes(func(batch []int, m, n int) {
			s.lu(t, batch, m, n, func() []complex128 { return s.normals(t, m*n) })
		})
		for _, a := range [][]complex128{{1, 2, 2, 4}, {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 1, 0}} {
			s.lu(t, nil, 2, 2, func() []complex128 { return a })
		}
	}
}

func (s *suite) lu(t dtype.DType, batch []int, m, n int, draw func() []complex128) {
	s.Helper()
	k := min(m, n)
	a := s.matricesOf(t, batch, m, n, draw)
	factors, exchanges := s.output(t, batch, m, n), s.vectorOutput(dtype.Int64, batch, k)
	var order *array
	if s.IntN(3) != 0 {
		order = s.vectorOutput(dtype.Int64, batch, m)
	}
	c := call{kernel: device.Device.LU, loop: shapeOf(batch, m, n), outputs: []*array{factors, exchanges, order}, inputs: []*array{a}}
	got, want := s.both(c)
	packed := got.read(factors, m, n)
	s.alike("the factors", t, packed, want.read(factors, m, n))
	bound := 1.0
	if t.IsComplex() { // the pivot is the largest element in |Re| + |Im|
		bound = 1.5
	}
	lower, upper := matrices{rows: m, columns: k}, matrices{rows: k, columns: n}
	permuted := c.before().read(a, m, n)
	rows := got.integers(exchanges, k)
	var named [][]int
	if order != nil {
		named = got.integers(order, m)
	}
	for b := range packed.all {
		x, y := make([]complex128, m*k), make([]complex128, k*n)
		for i := range m {
			for j := range n {
				switch v := packed.at(b, i, j); {
				case j < i:
					if x[i*k+j] = v; cmplx.Abs(v) > bound {
						s.Fatalf("element (%d, %d) of L is %g: want the largest element of the column as pivot", i, j, v)
					}
				default:
					y[i*n+j] = v
				}
			}
			if i < k {
				x[i*k+i] = 1
			}
		}
		lower.all, upper.all = append(lower.all, x), append(upper.all, y)
		of := make([]int, m)
		for i := range of {
			of[i] = i
		}
		for i, with := range rows[b] {
			if with < i || with >= m {
				s.Fatalf("row %d is exchanged with row %d, want a lower row", i, with)
			}
			of[i], of[with] = of[with], of[i]
			for j := range n {
				one := permuted.all[b]
				one[i*n+j], one[with*n+j] = one[with*n+j], one[i*n+j]
			}
		}
		if order != nil && !slices.Equal(named[b], of) {
			s.Fatalf("the rows are rows %v of the matrix, want %v after the exchanges", named[b], of)
		}
	}
	s.alike("L·U", t, product(lower, upper, false, false), permuted)
}

// integers returns vectors of n integers.
func (out outcome) integers(a *array, n int) [][]int {
	offsets := a.offsets()
	var all [][]int
	for k := 0; n > 0 && k < len(offsets); k += n {
		one := make([]int, n)
		for i := range one {
			one[i] = int(load(a.dtype, elementAt(out.blocks[&a.block[0]], a.dtype, offsets[k+i])).int)
		}
		all = append(all, one)
	}
	if n == 0 {
		all = make([][]int, len(out.read(a, 0, 1).all))
	}
	return all
}
