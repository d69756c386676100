package vec

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// LoadMasked loads the lanes of a mask register and clears the others (AVX-512).
func (k Kind) LoadMasked(m, mask, r operand.Op) {
	if k.Double {
		VMOVUPD_Z(m, mask, r)
	} else {
		VMOVUPS_Z(m, mask, r)
	}
}

// StoreMasked stores the lanes of a mask register (AVX-512).
func (k Kind) StoreMasked(r, mask, m operand.Op) {
	if k.Double {
		VMOVUPD(r, mask, m)
	} else {
		VMOVUPS(r, mask, m)
	}
}

// More predicates. For NaN all are false except NotEqual.
const (
	NotEqual     Predicate = 0x04
	Less         Predicate = 0x11
	LessEqual    Predicate = 0x12
	GreaterEqual Predicate = 0x1d
	Greater      Predicate = 0x1e
)

// CompareOnes sets the lanes of dst to all ones where the predicate holds for b and a, as in b < a, else to 0. With
// AVX-512 it overwrites K1.
func (k Kind) CompareOnes(p Predicate, a, b, dst operand.Op) {
	imm := operand.Imm(uint64(p))
	if !k.Wide {
		k.pick(VCMPPS, VCMPPD)(imm, a, b, dst)
		return
	}
	k.pick(VCMPPS, VCMPPD)(imm, a, b, maskTemp)
	k.Ones(maskTemp, dst)
}

// Blend replaces mask, whose lanes are all ones or 0, by a where it is set, and by b elsewhere. b must be a register
// with AVX2.
func (k Kind) Blend(a, b, mask operand.Op) {
	if k.Wide {
		k.pick(VPTERNLOGD, VPTERNLOGQ)(operand.U8(0xCA), b, a, mask)
		return
	}
	k.blendV(mask, a, b, mask)
}

// blendV sets dst to a where mask is set, else to b (AVX2).
func (k Kind) blendV(mask, a, b, dst operand.Op) {
	if k.Double {
		VBLENDVPD(mask, a, b, dst)
	} else {
		VBLENDVPS(mask, a, b, dst)
	}
}

// Ones sets the lanes of dst to all ones where a bit of a mask register is set, else to 0 (AVX-512).
func (k Kind) Ones(mask, dst operand.Op) {
	if k.Double {
		VPMOVM2Q(mask, dst)
	} else {
		VPMOVM2D(mask, dst)
	}
}

// Where sets dst to value in the lanes where the predicate holds for b and a. With AVX-512 it overwrites K1, with AVX2
// temp.
func (k Kind) Where(p Predicate, a, b, value, dst, temp operand.Op) {
	if k.Wide {
		k.pick(VCMPPS, VCMPPD)(operand.Imm(uint64(p)), a, b, maskTemp)
		k.pick(VMOVAPS, VMOVAPD)(value, maskTemp, dst)
		return
	}
	k.CompareOnes(p, a, b, temp)
	k.blendV(temp, value, dst, dst)
}
