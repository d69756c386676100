package compliance

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testSolve(s *suite) {
	for _, t := range factorisables {
		overShapes(func(batch []int, m, n int) { s.solve(t, batch, m, n, true) })
		overSquares(func(batch []int, n int) { s.solve(t, batch, n, n, false) })
		for _, n := range []int{3, 4, 8, 17, 32} { // whole groups, and a rest
			s.solve(t, []int{37}, n, 1+s.IntN(n), true)
			s.solve(t, []int{37}, n, n, false)
		}
		for _, a := range [][]complex128{{1, 2, 2, 4}, {0, 0, 0, 0}, {0, 1, 0, 1}} {
			s.singular(t, a)
		}
	}
}

// solve solves with matrices near those that permute rows, or inverts them.
func (s *suite) solve(t dtype.DType, batch []int, m, n int, hasRight bool) {
	s.Helper()
	a := s.matricesOf(t, batch, m, m, func() []complex128 {
		x := s.normals(t, m*m)
		for i := range x {
			x[i] /= complex(float64(2*m), 0)
		}
		for i := range m {
			x[i*m+(i+1)%m]++
		}
		return x
	})
	inputs := []*array{a}
	if hasRight {
		inputs = append(inputs, s.matricesOf(t, batch, m, n, func() []complex128 { return s.normals(t, m*n) }))
	}
	solutions := s.output(t, batch, m, n)
	var determinants *array
	if s.IntN(3) != 0 {
		determinants = s.numberOutput(t, batch)
	}
	c := call{kernel: device.Device.Solve, loop: shapeOf(batch, m, n), outputs: []*array{solutions, determinants}, inputs: inputs}
	got, want := s.both(c)
	x := got.read(solutions, m, n)
	s.alike("X", t, x, want.read(solutions, m, n))
	if determinants != nil {
		s.alike("the determinants", t, got.read(determinants, 1, 1), want.read(determinants, 1, 1))
	}
	right := units(x, n)
	if hasRight {
		right = c.before().read(inputs[1], m, n)
	}
	if m > 0 && n > 0 {
		s.alike("a·X", t, product(c.before().read(a, m, m), x, false, false), right)
	}

	determinants = s.numberOutput(t, batch)
	got, want = s.both(call{kernel: device.Device.Solve, loop: shapeOf(batch, m, m), outputs: []*array{nil, determinants}, inputs: []*array{a}})
	s.alike("the determinants alone", t, got.read(determinants, 1, 1), want.read(determinants, 1, 1))
}

// numberOutput returns an array for a number for each matrix of a batch.
func (s *suite) numberOutput(t dtype.DType, batch []int) *array {
	a := s.vectorOutput(t, batch, 1)
	a.Strides[len(batch)] = 0
	return a
}

// singular requires that a singular 2×2 matrix has no inverse, and the determinant 0, also beside other matrices.
func (s *suite) singular(t dtype.DType, a []complex128) {
	s.Helper()
	for _, batch := range [][]int{nil, {19}} {
		matrices := s.strided(t, shapeOf(batch, 2, 2), all(len(batch)+2), wild)
		for k, offsets := 0, matrices.offsets(); k < len(offsets); k += 4 {
			of := []complex128{1, 2, 3, 4}
			if k+4 == len(offsets) {
				of = a
			}
			for i, v := range of {
				number{z: v}.store(t, matrices.pointer(offsets[k+i]))
			}
		}
		inputs := []*array{matrices}
		s.refused("a singular matrix", call{kernel: device.Device.Solve, loop: shapeOf(batch, 2, 2),
			outputs: []*array{s.output(t, batch, 2, 2), nil}, inputs: inputs})
		determinants := s.numberOutput(t, batch)
		got, want := s.both(call{kernel: device.Device.Solve, loop: shapeOf(batch, 2, 2), outputs: []*array{nil, determinants}, inputs: inputs})
		s.alike("the determinants", t, got.read(determinants, 1, 1), want.read(determinants, 1, 1))
	}
}
