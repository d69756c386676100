package compliance

import (
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testReduce(s *suite) {
	s.run("Types", testReduceTypes)
	s.run("Shapes", testReduceShapes)
	s.run("Programs", testReducePrograms)
	s.run("Terms", testReduceTerms)
	s.run("Post", testReducePost)
	s.run("Specials", testReduceSpecials)
	s.run("Squares", testReduceSquares)
	s.run("Centred", testReduceCentred)
	s.run("Guarded", testReduceGuarded)
}

var reduce = device.Device.Reduce

// reduced returns an output for the axes before the last ones of the loop.
func (s *suite) reduced(dt dtype.DType, loop []int, axes int) *array {
	y := s.any(dt, loop[:len(loop)-axes], tame)
	y.loop = append(append([]int(nil), y.Strides...), make([]int, axes)...)
	return y
}

// combinable lists the combinations that exist for a type.
func combinable(t dtype.DType) []device.Combine {
	cs := []device.Combine{device.CombineSum, device.CombineProd, device.CombineMax, device.CombineMin, device.CombineFMax, device.CombineFMin}
	if t.IsBool() {
		cs = append(cs, device.CombineAll, device.CombineAny)
	}
	return cs
}

// fillingFor keeps sums and products in range; other combinations get the whole range of values.
func fillingFor(c device.Combine) filling {
	switch c {
	case device.CombineSum:
		return tame
	case device.CombineProd:
		return nearOne
	}
	return wild
}

func reduceOver(axes int, c device.Combine) func(*device.Launch) {
	return func(l *device.Launch) { l.Reduced, l.Combine = axes, c }
}

// combined returns how closely a combination of n values must agree. Sums and products must agree within rounding
// errors relative to those of the magnitudes; products whose magnitudes overflow may be anything. Selections must agree
// exactly, except for the sign of a zero and the payload of a NaN.
func (s *suite) combined(c device.Combine, n int, run call) closeness {
	s.Helper()
	dt := run.outputs[0].dtype
	if !dt.IsInexact() {
		return nil
	}
	switch c {
	case device.CombineSum:
		sizes := s.scale(run)
		return within(func(k int) float64 { return summed(dt, n) * sizes[k] })
	case device.CombineProd:
		sizes := s.scale(run)
		near := within(func(k int) float64 { return 4 * epsilon(dt) * float64(n+1) * sizes[k] })
		return func(dt dtype.DType, got, want complex128, k int) bool {
			return math.IsInf(sizes[k], 0) || near(dt, got, want, k)
		}
	}
	return equalOrNaN
}

// reduceTo checks a reduction of inputs by a program.
func (s *suite) reduceTo(y *array, loop []int, axes int, c device.Combine, p *device.Program, inputs ...*array) {
	s.Helper()
	run := call{kernel: reduce, loop: loop, outputs: []*array{y}, inputs: inputs, set: s.program(p, reduceOver(axes, c))}
	run.close = s.combined(c, broadcast.Size(loop[len(loop)-axes:]), run)
	s.check(run, "%s of %s over the last %d of %v", c, p.Name, axes, loop)
}

func (s *suite) identity(t dtype.DType) *device.Program {
	return s.compile(device.Source{Name: t.String(), Inputs: "T x", Outputs: "T y", Body: "y = x"}, map[byte]dtype.DType{'T': t})
}

// testReduceTypes tests every combination in every type, also between different element types.
func testReduceTypes(s *suite) {
	for _, t := range types {
		compute := dtype.ComputeType(t)
		p := s.identity(compute)
		for _, c := range combinable(compute) {
			for _, loop := range [][]int{{50}, {3, 40}, {1000}, {0}, {4, 0}, {0, 4}} {
				s.reduceTo(s.reduced(t, loop, 1), loop, 1, c, p, s.input(t, loop, fillingFor(c)))
			}
		}
	}
	for _, wide := range []dtype.DType{dtype.Int64, dtype.Uint64, dtype.Float64} {
		for _, narrow := range types[:len(types)-2] {
			loop := []int{300}
			s.reduceTo(s.reduced(wide, loop, 1), loop, 1, device.CombineSum, s.identity(wide), s.input(narrow, loop, tame))
		}
	}
}

func testReduceShapes(s *suite) {
	for trial := range 200 {
		s.reduceRandomly([...]dtype.DType{dtype.Int32, dtype.Float32, dtype.Float64, dtype.Float16, dtype.Complex64}[trial%5])
	}
	for _, t := range []dtype.DType{dtype.Int32, dtype.Float32, dtype.Float64} {
		for _, loop := range [][]int{{70_000}, {2, 10_000}, {300, 50}, {50, 300}, {5000, 3}, {5, 60, 30}} {
			for axes := 1; axes < len(loop)+1; axes++ {
				p := s.identity(dtype.ComputeType(t))
				c := combinable(t)[[]int{0, 2}[s.IntN(2)]]
				s.reduceTo(s.reduced(t, loop, axes), loop, axes, c, p, s.any(t, loop, fillingFor(c)))
			}
		}
	}
}

// reduceRandomly checks a reduction of a random shape, which may be empty, over some of its axes.
func (s *suite) reduceRandomly(t dtype.DType) {
	s.Helper()
	loop := s.randomShape(2000)
	axes := s.IntN(len(loop) + 1)
	cs := combinable(dtype.ComputeType(t))
	c := cs[s.IntN(len(cs))]
	s.reduceTo(s.reduced(t, loop, axes), loop, axes, c, s.identity(dtype.ComputeType(t)), s.input(t, loop, fillingFor(c)))
}

// testReducePrograms tests reductions of programs.
func testReducePrograms(s *suite) {
	for _, t := range []dtype.DType{dtype.Int16, dtype.Uint32, dtype.Float16, dtype.Float32, dtype.Float64, dtype.Complex128} {
		bind := map[byte]dtype.DType{'T': t}
		dot := s.compile(device.Source{Name: "dot", Inputs: "T x, T y", Outputs: "T z", Body: "z = x*y"}, bind)
		differs := s.compile(device.Source{Name: "differs", Inputs: "T x, T y", Outputs: "bool z", Body: "z = x != y"}, bind)
		for range 10 {
			loop := s.randomShape(1500)
			axes := s.IntN(len(loop) + 1)
			x, y := s.input(t, loop, tame), s.input(t, loop, tame)
			s.reduceTo(s.reduced(t, loop, axes), loop, axes, device.CombineSum, dot, x, y)
			s.reduceTo(s.reduced(dtype.Bool, loop, axes), loop, axes, device.CombineAny, differs, x, y)
			s.reduceTo(s.reduced(dtype.Bool, loop, axes), loop, axes, device.CombineAll, differs, x, y)
		}
	}
	weighted := s.compile(device.Source{Name: "weighted", Inputs: "int64 x, raw int64 w", Outputs: "int64 z", Body: "z = x*i + w[i]"}, nil)
	for range 20 {
		loop := s.randomShape(1500)
		axes := s.IntN(len(loop) + 1)
		w := s.raw(s.dense(dtype.Int64, []int{100}, tame), len(loop))
		s.reduceTo(s.reduced(dtype.Int64, loop, axes), loop, axes, device.CombineSum, weighted, s.input(dtype.Int64, loop, tame), w)
	}
}

// testReduceTerms tests sums of terms that devices may compute while reading, and plain reductions, over long and short
// rows, in contiguous and other layouts.
func testReduceTerms(s *suite) {
	loops := [][]int{{9}, {5, 3}, {40, 17}, {3, 300}, {2, 5000}, {7, 4, 33}, {3, 50, 70}, {33, 2, 9}, {1, 1, 1}, {2, 30, 1}}
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64} {
		bind := map[byte]dtype.DType{'T': t}
		for _, body := range []string{"x*x", "abs(x)", "x*y", "(x - y)*(x - y)"} {
			inputs := "T x, T y"
			if !strings.Contains(body, "y") {
				inputs = "T x"
			}
			p := s.compile(device.Source{Name: body, Inputs: inputs, Outputs: "T z", Body: "z = " + body}, bind)
			for _, loop := range loops {
				for axes := 1; axes <= len(loop); axes++ {
					operands := []*array{s.dense(t, loop, tame), s.dense(t, loop, tame)}
					switch s.IntN(3) {
					case 0: // one value per result
						operands[1] = s.reduced(t, loop, axes)
					case 1:
						operands[s.IntN(2)] = s.any(t, loop, tame)
					}
					s.reduceTerm(s.reduced(t, loop, axes), loop, axes, p, operands[:len(p.Inputs)]...)
				}
			}
		}
		p := s.identity(t)
		for _, c := range combinable(t) {
			for _, loop := range loops {
				for axes := 1; axes <= len(loop); axes++ {
					s.reduceTo(s.reduced(t, loop, axes), loop, axes, c, p, s.dense(t, loop, fillingFor(c)))
				}
			}
		}
	}
}

// reduceTerm checks a sum of a function of tame numbers. The differences may be as large as the sums.
func (s *suite) reduceTerm(y *array, loop []int, axes int, p *device.Program, inputs ...*array) {
	s.Helper()
	n := broadcast.Size(loop[len(loop)-axes:])
	s.check(call{kernel: reduce, loop: loop, outputs: []*array{y}, inputs: inputs, set: s.program(p, reduceOver(axes, device.CombineSum)),
		close: absolute(summed(y.dtype, n) * float64(n) * 400)}, "sum of %s over the last %d of %v", p.Name, axes, loop)
}

// testReducePost tests scalars of the program, followed by those of the post program.
func testReducePost(s *suite) {
	for _, t := range []dtype.DType{dtype.Int32, dtype.Float16, dtype.Float32, dtype.Float64} {
		bind := map[byte]dtype.DType{'T': t}
		p := s.compile(device.Source{Name: "scaled", Inputs: "T x", Scalars: "T a, T b", Outputs: "T y", Body: "y = abs(x)*a + b"}, bind)
		post := s.compile(device.Source{Name: "mean", Inputs: "T s", Scalars: "T shift, T count", Outputs: "T y", Body: "y = (s + shift) / count"}, bind)
		for _, loop := range [][]int{{0}, {1}, {100}, {7, 60}, {60, 7, 2}, {5000}} {
			inputs, y := []*array{s.input(t, loop, tame)}, s.reduced(t, loop, 1)
			n := loop[len(loop)-1]
			run := call{kernel: reduce, loop: loop, outputs: []*array{y}, inputs: inputs,
				set: s.program(p, reduceOver(1, device.CombineSum), func(l *device.Launch) {
					l.Post = post
					for k, v := range []float64{3, 2, -1, 4} {
						l.Scalars[k] = device.Scalar{Re: v, Int: int64(v)}
					}
				})}
			if t.IsFloat() {
				run.close = absolute(summed(t, n) * float64(n+1) * 10)
			}
			s.check(run, "%s over %v", t, loop)
		}
	}
}

// testReduceSquares tests sums of squared magnitudes.
func testReduceSquares(s *suite) {
	for _, t := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128} {
		bind := map[byte]dtype.DType{'T': t}
		programs := []*device.Program{s.identity(dtype.ComputeType(t)),
			s.compile(device.Source{Name: "difference", Inputs: "T x, T y", Outputs: "T z", Body: "z = x - y"}, bind)}
		for _, p := range programs {
			for _, loop := range [][]int{{50}, {3, 40}, {0}, {4, 0}, {7, 4, 33}, {300, 50}} {
				axes := 1 + s.IntN(len(loop))
				inputs := []*array{s.input(t, loop, tame), s.input(t, loop, tame)}[:len(p.Inputs)]
				n := broadcast.Size(loop[len(loop)-axes:])
				s.check(call{kernel: reduce, loop: loop, outputs: []*array{s.reduced(t.Real(), loop, axes)}, inputs: inputs,
					set:   s.program(p, reduceOver(axes, device.CombineSum), func(l *device.Launch) { l.Squares = true }),
					close: absolute(summed(t.Real(), n) * float64(n+1) * 800)}, "squares of %s of %s over the last %d of %v", p.Name, t, axes, loop)
			}
		}
	}
}

// testReduceCentred tests sums of squared deviations from a mean with a rounding error, of which some are of equal elements.
func testReduceCentred(s *suite) {
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex64} {
		bind, parts := map[byte]dtype.DType{'T': t}, map[byte]dtype.DType{'T': t.Real()}
		p := s.compile(device.Source{Name: "deviation", Inputs: "T x, T m", Outputs: "T z", Body: "z = x - m"}, bind)
		root := s.compile(device.Source{Name: "root", Inputs: "T x, T unit", Outputs: "T y", Body: "y = sqrt(x) * unit"}, parts)
		for _, loop := range [][]int{{50}, {3, 40}, {300, 5}, {7, 4, 33}, {1, 1}} {
			n := loop[len(loop)-1]
			x, m := s.dense(t, loop, tame), s.dense(t, append(slices.Clone(loop[:len(loop)-1]), 1), tame)
			m.loop = append(slices.Clone(m.Strides[:len(loop)-1]), 0)
			size := []float64{1, 1e-30, 1e20}[s.IntN(3)]
			for k, offset := range m.offsets() {
				mean := size * (1 + dtype.Info(t.Real()).Eps*float64(s.IntN(3)))
				floatNumber(mean).store(t, m.pointer(offset))
				for i, at := range x.offsets()[k*n:][:n] {
					v := size
					if k%3 == 2 {
						v *= float64(i)
					}
					floatNumber(v).store(t, x.pointer(at))
				}
			}
			s.check(call{kernel: reduce, loop: loop, inputs: []*array{x, m}, outputs: []*array{s.reduced(t.Real(), loop, 1)},
				set:   s.program(p, reduceOver(1, device.CombineSum), func(l *device.Launch) { l.Post, l.Squares, l.Centred = root, true, true }),
				close: absolute(1e-5 * size * float64(n*n)),
			}, "deviations of %s of size %g over %v", t, size, loop)
		}
	}
}

// testReduceGuarded tests sums, and sums of squares, of which none, a few or most leave the range: their logarithms must
// agree.
func testReduceGuarded(s *suite) {
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex64} {
		p := s.identity(t)
		parts := map[byte]dtype.DType{'T': t.Real()}
		root := s.compile(device.Source{Name: "root", Inputs: "T x, T unit", Outputs: "T y", Body: "y = x == 0 ? T(-1) : log(x) / 2 + log(unit)"}, parts)
		mean := s.compile(device.Source{Name: "mean", Inputs: "T x, R unit", Scalars: "T count", Outputs: "T y", Body: "y = x / count * unit"},
			map[byte]dtype.DType{'T': t, 'R': t.Real()})
		info := dtype.Info(t.Real())
		for _, loop := range [][]int{{50}, {1, 1}, {3, 40}, {500, 3}, {30, 50, 20}} {
			for _, few := range []bool{true, false} {
				for _, squares := range []bool{true, false} {
					x := s.dense(t, loop, tame)
					for k, offset := range x.offsets() {
						size := 1.0
						if row := k / loop[len(loop)-1]; row%29 == 0 || !few && row%5 > 0 {
							size = []float64{info.Max / 1e4, math.Sqrt(info.Tiny) / 1e4, 0}[s.IntN(3)]
							if !squares {
								size = info.Max / 4
							}
						}
						floatNumber(size).store(t, x.pointer(offset))
					}
					run := call{kernel: reduce, loop: loop, inputs: []*array{x}, outputs: []*array{s.reduced(t, loop, 1)}, close: absolute(1e-4)}
					run.set = s.program(p, reduceOver(1, device.CombineSum), func(l *device.Launch) {
						l.Post, l.Squares = mean, squares
						l.Scalars[0] = device.Scalar{Re: float64(loop[len(loop)-1])}
						if squares {
							l.Post = root
						}
					})
					if squares {
						run.outputs[0] = s.reduced(t.Real(), loop, 1)
					} else {
						run.close = func(_ dtype.DType, got, want complex128, _ int) bool {
							return cmplx.Abs(got-want) <= 1e-5*cmplx.Abs(want)
						}
					}
					s.check(run, "guarded sums of %s over %v, few %v, squares %v", t, loop, few, squares)
				}
			}
		}
	}
}

// testReduceSpecials checks that infinities and NaNs determine sums and maxima at every index.
func testReduceSpecials(s *suite) {
	for _, t := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128} {
		p := s.identity(dtype.ComputeType(t))
		for _, c := range []device.Combine{device.CombineSum, device.CombineMax, device.CombineMin, device.CombineFMax, device.CombineFMin} {
			for _, n := range []int{1, 2, 3, 8, 40, 300} {
				loop := []int{5, n}
				x := s.dense(t, loop, tame)
				for _, offset := range x.offsets() {
					if s.IntN(n) == 0 {
						fromFewValues(s.Rand, t).store(t, x.pointer(offset))
					}
				}
				run := call{kernel: reduce, loop: loop, outputs: []*array{s.reduced(t, loop, 1)}, inputs: []*array{x},
					set: s.program(p, reduceOver(1, c)), close: equal}
				if c == device.CombineSum {
					run.close = absolute(epsilon(t) * 100 * float64(n))
				} else if t.IsComplex() {
					run.close = equalOrNaN
				}
				s.check(run, "%s of %s", c, t)
			}
		}
	}
}

// equalOrNaN is equal, except that all complex numbers with a NaN part are equal.
func equalOrNaN(dt dtype.DType, got, want complex128, k int) bool {
	return hasNaN(got) && hasNaN(want) || equal(dt, got, want, k)
}

// hasNaN reports whether a part is NaN, even if the other is infinite; cmplx.IsNaN reports false then.
func hasNaN(z complex128) bool { return real(z) != real(z) || imag(z) != imag(z) }
