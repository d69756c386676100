package compliance

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func testMatMul(s *suite) {
	s.run("Types", func(s *suite) {
		for _, t := range types {
			for _, shape := range [][3]int{{3, 4, 5}, {1, 1, 1}, {17, 9, 33}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 40, 8}, {40, 1, 8}} {
				s.matmul(t, t, t, nil, shape)
			}
		}
	})
	s.run("Mixed", func(s *suite) {
		for _, of := range [][3]dtype.DType{
			{dtype.Int32, dtype.Int8, dtype.Int8}, {dtype.Int32, dtype.Uint8, dtype.Int8}, {dtype.Int64, dtype.Int32, dtype.Int16},
			{dtype.Float32, dtype.Float16, dtype.Float16}, {dtype.Float32, dtype.BFloat16, dtype.Float32},
			{dtype.Float64, dtype.Float32, dtype.Float64}, {dtype.Float16, dtype.Float32, dtype.Float32},
			{dtype.Complex64, dtype.Float32, dtype.Complex64}, {dtype.Complex128, dtype.Complex64, dtype.Float64},
		} {
			s.matmul(of[0], of[1], of[2], nil, [3]int{6, 7, 20})
			s.matmul(of[0], of[1], of[2], []int{2}, [3]int{5, 3, 9})
		}
	})
	s.run("Integers", func(s *suite) {
		for trial := range 60 {
			s.multiplyIntegers([3]int{1 + s.IntN(40), 1 + s.IntN(50), 1 + s.IntN(40)}, trial%6 == 0)
		}
		for _, of := range [][3]dtype.DType{
			{dtype.Int32, dtype.Int8, dtype.Int8}, {dtype.Int32, dtype.Uint8, dtype.Int8}, {dtype.Int32, dtype.Int8, dtype.Uint8},
			{dtype.Uint32, dtype.Uint8, dtype.Uint8}, {dtype.Int64, dtype.Uint8, dtype.Uint8}, {dtype.Int32, dtype.Int16, dtype.Int16},
			{dtype.Int32, dtype.Uint16, dtype.Int16}, {dtype.Bool, dtype.Bool, dtype.Bool}, {dtype.Int64, dtype.Int64, dtype.Int64},
		} {
			for _, shape := range [][3]int{{1, 45, 301}, {45, 1, 301}, {1, 1, 999}, {3, 34, 402}, {40, 3, 257}, {33, 65, 4}} {
				s.matmul(of[0], of[1], of[2], nil, shape)
			}
		}
		s.matmul(dtype.Int64, dtype.Uint8, dtype.Uint8, nil, [3]int{2, 3, 33_100}) // the sums exceed 32 bits
	})
	s.run("Shapes", func(s *suite) {
		for trial := range 80 {
			t := [...]dtype.DType{dtype.Float32, dtype.Float64, dtype.Int32, dtype.Float16, dtype.Complex64}[trial%5]
			var batch []int
			for range s.IntN(4) {
				batch = append(batch, s.IntN(4))
			}
			s.matmul(t, t, t, batch, [3]int{s.IntN(12), s.IntN(12), s.IntN(12)})
		}
	})
	s.run("Large", func(s *suite) {
		for _, shape := range [][3]int{{200, 20, 30}, {7, 300, 20}, {5, 9, 700}, {1, 150, 100}, {150, 1, 100}, {1, 2, 20_000}, {64, 64, 32}} {
			for _, t := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.BFloat16} {
				s.matmul(t, t, t, nil, shape)
			}
		}
		s.matmul(dtype.Complex64, dtype.Complex64, dtype.Complex64, nil, [3]int{20, 31, 42})
		s.matmul(dtype.Complex128, dtype.Complex128, dtype.Complex128, nil, [3]int{20, 31, 42})
		s.matmul(dtype.Float32, dtype.Float32, dtype.Float32, []int{40}, [3]int{5, 6, 7})
		for _, shape := range [][3]int{{70, 40, 1100}, {30, 530, 40}, {3, 700, 90}, {20, 3, 600}, {40, 4, 90}} {
			s.matmul(dtype.Float32, dtype.Float32, dtype.Float32, nil, shape)
			s.matmul(dtype.Float64, dtype.Float64, dtype.Float64, nil, shape)
		}
	})
	s.run("Added", func(s *suite) {
		for _, t := range types {
			for _, shape := range [][3]int{{3, 4, 5}, {17, 9, 33}, {3, 2, 0}, {1, 40, 8}, {40, 1, 8}, {1, 1, 6}} {
				s.matmul(t, t, t, nil, shape, t)
				s.matmul(t, t, t, []int{3}, shape, t)
			}
		}
		s.matmul(dtype.Float32, dtype.Float32, dtype.Float32, nil, [3]int{20, 30, 600}, dtype.Float32)
		s.matmul(dtype.Float32, dtype.Float32, dtype.Float32, []int{2}, [3]int{20, 30, 40}, dtype.Float64)
		s.matmul(dtype.Float16, dtype.Float32, dtype.Float16, nil, [3]int{20, 30, 40}, dtype.Int8)
	})
}

// multiplyIntegers checks a product of integers or bools with operands of all such types. With added, something is
// added to the sums.
func (s *suite) multiplyIntegers(mnk [3]int, added bool) {
	s.Helper()
	draw := func() dtype.DType {
		if s.decide() {
			return [...]dtype.DType{dtype.Int8, dtype.Uint8}[s.IntN(2)]
		}
		return integerTypes[s.IntN(len(integerTypes))]
	}
	c, a, b := draw(), draw(), draw()
	if c.Size() == 1 && s.decide() {
		c = dtype.Int32
	}
	var batch []int
	if s.decide() {
		batch = []int{s.length(s.IntN(3))}
	}
	if added {
		s.matmul(c, a, b, batch, mnk, draw())
		return
	}
	s.matmul(c, a, b, batch, mnk)
}

// post returns a function of sums of floats, or nil.
func (s *suite) post(of dtype.DType) *device.Program {
	if !of.IsFloat() || s.IntN(3) != 0 {
		return nil
	}
	body := [...]string{"min(max(x, 0), 6)", "x < 0 ? x*0.25 : x", "tanh(x)"}[s.IntN(3)] // no slope is above 1
	return s.compile(device.Source{Name: "post", Inputs: "T x", Outputs: "T y", Body: "y = " + body}, map[byte]dtype.DType{'T': of})
}

var integerTypes = []dtype.DType{dtype.Bool, dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Uint16, dtype.Int32, dtype.Uint32, dtype.Int64, dtype.Uint64}

// matmul checks a matrix product in random layouts that vary along some of the batch axes only. With one more dtype, an
// array is added, which may broadcast along rows or columns.
func (s *suite) matmul(c, a, b dtype.DType, batch []int, mnk [3]int, d ...dtype.DType) {
	s.Helper()
	rank := len(batch) + 3
	loop := append(append([]int(nil), batch...), mnk[:]...)
	operand := func(dt dtype.DType, without ...int) *array {
		vary := all(rank)
		for k := range batch {
			vary[k] = s.IntN(4) != 0
		}
		for _, axis := range without {
			vary[axis] = false
		}
		if dt.IsInteger() {
			return s.strided(dt, loop, vary, wild)
		}
		return s.strided(dt, loop, vary, tame)
	}
	y := s.any(c, loop[:rank-1], tame)
	y.loop = append(append([]int(nil), y.Strides...), 0)
	post := s.post(c)
	run := call{kernel: device.Device.MatMul, loop: loop, outputs: []*array{y}, inputs: []*array{operand(a, rank-2), operand(b, rank-3)},
		set: func(l *device.Launch) { l.Post = post }}
	for _, dt := range d {
		without := []int{rank - 1}
		for _, axis := range []int{rank - 3, rank - 2} {
			if s.IntN(3) == 0 {
				without = append(without, axis)
			}
		}
		run.inputs = append(run.inputs, operand(dt, without...))
	}
	if c.IsInexact() {
		sizes, eps := s.scale(run), epsilon(c)
		run.close = within(func(k int) float64 { return eps * (8 + math.Sqrt(float64(mnk[2]))) * sizes[k] })
	}
	s.check(run, "%s = %s·%s, %v %v", c, a, b, batch, mnk)
}
