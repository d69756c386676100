package functions

import (
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

// rsqrt is 1/√x, of two roundings.
func rsqrt(k vec.Kind, x, t []reg.VecPhysical) {
	k.Splat(k.Const(1), t[0])
	for i := range x {
		k.Sqrt(x[i], x[i])
		k.Div(x[i], t[0], x[i])
	}
}
