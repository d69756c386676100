package compliance

import (
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testTriangularSolve(s *suite) {
	for _, t := range factorisables {
		for flags := range 8 {
			overShapes(func(batch []int, m, n int) { s.triangularSolve(t, batch, m, n, flags) })
			s.zeroOnDiagonal(t, solving(flags))
		}
	}
}

// solving sets the options of a solve, one per bit of flags.
func solving(flags int) func(*device.Launch) {
	return func(l *device.Launch) {
		l.Upper, l.Transposed, l.UnitDiagonal = flags&1 != 0, flags&2 != 0, flags&4 != 0
	}
}

// triangularSolve solves with triangles that hold NaN wherever the kernel must not read.
func (s *suite) triangularSolve(t dtype.DType, batch []int, m, n, flags int) {
	s.Helper()
	upper, transposed, unit := flags&1 != 0, flags&2 != 0, flags&4 != 0
	nan := cmplx.NaN()
	triangle := s.matricesOf(t, batch, m, m, func() []complex128 {
		x := s.normals(t, m*m)
		for i := range m {
			for j := range m {
				switch {
				case i == j && unit:
					x[i*m+j] = nan
				case i == j:
					x[i*m+j] *= complex(1+1/cmplx.Abs(x[i*m+j]), 0)
				case j > i != upper:
					x[i*m+j] = nan
				default:
					x[i*m+j] /= complex(float64(m), 0)
				}
			}
		}
		return x
	})
	right := s.matricesOf(t, batch, m, n, func() []complex128 { return s.normals(t, m*n) })
	solution := s.output(t, batch, m, n)
	c := call{kernel: device.Device.TriangularSolve, loop: shapeOf(batch, m, n), set: solving(flags),
		outputs: []*array{solution}, inputs: []*array{triangle, right}}
	got, want := s.both(c)
	x := got.read(solution, m, n)
	s.alike("X", t, x, want.read(solution, m, n))
	if m == 0 {
		return
	}
	whole := c.before().read(triangle, m, m)
	for k := range whole.all {
		for i := range m {
			for j := range m {
				if i == j && unit {
					whole.all[k][i*m+j] = 1
				} else if i != j && j > i != upper {
					whole.all[k][i*m+j] = 0
				}
			}
		}
	}
	if transposed {
		whole = transpose(whole)
	}
	if n > 0 {
		s.alike("T·X", t, product(whole, x, false, false), c.before().read(right, m, n))
	}
}

// zeroOnDiagonal divides by zero.
func (s *suite) zeroOnDiagonal(t dtype.DType, set func(*device.Launch)) {
	s.Helper()
	solution := s.output(t, nil, 2, 2)
	got, want := s.both(call{kernel: device.Device.TriangularSolve, loop: []int{2, 2}, set: set,
		outputs: []*array{solution},
		inputs: []*array{s.matricesOf(t, nil, 2, 2, func() []complex128 { return []complex128{0, 1, 1, 2} }),
			s.matricesOf(t, nil, 2, 2, func() []complex128 { return []complex128{1, -3, 4, 5} })}})
	s.alike("X", t, got.read(solution, 2, 2), want.read(solution, 2, 2))
}
