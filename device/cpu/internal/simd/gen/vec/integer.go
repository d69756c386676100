package vec

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// The arithmetic of integers as wide as the elements.

func (k Kind) AddInt(a, b, dst operand.Op) { k.pick(VPADDD, VPADDQ)(a, b, dst) }
func (k Kind) SubInt(a, b, dst operand.Op) { k.pick(VPSUBD, VPSUBQ)(a, b, dst) } // b - a

// GreaterInt and EqualInt set the lanes of dst to all ones where b > a or b = a, else to 0. With AVX-512 they overwrite
// K1.
func (k Kind) GreaterInt(a, b, dst operand.Op) {
	if k.Wide {
		k.pick(VPCMPGTD, VPCMPGTQ)(a, b, maskTemp)
		k.Ones(maskTemp, dst)
		return
	}
	k.pick(VPCMPGTD, VPCMPGTQ)(a, b, dst)
}

func (k Kind) EqualInt(a, b, dst operand.Op) {
	if k.Wide {
		k.pick(VPCMPEQD, VPCMPEQQ)(a, b, maskTemp)
		k.Ones(maskTemp, dst)
		return
	}
	k.pick(VPCMPEQD, VPCMPEQQ)(a, b, dst)
}
