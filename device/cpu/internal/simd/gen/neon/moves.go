package main

import "fmt"

func init() {
	rule("VMOVUPS VMOVUPD VMOVAPS VMOVAPD VMOVDQU VMOVDQA VMOVNTPS VMOVNTPD", func(t *translator) {
		from, to := t.args[0], t.args[1]
		switch {
		case to.kind == 'm':
			t.whole(false, to.memory, from.halves())
		case from.kind == 'm':
			t.loadTo(from.memory, t.out())
		default:
			for h, v := range to.halves() {
				t.move(from.halves()[h], v)
			}
		}
	})
	rule("VMOVSS VMOVD MOVSS", func(t *translator) { t.moveScalar(4) })
	rule("VMOVSD VMOVQ MOVSD", func(t *translator) { t.moveScalar(8) })
	for letter, bytes := range map[string]int{"SS": 4, "SD": 8} {
		rule("VBROADCAST"+letter, func(t *translator) { t.splat(bytes) })
	}
	for letter, bytes := range map[string]int{"B": 1, "W": 2, "D": 4, "Q": 8} {
		rule("VPBROADCAST"+letter, func(t *translator) { t.splat(bytes) })
	}
	rule("VMOVDDUP", func(t *translator) {
		t.each(func(r []int) { t.v("dup v%d.2d, v%d.d[0]", r[1], r[0]) })
	})
	rule("VBROADCASTF128 VBROADCASTI128", func(t *translator) {
		dst := t.out()
		t.loadTo(t.args[0].memory, dst[:1])
		t.move(dst[0], dst[1])
	})
	rule("VEXTRACTF128 VEXTRACTI128", func(t *translator) {
		from := t.args[1].halves()[t.args[0].n]
		if to := t.args[2]; to.kind == 'm' {
			t.whole(false, to.memory, []int{from})
		} else {
			t.move(from, t.out()[0])
		}
	})
	rule("VINSERTF128 VINSERTI128", func(t *translator) { // half, a, b
		at, dst, b := t.args[0].n, t.out(), t.in(2, 2)
		if a := t.args[1]; a.kind == 'm' {
			t.move(b[1-at], dst[1-at])
			t.loadTo(a.memory, dst[at:at+1])
			return
		}
		a := t.args[1].halves()[0]
		if dst[1-at] == a && b[1-at] != a { // the move below would overwrite a
			t.move(a, dst[at])
			t.move(b[1-at], dst[1-at])
			return
		}
		t.move(b[1-at], dst[1-at])
		t.move(a, dst[at])
	})
	rule("VPERM2F128 VPERM2I128", func(t *translator) { // the control, a, b: halves 0 and 1 are b's
		dst, a, b := t.out(), t.in(1, 2), t.in(2, 2)
		all := []int{b[0], b[1], a[0], a[1]}
		control := t.args[0].n
		from := [2]int{}
		for h := range 2 {
			from[h] = all[control>>(4*h)&3]
			if control>>(4*h)&8 != 0 {
				t.fail("a half is cleared")
			}
		}
		t.moveTwo(from, dst)
	})
	permutations()
	masked()
	gathers()
}

// moveTwo moves two registers at once.
func (t *translator) moveTwo(from [2]int, to []int) {
	switch {
	case from[1] != to[0]:
		t.move(from[0], to[0])
		t.move(from[1], to[1])
	case from[0] != to[1]:
		t.move(from[1], to[1])
		t.move(from[0], to[0])
	default:
		s := t.scratch()
		t.move(from[0], s)
		t.move(from[1], to[1])
		t.move(s, to[0])
	}
}

// moveScalar moves the lowest bytes of a vector, which clears the others.
func (t *translator) moveScalar(bytes int) {
	from, to := t.args[0], t.args[len(t.args)-1]
	letter, wide := letters[bytes], map[int]string{4: "w", 8: "x"}[bytes]
	switch {
	case len(t.args) != 2:
		t.fail("three operands")
	case to.kind == 'm' && to.memory.argument:
		r := t.value()
		t.v("fmov %s%d, %s%d", wide, r, letter, from.halves()[0])
		t.g("%s R%d, %s", stores[bytes == 8], r, t.memoryText(to.memory))
	case to.kind == 'm':
		t.transfer(false, to.memory, bytes, from.halves()[0])
	case from.kind == 'm' && from.memory.argument:
		r := t.value()
		t.g("%s %s, R%d", loads[bytes == 8], t.memoryText(from.memory), r)
		t.v("fmov %s%d, %s%d", letter, t.out()[0], wide, r)
	case from.kind == 'm':
		t.transfer(true, from.memory, bytes, t.out()[0])
	case from.kind == 'r':
		t.v("fmov %s%d, %s%d", letter, t.out()[0], wide, from.n)
	case to.kind == 'r':
		t.v("fmov %s%d, %s%d", wide, to.n, letter, from.halves()[0])
	default: // the other bytes become 0
		s := t.scratch()
		t.zero(s)
		t.v("ins v%d.%s[0], v%d.%s[0]", s, letter, from.halves()[0], letter)
		t.move(s, t.out()[0])
	}
}

var splatShapes = map[int]string{1: "16b", 2: "8h", 4: "4s", 8: "2d"}

// splat fills a vector with one number.
func (t *translator) splat(bytes int) {
	dst, shape, from := t.out(), splatShapes[bytes], t.args[0]
	if t.sharing = t.isShared(); t.sharing {
		dst = dst[:1]
		t.loaded = 1 << dst[0]
	}
	if from.kind == 'x' {
		source := from.halves()[0]
		for h := len(dst) - 1; h >= 0; h-- {
			t.v("dup v%d.%s, v%d.%s[0]", dst[h], shape, source, letters[bytes])
		}
		return
	}
	m := from.memory
	if m.argument {
		r := t.value()
		t.g("%s %s, R%d", loads[bytes == 8], t.memoryText(m), r)
		for _, v := range dst {
			t.v("dup v%d.%s, %s%d", v, shape, map[bool]string{true: "x", false: "w"}[bytes == 8], r)
		}
		return
	}
	if m.name != "" {
		t.splatConstant(m, bytes, dst)
		return
	}
	if bytes >= 4 && t.isFactor() {
		t.transfer(true, m, bytes, dst[0])
		t.sharing, t.loaded = false, 1<<dst[0]
		return
	}
	base, _ := t.near(m, func(d int) bool { return d == 0 })
	for _, v := range dst {
		t.v("ld1r {v%d.%s}, [x%d]", v, shape, base)
	}
}

// splatConstant loads a constant: from the instruction if that can hold it, else from the pool.
func (t *translator) splatConstant(m memory, bytes int, dst []int) {
	d := t.data[symbolName(m.name)]
	if d == nil || m.displ != 0 {
		t.fail("%s is no constant", m.name)
	}
	number := d.bytes[:bytes]
	same := true
	for _, b := range number {
		same = same && b == number[0]
	}
	value, immediate := 0.0, false
	if bytes >= 4 {
		value, immediate = d.splatOf(bytes)
	}
	for _, v := range dst {
		switch {
		case same:
			t.v("movi v%d.16b, #%d", v, number[0])
		case immediate:
			t.v("fmov v%d.%s, #%v", v, splatShapes[bytes], value)
		default:
			t.constant(number, v)
		}
	}
}

// constant loads a constant from the pool.
func (t *translator) constant(number []byte, v int) {
	t.pooled = true
	t.v("ldr q%d, [x%d, #%d]", v, pool, t.constants.offset(number))
}

func symbolName(s string) string { return s[:max(0, len(s)-len("<>"))] }

// constants are vectors of 16 bytes that repeat a number.
type constants struct {
	offsets map[string]int
	bytes   []byte
}

func (c *constants) offset(number []byte) int {
	vector := ""
	for len(vector) < 16 {
		vector += string(number)
	}
	at, ok := c.offsets[vector]
	if !ok {
		at = len(c.bytes)
		c.offsets[vector] = at
		c.bytes = append(c.bytes, vector...)
	}
	return at
}

// masked makes the rules of loads and stores of the lanes whose highest bit in a mask is set. A lane that is not loaded
// becomes 0.
func masked() {
	for letter, c := range map[string]struct{ bytes, lanes int }{"VMASKMOVPS": {4, 4}, "VPMASKMOVD": {4, 4}, "VMASKMOVPD": {8, 2}, "VPMASKMOVQ": {8, 2}} {
		rule(letter, func(t *translator) {
			store := t.args[2].kind == 'm'
			m, mask := t.args[0].memory, t.args[1].halves()
			var data []int
			if store {
				m, data = t.args[2].memory, t.args[0].halves()
			} else {
				data = t.out()
				for h, v := range data { // the mask may be the destination
					if v == mask[h] {
						s := t.scratch()
						t.move(v, s)
						mask[h] = s
					}
				}
				for _, v := range data {
					t.zero(v)
				}
			}
			base, at := t.address(m)
			to, bit := t.value(), t.value()
			if at != 0 {
				t.g("ADD $%d, R%d, R%d", at, base, to)
			} else {
				t.g("MOVD R%d, R%d", base, to)
			}
			name := map[bool]string{true: "st1", false: "ld1"}[store]
			letter := letters[c.bytes]
			for h := range data {
				for i := range c.lanes {
					skip := t.label()
					if c.bytes == 8 {
						t.v("umov x%d, v%d.d[%d]", bit, mask[h], i)
					} else {
						t.v("umov w%d, v%d.s[%d]", bit, mask[h], i)
					}
					t.g("TBZ $%d, R%d, %s", 8*c.bytes-1, bit, skip)
					t.v("%s {v%d.%s}[%d], [x%d]", name, data[h], letter, i, to)
					fmt.Fprintf(&t.text, "\n%s:\n", skip)
					t.g("ADD $%d, R%d, R%d", c.bytes, to, to)
				}
			}
		})
	}
}

// gathers makes the rules of loads at several indices; the mask must have all lanes.
func gathers() {
	gather := func(names string, bytes, lanes int, indexBytes int) {
		rule(names, func(t *translator) {
			m, dst := t.args[1].memory, t.out()
			index := []int{2 * m.index, 2*m.index + 1}
			r := t.value()
			base := m.base
			if m.displ != 0 {
				base = t.value()
				t.g("ADD $%d, R%d, R%d", m.displ, m.base, base)
			}
			results := dst
			if overlap(dst, index) {
				results = []int{t.scratch(), t.scratch()}[:len(dst)]
			}
			for h := range dst {
				for i := range lanes {
					n := h*lanes + i
					if indexBytes == 8 {
						t.v("umov x%d, v%d.d[%d]", r, index[n/2], n%2)
						t.g("ADD R%d<<%d, R%d, R%d", r, log2(m.scale), base, r)
					} else {
						t.v("umov w%d, v%d.s[%d]", r, index[n/4], n%4)
						t.g("ADD R%d.SXTW<<%d, R%d, R%d", r, log2(m.scale), base, r)
					}
					t.v("ld1 {v%d.%s}[%d], [x%d]", results[h], letters[bytes], i, r)
				}
			}
			for h := range dst {
				t.move(results[h], dst[h])
			}
		})
	}
	gather("VGATHERDPS VPGATHERDD", 4, 4, 4)
	gather("VGATHERDPD VPGATHERDQ", 8, 2, 4)
	gather("VGATHERQPD VPGATHERQQ", 8, 2, 8)
}

func overlap(a, b []int) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}
