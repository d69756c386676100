package vec

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Polynomial computes in each y the polynomial of the x of the same number, by Horner's rule in fused steps. The
// coefficients begin with that of the highest power. temp is overwritten; x stay.
func (k Kind) Polynomial(coefficients []float64, x, y []reg.VecPhysical, temp reg.VecPhysical) {
	k.Splat(k.Const(coefficients[0]), y[0])
	for _, r := range y[1:] {
		k.Move(y[0], r)
	}
	for _, c := range coefficients[1:] {
		k.FMA213Const(c, x, y, temp)
	}
}

// FMA213Const is y·x + c for each x and y of the same number. temp is overwritten.
func (k Kind) FMA213Const(c float64, x, y []reg.VecPhysical, temp reg.VecPhysical) {
	if k.Wide {
		for i := range y {
			k.pick(VFMADD213PS_BCST, VFMADD213PD_BCST)(k.Const(c), x[i], y[i])
		}
		return
	}
	k.Splat(k.Const(c), temp)
	for i := range y {
		k.FMA213(temp, x[i], y[i])
	}
}

// each emits an instruction of two sources, the first of them a constant in memory, for all x in place. temp is
// overwritten.
func (k Kind) each(wide, narrow emit, c operand.Mem, x []reg.VecPhysical, temp reg.VecPhysical) {
	if !k.Wide {
		k.Splat(c, temp)
	}
	for _, r := range x {
		if k.Wide {
			wide(c, r, r)
		} else {
			narrow(temp, r, r)
		}
	}
}

// AddConst and MulConst add a constant to, or multiply by it, all x. temp is overwritten.
func (k Kind) AddConst(c float64, x []reg.VecPhysical, temp reg.VecPhysical) {
	k.each(k.pick(VADDPS_BCST, VADDPD_BCST), k.pick(VADDPS, VADDPD), k.Const(c), x, temp)
}

func (k Kind) MulConst(c float64, x []reg.VecPhysical, temp reg.VecPhysical) {
	k.each(k.pick(VMULPS_BCST, VMULPD_BCST), k.pick(VMULPS, VMULPD), k.Const(c), x, temp)
}
