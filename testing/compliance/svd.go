package compliance

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testSVD(s *suite) {
	for _, t := range factorisables {
		for _, mode := range []string{"values", "thin", "full"} {
			overShapes(func(batch []int, m, n int) {
				s.svd(t, batch, m, n, mode, func() []complex128 { return s.normals(t, m*n) })
			})
			for _, a := range [][]complex128{{1, 2, 2, 4, 3, 6}, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, -5},
				{1e18, 1, 2, 3, 4, 5}, {1e-18, 2e-18, 3e-18, 4e-18, -1e-18, 0}} {
				s.svd(t, nil, 3, 2, mode, func() []complex128 { return a })
				s.svd(t, nil, 2, 3, mode, func() []complex128 { return a })
			}
			for _, v := range []complex128{cmplx.NaN(), complex(math.Inf(1), 0), complex(math.Inf(-1), 0)} {
				c, _ := s.svdCall(t, nil, 2, 2, mode, func() []complex128 { return []complex128{1, v, 2, 3} })
				s.refused("a matrix that is not finite", c)
			}
		}
	}
}

// svdResult is where a call stores its results, and their sizes; u and vt are nil in the mode "values".
type svdResult struct {
	u, s, vt       *array
	columnsU, rows int
}

func (s *suite) svdCall(t dtype.DType, batch []int, m, n int, mode string, draw func() []complex128) (call, svdResult) {
	k := min(m, n)
	y := svdResult{s: s.vectorOutput(t.Real(), batch, k), columnsU: k, rows: k}
	if mode == "full" {
		y.columnsU, y.rows = m, n
	}
	if mode != "values" {
		y.u, y.vt = s.output(t, batch, m, y.columnsU), s.output(t, batch, y.rows, n)
	}
	return call{kernel: device.Device.SVD, loop: shapeOf(batch, m, n), set: func(l *device.Launch) { l.Full = mode == "full" },
		outputs: []*array{y.u, y.s, y.vt}, inputs: []*array{s.matricesOf(t, batch, m, n, draw)}}, y
}

func (s *suite) svd(t dtype.DType, batch []int, m, n int, mode string, draw func() []complex128) {
	s.Helper()
	k := min(m, n)
	c, y := s.svdCall(t, batch, m, n, mode, draw)
	got, want := s.both(c)
	values := got.read(y.s, k, 1)
	s.ordered("singular values", values, true)
	s.alike("singular values", t, values, want.read(y.s, k, 1))
	for _, one := range values.all {
		if len(one) > 0 && real(one[len(one)-1]) < 0 {
			s.Fatalf("singular values %v: want at least 0", one)
		}
	}
	if y.u == nil {
		return
	}
	u, vt := got.read(y.u, m, y.columnsU), got.read(y.vt, y.rows, n)
	s.orthonormal("UᴴU", t, u)
	s.orthonormal("VᴴV", t, adjoint(vt))
	thin := product(withDiagonal(firstColumns(u, k), values), firstColumns(adjoint(vt), k), false, true)
	s.alike("U·diag(s)·Vᴴ", t, thin, c.before().read(c.inputs[0], m, n))
}
