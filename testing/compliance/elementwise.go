package compliance

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testElementwise(s *suite) {
	s.run("Opcodes", testOpcodes)
	s.run("Casts", testCasts)
	s.run("Storage", testStorage)
	s.run("Layouts", testLayouts)
	s.run("Sizes", testSizes)
	s.run("Where", testWhere)
	s.run("InPlace", testInPlace)
	s.run("Outputs", testOutputs)
	s.run("Scalars", testScalars)
	s.run("Position", testPosition)
	s.run("Raw", testRaw)
	s.run("Registers", testRegisters)
}

var elementwise = device.Device.Elementwise

// program sets the program of a launch, and other attributes.
func (s *suite) program(p *device.Program, set ...func(*device.Launch)) func(*device.Launch) {
	return func(l *device.Launch) {
		l.Program = p
		for _, f := range set {
			f(l)
		}
	}
}

// testStorage loads and stores elements of each type from and to registers of each type.
func testStorage(s *suite) {
	for _, t := range device.ComputeTypes {
		p := s.compile(device.Source{Name: "store", Inputs: "T x", Outputs: "T y", Body: "y = x"}, map[byte]dtype.DType{'T': t})
		for _, from := range types {
			for _, to := range types {
				shape := []int{40 + s.IntN(40)}
				s.check(call{kernel: elementwise, loop: shape, set: s.program(p),
					outputs: []*array{s.any(to, shape, tame)}, inputs: []*array{s.input(from, shape, wild)}},
					"%s, computed in %s, stored as %s", from, t, to)
			}
		}
	}
}

// chain returns a program whose steps all have exactly one correct rounding, so that a fused multiply-add is detected.
func (s *suite) chain(t dtype.DType) *device.Program {
	return s.compile(device.Source{Name: "chain", Inputs: "T a, T b, T c", Outputs: "T y", Body: "y = a*b + c - b"},
		map[byte]dtype.DType{'T': t})
}

func testLayouts(s *suite) {
	for range 300 {
		shape := s.randomShape(1500)
		s.chained(types[2+s.IntN(len(types)-2-2)], shape) // complex products may round in two ways
	}
}

func (s *suite) chained(t dtype.DType, shape []int) {
	s.Helper()
	s.check(call{kernel: elementwise, loop: shape, set: s.program(s.chain(t)),
		outputs: []*array{s.any(t, shape, tame)},
		inputs:  []*array{s.input(t, shape, wild), s.input(t, shape, wild), s.input(t, shape, wild)}}, "%s", t)
}

func testSizes(s *suite) {
	for _, n := range []int{0, 1, 2, 3, 7, 8, 15, 17, 31, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511, 513, 1000, 1023, 1024, 1025,
		2047, 2049, 4095, 4097, 5000} {
		for _, t := range []dtype.DType{dtype.Int8, dtype.Int32, dtype.Int64, dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
			s.sized(t, []int{n})
		}
	}
	for _, t := range []dtype.DType{dtype.BFloat16, dtype.Float32, dtype.Float64} {
		s.sized(t, []int{70_000})
		s.sized(t, []int{3, 300, 10})
	}
}

func (s *suite) sized(t dtype.DType, shape []int) {
	s.Helper()
	s.check(call{kernel: elementwise, loop: shape, set: s.program(s.chain(t)),
		outputs: []*array{s.dense(t, shape, tame)},
		inputs:  []*array{s.dense(t, shape, tame), s.input(t, shape, tame), s.dense(t, shape, wild)}}, "%s", t)
}

func testWhere(s *suite) {
	for trial := range 100 {
		shape := s.randomShape(1000)
		if trial%10 == 0 {
			shape = []int{3000 + trial}
		}
		t, to := types[2+s.IntN(len(types)-4)], types[s.IntN(len(types))]
		inputs := []*array{s.input(t, shape, wild), s.input(t, shape, wild), s.input(t, shape, wild)}
		s.check(call{kernel: elementwise, loop: shape, set: s.program(s.chain(t)),
			outputs: []*array{s.any(to, shape, tame)}, inputs: inputs, where: s.input(dtype.Bool, shape, tame)}, "%s to %s", t, to)
	}
}

func testInPlace(s *suite) {
	for trial := range 60 {
		shape := s.randomShape(1000)
		if trial%10 == 0 {
			shape = []int{70, 80}
		}
		t := types[2+s.IntN(len(types)-4)]
		inputs := []*array{s.any(t, shape, wild), s.any(t, shape, wild), s.any(t, shape, wild)}
		c := call{kernel: elementwise, loop: shape, set: s.program(s.chain(t)), inputs: inputs, outputs: inputs[trial%3 : trial%3+1]}
		if trial%4 == 0 {
			c.where = s.input(dtype.Bool, shape, tame)
		}
		s.check(c, "%s over input %d", t, trial%3)
	}
}

// testOutputs tests several outputs of several types. Each may use the memory of an input.
func testOutputs(s *suite) {
	p := s.compile(device.Source{Name: "outputs", Inputs: "float32 a, float64 b, int32 c, bool d",
		Outputs: "float64 p, float32 q, int64 r, bool s",
		Body:    "t = a + b; p = t*2; q = d ? a : t; r = c*c - 1; s = t > 0 || d"}, nil)
	for trial := range 60 {
		shape := s.randomShape(800)
		if trial%10 == 0 {
			shape = []int{4000}
		}
		a, b := s.any(dtype.Float32, shape, wild), s.any(dtype.Float64, shape, wild)
		c, d := s.any(dtype.Int32, shape, wild), s.any(dtype.Bool, shape, wild)
		outputs := []*array{s.any(dtype.Float64, shape, tame), s.any(dtype.Float32, shape, tame),
			s.any(dtype.Int64, shape, tame), s.any(dtype.Bool, shape, tame)}
		switch trial % 3 {
		case 1:
			outputs[0], outputs[1], outputs[3] = b, a, d
		case 2:
			outputs[0], outputs[2] = s.any(dtype.Float16, shape, tame), c
		}
		s.check(call{kernel: elementwise, loop: shape, set: s.program(p), outputs: outputs, inputs: []*array{a, b, c, d}}, "trial %d", trial)
	}
}

// testScalars runs one program with different scalars each time.
func testScalars(s *suite) {
	for _, t := range device.ComputeTypes {
		types := map[byte]dtype.DType{'T': t}
		p := s.compile(device.Source{Name: "scalars", Inputs: "T x", Scalars: "T a, T b", Outputs: "T y", Body: "y = x == a ? b : x"}, types)
		for range 6 {
			shape := []int{300}
			x := s.any(t, shape, fromFewValues)
			a, b := fromFewValues(s.Rand, t), wild(s.Rand, t)
			s.check(call{kernel: elementwise, loop: shape, outputs: []*array{s.any(t, shape, tame)}, inputs: []*array{x},
				set: s.program(p, func(l *device.Launch) { l.Scalars[0], l.Scalars[1] = a.scalar(), b.scalar() })}, "%s", t)
		}
	}
	// Launches without input: a fill, and one with as many scalars as possible.
	fill := s.compile(device.Source{Name: "fill", Scalars: "float32 v", Outputs: "float32 y", Body: "y = v"}, nil)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	sum := s.compile(device.Source{Name: "sum", Scalars: "int64 " + strings.Join(names, ", int64 "), Outputs: "int64 y",
		Body: "y = a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h"}, nil)
	for range 20 {
		shape := s.randomShape(500)
		v := wild(s.Rand, dtype.Float32).scalar()
		s.check(call{kernel: elementwise, loop: shape, outputs: []*array{s.any(dtype.Float32, shape, tame)},
			set: s.program(fill, func(l *device.Launch) { l.Scalars[0] = v })}, "fill")
		values := [device.MaxScalars]device.Scalar{}
		for k := range values {
			values[k].Int = s.Int64()
		}
		s.check(call{kernel: elementwise, loop: shape, outputs: []*array{s.any(dtype.Int64, shape, tame)},
			set: s.program(sum, func(l *device.Launch) { l.Scalars = values })}, "eight scalars")
	}
}

func (n number) scalar() device.Scalar {
	return device.Scalar{Re: real(n.z), Im: imag(n.z), Int: n.int}
}

// testPosition checks that i counts the points in row-major order, in every layout.
func testPosition(s *suite) {
	p := s.compile(device.Source{Name: "position", Inputs: "int64 x", Outputs: "int64 y, float32 z",
		Body: "y = i*1000000 + n + x; z = i % 7"}, nil)
	for trial := range 40 {
		shape := s.randomShape(1000)
		if trial < 3 {
			shape = []int{9000, 1, 2}[:1+trial]
		}
		s.check(call{kernel: elementwise, loop: shape, set: s.program(p),
			outputs: []*array{s.any(dtype.Int64, shape, tame), s.any(dtype.Float32, shape, tame)},
			inputs:  []*array{s.input(dtype.Int64, shape, tame)}}, "trial %d", trial)
	}
}

// testRaw reads raw operands by index. An index outside the operand reads 0.
func testRaw(s *suite) {
	for _, t := range device.ComputeTypes {
		types := map[byte]dtype.DType{'T': t}
		p := s.compile(device.Source{Name: "raw", Inputs: "raw T x, int64 k, raw int16 j", Outputs: "T y, T z",
			Body: "y = x[k]; z = i % 2 == 0 ? x[n - i] : x[j[i]]"}, types)
		for _, storage := range []dtype.DType{t, dtype.Float16} {
			for trial := range 4 {
				shape := s.randomShape(300)
				if trial == 0 {
					shape = []int{2500}
				}
				x := s.raw(s.dense(storage, []int{s.IntN(60)}, wild), len(shape))
				s.check(call{kernel: elementwise, loop: shape, set: s.program(p),
					outputs: []*array{s.any(t, shape, tame), s.any(t, shape, tame)},
					inputs: []*array{x, s.input(dtype.Int64, shape, position(len(x.block))),
						s.raw(s.dense(dtype.Int16, []int{200}, tame), len(shape))}}, "%s in %s", t, storage)
			}
		}
	}
}

// raw makes a contiguous array an operand that is read by index, in a loop of the given rank.
func (s *suite) raw(a *array, rank int) *array {
	a.len = a.Size()
	a.loop = make([]int, rank)
	return a
}

// testRegisters runs a program with many live values of all widths.
func testRegisters(s *suite) {
	for _, names := range [][3]string{{"int32", "int64", "int16"}, {"float32", "float64", "uint8"}, {"float64", "int8", "float32"}} {
		var body strings.Builder
		for k := range 40 {
			fmt.Fprintf(&body, "t%d = %s(x) + %d; u%d = %s(x) * %d; v%d = %s(x) - %d;\n", k, names[0], k, k, names[1], k, k, names[2], k)
		}
		body.WriteString("y = 0;")
		for k := range 40 {
			fmt.Fprintf(&body, "y = y*3 + (t%d < %d ? u%d : v%d);\n", k, k*7-9, 39-k, (k*11)%40)
		}
		p := s.compile(device.Source{Name: "registers", Inputs: "int32 x", Outputs: "int64 y", Body: body.String()}, nil)
		for _, n := range []int{1, 1500} {
			shape := []int{n}
			s.check(call{kernel: elementwise, loop: shape, set: s.program(p),
				outputs: []*array{s.any(dtype.Int64, shape, tame)}, inputs: []*array{s.input(dtype.Int32, shape, tame)}}, "%v", names)
		}
	}
}
