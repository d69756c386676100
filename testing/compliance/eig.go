package compliance

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testEig(s *suite) {
	for _, t := range factorisables {
		for _, batch := range batches[2:5] {
			for _, n := range squares {
				s.eig(t, batch, n, func() []complex128 { return s.normals(t, n*n) })
			}
		}
		s.eig(t, nil, 33, func() []complex128 { return s.normals(t, 33*33) })
		for _, a := range [][]complex128{{1, 2, 3, 4}, {0, 0, 0, 0}, {2, 0, 0, 2}, {0, -1, 1, 0}, {5, 1e-3, 0, -5}, {0, 1, 0, 0}, {1, 1, 0, 1}, {1, 2i, 3, 1}} {
			s.eig(t, nil, 2, func() []complex128 { return a })
		}
		s.eig(t, nil, 3, func() []complex128 { return []complex128{0, 0, 1, 1, 0, 0, 0, 1, 0} }) // a permutation
		s.eig(t, nil, 3, func() []complex128 { return []complex128{1, 2e4, 0, 1e-4, 3, -1e-4, 5, 2e4, 1} })
		for _, v := range []complex128{cmplx.NaN(), complex(math.Inf(1), 0), complex(math.Inf(-1), 0)} {
			c, _, _ := s.eigCall(t, nil, 2, true, func() []complex128 { return []complex128{1, v, v, 3} })
			s.refused("a matrix that is not finite", c)
		}
	}
}

func (s *suite) eigCall(t dtype.DType, batch []int, n int, vectors bool, draw func() []complex128) (c call, w, v *array) {
	w = s.vectorOutput(t.Complex(), batch, n)
	if vectors {
		v = s.output(t.Complex(), batch, n, n)
	}
	return call{kernel: device.Device.Eig, loop: shapeOf(batch, n, n), outputs: []*array{w, v},
		inputs: []*array{s.matricesOf(t, batch, n, n, draw)}}, w, v
}

// eig finds the eigenvalues with vectors and without.
func (s *suite) eig(t dtype.DType, batch []int, n int, draw func() []complex128) {
	s.Helper()
	c, w, v := s.eigCall(t, batch, n, true, draw)
	got, want := s.both(c)
	values, axes, a := got.read(w, n, 1), got.read(v, n, n), c.before().read(c.inputs[0], n, n)
	s.alike("A·V", t, product(a, axes, false, false), withDiagonal(axes, values))
	lengths := product(axes, axes, true, false)
	for k := range lengths.all {
		for i := range n {
			if length := real(lengths.at(k, i, i)); !(math.Abs(length-1) <= 100*epsilon(t)) {
				s.Fatalf("vector %d of matrix %d has length² %g, want 1", i, k, length)
			}
		}
	}
	s.alikeInAnyOrder("eigenvalues", t, values, want.read(w, n, 1), a)
	c.outputs = []*array{w, nil}
	alone, _ := s.both(c)
	s.alike("eigenvalues without vectors", t, alone.read(w, n, 1), values)
}

// alikeInAnyOrder requires the same eigenvalues in any order. They may differ by rounding errors of the matrices. For
// ill-conditioned eigenvalues, those of a matrix that lacks eigenvectors, these grow to the square root.
func (s *suite) alikeInAnyOrder(what string, t dtype.DType, got, want, of matrices) {
	s.Helper()
	for k := range got.all {
		size := 0.0
		for _, v := range of.all[k] {
			size = max(size, cmplx.Abs(v))
		}
		left := append([]complex128(nil), want.all[k]...)
		for _, v := range got.all[k] {
			best := 0
			for i := range left {
				if cmplx.Abs(left[i]-v) < cmplx.Abs(left[best]-v) {
					best = i
				}
			}
			if distance := cmplx.Abs(left[best] - v); !(distance <= 20*math.Sqrt(epsilon(t))*size) {
				s.Fatalf("%s of matrix %d: got %g, want one of %g", what, k, v, left)
			}
			left = append(left[:best], left[best+1:]...)
		}
	}
}
