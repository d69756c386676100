package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// integer is a size of signed keys. All routines on them are for 512-bit vectors.
type integer struct{ size int }

var types = []integer{{4}, {8}}

func (t integer) name(routine string) string { return fmt.Sprintf("%sAVX512I%d", routine, 8*t.size) }
func (t integer) elem() string               { return fmt.Sprintf("int%d", 8*t.size) }
func (t integer) lanes() int                 { return 64 / t.size }
func (t integer) scale() uint8               { return uint8(t.size) }

type emit = func(...operand.Op)

func (t integer) pick(four, eight emit) emit {
	if t.size == 8 {
		return eight
	}
	return four
}

func (t integer) load(m, r operand.Op)  { t.pick(VMOVDQU32, VMOVDQU64)(m, r) }
func (t integer) store(r, m operand.Op) { t.pick(VMOVDQU32, VMOVDQU64)(r, m) }
func (t integer) splat(m, r operand.Op) { t.pick(VPBROADCASTD, VPBROADCASTQ)(m, r) }
func (t integer) storeSome(r, k, m operand.Op) {
	t.pick(VMOVDQU32, VMOVDQU64)(r, k, m)
}

func (t integer) loadSome(m, k, r operand.Op) {
	if t.size == 8 {
		VMOVDQU64_Z(m, k, r)
	} else {
		VMOVDQU32_Z(m, k, r)
	}
}

func (t integer) compress(r, k, dst operand.Op) {
	if t.size == 8 {
		VPCOMPRESSQ_Z(r, k, dst)
	} else {
		VPCOMPRESSD_Z(r, k, dst)
	}
}

// bits sets as many of the lowest bits of a mask as a register says.
func bits(count, ones, mask reg.Register) {
	low := GP64()
	BZHIQ(count, ones, low)
	KMOVW(low.As32(), mask)
}
