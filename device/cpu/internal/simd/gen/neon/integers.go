package main

import "strings"

var sizes = map[byte]string{'B': "16b", 'W': "8h", 'D': "4s", 'Q': "2d"}

var bitsOf = map[byte]int{'B': 8, 'W': 16, 'D': 32, 'Q': 64}

func init() {
	for letter, shape := range sizes {
		three := func(x86, arm string) {
			rule(x86+string(letter), func(t *translator) {
				t.each(func(r []int) { t.v("%s v%d.%s, v%d.%s, v%d.%s", arm, r[2], shape, r[1], shape, r[0], shape) })
			})
		}
		three("VPADD", "add")
		three("VPSUB", "sub")
		three("VPCMPGT", "cmgt")
		if letter != 'Q' {
			three("VPMINS", "smin")
			three("VPMAXS", "smax")
			three("VPMINU", "umin")
			three("VPMAXU", "umax")
			rule("VPABS"+string(letter), func(t *translator) {
				t.each(func(r []int) { t.v("abs v%d.%s, v%d.%s", r[1], shape, r[0], shape) })
			})
		}
		rule("VPCMPEQ"+string(letter), func(t *translator) {
			if t.cancels() {
				for _, v := range t.out() {
					t.v("movi v%d.16b, #255", v)
				}
				return
			}
			t.each(func(r []int) { t.v("cmeq v%d.%s, v%d.%s, v%d.%s", r[2], shape, r[1], shape, r[0], shape) })
		})
		if letter == 'B' {
			continue
		}
		width := bitsOf[letter]
		for x86, arm := range map[string]string{"VPSLL": "shl", "VPSRL": "ushr", "VPSRA": "sshr"} {
			if x86 == "VPSRA" && letter == 'Q' {
				continue
			}
			rule(x86+string(letter), func(t *translator) {
				by := t.args[0]
				if by.kind != '$' { // the count is less than 128
					s := t.scratch()
					t.v("dup v%d.%s, v%d.%s[0]", s, shape, by.halves()[0], letters[width/8])
					if arm != "shl" {
						t.v("neg v%d.%s, v%d.%s", s, shape, s, shape)
					}
					for h, v := range t.args[1].halves() {
						t.v("%cshl v%d.%s, v%d.%s, v%d.%s", map[bool]byte{true: 's', false: 'u'}[arm == "sshr"], t.out()[h], shape, v, shape, s, shape)
					}
					return
				}
				t.each(func(r []int) {
					switch {
					case by.n == 0:
						t.move(r[0], r[1])
					case by.n < width:
						t.v("%s v%d.%s, v%d.%s, #%d", arm, r[1], shape, r[0], shape, by.n)
					case arm == "sshr":
						t.v("sshr v%d.%s, v%d.%s, #%d", r[1], shape, r[0], shape, width-1)
					default:
						t.zero(r[1])
					}
				})
			})
		}
	}
	rule("VPMULLD", func(t *translator) {
		t.each(func(r []int) { t.v("mul v%d.4s, v%d.4s, v%d.4s", r[2], r[1], r[0]) })
	})
	rule("VPMULUDQ", func(t *translator) { // of the even lanes
		t.each(func(r []int) {
			a, b := t.scratch(), t.scratch()
			t.v("xtn v%d.2s, v%d.2d", a, r[0])
			t.v("xtn v%d.2s, v%d.2d", b, r[1])
			t.v("umull v%d.2d, v%d.2s, v%d.2s", r[2], a, b)
			t.done(a)
			t.done(b)
		})
	})
	rule("VPMADDWD", func(t *translator) {
		t.each(func(r []int) {
			low, high := t.scratch(), t.scratch()
			t.v("smull v%d.4s, v%d.4h, v%d.4h", low, r[0], r[1])
			t.v("smull2 v%d.4s, v%d.8h, v%d.8h", high, r[0], r[1])
			t.v("addp v%d.4s, v%d.4s, v%d.4s", r[2], low, high)
			t.done(low)
			t.done(high)
		})
	})
	rule("SDOT", func(t *translator) { // dst + the products of four bytes
		if i := t.element(); i >= 0 {
			vectors, element := t.in(1-i, len(t.out())), t.args[i].halves()[0]
			for h, v := range t.out() {
				t.v("sdot v%d.4s, v%d.16b, v%d.4b[0]", v, vectors[h], element)
			}
			return
		}
		t.each(func(r []int) { t.v("sdot v%d.4s, v%d.16b, v%d.16b", r[2], r[1], r[0]) })
	})
	rule("SDOTLANE", func(t *translator) { t.lane("sdot", "4s", "16b", "4b") })
	rule("FMLALANES", func(t *translator) { t.lane("fmla", "4s", "4s", "s") })
	rule("FMLALANED", func(t *translator) { t.lane("fmla", "2d", "2d", "d") })
	shifts()
	for _, c := range []string{"BW 8h 8b 16b", "WD 4s 4h 8h", "DQ 2d 2s 4s"} {
		extension(strings.Fields(c))
	}
	rule("VPMOVZXBD", func(t *translator) { t.extendTwice("ushll", "8h 8b", "4s 4h 8h") })
	rule("VPMOVSXBD", func(t *translator) { t.extendTwice("sshll", "8h 8b", "4s 4h 8h") })
	rule("VPMOVZXWQ", func(t *translator) { t.extendTwice("ushll", "4s 4h", "2d 2s 4s") })
	rule("VPMOVSXWQ", func(t *translator) { t.extendTwice("sshll", "4s 4h", "2d 2s 4s") })
	for x86, arm := range map[string]string{"VPMOVZXBQ": "ushll", "VPMOVSXBQ": "sshll"} {
		rule(x86, func(t *translator) {
			dst := t.out()
			s := t.scratch()
			t.v("%s v%d.8h, v%d.8b, #0", arm, s, t.narrowSource(0, 2*len(dst)))
			t.v("%s v%d.4s, v%d.4h, #0", arm, s, s)
			t.extend(arm, dst, s, "2d", "2s", "4s")
		})
	}
	// The lower halves of each 128 bits are those of the second source.
	for x86, arm := range map[string]string{"VPACKSSDW": "sqxtn 4h 8h 4s", "VPACKUSDW": "sqxtun 4h 8h 4s", "VPACKSSWB": "sqxtn 8b 16b 8h",
		"VPACKUSWB": "sqxtun 8b 16b 8h"} {
		p := strings.Fields(arm)
		rule(x86, func(t *translator) {
			t.each(func(r []int) {
				s := t.scratch()
				t.v("%s v%d.%s, v%d.%s", p[0], s, p[1], r[1], p[3])
				t.v("%s2 v%d.%s, v%d.%s", p[0], s, p[2], r[0], p[3])
				t.move(s, r[2])
				t.done(s)
			})
		})
	}
	// The mask's bits are those of the highest bits of bytes, of 32 bytes at most.
	rule("VPMOVMSKB", func(t *translator) {
		dst, other := t.args[1].n, t.value()
		for h, v := range t.args[0].halves() {
			s, weights := t.scratch(), t.scratch()
			t.v("cmlt v%d.16b, v%d.16b, #0", s, v)
			t.g("MOVD $0x8040201008040201, R%d", other)
			t.v("dup v%d.2d, x%d", weights, other)
			t.v("and v%d.16b, v%d.16b, v%d.16b", s, s, weights)
			for range 3 {
				t.v("addp v%d.16b, v%d.16b, v%d.16b", s, s, s)
			}
			t.v("umov w%d, v%d.h[0]", other, s)
			if h == 0 {
				t.g("MOVWU R%d, R%d", other, dst)
			} else {
				t.g("ORRW R%d<<16, R%d, R%d", other, dst, dst)
			}
			t.done(s)
			t.done(weights)
		}
	})
}

// lane translates a product with an element: the lane, vectors, the vector with the element, sums.
func (t *translator) lane(name, sums, vectors, element string) {
	b := t.in(1, len(t.out()))
	for h, v := range t.out() {
		t.v("%s v%d.%s, v%d.%s, v%d.%s[%d]", name, v, sums, b[h], vectors, t.args[2].halves()[0], element, t.args[0].n)
	}
}

// shifts makes the rules of shifts by as many bits as the lanes of the first source say. Counts beyond the width leave 0, or the sign.
func shifts() {
	for letter, shape := range map[byte]string{'D': "4s", 'Q': "2d"} {
		limit := bitsOf[letter]
		for _, x86 := range []string{"VPSLLV", "VPSRLV", "VPSRAV"} {
			if x86 == "VPSRAV" && letter == 'Q' {
				continue
			}
			rule(x86+string(letter), func(t *translator) {
				r22 := t.value()
				t.each(func(r []int) {
					count, bound, beyond := t.scratch(), t.scratch(), t.scratch()
					t.g("MOVD $%d, R%d", limit-1, r22)
					if letter == 'D' {
						t.v("dup v%d.4s, w%d", bound, r22)
					} else {
						t.v("dup v%d.2d, x%d", bound, r22)
					}
					t.v("cmhi v%d.%s, v%d.%s, v%d.%s", beyond, shape, r[0], shape, bound, shape)
					t.move(r[0], count)
					t.v("bit v%d.16b, v%d.16b, v%d.16b", count, bound, beyond)
					name := "ushl"
					if x86 != "VPSLLV" {
						t.v("neg v%d.16b, v%d.16b", count, count)
					}
					if x86 == "VPSRAV" {
						name = "sshl"
					}
					t.v("%s v%d.%s, v%d.%s, v%d.%s", name, r[2], shape, r[1], shape, count, shape)
					if x86 != "VPSRAV" {
						t.v("bic v%d.16b, v%d.16b, v%d.16b", r[2], r[2], beyond)
					}
					t.done(count)
					t.done(bound)
					t.done(beyond)
				})
			})
		}
	}
}

func extension(p []string) {
	for letter, arm := range map[string]string{"Z": "ushll", "S": "sshll"} {
		rule("VPMOV"+letter+"X"+p[0], func(t *translator) {
			dst := t.out()
			t.extend(arm, dst, t.narrowSource(0, 8*len(dst)), p[1], p[2], p[3])
		})
	}
}

// extend widens the lanes of one register to those of one or two.
func (t *translator) extend(name string, dst []int, source int, wide, narrow, both string) {
	if len(dst) == 2 {
		t.v("%s2 v%d.%s, v%d.%s, #0", name, dst[1], wide, source, both)
	}
	t.v("%s v%d.%s, v%d.%s, #0", name, dst[0], wide, source, narrow)
}

func (t *translator) extendTwice(name, first, second string) {
	p, q := strings.Fields(first), strings.Fields(second)
	dst := t.out()
	s := t.scratch()
	t.v("%s v%d.%s, v%d.%s, #0", name, s, p[0], t.narrowSource(0, 4*len(dst)), p[1])
	t.extend(name, dst, s, q[0], q[1], q[2])
}
