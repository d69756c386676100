package main

import (
	"fmt"
	"math/bits"
	"strings"
)

// The general registers keep their numbers, but for SP. These are for the translation itself: for addresses that several
// instructions use, for values, and for the address of the constants. R18 and R26 to R30 belong to others.
const (
	firstAddress = 19
	addresses    = 3
	firstValue   = 22
	values       = 3
	pool         = 25
	lent         = 16 // R16 and R17 hold a vector register that an instruction borrows
	program      = 8  // the instruction of package vm
	operandOf    = 0  // its operand, where a handler begins: the jump to a handler loads both words of its instruction
)

// translator writes the instructions of a routine.
type translator struct {
	*file
	constants *constants
	function  *function
	at        int // the instruction
	*inst
	text  strings.Builder
	moved int // how far locals lie above RSP

	cached     [addresses]location // what the registers for addresses hold
	oldest     int
	usedValues int
	elements   vregs // the registers that hold a factor only in their first lane
	shared     vregs // the lower registers of pairs whose upper register would have the same content, and has not
	loaded     vregs // the registers that the instruction adds to elements or shared
	sharing    bool  // to which of them
	taken      vregs // scratch registers that the instruction uses
	borrowed   int   // a scratch register whose content is needed later, or -1
	flags      bool  // whether the flags are those of the last instruction that sets them
	local      int   // the number of labels of its own
	pooled     bool
	advance    int  // by how much the next instruction, a jump, moves to the next instruction of package vm
	wordy      bool // whether the upper half of operandOf counts as 0, but is not
}

func (t *translator) fail(format string, args ...any) {
	panic(fmt.Sprintf("%s, %s %v: %s", t.function.name, t.op, t.args, fmt.Sprintf(format, args...)))
}

// v emits a vector instruction.
func (t *translator) v(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(&t.text, "\tWORD $0x%08x // %s\n", assemble(text), text)
}

// g emits an instruction of Go's assembler.
func (t *translator) g(format string, args ...any) {
	fmt.Fprintf(&t.text, "\t"+format+"\n", args...)
}

// label begins a label of the translation's own. Nothing is known about addresses after it.
func (t *translator) label() string {
	t.local++
	return fmt.Sprintf("skip%d", t.local)
}

func (t *translator) place(label string) {
	fmt.Fprintf(&t.text, "\n%s:\n", label)
	t.cached = [addresses]location{}
}

// translate translates a routine.
func (t *translator) translate(f *function) string {
	t.function, t.local, t.pooled, t.flags, t.elements, t.shared = f, 0, false, false, 0, 0
	t.cached = [addresses]location{}
	t.text.Reset()
	code := f.code
	if t.wordy = f.loadsOperand(); t.wordy {
		code = code[1:]
	}
	size, arguments, _ := strings.Cut(f.size, "-")
	t.moved = 0
	if frame := number(size); frame > 0 {
		t.moved = 16                                 // the link register lies at RSP
		size = fmt.Sprint((frame+15)/16*16 + 16 - 8) // the assembler adds 8 bytes for it
	}
	if arguments != "" {
		size += "-" + arguments
	}
	for i, in := range code {
		t.inst = in
		if t.wordy && !in.onlyIndexes(operandOf) {
			t.g("MOVWU R%d, R%[1]d", operandOf)
			t.wordy = false
		}
		for _, l := range in.labels {
			t.place(l)
		}
		if len(in.labels) > 0 {
			t.flags, t.elements, t.shared = false, 0, 0
		}
		t.at, t.usedValues, t.taken, t.borrowed, t.loaded = i+len(f.code)-len(code), 0, 0, -1, 0
		rule, ok := rules[in.op]
		if !ok {
			t.fail("there is no rule")
		}
		rule(t)
		t.elements &^= in.writes()
		t.shared &^= in.writes()
		if t.sharing {
			t.shared |= t.loaded
		} else {
			t.elements |= t.loaded
		}
		t.giveBack()
		t.clearUpper()
		if n := len(in.args); n > 0 && in.args[n-1].kind == 'r' {
			t.forget(in.args[n-1].n)
			t.wordy = t.wordy && in.args[n-1].n != operandOf
		}
	}
	head := ""
	if t.pooled {
		head = fmt.Sprintf("\tMOVD $constants<>(SB), R%d\n", pool)
	}
	return fmt.Sprintf("TEXT ·%s(SB), %s, $%s\n%s%s", f.name, f.attributes, size, head, t.text.String())
}

// clearUpper clears the upper half of a destination of 128 bits, if it is read later.
func (t *translator) clearUpper() {
	if n := len(t.args); n > 0 && t.args[n-1].kind == 'x' && t.op != "VPTEST" {
		if upper := 2*t.args[n-1].n + 1; t.live[1]>>upper&1 != 0 {
			t.v("movi v%d.16b, #0", upper)
		}
	}
}

// used returns the vector registers that something needs.
func (t *translator) used() vregs {
	used := t.live[0] | t.live[1] | t.taken
	for _, a := range t.args {
		used |= a.registers()
	}
	return used
}

// free returns the number of vector registers that nothing needs.
func (t *translator) free() int { return 32 - bits.OnesCount32(uint32(t.used())) }

// scratch returns one of them.
func (t *translator) scratch() int {
	used := t.used()
	for v := 31; v >= 0; v-- {
		if used>>v&1 == 0 {
			t.taken |= 1 << v
			return v
		}
	}
	return t.borrow()
}

// scratchPair returns two registers that follow each other and that nothing needs.
func (t *translator) scratchPair() []int {
	used := t.used()
	for v := 0; v < 31; v++ {
		if used>>v&3 == 0 {
			t.taken |= 3 << v
			return []int{v, v + 1}
		}
	}
	t.fail("no two vector registers are free")
	return nil
}

// borrow keeps the content of a vector register in general ones until the instruction ends.
func (t *translator) borrow() int {
	own := t.taken
	for _, a := range t.args {
		own |= a.registers()
	}
	if t.borrowed >= 0 {
		if t.taken>>t.borrowed&1 == 0 {
			t.taken |= 1 << t.borrowed
			return t.borrowed
		}
		t.fail("no vector register is free")
	}
	for v := range 32 {
		if own>>v&1 == 0 {
			t.borrowed = v
			t.taken |= 1 << v
			t.v("umov x%d, v%d.d[0]", lent, v)
			t.v("umov x%d, v%d.d[1]", lent+1, v)
			return v
		}
	}
	panic("an instruction with 32 registers")
}

func (t *translator) giveBack() {
	if t.borrowed >= 0 {
		t.v("ins v%d.d[0], x%d", t.borrowed, lent)
		t.v("ins v%d.d[1], x%d", t.borrowed, lent+1)
	}
}

// done releases a scratch register.
func (t *translator) done(v int) { t.taken &^= 1 << v }

// value returns a general register for a value.
func (t *translator) value() int {
	if t.usedValues == values {
		t.fail("no general register is free")
	}
	t.usedValues++
	return firstValue + t.usedValues - 1
}

// in returns the registers that hold a source with the given number of halves: its own, or scratch registers.
func (t *translator) in(i, halves int) []int {
	a := t.args[i]
	if a.kind == 'm' {
		v := make([]int, halves)
		for h := range v {
			v[h] = t.scratch()
		}
		t.loadTo(a.memory, v)
		return v
	}
	v := a.halves()
	if len(v) == 2 && t.shared>>v[0]&1 != 0 {
		v[1] = v[0]
	}
	if len(v) < halves {
		t.fail("operand %d is too short", i)
	}
	return v[:halves]
}

// out returns the registers of the destination.
func (t *translator) out() []int {
	v := t.args[len(t.args)-1].halves()
	if v == nil {
		t.fail("the destination is no vector")
	}
	return v
}

func (t *translator) move(from, to int) {
	if from != to {
		t.v("orr v%d.16b, v%d.16b, v%d.16b", to, from, from)
	}
}

func (t *translator) zero(v int) { t.v("movi v%d.16b, #0", v) }

// needsFlags reports whether a later instruction reads the flags of this one.
func (t *translator) needsFlags() bool {
	for _, in := range t.function.code[t.at+1:] {
		switch {
		case len(in.labels) > 0:
			return false
		case in.op[0] == 'J' && in.op != "JMP", strings.HasPrefix(in.op, "CMOV"):
			return true
		case in.op == "JMP" || in.op == "RET" || setsFlags[in.op]:
			return false
		}
	}
	return false
}

var setsFlags = map[string]bool{"ADDQ": true, "SUBQ": true, "ADDL": true, "SUBL": true, "CMPQ": true, "CMPL": true, "TESTQ": true, "TESTL": true,
	"ANDQ": true, "ANDL": true, "ORQ": true, "ORL": true, "XORQ": true, "XORL": true, "SHLQ": true, "SHRQ": true, "SARQ": true, "SHLL": true,
	"SHRL": true, "INCQ": true, "DECQ": true, "NEGQ": true, "IMULQ": true, "IMUL3Q": true, "VPTEST": true, "POPCNTQ": true, "TZCNTQ": true,
	"TZCNTL": true, "DECL": true, "NOTL": false}
