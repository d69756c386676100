package main

import "fmt"

// rules translate one instruction each.
var rules = map[string]func(t *translator){}

func rule(names string, f func(t *translator)) {
	for _, a := range splitNames(names) {
		if rules[a] != nil {
			panic(a + " has two rules")
		}
		rules[a] = f
	}
}

// general returns a general register with the value of an operand.
func (t *translator) general(i int, long bool) string {
	switch a := t.args[i]; a.kind {
	case 'r':
		if a.n == 31 {
			t.fail("the stack pointer as a value")
		}
		return fmt.Sprintf("R%d", a.n)
	case '$':
		if a.n == 0 {
			return "ZR"
		}
		r := t.value()
		t.g("MOVD $%d, R%d", a.n, r)
		return fmt.Sprintf("R%d", r)
	case 'm':
		r := t.value()
		t.g("%s %s, R%d", loads[long], t.memoryText(a.memory), r)
		return fmt.Sprintf("R%d", r)
	}
	t.fail("operand %d", i)
	return ""
}

var (
	loads  = map[bool]string{true: "MOVD", false: "MOVWU"}
	stores = map[bool]string{true: "MOVD", false: "MOVW"}
	widths = map[bool]string{true: "", false: "W"}
)

// immediate is general for instructions that also accept a number.
func (t *translator) immediate(i int, long bool) string {
	if a := t.args[i]; a.kind == '$' && a.n >= 0 && a.n < 4096 {
		return fmt.Sprintf("$%d", a.n)
	}
	return t.general(i, long)
}

// test sets the flags from a result, for instructions that do not.
func (t *translator) test(register string, long bool) {
	if t.needsFlags() {
		t.g("CMP%s $0, %s", widths[long], register)
		t.flags = true
	}
}

func init() {
	for _, long := range []bool{true, false} {
		suffix := map[bool]string{true: "Q", false: "L"}[long]
		rule("MOV"+suffix, func(t *translator) { t.movGeneral(long) })
		arithmetic := func(x86, arm string) {
			rule(x86+suffix, func(t *translator) { t.arithmetic(arm, long) })
		}
		arithmetic("ADD", "ADD")
		arithmetic("SUB", "SUB")
		logic := func(x86, arm string) {
			rule(x86+suffix, func(t *translator) { t.logic(arm, long) })
		}
		logic("AND", "AND")
		logic("OR", "ORR")
		logic("XOR", "EOR")
		logic("SHL", "LSL")
		logic("SHR", "LSR")
		logic("SAR", "ASR")
		logic("IMUL", "MUL")
		increment := func(x86, arm string) {
			rule(x86+suffix, func(t *translator) {
				t.args = append([]operand{{kind: '$', n: 1}}, t.args...)
				t.arithmetic(arm, long)
				t.args = t.args[1:]
			})
		}
		increment("INC", "ADD")
		increment("DEC", "SUB")
		rule("CMP"+suffix, func(t *translator) { // of the first with the second
			a := t.general(0, long)
			t.g("CMP%s %s, %s", widths[long], t.immediate(1, long), a)
			t.flags = true
		})
		rule("TEST"+suffix, func(t *translator) {
			a := t.general(0, long)
			t.g("TST%s %s, %s", widths[long], t.general(1, long), a)
			t.flags = true
		})
		rule("NEG"+suffix, func(t *translator) {
			t.g("NEG%s R%d, R%d", widths[long], t.args[0].n, t.args[0].n)
			t.test(fmt.Sprintf("R%d", t.args[0].n), long)
		})
		rule("NOT"+suffix, func(t *translator) { t.g("MVN%s R%d, R%d", widths[long], t.args[0].n, t.args[0].n) })
		rule("TZCNT"+suffix, func(t *translator) {
			t.g("RBIT%s %s, R%d", widths[long], t.general(0, long), t.args[1].n)
			t.g("CLZ%s R%d, R%d", widths[long], t.args[1].n, t.args[1].n)
		})
		rule("POPCNT"+suffix, func(t *translator) {
			v := t.scratch()
			t.v("fmov d%d, x%s", v, t.general(0, long)[1:])
			t.v("cnt v%d.8b, v%d.8b", v, v)
			t.v("addv b%d, v%d.8b", v, v)
			t.v("fmov w%d, s%d", t.args[1].n, v)
		})
		for x86, arm := range map[string]string{"GT": "GT", "LT": "LT", "GE": "GE", "LE": "LE", "EQ": "EQ", "NE": "NE"} {
			rule("CMOV"+suffix+x86, func(t *translator) {
				t.mustHaveFlags()
				from := t.general(0, long)
				t.g("CSEL%s %s, %s, R%d, R%d", widths[long], arm, from, t.args[1].n, t.args[1].n)
			})
		}
	}
	rule("IMUL3Q", func(t *translator) {
		t.g("MUL %s, %s, R%d", t.general(0, true), t.general(1, true), t.args[2].n)
	})
	rule("LEAQ", func(t *translator) {
		m, dst := t.args[0].memory, t.args[1].n
		switch {
		case m.name != "":
			t.g("MOVD $%s(SB), R%d", m.name, dst)
			if m.displ != 0 {
				t.g("ADD $%d, R%d, R%d", m.displ, dst, dst)
			}
		default:
			base, at := t.address(m)
			if at < 0 {
				t.g("SUB $%d, R%d, R%d", -at, base, dst)
			} else {
				t.g("ADD $%d, R%d, R%d", at, base, dst)
			}
		}
	})
	for x86, arm := range map[string][2]string{"MOVB": {"MOVBU", "MOVB"}, "MOVW": {"MOVHU", "MOVH"}, "MOVBLZX": {"MOVBU", ""}, "MOVWLZX": {"MOVHU", ""},
		"MOVBQZX": {"MOVBU", ""}, "MOVWQZX": {"MOVHU", ""}, "MOVLQZX": {"MOVWU", ""}, "MOVLQSX": {"MOVW", ""}, "MOVWQSX": {"MOVH", ""}, "MOVBQSX": {"MOVB", ""}} {
		rule(x86, func(t *translator) {
			switch {
			case t.args[1].kind == 'm':
				from := t.general(0, true)
				t.g("%s %s, %s", arm[1], from, t.memoryText(t.args[1].memory))
			case t.args[0].kind == 'm':
				t.g("%s %s, R%d", arm[0], t.memoryText(t.args[0].memory), t.args[1].n)
			default:
				t.g("%s R%d, R%d", arm[0], t.args[0].n, t.args[1].n)
			}
		})
	}
	for x86, arm := range map[string]string{"JZ": "BEQ", "JE": "BEQ", "JEQ": "BEQ", "JNZ": "BNE", "JNE": "BNE", "JL": "BLT", "JLT": "BLT", "JLE": "BLE",
		"JG": "BGT", "JGT": "BGT", "JGE": "BGE", "JB": "BLO", "JAE": "BHS", "JA": "BHI", "JBE": "BLS"} {
		rule(x86, func(t *translator) {
			t.mustHaveFlags()
			t.g("%s %s", arm, t.args[0].name)
		})
	}
	rule("JMP", func(t *translator) {
		if a := t.args[0]; a.kind == 'm' {
			if m := a.memory; m.index >= 0 || m.displ != 0 || m.base != program {
				t.fail("a jump that is not to a handler")
			}
			t.g("LDP%s %d(R%d), (R%d, R%d)", map[bool]string{true: ".W"}[t.advance > 0], t.advance, program, firstValue, operandOf)
			t.g("JMP (R%d)", firstValue)
			t.advance = 0
		} else {
			t.g("JMP %s", a.name)
		}
	})
	rule("RET", func(t *translator) { t.g("RET") })
	rule("SFENCE", func(t *translator) { t.g("DMB $10") })
	rule("VZEROUPPER", func(t *translator) {})
	for x86, arm := range map[string]string{"PREFETCHT0": "PLDL1KEEP", "PREFETCHT1": "PLDL2KEEP"} {
		rule(x86, func(t *translator) {
			base, at := t.near(t.args[0].memory, func(d int) bool { return d >= 0 && d%8 == 0 && d < 32768 })
			t.g("PRFM %d(R%d), %s", at, base, arm)
		})
	}
}

// mustHaveFlags refuses a condition whose flags nothing has set since the last label.
func (t *translator) mustHaveFlags() {
	if !t.flags {
		t.fail("the flags are unknown")
	}
}

func (t *translator) movGeneral(long bool) {
	from, to := t.args[0], t.args[1]
	switch {
	case from.kind == 'x' || to.kind == 'x':
		t.moveScalar(map[bool]int{true: 8, false: 4}[long])
	case to.kind == 'm':
		value := t.general(0, long)
		t.g("%s %s, %s", stores[long], value, t.memoryText(to.memory))
	case from.kind == '$':
		n := from.n
		if !long {
			n = int(uint32(n))
		}
		t.g("MOVD $%d, R%d", n, to.n)
	case from.kind == 'm':
		t.g("%s %s, R%d", loads[long], t.indexed(from.memory, map[bool]int{true: 8, false: 4}[long]), to.n)
	default:
		t.g("%s R%d, R%d", loads[long], from.n, to.n)
	}
}

// arithmetic adds to or subtracts from a register or memory.
func (t *translator) arithmetic(name string, long bool) {
	if t.beforeJump() {
		t.advance = t.args[0].n
		return
	}
	suffix := widths[long]
	if t.needsFlags() {
		suffix = "S" + suffix
		t.flags = true
	} else {
		t.flags = false
	}
	by, to := "", t.args[1]
	if a := t.args[0]; a.kind == '$' && a.n < 0 && a.n > -4096 && suffix == "" {
		name, by = map[string]string{"ADD": "SUB", "SUB": "ADD"}[name], fmt.Sprintf("$%d", -a.n)
	} else {
		by = t.immediate(0, long)
	}
	if to.kind == 'm' {
		r := t.value()
		text := t.memoryText(to.memory)
		t.g("%s %s, R%d", loads[long], text, r)
		t.g("%s%s %s, R%d, R%d", name, suffix, by, r, r)
		t.g("%s R%d, %s", stores[long], r, text)
		return
	}
	t.g("%s%s %s, R%d, R%d", name, suffix, by, to.n, to.n)
}

func (t *translator) logic(name string, long bool) {
	if m := t.args[1]; m.kind == 'm' {
		r, text := t.value(), t.memoryText(m.memory)
		t.g("%s %s, R%d", loads[long], text, r)
		t.g("%s%s %s, R%d, R%d", name, widths[long], t.general(0, long), r, r)
		t.test(fmt.Sprintf("R%d", r), long)
		t.g("%s R%d, %s", stores[long], r, text)
		return
	}
	to := t.args[1].n
	if t.args[0] == t.args[1] && name == "EOR" {
		t.g("MOVD ZR, R%d", to)
		t.test("ZR", long)
		return
	}
	var by string
	switch a := t.args[0]; {
	case a.kind == '$' && name != "MUL":
		by = fmt.Sprintf("$%d", a.n)
	default:
		by = t.general(0, long)
	}
	t.flags = false
	t.g("%s%s %s, R%d, R%d", name, widths[long], by, to, to)
	t.test(fmt.Sprintf("R%d", to), long)
}
