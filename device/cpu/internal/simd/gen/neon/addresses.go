package main

import "fmt"

// location is an address without displacement.
type location struct {
	name               string
	base, index, scale int
	local              bool
}

// forget drops the addresses that depend on a register.
func (t *translator) forget(r int) {
	for i := range t.cached {
		if c := &t.cached[i]; c.scale != 0 && (c.base == r || c.index == r) {
			*c = location{}
		}
	}
}

// address returns a register and a displacement.
func (t *translator) address(m memory) (base, displacement int) {
	if m.argument {
		t.fail("an argument as memory")
	}
	at := location{name: m.name, base: m.base, index: m.index, scale: m.scale, local: m.base == 31}
	if m.index < 0 && m.name == "" && !at.local {
		return m.base, m.displ
	}
	if at.scale == 0 {
		at.scale = 1
	}
	if at.local {
		m.displ += t.moved
	}
	for i, c := range t.cached {
		if c == at {
			return firstAddress + i, m.displ
		}
	}
	i := t.oldest
	t.oldest = (i + 1) % addresses
	t.cached[i] = at
	r := firstAddress + i
	switch {
	case m.name != "":
		t.g("MOVD $%s(SB), R%d", m.name, r)
	case at.local && m.index < 0:
		t.g("MOVD RSP, R%d", r)
	case at.local:
		t.g("ADD R%d<<%d, RSP, R%d", m.index, log2(at.scale), r)
	default:
		t.g("ADD %s, R%d, R%d", t.index(m), m.base, r)
	}
	return r, m.displ
}

// index returns the text of an index.
func (t *translator) index(m memory) string {
	text := fmt.Sprintf("R%d", m.index)
	if t.wordy && m.index == operandOf {
		text += ".UXTW"
	}
	if m.scale > 1 {
		text += fmt.Sprintf("<<%d", log2(m.scale))
	}
	return text
}

// indexed is memoryText for loads of a general register, which add an index themselves.
func (t *translator) indexed(m memory, bytes int) string {
	if m.argument || m.name != "" || m.index < 0 || m.base == 31 || m.displ != 0 || m.scale != 1 && m.scale != bytes {
		return t.memoryText(m)
	}
	return fmt.Sprintf("(R%d)(%s)", m.base, t.index(m))
}

func log2(n int) (l int) {
	for ; n > 1; n /= 2 {
		l++
	}
	return l
}

// near is address with a displacement that an instruction can hold.
func (t *translator) near(m memory, fits func(displacement int) bool) (base, displacement int) {
	base, displacement = t.address(m)
	if fits(displacement) {
		return base, displacement
	}
	r := t.value()
	t.g("ADD $%d, R%d, R%d", displacement, base, r)
	return r, 0
}

// memoryText returns an address in the syntax of Go's assembler.
func (t *translator) memoryText(m memory) string {
	if m.argument {
		return fmt.Sprintf("%s+%d(FP)", m.name, m.displ)
	}
	base, displacement := t.address(m)
	return fmt.Sprintf("%d(R%d)", displacement, base)
}

var letters = map[int]string{1: "b", 2: "h", 4: "s", 8: "d", 16: "q"}

// transfer loads or stores the lowest bytes of a vector register.
func (t *translator) transfer(load bool, m memory, bytes, v int) {
	name := map[bool][2]string{true: {"ldr", "ldur"}, false: {"str", "stur"}}[load]
	base, at := t.near(m, func(d int) bool { return d >= -256 && d < 256 || d >= 0 && d%bytes == 0 && d/bytes < 4096 })
	if at >= 0 && at%bytes == 0 {
		t.v("%s %s%d, [x%d, #%d]", name[0], letters[bytes], v, base, at)
	} else {
		t.v("%s %s%d, [x%d, #%d]", name[1], letters[bytes], v, base, at)
	}
}

// loadTo loads vectors of 128 bits that follow each other in memory.
func (t *translator) loadTo(m memory, v []int) { t.whole(true, m, v) }

func (t *translator) whole(load bool, m memory, v []int) {
	if len(v) == 2 {
		base, at := t.address(m)
		if at%16 == 0 && at >= -1024 && at <= 1008 {
			t.v("%s q%d, q%d, [x%d, #%d]", map[bool]string{true: "ldp", false: "stp"}[load], v[0], v[1], base, at)
			return
		}
	}
	for i := range v {
		used := t.usedValues
		t.transfer(load, m.offset(16*i), 16, v[i])
		t.usedValues = used
	}
}

func (m memory) offset(bytes int) memory {
	m.displ += bytes
	return m
}
