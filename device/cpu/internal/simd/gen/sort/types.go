package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// number is a type of sorted numbers: signed integers, or floats other than NaN and -0. All its routines are for
// 512-bit vectors.
type number struct {
	size  int
	float bool
}

var numbers = []number{{4, false}, {8, false}, {4, true}, {8, true}}

func (t number) name(routine string) string {
	letter := "I"
	if t.float {
		letter = "F"
	}
	return fmt.Sprintf("%sAVX512%s%d", routine, letter, 8*t.size)
}

func (t number) elem() string {
	if t.float {
		return fmt.Sprintf("float%d", 8*t.size)
	}
	return fmt.Sprintf("int%d", 8*t.size)
}

func (t number) lanes() int { return 64 / t.size }

// largest is the number that sorts last.
func (t number) largest() operand.Mem {
	k := vec.Kind{Wide: true, Double: t.size == 8}
	if t.float {
		return k.Const(math.Inf(1))
	}
	return k.Bits(1<<(8*t.size-1) - 1)
}

type emit = func(...operand.Op)

// pick chooses an instruction by element size, by chooses by element type.
func (t number) pick(four, eight emit) emit {
	if t.size == 8 {
		return eight
	}
	return four
}

func (t number) by(int32, int64, float32, float64 emit) emit {
	if t.float {
		return t.pick(float32, float64)
	}
	return t.pick(int32, int64)
}

// min and max compare lanes. A mask may precede the destination.
func (t number) min(ops ...operand.Op) { t.by(VPMINSD, VPMINSQ, VMINPS, VMINPD)(ops...) }
func (t number) max(ops ...operand.Op) { t.by(VPMAXSD, VPMAXSQ, VMAXPS, VMAXPD)(ops...) }

// notLess sets the bits of a mask where x is not less than the pivot. Another mask may precede it.
func (t number) notLess(pivot, x operand.Op, masks ...operand.Op) {
	const predicate = 5 // the code for "not less than", of integers and of floats
	t.by(VPCMPD, VPCMPQ, VCMPPS, VCMPPD)(append([]operand.Op{operand.Imm(predicate), pivot, x}, masks...)...)
}

func (t number) load(m, r operand.Op)  { t.pick(VMOVDQU32, VMOVDQU64)(m, r) }
func (t number) store(r, m operand.Op) { t.pick(VMOVDQU32, VMOVDQU64)(r, m) }
func (t number) splat(m, r operand.Op) { t.pick(VPBROADCASTD, VPBROADCASTQ)(m, r) }
func (t number) storeSome(r, k, m operand.Op) {
	t.pick(VMOVDQU32, VMOVDQU64)(r, k, m)
}

func (t number) loadSome(m, k, r operand.Op) {
	if t.size == 8 {
		VMOVDQU64_Z(m, k, r)
	} else {
		VMOVDQU32_Z(m, k, r)
	}
}

func (t number) compress(r, k, dst operand.Op) {
	if t.size == 8 {
		VPCOMPRESSQ_Z(r, k, dst)
	} else {
		VPCOMPRESSD_Z(r, k, dst)
	}
}

// bits sets the lowest count bits of a mask.
func bits(count, ones, mask reg.Register) {
	low := GP64()
	BZHIQ(count, ones, low)
	KMOVW(low.As32(), mask)
}

// shift is the binary logarithm of an element's size.
func (t number) shift() int { return t.size/4 + 1 }
