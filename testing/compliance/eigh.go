package compliance

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testEigh(s *suite) {
	for _, t := range factorisables {
		for flags := range 4 {
			upper, vectors := flags&1 != 0, flags&2 != 0
			overSquares(func(batch []int, n int) {
				s.eigh(t, batch, n, upper, vectors, func() []complex128 { return s.normals(t, n*n) })
			})
			for _, a := range [][]complex128{{1, 2, 2, 4}, {0, 0, 0, 0}, {2, 0, 0, 2}, {0, 1, 1, 0}, {5, 0, 0, -5}, {1, 2i, -2i, 1}} {
				s.eigh(t, nil, 2, upper, vectors, func() []complex128 { return a })
			}
			for _, v := range []complex128{cmplx.NaN(), complex(math.Inf(1), 0), complex(math.Inf(-1), 0)} {
				c, _, _ := s.eighCall(t, nil, 2, upper, vectors, func() []complex128 { return []complex128{1, v, v, 3} })
				s.refused("a matrix that is not finite", c)
			}
		}
	}
}

func (s *suite) eighCall(t dtype.DType, batch []int, n int, upper, vectors bool, draw func() []complex128) (c call, w, v *array) {
	w = s.vectorOutput(t.Real(), batch, n)
	if vectors {
		v = s.output(t, batch, n, n)
	}
	return call{kernel: device.Device.Eigh, loop: shapeOf(batch, n, n), set: func(l *device.Launch) { l.Upper = upper },
		outputs: []*array{w, v}, inputs: []*array{s.matricesOf(t, batch, n, n, draw)}}, w, v
}

// eigh decomposes matrices of which only one triangle may be read.
func (s *suite) eigh(t dtype.DType, batch []int, n int, upper, vectors bool, draw func() []complex128) {
	s.Helper()
	c, w, v := s.eighCall(t, batch, n, upper, vectors, func() []complex128 { return ofOneTriangle(draw(), n, upper) })
	got, want := s.both(c)
	values := got.read(w, n, 1)
	s.ordered("eigenvalues", values, false)
	s.alike("eigenvalues", t, values, want.read(w, n, 1))
	if !vectors {
		return
	}
	whole, axes := restored(c.before().read(c.inputs[0], n, n), upper), got.read(v, n, n)
	s.orthonormal("VᴴV", t, axes)
	s.alike("A·V", t, product(whole, axes, false, false), withDiagonal(axes, values))
}
