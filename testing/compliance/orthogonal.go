package compliance

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testQR(s *suite) {
	for _, t := range factorisables {
		for _, full := range []bool{false, true} {
			overShapes(func(batch []int, m, n int) {
				s.qr(t, batch, m, n, full, func() []float64 { return s.normals(m * n) })
			})
			for _, a := range [][]float64{{1, 2, 2, 4, 3, 6}, {0, 0, 0, 0, 0, 0}, {-1, 3, 0, 2, 0, 0}} {
				s.qr(t, nil, 3, 2, full, func() []float64 { return a })
			}
		}
	}
}

func (s *suite) qr(t dtype.DType, batch []int, m, n int, full bool, draw func() []float64) {
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
	s.orthonormal("QᵀQ", t, q)
	s.alike("Q·R", t, product(q, r, false, false), c.before().read(a, m, n))
	s.alike("|R|", t, magnitudes(r), magnitudes(want.read(triangular, k, n)))
}

func testSVD(s *suite) {
	for _, t := range factorisables {
		for _, mode := range []string{"values", "thin", "full"} {
			overShapes(func(batch []int, m, n int) {
				s.svd(t, batch, m, n, mode, func() []float64 { return s.normals(m * n) })
			})
			for _, a := range [][]float64{{1, 2, 2, 4, 3, 6}, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, -5},
				{1e18, 1, 2, 3, 4, 5}, {1e-18, 2e-18, 3e-18, 4e-18, -1e-18, 0}} {
				s.svd(t, nil, 3, 2, mode, func() []float64 { return a })
				s.svd(t, nil, 2, 3, mode, func() []float64 { return a })
			}
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				c, _ := s.svdCall(t, nil, 2, 2, mode, func() []float64 { return []float64{1, v, 2, 3} })
				s.refused("a matrix that is not finite", c)
			}
		}
	}
}

// svdResult is where a call stores its results, u and vt being nil in the mode "values", and their sizes.
type svdResult struct {
	u, s, vt       *array
	columnsU, rows int
}

func (s *suite) svdCall(t dtype.DType, batch []int, m, n int, mode string, draw func() []float64) (call, svdResult) {
	k := min(m, n)
	y := svdResult{s: s.vectorOutput(t, batch, k), columnsU: k, rows: k}
	if mode == "full" {
		y.columnsU, y.rows = m, n
	}
	if mode != "values" {
		y.u, y.vt = s.output(t, batch, m, y.columnsU), s.output(t, batch, y.rows, n)
	}
	return call{kernel: device.Device.SVD, loop: shapeOf(batch, m, n), set: func(l *device.Launch) { l.Full = mode == "full" },
		outputs: []*array{y.u, y.s, y.vt}, inputs: []*array{s.matricesOf(t, batch, m, n, draw)}}, y
}

func (s *suite) svd(t dtype.DType, batch []int, m, n int, mode string, draw func() []float64) {
	s.Helper()
	k := min(m, n)
	c, y := s.svdCall(t, batch, m, n, mode, draw)
	got, want := s.both(c)
	values := got.read(y.s, k, 1)
	s.ordered("singular values", values, true)
	s.alike("singular values", t, values, want.read(y.s, k, 1))
	for _, one := range values.all {
		if len(one) > 0 && one[len(one)-1] < 0 {
			s.Fatalf("singular values %v: want none below 0", one)
		}
	}
	if y.u == nil {
		return
	}
	u, vt := got.read(y.u, m, y.columnsU), got.read(y.vt, y.rows, n)
	s.orthonormal("UᵀU", t, u)
	s.orthonormal("V·Vᵀ", t, transpose(vt))
	thin := product(withDiagonal(firstColumns(u, k), values), firstColumns(transpose(vt), k), false, true)
	s.alike("U·diag(s)·Vᵀ", t, thin, c.before().read(c.inputs[0], m, n))
}

func testEigh(s *suite) {
	for _, t := range factorisables {
		for flags := range 4 {
			upper, vectors := flags&1 != 0, flags&2 != 0
			overSquares(func(batch []int, n int) {
				s.eigh(t, batch, n, upper, vectors, func() []float64 { return s.normals(n * n) })
			})
			for _, a := range [][]float64{{1, 2, 2, 4}, {0, 0, 0, 0}, {2, 0, 0, 2}, {0, 1, 1, 0}, {5, 0, 0, -5}} {
				s.eigh(t, nil, 2, upper, vectors, func() []float64 { return a })
			}
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				c, _, _ := s.eighCall(t, nil, 2, upper, vectors, func() []float64 { return []float64{1, v, v, 3} })
				s.refused("a matrix that is not finite", c)
			}
		}
	}
}

func (s *suite) eighCall(t dtype.DType, batch []int, n int, upper, vectors bool, draw func() []float64) (c call, w, v *array) {
	w = s.vectorOutput(t, batch, n)
	if vectors {
		v = s.output(t, batch, n, n)
	}
	return call{kernel: device.Device.Eigh, loop: shapeOf(batch, n, n), set: func(l *device.Launch) { l.Upper = upper },
		outputs: []*array{w, v}, inputs: []*array{s.matricesOf(t, batch, n, n, draw)}}, w, v
}

// eigh decomposes matrices of which only one triangle is there to be read.
func (s *suite) eigh(t dtype.DType, batch []int, n int, upper, vectors bool, draw func() []float64) {
	s.Helper()
	c, w, v := s.eighCall(t, batch, n, upper, vectors, func() []float64 {
		a := slices.Clone(draw())
		for i := range n {
			for j := range n {
				if j != i && j > i != upper {
					a[i*n+j] = math.NaN()
				}
			}
		}
		return a
	})
	got, want := s.both(c)
	values := got.read(w, n, 1)
	s.ordered("eigenvalues", values, false)
	s.alike("eigenvalues", t, values, want.read(w, n, 1))
	if !vectors {
		return
	}
	whole, axes := c.before().read(c.inputs[0], n, n), got.read(v, n, n)
	for k := range whole.all {
		for i := range n {
			for j := range n {
				if j != i && j > i != upper {
					whole.all[k][i*n+j] = whole.at(k, j, i)
				}
			}
		}
	}
	s.orthonormal("VᵀV", t, axes)
	s.alike("A·V", t, product(whole, axes, false, false), withDiagonal(axes, values))
}
