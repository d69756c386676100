package compliance

import (
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testCholesky(s *suite) {
	for _, t := range factorisables {
		overSquares(func(batch []int, n int) { s.cholesky(t, batch, n) })
		for _, a := range [][]complex128{{1, 2, 2, 1}, {0, 0, 0, 0}, {-1, 0, 0, 1}, {1, 0, 0, cmplx.NaN()}, {cmplx.NaN(), 0, 0, 1}} {
			s.refused("a matrix that is not positive definite", call{kernel: device.Device.Cholesky, loop: []int{2, 2},
				outputs: []*array{s.output(t, nil, 2, 2)},
				inputs:  []*array{s.matricesOf(t, nil, 2, 2, func() []complex128 { return a })}})
		}
	}
}

// cholesky factors matrices B·Bᴴ + I, of which only the lower triangle may be read.
func (s *suite) cholesky(t dtype.DType, batch []int, n int) {
	s.Helper()
	a := s.matricesOf(t, batch, n, n, func() []complex128 {
		b := matrices{rows: n, columns: n, all: [][]complex128{s.normals(t, n*n)}}
		x := product(b, b, false, true).all[0]
		for i := range n {
			x[i*n+i]++
		}
		return ofOneTriangle(x, n, false)
	})
	lower := s.output(t, batch, n, n)
	c := call{kernel: device.Device.Cholesky, loop: shapeOf(batch, n, n), outputs: []*array{lower}, inputs: []*array{a}}
	got, want := s.both(c)
	l := got.read(lower, n, n)
	s.triangular("L", l, false)
	s.alike("L", t, l, want.read(lower, n, n))
	s.alike("L·Lᴴ", t, product(l, l, false, true), restored(c.before().read(a, n, n), false))
}
