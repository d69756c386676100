package vec

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Tail is the first few lanes of a vector: the rest after a loop over whole vectors.
type Tail struct {
	kind Kind
	mask reg.Register // an opmask, or a vector with ones in the lanes
}

// TailOf returns the lanes of an existing mask: an opmask, or for narrow vectors a vector with ones in the lanes.
func (k Kind) TailOf(mask reg.Register) Tail { return Tail{k, mask} }

// Tail returns the first n lanes. n is a register with a number from 0 to Lanes(). It is not changed.
func (k Kind) Tail(n reg.Register) Tail {
	if k.Wide {
		bits, mask := GP64(), K()
		MOVQ(operand.I32(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVW(bits.As32(), mask)
		return Tail{k, mask}
	}
	table, back, mask := GP64(), GP64(), YMM()
	LEAQ(lanes(), table)
	MOVQ(n, back)
	SHLQ(operand.Imm(uint64(k.shift())), back)
	SUBQ(back, table)
	VMOVUPS(operand.Mem{Base: table, Disp: 32}, mask)
	return Tail{k, mask}
}

// shift is the binary logarithm of an element's size.
func (k Kind) shift() int {
	if k.Double {
		return 3
	}
	return 2
}

var laneTable operand.Mem

// lanes returns a constant of 32 bytes of ones followed by 32 bytes of zeros.
func lanes() operand.Mem {
	if laneTable.Base == nil {
		laneTable = GLOBL("lanes", attr.RODATA|attr.NOPTR)
		for at := 0; at < 64; at += 8 {
			ones := operand.U64(0)
			if at < 32 {
				ones--
			}
			DATA(at, ones)
		}
	}
	return laneTable
}

// Load loads the lanes from memory. The other lanes come from filler; their memory is not accessed.
func (t Tail) Load(m operand.Op, filler, dst reg.Register) {
	if t.kind.Wide {
		t.kind.Move(filler, dst)
		t.kind.pick(VMOVUPS, VMOVUPD)(m, t.mask, dst)
		return
	}
	t.LoadZero(m, dst)
	either(t.kind, VBLENDVPS, VBLENDVPD)(t.mask, dst, filler, dst)
}

// LoadZero is Load with zeros for the other lanes.
func (t Tail) LoadZero(m operand.Op, dst reg.Register) {
	if t.kind.Wide {
		either(t.kind, VMOVUPS_Z, VMOVUPD_Z)(m, t.mask, dst)
		return
	}
	either(t.kind, VMASKMOVPS, VMASKMOVPD)(m, t.mask, dst)
}

// Keep clears the other lanes of r.
func (t Tail) Keep(r reg.Register) {
	if t.kind.Wide {
		either(t.kind, VMOVAPS_Z, VMOVAPD_Z)(r, t.mask, r)
		return
	}
	t.kind.And(t.mask, r, r)
}

// Store stores only the lanes.
func (t Tail) Store(r reg.Register, m operand.Op) {
	if t.kind.Wide {
		t.kind.pick(VMOVUPS, VMOVUPD)(r, t.mask, m)
		return
	}
	either(t.kind, VMASKMOVPS, VMASKMOVPD)(r, t.mask, m)
}

// Lanewise is a choice for every lane: an opmask, or a vector of ones and zeros.
type Lanewise struct {
	kind Kind
	mask reg.Register
}

// Predicate is a comparison of floats that raises no exception.
type Predicate int

// The predicates. Unordered, NotLessEqual and NotGreaterEqual are true if one of the two is NaN.
const (
	Equal           Predicate = 0
	Unordered       Predicate = 3
	NotGreaterEqual Predicate = 0x19
	NotLessEqual    Predicate = 0x16
	Ordered         Predicate = 7
)

// Compare compares b with a in every lane: NotLessEqual is !(b <= a).
func (k Kind) Compare(p Predicate, a operand.Op, b reg.Register) Lanewise {
	imm := operand.Imm(uint64(p))
	var mask reg.Register = K()
	if !k.Wide {
		mask = YMM()
	}
	either(k, VCMPPS, VCMPPD)(imm, a, b, mask)
	return Lanewise{k, mask}
}

// Select replaces the lanes of dst by those of a where l is set.
func (l Lanewise) Select(a, dst reg.Register) {
	if l.kind.Wide {
		l.kind.pick(VMOVAPS, VMOVAPD)(a, l.mask, dst)
		return
	}
	either(l.kind, VBLENDVPS, VBLENDVPD)(l.mask, a, dst, dst)
}

// Mask returns the register that holds l.
func (l Lanewise) Mask() reg.Register { return l.mask }

// either chooses by the element type.
func either[F any](k Kind, single, double F) F {
	if k.Double {
		return double
	}
	return single
}

// And keeps the lanes of l that are also set in other.
func (l Lanewise) And(other Lanewise) {
	if l.kind.Wide {
		KANDW(other.mask, l.mask, l.mask)
		return
	}
	l.kind.And(other.mask, l.mask, l.mask)
}

// Bits returns a bit for each lane.
func (l Lanewise) Bits() reg.GPVirtual {
	bits := GP32()
	if l.kind.Wide {
		KMOVW(l.mask, bits)
	} else {
		either(l.kind, VMOVMSKPS, VMOVMSKPD)(l.mask, bits)
	}
	return bits
}
