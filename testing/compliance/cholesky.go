package compliance

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testCholesky(s *suite) {
	for _, t := range factorisables {
		overSquares(func(batch []int, n int) { s.cholesky(t, batch, n) })
		for _, a := range [][]float64{{1, 2, 2, 1}, {0, 0, 0, 0}, {-1, 0, 0, 1}, {1, 0, 0, math.NaN()}, {math.NaN(), 0, 0, 1}} {
			s.refused("a matrix that is not positive definite", call{kernel: device.Device.Cholesky, loop: []int{2, 2},
				outputs: []*array{s.output(t, nil, 2, 2)},
				inputs:  []*array{s.matricesOf(t, nil, 2, 2, func() []float64 { return a })}})
		}
	}
}

// cholesky factors matrices B·Bᵀ + I, of which only the lower triangle is there to be read.
func (s *suite) cholesky(t dtype.DType, batch []int, n int) {
	s.Helper()
	a := s.matricesOf(t, batch, n, n, func() []float64 {
		b := matrices{rows: n, columns: n, all: [][]float64{s.normals(n * n)}}
		x := product(b, b, false, true).all[0]
		for i := range n {
			x[i*n+i]++
			for j := i + 1; j < n; j++ {
				x[i*n+j] = math.NaN()
			}
		}
		return x
	})
	lower := s.output(t, batch, n, n)
	c := call{kernel: device.Device.Cholesky, loop: shapeOf(batch, n, n), outputs: []*array{lower}, inputs: []*array{a}}
	got, want := s.both(c)
	l := got.read(lower, n, n)
	s.triangular("L", l, false)
	s.alike("L", t, l, want.read(lower, n, n))
	whole := c.before().read(a, n, n)
	for k := range whole.all {
		for i := range n {
			for j := i + 1; j < n; j++ {
				whole.all[k][i*n+j] = whole.at(k, j, i)
			}
		}
	}
	s.alike("L·Lᵀ", t, product(l, l, false, true), whole)
}
