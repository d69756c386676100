package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// operation combines two values.
type operation struct {
	name    string
	neutral float64 // the neutral element
	watches bool    // a NaN among the values is the result, but combine loses it
	ignores bool    // NaN is the result only if all values are NaN
	// combine replaces acc by its combination with x. If watches is set, it may lose a NaN of x.
	combine func(k vec.Kind, x, acc reg.Register)
}

var operations = []operation{
	{name: "sum", neutral: math.Copysign(0, -1), combine: func(k vec.Kind, x, acc reg.Register) { k.Add(x, acc, acc) }},
	{name: "prod", neutral: 1, combine: func(k vec.Kind, x, acc reg.Register) { k.Mul(x, acc, acc) }},
	{name: "max", neutral: math.Inf(-1), watches: true, combine: func(k vec.Kind, x, acc reg.Register) { k.Max(acc, x, acc) }},
	{name: "min", neutral: math.Inf(1), watches: true, combine: func(k vec.Kind, x, acc reg.Register) { k.Min(acc, x, acc) }},
	{name: "fmax", neutral: math.Inf(-1), ignores: true, combine: func(k vec.Kind, x, acc reg.Register) { k.Max(acc, x, acc) }},
	{name: "fmin", neutral: math.Inf(1), ignores: true, combine: func(k vec.Kind, x, acc reg.Register) { k.Min(acc, x, acc) }},
}

var sum = operations[0]

// across combines the lanes of r, in halves, and returns the register with the result in lane 0. It overwrites temp.
func (o operation) across(k vec.Kind, r, temp reg.VecVirtual) reg.Register {
	narrow := vec.Kind{Double: k.Double}
	if k.Wide {
		k.Upper(r, temp)
		o.combine(narrow, temp.AsY(), r.AsY())
		VEXTRACTF32X4(operand.Imm(1), r.AsY(), temp.AsX())
	} else {
		k.Upper(r, temp)
	}
	x, t := r.AsX(), temp.AsX()
	o.combine(narrow, t, x)
	if !k.Double {
		k.Permute(operand.Imm(0b1110), x, t)
		o.combine(narrow, t, x)
	}
	k.Permute(operand.Imm(1), x, t)
	o.combine(narrow, t, x)
	return x
}

// term is what is combined: the elements of one array, or a function of the elements of two.
type term struct {
	operation
	name   string
	second string // the kind of the second operand: "" for none, "array", or "row" for one value per row
	// filler is an element that does not change the result. If second is "row" there is none.
	filler float64
	// add combines the elements at a into acc; those of the second operand are at b or in it. It may overwrite a.
	add func(k vec.Kind, c constants, a reg.Register, b operand.Op, acc reg.Register)
}

// constants are registers that a term needs.
type constants struct{ magnitude reg.Register }

var terms = append(plainTerms(), []term{
	{sum, "squares", "", 0, func(k vec.Kind, _ constants, a reg.Register, _ operand.Op, acc reg.Register) { k.FMA231(a, a, acc) }},
	{sum, "magnitudes", "", 0, func(k vec.Kind, c constants, a reg.Register, _ operand.Op, acc reg.Register) {
		k.And(c.magnitude, a, a)
		k.Add(a, acc, acc)
	}},
	{sum, "products", "array", 0, func(k vec.Kind, _ constants, a reg.Register, b operand.Op, acc reg.Register) { k.FMA231(b, a, acc) }},
	{sum, "differences", "array", 0, square},
	{sum, "deviations", "row", 0, square},
}...)

// square adds (a - b)².
func square(k vec.Kind, _ constants, a reg.Register, b operand.Op, acc reg.Register) {
	k.Sub(b, a, a)
	k.FMA231(a, a, acc)
}

func plainTerms() (all []term) {
	for _, o := range operations {
		all = append(all, term{o, o.name, "", o.neutral, func(k vec.Kind, _ constants, a reg.Register, _ operand.Op, acc reg.Register) {
			o.combine(k, a, acc)
		}})
	}
	return all
}
