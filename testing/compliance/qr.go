package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testQR(s *suite) {
	for _, t := range factorisables {
		for _, full := range []bool{false, true} {
			overShapes(func(batch []int, m, n int) {
				s.qr(t, batch, m, n, full, func() []complex128 { return s.normals(t, m*n) })
			})
			for _, a := range [][]complex128{{1, 2, 2, 4, 3, 6}, {0, 0, 0, 0, 0, 0}, {-1, 3, 0, 2, 0, 0}} {
				s.qr(t, nil, 3, 2, full, func() []complex128 { return a })
			}
		}
	}
}

func (s *suite) qr(t dtype.DType, batch []int, m, n int, full bool, draw func() []complex128) {
	s.Helper()
	k := min(m, n)
	if full {
		k = m
	}
	a := s.matricesOf(t, batch, m, n, draw)
	orthonormal, triangular := s.output(t, batch, m, k), s.output(t, batch, k, n)
	c := call{kernel: device.Device.QR, loop: shapeOf(batch, m, n), set: func(l *device.Launch) { l.Full = full },
		outputs: []*array{orthonormal, triangular}, inputs: []*array{a}}
	got, want := s.both(c)
	q, r := got.read(orthonormal, m, k), got.read(triangular, k, n)
	s.triangular("R", r, true)
	s.realDiagonal("R", r)
	s.orthonormal("QᴴQ", t, q)
	s.alike("Q·R", t, product(q, r, false, false), c.before().read(a, m, n))
	s.alike("|R|", t, magnitudes(r), magnitudes(want.read(triangular, k, n)))
}
