package compliance

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var parts = []device.Part{device.PartOutput, device.PartInput, device.PartWeight}

func testConvolve(s *suite) {
	s.run("Types", func(s *suite) {
		for _, t := range types {
			for _, part := range parts {
				for trial := range 4 {
					s.convolve([3]dtype.DType{t, t, t}, part, s.sliding(1+trial%2))
				}
			}
		}
	})
	s.run("Mixed", func(s *suite) {
		for _, of := range [][3]dtype.DType{
			{dtype.Int32, dtype.Int8, dtype.Uint8}, {dtype.Int8, dtype.Int32, dtype.Int64}, {dtype.Bool, dtype.Int16, dtype.Float32},
			{dtype.Float32, dtype.Float16, dtype.BFloat16}, {dtype.Float16, dtype.Float32, dtype.Float32},
			{dtype.Float64, dtype.Float32, dtype.Int32}, {dtype.Complex64, dtype.Float32, dtype.Complex128},
		} {
			for _, part := range parts {
				s.convolve(of, part, s.sliding(2))
			}
		}
	})
	s.run("Integers", func(s *suite) {
		narrow := []dtype.DType{dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Uint16, dtype.Int32}
		for trial := range 24 {
			c := s.sliding(1 + trial%2)
			c.m, c.c, c.fill = 1+s.IntN(12), 1+s.IntN(12), wild
			wide := [...]dtype.DType{dtype.Int32, dtype.Int32, dtype.Uint32, dtype.Int64, dtype.Int8}[trial%5]
			s.convolve([3]dtype.DType{wide, narrow[s.IntN(len(narrow))], narrow[s.IntN(len(narrow))]}, parts[max(trial%5-2, 0)], c)
		}
	})
	s.run("Shapes", func(s *suite) {
		for trial := range 240 {
			t := [...]dtype.DType{dtype.Float32, dtype.Float64, dtype.Int32, dtype.Float16}[trial%4]
			s.convolve([3]dtype.DType{t, t, t}, parts[trial%3], s.sliding(1+trial/3%3))
		}
	})
	s.run("Pointwise", func(s *suite) {
		for trial := range 12 {
			c := sliding{n: 2, g: 1 + trial%2, m: 5, c: 3, size: []int{4, 6}, positions: []int{4, 6}, taps: []int{1, 1}}
			c.window = device.Window{Rank: 2, Size: [3]int{4, 6}, Stride: [3]int{1, 1}, Dilation: [3]int{1, 1}}
			s.convolve([3]dtype.DType{dtype.Float32, dtype.Float32, dtype.Float32}, parts[trial%3], c)
		}
	})
	s.run("Padding", func(s *suite) {
		c := sliding{n: 1, g: 1, m: 2, c: 2, size: []int{2}, positions: []int{9}, taps: []int{3}}
		c.window = device.Window{Rank: 1, Size: [3]int{2}, Stride: [3]int{1}, Dilation: [3]int{2}, Before: [3]int{5}}
		for _, part := range parts {
			s.convolve([3]dtype.DType{dtype.Float64, dtype.Float64, dtype.Float64}, part, c)
		}
	})
	s.run("Large", func(s *suite) {
		for _, c := range []sliding{
			{n: 2, g: 1, m: 20, c: 6, size: []int{21, 22}, positions: []int{21, 22}, taps: []int{3, 3}},
			{n: 1, g: 8, m: 1, c: 1, size: []int{30, 31}, positions: []int{15, 16}, taps: []int{3, 3}},
			{n: 3, g: 1, m: 5, c: 40, size: []int{50}, positions: []int{48}, taps: []int{5}},
		} {
			c.window = device.Window{Rank: len(c.size), Stride: [3]int{1, 1, 1}, Dilation: [3]int{1, 1, 1}, Before: [3]int{1, 1, 1}}
			copy(c.window.Size[:], c.size)
			if c.g > 1 {
				c.window.Stride = [3]int{2, 2, 2}
			}
			for _, part := range parts {
				for _, t := range []dtype.DType{dtype.Float32, dtype.BFloat16} {
					s.convolve([3]dtype.DType{t, t, t}, part, c)
				}
			}
		}
	})
	s.run("Widths", func(s *suite) {
		for width := 1; width <= 70; width++ {
			c := sliding{n: 1 + width%2, g: 1 + width%3/2, m: 1 + width%4, c: 1 + width%3, size: []int{1 + width%4, width}, taps: []int{1 + width%2, 3}}
			c.window = device.Window{Rank: 2, Stride: [3]int{1, 1 + width%5/4}, Dilation: [3]int{1, 1}, Before: [3]int{0, width % 3}}
			s.convolveAll([]dtype.DType{dtype.Float32, dtype.Float64}[width%2], c.fitted())
		}
	})
	s.run("Channels", func(s *suite) {
		for k, channels := range []int{7, 8, 9, 15, 16, 17, 24, 31, 33, 47, 48, 49, 65} {
			for turned := range 2 {
				c := sliding{n: 1 + k%2, g: 1, m: channels, c: 1 + k%3, size: []int{3, 5}, taps: []int{2, 3}}
				if turned == 1 {
					c.m, c.c = c.c, c.m
				}
				c.window = device.Window{Rank: 2, Stride: [3]int{1, 1 + k%2}, Dilation: [3]int{1, 1}, Before: [3]int{1, 1}}
				s.convolveAll([]dtype.DType{dtype.Float32, dtype.Float64}[k%2], c.fitted())
			}
		}
	})
	s.run("Windows", func(s *suite) {
		one := [3]int{1, 1, 1}
		for k, c := range []sliding{
			{n: 0, g: 1, m: 20, c: 3, size: []int{9}, taps: []int{3}, window: device.Window{Stride: one, Dilation: one}},
			{n: 2, g: 1, m: 20, c: 3, size: []int{1, 1}, taps: []int{1, 1}, window: device.Window{Stride: one, Dilation: one}},
			{n: 9, g: 1, m: 18, c: 4, size: []int{1, 1}, taps: []int{3, 3}, window: device.Window{Stride: one, Dilation: one, Before: one}},
			{n: 2, g: 1, m: 17, c: 3, size: []int{5, 4}, taps: []int{2, 2}, window: device.Window{Stride: one, Dilation: one, Before: [3]int{4, 5}}},
			{n: 2, g: 1, m: 5, c: 3, size: []int{20, 23}, taps: []int{2, 2}, window: device.Window{Stride: [3]int{4, 5}, Dilation: one}},
			{n: 1, g: 2, m: 9, c: 3, size: []int{15, 40}, taps: []int{3, 3}, window: device.Window{Stride: [3]int{2, 1}, Dilation: [3]int{2, 3}, Before: [3]int{2, 3}}},
			{n: 1, g: 20, m: 1, c: 1, size: []int{17, 19}, taps: []int{3, 3}, window: device.Window{Stride: one, Dilation: one, Before: one}},
			{n: 2, g: 12, m: 2, c: 1, size: []int{13, 14}, taps: []int{3, 3}, window: device.Window{Stride: [3]int{2, 2}, Dilation: one, Before: one}},
			{n: 1, g: 1, m: 18, c: 2, size: []int{300}, taps: []int{9}, window: device.Window{Stride: [3]int{3}, Dilation: one, Before: [3]int{4}}},
			{n: 1, g: 1, m: 3, c: 2, size: []int{1200}, taps: []int{5}, window: device.Window{Stride: one, Dilation: [3]int{7}, Before: [3]int{14}}},
			{n: 1, g: 1, m: 17, c: 2, size: []int{5, 6, 7}, taps: []int{3, 2, 3}, window: device.Window{Stride: one, Dilation: one, Before: one}},
			{n: 2, g: 1, m: 4, c: 2, size: []int{6, 9, 20}, taps: []int{2, 3, 2}, window: device.Window{Stride: [3]int{2, 1, 2}, Dilation: [3]int{1, 2, 1}, Before: one}},
			{n: 1, g: 1, m: 16, c: 40, size: []int{12, 12}, taps: []int{1, 1}, window: device.Window{Stride: one, Dilation: one}},
			{n: 1, g: 1, m: 8, c: 7, size: []int{6, 100}, taps: []int{1, 1}, window: device.Window{Stride: [3]int{1, 2}, Dilation: one}},
		} {
			c.window.Rank = len(c.size)
			c = c.fitted()
			s.convolveAll([]dtype.DType{dtype.Float32, dtype.Float64}[k%2], c)
			if c.products() < 60_000 {
				c.fill = someNotFinite
				s.convolveAll([]dtype.DType{dtype.Float32, dtype.Float64}[k%2], c)
			}
		}
	})
	s.run("NotFinite", func(s *suite) { // padding contributes zeros, and only these
		for trial := range 120 {
			c := s.sliding(1 + trial%2)
			c.fill = someNotFinite
			s.convolveAll([]dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16, dtype.BFloat16}[trial%4], c)
		}
	})
}

// someNotFinite is tame with a few infinities and NaNs.
func someNotFinite(r *rand.Rand, dt dtype.DType) number {
	if r.IntN(12) > 0 {
		return tame(r, dt)
	}
	return floatNumber([]float64{math.Inf(1), math.Inf(-1), math.NaN()}[r.IntN(3)])
}

// fitted adds the number of positions of the window if the padding is the same at both ends.
func (c sliding) fitted() sliding {
	copy(c.window.Size[:], c.size)
	for axis, size := range c.size {
		room := size + 2*c.window.Before[axis] - c.window.Dilation[axis]*(c.taps[axis]-1) - 1
		c.positions = append(c.positions, max(0, room/c.window.Stride[axis]+1))
	}
	return c
}

// products is the number of multiplications in each part, including those with padding.
func (c sliding) products() int {
	return c.n * c.g * c.m * c.c * broadcast.Size(c.positions) * broadcast.Size(c.taps)
}

// convolveAll checks all parts of a convolution.
func (s *suite) convolveAll(t dtype.DType, c sliding) {
	s.Helper()
	for _, part := range parts {
		s.convolve([3]dtype.DType{t, t, t}, part, c)
	}
}

// sliding is the shape of a convolution.
type sliding struct {
	window                device.Window
	n, g, m, c            int
	size, positions, taps []int
	fill                  filling // nil means tame
}

// sliding draws a shape. Lengths may be 0, and there may be fewer or more positions than fitted computes.
func (s *suite) sliding(rank int) sliding {
	c := sliding{n: s.IntN(4), g: 1 + s.IntN(3), m: s.IntN(6), c: s.IntN(4)}
	if s.IntN(4) != 0 {
		c.n, c.m, c.c = 1+s.IntN(3), 1+s.IntN(5), 1+s.IntN(3)
	}
	c.n, c.g, c.m, c.c = s.length(c.n), s.length(c.g), s.length(c.m), s.length(c.c)
	c.window.Rank = rank
	for axis := range rank {
		c.window.Size[axis] = s.length(s.IntN(8))
		c.window.Stride[axis] = 1 + s.IntN(3)
		c.window.Dilation[axis] = 1 + s.IntN(3)
		c.window.Before[axis] = s.IntN(4)
		c.size = append(c.size, c.window.Size[axis])
		c.taps = append(c.taps, s.length(1+s.IntN(3)))
		c.positions = append(c.positions, s.length(s.IntN(7)))
	}
	return c
}

// convolve checks one part of a convolution with operands in random layouts. The types are those of the operands, in
// order.
func (s *suite) convolve(of [3]dtype.DType, part device.Part, c sliding) {
	s.Helper()
	fill := c.fill
	if fill == nil {
		fill = tame
	}
	r := c.window.Rank
	loop := slices.Concat([]int{c.n, c.g, c.m}, c.positions, []int{c.c}, c.taps)
	shapes := [3][]int{
		slices.Concat([]int{c.n, c.g, c.m}, c.positions),
		slices.Concat([]int{c.n, c.g, c.c}, c.size),
		slices.Concat([]int{c.g, c.m, c.c}, c.taps),
	}
	order := [3][3]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}}[part]
	var operands [3]*array
	for k, which := range order {
		var a *array
		if k == 0 {
			a = s.any(of[k], shapes[which], tame)
		} else {
			a = s.input(of[k], shapes[which], fill)
		}
		a.loop = make([]int, len(loop))
		switch own := a.Strides; which {
		case 0:
			copy(a.loop, own)
		case 1:
			a.loop[0], a.loop[1], a.loop[3+r] = own[0], own[1], own[2]
			for axis := range r {
				a.loop[3+axis] = own[3+axis] * c.window.Stride[axis]
				a.loop[4+r+axis] = own[3+axis] * c.window.Dilation[axis]
			}
		case 2:
			a.loop[1], a.loop[2], a.loop[3+r] = own[0], own[1], own[2]
			copy(a.loop[4+r:], own[3:])
		}
		operands[k] = a
	}
	inputs := operands[1:]
	if part != device.PartWeight && s.IntN(3) == 0 { // a bias
		rows, axis := c.m, 2
		if part == device.PartInput {
			rows, axis = c.c, 3+r
		}
		bias := s.input(of[0], []int{c.g, rows}, tame)
		bias.loop = make([]int, len(loop))
		bias.loop[1], bias.loop[axis] = bias.Strides[0], bias.Strides[1]
		inputs = append(inputs[:2:2], bias)
	}
	var post *device.Program
	if part == device.PartOutput {
		post = s.post(of[0])
	}
	run := call{kernel: device.Device.Convolve, loop: loop, outputs: operands[:1], inputs: inputs, set: func(l *device.Launch) {
		l.Window, l.Part, l.Post = c.window, part, post
	}}
	if part == device.PartInput { // the naive loop is over the input, not over the positions
		run.work = 1 + broadcast.Size(c.size)/max(1, broadcast.Size(c.positions))
	}
	if of[0].IsInexact() {
		terms := broadcast.Size(loop) / max(1, broadcast.Size(shapes[order[0]])) * 4
		sizes, eps := s.scale(run), epsilon(of[0])
		run.close = within(func(k int) float64 { return eps * (8 + math.Sqrt(float64(terms))) * sizes[k] })
	}
	s.check(run, "part %d of %v: %+v", part, of, c)
}
