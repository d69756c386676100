package main

import "strings"

// vregs is a set of vector registers, by their numbers.
type vregs uint32

// halves returns the registers that hold a vector: of 256 bits in a pair, of 128 bits in one.
func (o operand) halves() []int {
	switch o.kind {
	case 'y':
		return []int{2 * o.n, 2*o.n + 1}
	case 'x':
		return []int{2 * o.n}
	}
	return nil
}

func (o operand) registers() (s vregs) {
	for _, v := range o.halves() {
		s |= 1 << v
	}
	if o.kind == 'm' && o.memory.vector {
		s |= 3 << (2 * o.memory.index)
	}
	return s
}

// reads and writes are the vector registers that an instruction reads and writes. Like the instructions of AVX, those
// that write 128 bits clear the upper half.
func (in *inst) reads() (s vregs) {
	switch {
	case in.cancels():
		return 0
	case len(in.args) == 0:
		return 0
	}
	last := len(in.args) - 1
	for _, a := range in.args[:last] {
		s |= a.registers()
	}
	if in.args[last].kind == 'm' || in.overwrites() || in.op == "VPTEST" {
		s |= in.args[last].registers()
	}
	return s
}

func (in *inst) writes() (s vregs) {
	if len(in.args) == 0 || in.op == "VPTEST" {
		return 0
	}
	switch a := in.args[len(in.args)-1]; a.kind {
	case 'x', 'y':
		s = 3 << (2 * a.n)
	}
	if strings.HasPrefix(in.op, "VGATHER") || strings.HasPrefix(in.op, "VPGATHER") {
		s |= in.args[0].registers()
	}
	return s
}

// overwrites reports whether the destination is also a source.
func (in *inst) overwrites() bool {
	for _, name := range []string{"VFMADD", "VFMSUB", "VFNMADD", "VGATHER", "VPGATHER", "FMLA", "SDOT"} {
		if strings.HasPrefix(in.op, name) {
			return true
		}
	}
	return false
}

// cancels reports whether the result does not depend on the sources, which are one register.
func (in *inst) cancels() bool {
	if len(in.args) != 3 || in.args[0] != in.args[1] || in.args[0].kind == 'm' {
		return false
	}
	switch in.op {
	case "VXORPS", "VXORPD", "VPXOR", "VPCMPEQD", "VPCMPEQQ", "VPCMPEQB", "VPCMPEQW":
		return true
	}
	return false
}

// analyse determines which instructions follow each other, and which vector registers are live. atExit are those that are
// live where a routine jumps to an address in memory.
func (f *function) analyse(atExit vregs) {
	labels := map[string]int{}
	for i, in := range f.code {
		for _, l := range in.labels {
			labels[l] = i
		}
	}
	for i, in := range f.code {
		if in.op == "RET" || in.op == "JMP" && in.args[0].kind == 'm' {
			continue
		}
		if in.op[0] == 'J' {
			in.next = append(in.next, labels[in.args[0].name])
		}
		if in.op != "JMP" {
			in.next = append(in.next, i+1)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.code) - 1; i >= 0; i-- {
			in := f.code[i]
			var out vregs
			if in.op == "JMP" && in.args[0].kind == 'm' {
				out = atExit
			}
			for _, n := range in.next {
				out |= f.code[n].live[0]
			}
			before := out&^in.writes() | in.reads()
			if in.live != [2]vregs{before, out} {
				in.live, changed = [2]vregs{before, out}, true
			}
		}
	}
}

// loadsOperand reports whether a routine is a handler of package vm that begins with the load of its operand's first half.
func (f *function) loadsOperand() bool {
	if !strings.Contains(f.attributes, "NOFRAME") || f.code[0].op != "MOVL" {
		return false
	}
	from, to := f.code[0].args[0], f.code[0].args[1]
	return from.kind == 'm' && from.memory == memory{base: program, index: -1, displ: 8} && to.kind == 'r' && to.n == operandOf
}

// onlyIndexes reports whether an instruction reads a general register as an index only, if at all.
func (in *inst) onlyIndexes(r int) bool {
	if in.op == "JMP" && in.args[0].kind == 'm' {
		return true // the next handler has its own operand
	}
	if len(in.labels) > 0 || in.op[0] == 'J' {
		return false
	}
	for i, a := range in.args {
		written := i == len(in.args)-1 && strings.HasPrefix(in.op, "MOV") && i > 0
		if a.kind == 'r' && a.n == r && !written || a.kind == 'm' && a.memory.base == r {
			return false
		}
	}
	return true
}

// beforeJump reports whether an instruction only moves to the next instruction of package vm, to whose handler the next one jumps.
func (t *translator) beforeJump() bool {
	if t.at+1 == len(t.function.code) || t.args[0].kind != '$' || t.args[1].kind != 'r' || t.args[1].n != program || t.op != "ADDQ" {
		return false
	}
	jump := t.function.code[t.at+1]
	return jump.op == "JMP" && jump.args[0].kind == 'm' && len(jump.labels) == 0
}
