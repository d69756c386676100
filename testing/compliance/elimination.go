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

func testLU(s *suite) {
	for _, t := range factorisables {
		overShapes(func(batch []int, m, n int) {
			s.lu(t, batch, m, n, func() []float64 { return s.normals(m * n) })
		})
		for _, a := range [][]float64{{1, 2, 2, 4}, {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 1, 0}} {
			s.lu(t, nil, 2, 2, func() []float64 { return a })
		}
	}
}

func (s *suite) lu(t dtype.DType, batch []int, m, n int, draw func() []float64) {
	s.Helper()
	k := min(m, n)
	a := s.matricesOf(t, batch, m, n, draw)
	factors, exchanges := s.output(t, batch, m, n), s.vectorOutput(dtype.Int64, batch, k)
	c := call{kernel: device.Device.LU, loop: shapeOf(batch, m, n), outputs: []*array{factors, exchanges}, inputs: []*array{a}}
	got, want := s.both(c)
	packed := got.read(factors, m, n)
	s.alike("the factors", t, packed, want.read(factors, m, n))
	lower, upper := matrices{rows: m, columns: k}, matrices{rows: k, columns: n}
	permuted := c.before().read(a, m, n)
	rows := got.exchanged(exchanges, k)
	for b := range packed.all {
		x, y := make([]float64, m*k), make([]float64, k*n)
		for i := range m {
			for j := range n {
				switch v := packed.at(b, i, j); {
				case j < i:
					if x[i*k+j] = v; math.Abs(v) > 1 {
						s.Fatalf("element (%d, %d) of L is %g: the largest of its column did not come first", i, j, v)
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
		for i, with := range rows[b] {
			if with < i || with >= m {
				s.Fatalf("row %d is exchanged with %d, want one below", i, with)
			}
			for j := range n {
				one := permuted.all[b]
				one[i*n+j], one[with*n+j] = one[with*n+j], one[i*n+j]
			}
		}
	}
	s.alike("L·U", t, product(lower, upper, false, false), permuted)
}

// exchanged returns the rows with which each of the first n was exchanged.
func (out outcome) exchanged(a *array, n int) [][]int {
	places := a.places()
	var all [][]int
	for k := 0; n > 0 && k < len(places); k += n {
		one := make([]int, n)
		for i := range one {
			one[i] = int(load(a.dtype, elementAt(out.blocks[&a.block[0]], a.dtype, places[k+i])).int)
		}
		all = append(all, one)
	}
	if n == 0 {
		all = make([][]int, len(out.read(a, 0, 1).all))
	}
	return all
}

func testTriangularSolve(s *suite) {
	for _, t := range factorisables {
		for flags := range 8 {
			overShapes(func(batch []int, m, n int) { s.triangularSolve(t, batch, m, n, flags) })
			s.zeroOnDiagonal(t, solving(flags))
		}
	}
}

// solving sets what a solve is told, a bit each.
func solving(flags int) func(*device.Launch) {
	return func(l *device.Launch) {
		l.Upper, l.Transposed, l.UnitDiagonal = flags&1 != 0, flags&2 != 0, flags&4 != 0
	}
}

// triangularSolve solves with triangles around which there are no numbers.
func (s *suite) triangularSolve(t dtype.DType, batch []int, m, n, flags int) {
	s.Helper()
	upper, transposed, unit := flags&1 != 0, flags&2 != 0, flags&4 != 0
	nan := math.NaN()
	triangle := s.matricesOf(t, batch, m, m, func() []float64 {
		x := s.normals(m * m)
		for i := range m {
			for j := range m {
				switch {
				case i == j && unit:
					x[i*m+j] = nan
				case i == j:
					x[i*m+j] = math.Copysign(1+math.Abs(x[i*m+j]), x[i*m+j])
				case j > i != upper:
					x[i*m+j] = nan
				default:
					x[i*m+j] /= float64(m)
				}
			}
		}
		return x
	})
	right := s.matricesOf(t, batch, m, n, func() []float64 { return s.normals(m * n) })
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
	if n > 0 {
		s.alike("T·X", t, product(whole, x, transposed, false), c.before().read(right, m, n))
	}
}

// zeroOnDiagonal divides by zero.
func (s *suite) zeroOnDiagonal(t dtype.DType, set func(*device.Launch)) {
	s.Helper()
	solution := s.output(t, nil, 2, 2)
	got, want := s.both(call{kernel: device.Device.TriangularSolve, loop: []int{2, 2}, set: set,
		outputs: []*array{solution},
		inputs: []*array{s.matricesOf(t, nil, 2, 2, func() []float64 { return []float64{0, 1, 1, 2} }),
			s.matricesOf(t, nil, 2, 2, func() []float64 { return []float64{1, -3, 4, 5} })}})
	s.alike("X", t, got.read(solution, 2, 2), want.read(solution, 2, 2))
}
