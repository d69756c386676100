// Package vec lets a generator describe a kernel once, for 256-bit and 512-bit vectors of float32 or float64. Operands
// come in the order of avo, destination last: Sub(a, b, dst) emits dst = b - a, like the assembler.
package vec

import (
	"flag"
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kind is a vector width and an element type.
type Kind struct{ Wide, Double bool }

// Kinds are all kinds.
var Kinds = []Kind{{false, false}, {false, true}, {true, false}, {true, true}}

// Suffix returns the suffix of routine names: AVX512F32 and so on.
func (k Kind) Suffix() string {
	isa, size := "AVX2", "F32"
	if k.Wide {
		isa = "AVX512"
	}
	if k.Double {
		size = "F64"
	}
	return isa + size
}

// Elem returns the element type's name in Go.
func (k Kind) Elem() string {
	if k.Double {
		return "float64"
	}
	return "float32"
}

// Size returns the size of an element in bytes, Bytes the size of a vector, Lanes the number of elements in a vector,
// Registers the number of vector registers.
func (k Kind) Size() int {
	if k.Double {
		return 8
	}
	return 4
}

func (k Kind) Bytes() int {
	if k.Wide {
		return 64
	}
	return 32
}

func (k Kind) Lanes() int { return k.Bytes() / k.Size() }

func (k Kind) Registers() int {
	if k.Wide {
		return 32
	}
	return 16
}

var neon = flag.Bool("neon", false, "print routines that command neon translates")

// Neon reports whether the narrow vectors are for command neon, which translates them to pairs of arm64's. It has no
// operand that is broadcast from memory, and fused multiplications overwrite only the summand.
func Neon() bool {
	if !flag.Parsed() {
		flag.Parse()
	}
	return *neon
}

// Reg returns a new virtual register.
func (k Kind) Reg() reg.VecVirtual {
	if k.Wide {
		return ZMM()
	}
	return YMM()
}

// Regs returns n new virtual registers.
func (k Kind) Regs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = k.Reg()
	}
	return r
}

// Physical returns vector register i.
func (k Kind) Physical(i int) reg.VecPhysical {
	if k.Wide {
		return zmm[i]
	}
	return ymm[i]
}

var zmm = [...]reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10,
	reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}

var ymm = [...]reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10,
	reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}

type emit = func(...operand.Op)

// maskTemp is the mask register that comparisons may overwrite.
var maskTemp = reg.K1

func (k Kind) pick(single, double emit) emit {
	if k.Double {
		return double
	}
	return single
}

func (k Kind) Load(m, r operand.Op)      { k.pick(VMOVUPS, VMOVUPD)(m, r) }
func (k Kind) Store(r, m operand.Op)     { k.pick(VMOVUPS, VMOVUPD)(r, m) }
func (k Kind) Move(a, dst operand.Op)    { k.pick(VMOVAPS, VMOVAPD)(a, dst) }
func (k Kind) Splat(m, dst operand.Op)   { k.pick(VBROADCASTSS, VBROADCASTSD)(m, dst) }
func (k Kind) Add(a, b, dst operand.Op)  { k.pick(VADDPS, VADDPD)(a, b, dst) }
func (k Kind) Sub(a, b, dst operand.Op)  { k.pick(VSUBPS, VSUBPD)(a, b, dst) } // b - a
func (k Kind) Mul(a, b, dst operand.Op)  { k.pick(VMULPS, VMULPD)(a, b, dst) }
func (k Kind) Div(a, b, dst operand.Op)  { k.pick(VDIVPS, VDIVPD)(a, b, dst) } // b / a
func (k Kind) Sqrt(a, dst operand.Op)    { k.pick(VSQRTPS, VSQRTPD)(a, dst) }
func (k Kind) Max(a, b, dst operand.Op)  { k.pick(VMAXPS, VMAXPD)(a, b, dst) } // b > a ? b : a, so a if one is NaN
func (k Kind) Min(a, b, dst operand.Op)  { k.pick(VMINPS, VMINPD)(a, b, dst) } // b < a ? b : a
func (k Kind) And(a, b, dst operand.Op)  { k.pick(VANDPS, VANDPD)(a, b, dst) }
func (k Kind) AndN(a, b, dst operand.Op) { k.pick(VANDNPS, VANDNPD)(a, b, dst) } // a &^ b
func (k Kind) Or(a, b, dst operand.Op)   { k.pick(VORPS, VORPD)(a, b, dst) }
func (k Kind) Xor(a, b, dst operand.Op)  { k.pick(VXORPS, VXORPD)(a, b, dst) }

// The fused multiplications. The digits say which of the operands dst, b, a (1, 2, 3) are multiplied and which is
// added.

func (k Kind) FMA231(a, b, dst operand.Op)  { k.pick(VFMADD231PS, VFMADD231PD)(a, b, dst) }   // dst + b·a
func (k Kind) FMA213(a, b, dst operand.Op)  { k.pick(VFMADD213PS, VFMADD213PD)(a, b, dst) }   // b·dst + a
func (k Kind) FNMA231(a, b, dst operand.Op) { k.pick(VFNMADD231PS, VFNMADD231PD)(a, b, dst) } // dst - b·a
func (k Kind) FNMA213(a, b, dst operand.Op) { k.pick(VFNMADD213PS, VFNMADD213PD)(a, b, dst) } // a - b·dst

// Stream stores past the caches; m must be aligned to the vector size.
func (k Kind) Stream(r, m operand.Op) {
	if k.Double {
		VMOVNTPD(r, m)
	} else {
		VMOVNTPS(r, m)
	}
}

// Zero clears a register.
func (k Kind) Zero(r operand.Op) {
	if k.Wide {
		VPXORD(r, r, r)
	} else {
		VXORPS(r, r, r)
	}
}

// Round rounds to integers: to the nearest (even), down, up, or towards 0.
func (k Kind) Round(mode Rounding, a, dst operand.Op) {
	imm := operand.Imm(uint64(mode) | 8)
	switch {
	case k.Wide:
		k.pick(VRNDSCALEPS, VRNDSCALEPD)(imm, a, dst)
	case k.Double:
		VROUNDPD(imm, a, dst)
	default:
		VROUNDPS(imm, a, dst)
	}
}

// Rounding is a rounding direction of Round.
type Rounding int

// The directions.
const (
	Nearest Rounding = iota
	Down
	Up
	Truncate
)

// Const returns a constant of the element type in memory. The constant is emitted once, however often it is requested.
func (k Kind) Const(v float64) operand.Mem {
	if k.Double {
		return k.Bits(math.Float64bits(v))
	}
	return k.Bits(uint64(math.Float32bits(float32(v))))
}

// Bits is Const of a bit pattern.
func (k Kind) Bits(b uint64) operand.Mem {
	name := fmt.Sprintf("bits%d_%x", 8*k.Size(), b)
	if m, ok := constants[name]; ok {
		return m
	}
	var value operand.Constant = operand.U32(b)
	if k.Double {
		value = operand.U64(b)
	}
	m := ConstData(name, value)
	constants[name] = m
	return m
}

var constants = map[string]operand.Mem{}

// SplatConst broadcasts a constant into a new register.
func (k Kind) SplatConst(v float64) reg.VecVirtual {
	r := k.Reg()
	k.Splat(k.Const(v), r)
	return r
}

// Leave emits the return from a routine that has used vector registers. Without VZEROUPPER, the code after it would run
// many times slower.
func Leave() {
	VZEROUPPER()
	RET()
}

// Sum adds up the lanes of r, in halves, and returns the register with the sum in lane 0. It overwrites temp.
func (k Kind) Sum(r, temp reg.VecVirtual) reg.Register {
	if k.Wide {
		k.pick(VEXTRACTF32X8, VEXTRACTF64X4)(operand.Imm(1), r, temp.AsY())
		k.pick(VADDPS, VADDPD)(temp.AsY(), r.AsY(), r.AsY())
		VEXTRACTF32X4(operand.Imm(1), r.AsY(), temp.AsX())
	} else {
		VEXTRACTF128(operand.Imm(1), r.AsY(), temp.AsX())
	}
	x, t := r.AsX(), temp.AsX()
	k.pick(VADDPS, VADDPD)(t, x, x)
	if !k.Double {
		VPERMILPS(operand.Imm(0b1110), x, t)
		VADDPS(t, x, x)
	}
	k.pick(VPERMILPS, VPERMILPD)(operand.Imm(1), x, t)
	k.pick(VADDSS, VADDSD)(t, x, x)
	return x
}

// Upper copies the upper half of r to the lower half of dst.
func (k Kind) Upper(r, dst reg.VecVirtual) {
	if k.Wide {
		k.pick(VEXTRACTF32X8, VEXTRACTF64X4)(operand.Imm(1), r, dst.AsY())
	} else {
		VEXTRACTF128(operand.Imm(1), r.AsY(), dst.AsX())
	}
}

// Permute moves elements within each 16 bytes, as the bits of imm specify.
func (k Kind) Permute(imm operand.Constant, a, dst operand.Op) {
	k.pick(VPERMILPS, VPERMILPD)(imm, a, dst)
}
