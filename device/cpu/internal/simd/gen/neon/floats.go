package main

import (
	"regexp"
	"strings"
)

func splitNames(names string) []string { return strings.Fields(names) }

// each calls f for each half of the destination, with the registers of the half: of the sources in the order of the
// text, then of the destination.
func (t *translator) each(f func(r []int)) {
	dst := t.out()
	sources := make([][]int, len(t.args)-1)
	byHalves := -1 // a source in memory for which only one register is free
	for i := range sources {
		switch {
		case t.args[i].kind == '$':
		case t.args[i].kind == 'm' && len(dst) == 2 && t.free() < 4:
			byHalves = i
			sources[i] = make([]int, 2)
		default:
			sources[i] = t.in(i, len(dst))
		}
	}
	order := []int{0, 1}[:len(dst)]
	if t.shared>>dst[0]&1 != 0 { // a source, which is still needed for the upper half
		order = []int{1, 0}
	}
	for _, h := range order {
		if byHalves >= 0 {
			v := t.scratch()
			t.transfer(true, t.args[byHalves].memory.offset(16*h), 16, v)
			sources[byHalves][h] = v
		}
		var r []int
		for _, s := range sources {
			if s != nil {
				r = append(r, s[h])
			}
		}
		f(append(r, dst[h]))
		if byHalves >= 0 {
			t.done(sources[byHalves][h])
		}
	}
}

// shapes are the arrangements of floats, by the last letter of an instruction's name.
var shapes = map[byte]string{'S': "4s", 'D': "2d"}

// floats makes rules for an instruction on float32 and on float64; shape is the arrangement.
func floats(name string, f func(t *translator, shape string)) {
	for letter, shape := range shapes {
		rule(name+"P"+string(letter), func(t *translator) { f(t, shape) })
	}
}

func init() {
	// The destination is the second source, operated on with the first.
	for x86, arm := range map[string]string{"VADD": "fadd", "VSUB": "fsub", "VMUL": "fmul", "VDIV": "fdiv"} {
		floats(x86, func(t *translator, shape string) {
			t.each(func(r []int) { t.v("%s v%d.%s, v%d.%s, v%d.%s", arm, r[2], shape, r[1], shape, r[0], shape) })
		})
		for letter, register := range map[string]string{"S": "s", "D": "d"} {
			rule(x86+"S"+letter, func(t *translator) {
				a := t.scalarIn(0, map[string]int{"S": 4, "D": 8}[letter])
				t.v("%s %s%d, %s%d, %s%d", arm, register, t.out()[0], register, t.in(1, 1)[0], register, a)
			})
		}
	}
	// Like AVX's, the maximum is the first source unless the second is larger; so NaN and zeros have the same results.
	floats("VMAX", func(t *translator, shape string) {
		t.each(func(r []int) { t.larger(r[1], r[0], r[1], r[0], r[2], shape) })
	})
	floats("VMIN", func(t *translator, shape string) {
		t.each(func(r []int) { t.larger(r[0], r[1], r[1], r[0], r[2], shape) })
	})
	floats("VSQRT", func(t *translator, shape string) {
		t.each(func(r []int) { t.v("fsqrt v%d.%s, v%d.%s", r[1], shape, r[0], shape) })
	})
	floats("VROUND", func(t *translator, shape string) {
		name := [...]string{"frintn", "frintm", "frintp", "frintz"}[t.args[0].n&3]
		t.each(func(r []int) { t.v("%s v%d.%s, v%d.%s", name, r[1], shape, r[0], shape) })
	})
	fused()
	comparisons()
	logic()
	// FRECPE has 8 bits; a step of Newton's method doubles them.
	rule("VRCPPS", func(t *translator) {
		t.each(func(r []int) {
			y, e := t.scratch(), t.scratch()
			t.v("frecpe v%d.4s, v%d.4s", y, r[0])
			t.v("frecps v%d.4s, v%d.4s, v%d.4s", e, y, r[0])
			t.v("fmul v%d.4s, v%d.4s, v%d.4s", r[1], y, e)
			t.done(y)
			t.done(e)
		})
	})
	conversions()
}

// larger sets dst to yes where a > b, else to no.
func (t *translator) larger(a, b, yes, no, dst int, shape string) {
	switch {
	case dst != yes && dst != no:
		t.v("fcmgt v%d.%s, v%d.%s, v%d.%s", dst, shape, a, shape, b, shape)
		t.v("bsl v%d.16b, v%d.16b, v%d.16b", dst, yes, no)
		return
	case yes == no:
		return
	}
	s := t.scratch()
	t.v("fcmgt v%d.%s, v%d.%s, v%d.%s", s, shape, a, shape, b, shape)
	t.choose(s, yes, no, dst)
	t.done(s)
}

// choose sets dst to yes where the bits of mask are set, else to no. It may overwrite mask.
func (t *translator) choose(mask, yes, no, dst int) {
	switch dst {
	case yes:
		t.v("bif v%d.16b, v%d.16b, v%d.16b", dst, no, mask)
	case no:
		t.v("bit v%d.16b, v%d.16b, v%d.16b", dst, yes, mask)
	default:
		t.v("bsl v%d.16b, v%d.16b, v%d.16b", mask, yes, no)
		t.move(mask, dst)
	}
}

// fused makes the rules of fused multiplications. NEON only adds to the destination or subtracts from it.
func fused() {
	for letter, shape := range shapes {
		for _, c := range []struct {
			name             string
			negated, minusBy bool // the product, the summand
		}{{"VFMADD", false, false}, {"VFNMADD", true, false}, {"VFMSUB", false, true}} {
			name := "fmla"
			if c.negated {
				name = "fmls"
			}
			rule(c.name+"231P"+string(letter), func(t *translator) { // dst ± a·b
				if i := t.element(); i >= 0 && !c.minusBy {
					vectors, element, register := t.in(1-i, len(t.out())), t.args[i].halves()[0], map[string]string{"4s": "s", "2d": "d"}[shape]
					for h, v := range t.out() {
						t.v("%s v%d.%s, v%d.%s, v%d.%s[0]", name, v, shape, vectors[h], shape, element, register)
					}
					return
				}
				t.each(func(r []int) {
					if c.minusBy {
						t.v("fneg v%d.%s, v%d.%s", r[2], shape, r[2], shape)
					}
					t.v("%s v%d.%s, v%d.%s, v%d.%s", name, r[2], shape, r[1], shape, r[0], shape)
				})
			})
			rule(c.name+"213P"+string(letter), func(t *translator) { // dst·b ± a
				t.each(func(r []int) {
					a, s := r[0], r[0]
					if t.args[0].kind != 'm' {
						s = t.scratch()
					}
					switch {
					case c.minusBy:
						t.v("fneg v%d.%s, v%d.%s", s, shape, a, shape)
					case s != a:
						t.move(a, s)
					}
					t.v("%s v%d.%s, v%d.%s, v%d.%s", name, s, shape, r[2], shape, r[1], shape)
					t.move(s, r[2])
					t.done(s)
				})
			})
		}
	}
}

// isFactor reports whether the destination is only multiplied, by instructions that accept an element of a register.
func (t *translator) isFactor() bool {
	return t.onlyRead(func(in *inst, self operand) bool {
		switch in.op {
		case "VFMADD231PS", "VFMADD231PD", "VFNMADD231PS", "VFNMADD231PD", "SDOT":
			return in.args[0] != in.args[1] && in.args[2] != self
		}
		return false
	})
}

// isShared reports whether the destination is only read, by instructions that accept one register for both halves.
func (t *translator) isShared() bool {
	return t.onlyRead(func(in *inst, self operand) bool {
		last := in.args[len(in.args)-1]
		return last.kind == 'y' && (last != self || !in.overwrites()) && bothHalves.MatchString(in.op)
	})
}

var bothHalves = regexp.MustCompile(`^(V(ADD|SUB|MUL|DIV|MAX|MIN|AND|ANDN|OR|XOR|CMP|BLENDV)P[SD]|VP(ADD|SUB|CMPEQ|CMPGT|MINS|MAXS|MINU|MAXU)[BWDQ]|VP(AND|ANDN|OR|XOR)|` +
	`VFN?MADD(231|213)P[SD]|VFMSUB(231|213)P[SD]|VPMADDWD|VPMULLD|VPMULUDQ|SDOT)$`)

// onlyRead reports whether all instructions that read the destination are accepted, before anything else is written to it and before the
// next label.
func (t *translator) onlyRead(accepted func(in *inst, self operand) bool) bool {
	dst := t.args[len(t.args)-1]
	if dst.kind != 'y' {
		return false
	}
	self := dst.registers()
	for _, in := range t.function.code[t.at+1:] {
		switch {
		case len(in.labels) > 0 || in.op[0] == 'J' || in.op == "RET", in.reads()&self != 0 && !accepted(in, dst):
			return false
		case in.live[1]&self == 0 || in.writes()&self != 0:
			return true
		}
	}
	return false
}

// element returns which factor is an element, or -1.
func (t *translator) element() int {
	for i, a := range t.args[:2] {
		if a.kind == 'y' && t.elements&a.registers() != 0 {
			return i
		}
	}
	return -1
}

// comparisons makes the rules of comparisons and of what reads masks.
func comparisons() {
	floats("VCMP", func(t *translator, shape string) { // of b with a
		predicate := t.args[0].n & 15
		t.each(func(r []int) {
			a, b, dst := r[0], r[1], r[2]
			compare := func(name string, x, y, to int) {
				t.v("%s v%d.%s, v%d.%s, v%d.%s", name, to, shape, x, shape, y, shape)
			}
			not := func() { t.v("mvn v%d.16b, v%d.16b", dst, dst) }
			switch predicate {
			case 0:
				compare("fcmeq", a, b, dst)
			case 1: // less
				compare("fcmgt", a, b, dst)
			case 2:
				compare("fcmge", a, b, dst)
			case 3, 7: // unordered, ordered
				if a == b {
					compare("fcmeq", a, b, dst)
				} else {
					s := t.scratch()
					compare("fcmeq", a, a, s)
					compare("fcmeq", b, b, dst)
					t.v("and v%d.16b, v%d.16b, v%d.16b", dst, dst, s)
					t.done(s)
				}
				if predicate == 3 {
					not()
				}
			case 4:
				compare("fcmeq", a, b, dst)
				not()
			case 5: // not less
				compare("fcmgt", a, b, dst)
				not()
			case 6:
				compare("fcmge", a, b, dst)
				not()
			case 9: // not greater or equal
				compare("fcmge", b, a, dst)
				not()
			case 13:
				compare("fcmge", b, a, dst)
			case 14:
				compare("fcmgt", b, a, dst)
			default:
				t.fail("predicate %d", predicate)
			}
		})
	})
	for letter, shape := range shapes {
		rule("VBLENDVP"+string(letter), func(t *translator) {
			t.each(func(r []int) { // mask, a, b, dst
				if r[1] == r[2] {
					t.move(r[1], r[3])
					return
				}
				s := t.scratch()
				t.v("cmlt v%d.%s, v%d.%s, #0", s, shape, r[0], shape)
				t.choose(s, r[1], r[2], r[3])
				t.done(s)
			})
		})
		bits := map[string]int{"4s": 4, "2d": 2}[shape]
		rule("VMOVMSKP"+string(letter), func(t *translator) {
			dst, other := t.args[1].n, t.value()
			at := 0
			for _, v := range t.args[0].halves() {
				for i := range bits {
					if bits == 4 {
						t.v("umov w%d, v%d.s[%d]", other, v, i)
						t.g("LSRW $31, R%d, R%d", other, other)
					} else {
						t.v("umov x%d, v%d.d[%d]", other, v, i)
						t.g("LSR $63, R%d, R%d", other, other)
					}
					if at == 0 {
						t.g("MOVD R%d, R%d", other, dst)
					} else {
						t.g("ORR R%d<<%d, R%d, R%d", other, at, dst, dst)
					}
					at++
				}
			}
		})
	}
	rule("VPTEST", func(t *translator) {
		a, b := t.in(0, len(t.args[1].halves())), t.args[1].halves()
		s := t.scratch()
		if len(b) == 1 || t.args[0] != t.args[1] {
			t.v("and v%d.16b, v%d.16b, v%d.16b", s, a[0], b[0])
			for h := 1; h < len(b); h++ {
				more := t.scratch()
				t.v("and v%d.16b, v%d.16b, v%d.16b", more, a[h], b[h])
				t.v("orr v%d.16b, v%d.16b, v%d.16b", s, s, more)
			}
		} else {
			t.v("orr v%d.16b, v%d.16b, v%d.16b", s, b[0], b[1])
		}
		r := t.value()
		t.v("umaxv s%d, v%d.4s", s, s)
		t.v("fmov w%d, s%d", r, s)
		t.g("CMPW $0, R%d", r)
		t.flags = true
	})
}

func logic() {
	for x86, arm := range map[string]string{"VANDPS VANDPD VPAND": "and", "VORPS VORPD VPOR": "orr"} {
		rule(x86, func(t *translator) {
			t.each(func(r []int) { t.v("%s v%d.16b, v%d.16b, v%d.16b", arm, r[2], r[1], r[0]) })
		})
	}
	rule("VXORPS VXORPD VPXOR", func(t *translator) {
		if t.cancels() {
			for _, v := range t.out() {
				t.zero(v)
			}
			return
		}
		t.each(func(r []int) { t.v("eor v%d.16b, v%d.16b, v%d.16b", r[2], r[1], r[0]) })
	})
	rule("VANDNPS VANDNPD VPANDN", func(t *translator) { // a &^ b
		t.each(func(r []int) { t.v("bic v%d.16b, v%d.16b, v%d.16b", r[2], r[0], r[1]) })
	})
}
