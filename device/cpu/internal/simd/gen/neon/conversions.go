package main

import (
	"math"
	"strings"
)

// conversions makes the rules of conversions between types.
func conversions() {
	rule("VCVTDQ2PS", func(t *translator) {
		t.each(func(r []int) { t.v("scvtf v%d.4s, v%d.4s", r[1], r[0]) })
	})
	rule("VCVTTPS2DQ", func(t *translator) {
		t.each(func(r []int) { t.v("fcvtzs v%d.4s, v%d.4s", r[1], r[0]) })
	})
	widening := func(x86, lower, shapes string, after string) {
		wide, narrow, _ := strings.Cut(shapes, " ")
		both := map[string]string{"2s": "4s", "4h": "8h"}[narrow]
		rule(x86, func(t *translator) {
			dst := t.out()
			source := t.narrowSource(0, 8*len(dst))
			zero := map[bool]string{true: ", #0", false: ""}[strings.HasPrefix(lower, "s")]
			if len(dst) == 2 {
				t.v("%s2 v%d.%s, v%d.%s%s", lower, dst[1], wide, source, both, zero)
			}
			t.v("%s v%d.%s, v%d.%s%s", lower, dst[0], wide, source, narrow, zero)
			if after != "" {
				for _, v := range dst {
					t.v("%s v%d.%s, v%d.%s", after, v, wide, v, wide)
				}
			}
		})
	}
	widening("VCVTPS2PD", "fcvtl", "2d 2s", "")
	widening("VCVTPH2PS", "fcvtl", "4s 4h", "")
	widening("VCVTDQ2PD", "sshll", "2d 2s", "scvtf")
	narrowing := func(x86, name, shapes string, before string) {
		wide, narrow, _ := strings.Cut(shapes, " ")
		both := map[string]string{"2s": "4s", "4h": "8h"}[narrow]
		rule(x86, func(t *translator) {
			i := len(t.args) - 2
			source := t.args[i].halves()
			to := t.args[len(t.args)-1]
			dst := -1
			if to.kind == 'm' {
				dst = t.scratch()
			} else {
				dst = t.out()[0]
			}
			if before != "" { // the sources must stay
				for h, v := range source {
					source[h] = t.scratch()
					t.v("%s v%d.%s, v%d.%s", before, source[h], wide, v, wide)
				}
			}
			t.v("%s v%d.%s, v%d.%s", name, dst, narrow, source[0], wide)
			if len(source) == 2 {
				t.v("%s2 v%d.%s, v%d.%s", name, dst, both, source[1], wide)
			}
			if to.kind == 'm' {
				t.transfer(false, to.memory, 8*len(source), dst)
			}
		})
	}
	narrowing("VCVTPD2PSY VCVTPD2PSX", "fcvtn", "2d 2s", "")
	narrowing("VCVTPS2PH", "fcvtn", "4s 4h", "")
	narrowing("VCVTTPD2DQY VCVTTPD2DQX", "xtn", "2d 2s", "fcvtzs") // 2^31 wraps, as on amd64
	rule("VCVTSS2SD", func(t *translator) { t.v("fcvt d%d, s%d", t.out()[0], t.scalarIn(0, 4)) })
	rule("VCVTSD2SS", func(t *translator) { t.v("fcvt s%d, d%d", t.out()[0], t.scalarIn(0, 8)) })
}

// narrowSource returns the register of a source of 8 or 16 bytes.
func (t *translator) narrowSource(i, bytes int) int {
	if a := t.args[i]; a.kind == 'm' {
		s := t.scratch()
		t.transfer(true, a.memory, bytes, s)
		return s
	}
	return t.args[i].halves()[0]
}

// scalarIn is narrowSource for scalars.
func (t *translator) scalarIn(i, bytes int) int { return t.narrowSource(i, bytes) }

// splatOf returns the number that a constant has in all lanes, if an instruction can hold it.
func (d *datum) splatOf(bytes int) (float64, bool) {
	var bits uint64
	for i := range bytes {
		bits |= uint64(d.bytes[i]) << (8 * i)
	}
	v := math.Float64frombits(bits)
	if bytes == 4 {
		v = float64(math.Float32frombits(uint32(bits)))
	}
	_, ok := asFloatImmediate(v)
	return v, ok
}
