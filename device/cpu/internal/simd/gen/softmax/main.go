// Command softmax generates the routines of package softmax.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/functions"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// The routines. A body receives the vectors of each input array, the values that each row has one of, and temporaries.
// Its result replaces the first array's vectors.
var routines = []routine{
	{name: "exponentials", arrays: 1, values: 1, stores: true, brings: true, next: true, sums: true,
		doc: "stores e^(x-v) and the sums of these", body: shiftedExp},
	{name: "sumExponentials", arrays: 1, values: 1, brings: true, next: true, sums: true,
		doc: "stores the sums of e^(x-v)", body: shiftedExp},
	{name: "scale", arrays: 1, values: 1, stores: true,
		doc: "stores x·v", body: func(k vec.Kind, x [][]reg.VecPhysical, v, _ []reg.VecPhysical) {
			for _, r := range x[0] {
				k.Mul(v[0], r, r)
			}
		}},
	{name: "shift", arrays: 1, values: 2, stores: true,
		doc: "stores (x-v)-w", body: func(k vec.Kind, x [][]reg.VecPhysical, v, _ []reg.VecPhysical) {
			for _, r := range x[0] {
				k.Sub(v[0], r, r)
				k.Sub(v[1], r, r)
			}
		}},
	{name: "weigh", arrays: 2, values: 1, stores: true, brings: true,
		doc: "stores x·(y-v)", body: func(k vec.Kind, x [][]reg.VecPhysical, v, _ []reg.VecPhysical) {
			for i, r := range x[0] {
				k.Sub(v[0], x[1][i], x[1][i])
				k.Mul(x[1][i], r, r)
			}
		}},
	{name: "lessExponentials", arrays: 2, values: 1, stores: true,
		doc: "stores y-e^x·v", body: func(k vec.Kind, x [][]reg.VecPhysical, v, t []reg.VecPhysical) {
			functions.Exp(k, x[0], t)
			for i, r := range x[0] {
				k.FNMA213(x[1][i], v[0], r)
			}
		}},
}

func shiftedExp(k vec.Kind, x [][]reg.VecPhysical, v, t []reg.VecPhysical) {
	for _, r := range x[0] {
		k.Sub(v[0], r, r)
	}
	functions.ExpDown(k, x[0], t)
}

func main() {
	ConstraintExpr("!purego")
	for _, r := range routines {
		for _, k := range vec.Kinds {
			newWalk(k, r).emit()
		}
	}
	Generate()
}
