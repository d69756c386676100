package main

import "slices"

// source is a lane of a register.
type source struct{ v, lane int }

// patterns are the permutations of lanes that one instruction does; lanes from the second register have the number of
// lanes added.
var patterns = map[int][]struct {
	name, shape string
	lanes       []int
}{
	4: {{"zip1", "4s", []int{0, 4, 1, 5}}, {"zip2", "4s", []int{2, 6, 3, 7}}, {"uzp1", "4s", []int{0, 2, 4, 6}}, {"uzp2", "4s", []int{1, 3, 5, 7}},
		{"trn1", "4s", []int{0, 4, 2, 6}}, {"trn2", "4s", []int{1, 5, 3, 7}}, {"zip1", "2d", []int{0, 1, 4, 5}}, {"zip2", "2d", []int{2, 3, 6, 7}}},
	8: {{"zip1", "2d", []int{0, 2}}, {"zip2", "2d", []int{1, 3}}},
}

// gather sets the lanes of dst, of a size in bytes.
func (t *translator) gather(dst, bytes int, from []source) {
	n := len(from)
	if slices.Equal(from, t.inOrder(from[0].v, n)) {
		t.move(from[0].v, dst)
		return
	}
	shape, letter := splatShapes[bytes], letters[bytes]
	if !slices.ContainsFunc(from, func(s source) bool { return s != from[0] }) {
		t.v("dup v%d.%s, v%d.%s[%d]", dst, shape, from[0].v, letter, from[0].lane)
		return
	}
	if bytes == 4 && slices.Equal(from, []source{{from[0].v, 1}, {from[0].v, 0}, {from[0].v, 3}, {from[0].v, 2}}) {
		t.v("rev64 v%d.4s, v%d.4s", dst, from[0].v)
		return
	}
	var registers []int
	for _, s := range from {
		if !slices.Contains(registers, s.v) {
			registers = append(registers, s.v)
		}
	}
	if len(registers) <= 2 {
		for _, a := range registers {
			for _, b := range registers {
				for _, p := range patterns[bytes] {
					if slices.Equal(from, lanesOf(a, b, p.lanes, n)) {
						t.v("%s v%d.%s, v%d.%s, v%d.%s", p.name, dst, p.shape, a, p.shape, b, p.shape)
						return
					}
				}
				for by := 1; by < n; by++ {
					lanes := make([]int, n)
					for i := range lanes {
						lanes[i] = by + i
					}
					if slices.Equal(from, lanesOf(a, b, lanes, n)) {
						t.v("ext v%d.16b, v%d.16b, v%d.16b, #%d", dst, a, b, by*bytes)
						return
					}
				}
			}
		}
	}
	s := t.scratch()
	for i, x := range from {
		t.v("ins v%d.%s[%d], v%d.%s[%d]", s, letter, i, x.v, letter, x.lane)
	}
	t.move(s, dst)
	t.done(s)
}

func (t *translator) inOrder(v, n int) (from []source) {
	for i := range n {
		from = append(from, source{v, i})
	}
	return from
}

func lanesOf(a, b int, lanes []int, n int) (from []source) {
	for _, l := range lanes {
		if l < n {
			from = append(from, source{a, l})
		} else {
			from = append(from, source{b, l - n})
		}
	}
	return from
}

// gatherAll sets all lanes of the destination. Its registers may be sources.
func (t *translator) gatherAll(dst []int, bytes int, from [][]source) {
	if len(dst) == 2 && slices.ContainsFunc(from[1], func(s source) bool { return s.v == dst[0] }) {
		s := t.scratch()
		t.gather(s, bytes, from[0])
		t.gather(dst[1], bytes, from[1])
		t.move(s, dst[0])
		return
	}
	for h, v := range dst {
		t.gather(v, bytes, from[h])
	}
}

func permutations() {
	// within makes the rule of a permutation within each 128 bits, of lanes of some bytes. lanes returns those of the
	// destination, for the control and the number of the half; those of the second source come first.
	within := func(name string, bytes int, lanes func(control, half int) []int) {
		rule(name, func(t *translator) {
			dst, control, operands := t.out(), 0, 0
			if t.args[0].kind == '$' {
				control, operands = t.args[0].n, 1
			}
			var b []int
			a := t.in(operands, len(dst))
			if len(t.args)-operands == 3 {
				b, a = a, t.in(operands+1, len(dst))
			}
			from := make([][]source, len(dst))
			for h := range dst {
				second := a[h]
				if b != nil {
					second = b[h]
				}
				from[h] = lanesOf(a[h], second, lanes(control, h), 16/bytes)
			}
			t.gatherAll(dst, bytes, from)
		})
	}
	two := func(c, i int) int { return c >> (2 * i) & 3 }
	within("VPERMILPS VPSHUFD", 4, func(c, _ int) []int { return []int{two(c, 0), two(c, 1), two(c, 2), two(c, 3)} })
	within("VPERMILPD", 8, func(c, half int) []int { return []int{c >> (2 * half) & 1, c >> (2*half + 1) & 1} })
	within("VSHUFPS", 4, func(c, _ int) []int { return []int{two(c, 0), two(c, 1), 4 + two(c, 2), 4 + two(c, 3)} })
	within("VSHUFPD", 8, func(c, half int) []int { return []int{c >> (2 * half) & 1, 2 + c>>(2*half+1)&1} })
	within("VPBLENDD VBLENDPS", 4, func(c, half int) (l []int) {
		for i := range 4 {
			l = append(l, i+4*(c>>(4*half+i)&1))
		}
		return l
	})
	within("VBLENDPD", 8, func(c, half int) (l []int) {
		for i := range 2 {
			l = append(l, i+2*(c>>(2*half+i)&1))
		}
		return l
	})
	within("VUNPCKLPS VPUNPCKLDQ", 4, func(_, _ int) []int { return []int{0, 4, 1, 5} })
	within("VUNPCKHPS VPUNPCKHDQ", 4, func(_, _ int) []int { return []int{2, 6, 3, 7} })
	within("VUNPCKLPD VPUNPCKLQDQ", 8, func(_, _ int) []int { return []int{0, 2} })
	within("VUNPCKHPD VPUNPCKHQDQ", 8, func(_, _ int) []int { return []int{1, 3} })
	for x86, arm := range map[string][2]string{"VPUNPCKLBW": {"zip1", "16b"}, "VPUNPCKHBW": {"zip2", "16b"}, "VPUNPCKLWD": {"zip1", "8h"}, "VPUNPCKHWD": {"zip2", "8h"}} {
		rule(x86, func(t *translator) {
			t.each(func(r []int) { t.v("%s v%d.%s, v%d.%s, v%d.%s", arm[0], r[2], arm[1], r[1], arm[1], r[0], arm[1]) })
		})
	}
	rule("VPERMPD VPERMQ", func(t *translator) {
		dst, a, control := t.out(), t.in(1, 2), t.args[0].n
		from := make([][]source, 2)
		for i := range 4 {
			l := two(control, i)
			from[i/2] = append(from[i/2], source{a[l/2], l % 2})
		}
		t.gatherAll(dst, 8, from)
	})
	rule("VPERMPS VPERMD", func(t *translator) { // by the lanes of the second source
		dst, a, index := t.out(), t.args[0].halves(), t.in(1, 2)
		if a == nil { // the registers of a table follow each other
			a = t.scratchPair()
			t.loadTo(t.args[0].memory, a)
		}
		factor, bytes := t.scratch(), t.scratch()
		t.constant([]byte{4, 4, 4, 4}, factor)
		t.constant([]byte{0, 1, 2, 3}, bytes)
		results := []int{t.scratch(), t.scratch()}
		for h := range dst {
			s := results[h]
			t.v("mul v%d.4s, v%d.4s, v%d.4s", s, index[h], factor)
			t.v("add v%d.16b, v%d.16b, v%d.16b", s, s, bytes)
			t.v("tbl v%d.16b, {v%d.16b, v%d.16b}, v%d.16b", s, a[0], a[1], s)
		}
		for h := range dst {
			t.move(results[h], dst[h])
		}
	})
	rule("VPSRLDQ", func(t *translator) { t.shiftBytes(func(r, zero int) (int, int, int) { return r, zero, t.args[0].n }) })
	rule("VPSLLDQ", func(t *translator) {
		t.shiftBytes(func(r, zero int) (int, int, int) { return zero, r, 16 - t.args[0].n })
	})
}

// shiftBytes shifts the bytes of each 128 bits: operands returns the low and the high source and the first byte.
func (t *translator) shiftBytes(operands func(r, zero int) (low, high, at int)) {
	z := t.scratch()
	t.zero(z)
	t.each(func(r []int) {
		low, high, at := operands(r[0], z)
		t.v("ext v%d.16b, v%d.16b, v%d.16b, #%d", r[1], low, high, at)
	})
}
