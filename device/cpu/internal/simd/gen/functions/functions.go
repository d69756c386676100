// Package functions holds the texts of elementary functions for vectors of float32 and float64. A text is a Go function
// that emits the instructions. The generators of several families of kernels insert the texts into their routines.
//
// # What a text may use
//
// A body computes the function of the numbers in the registers x, in place. It treats each lane independently, so that
// a result does not depend on the position of its argument in a vector. x has 4 registers in package vm, and as few as
// 1 elsewhere; a body uses the slice as it is. t holds temporaries, any of which may be overwritten: at least 10 with
// AVX2 (12 if x has 4), at least 22 with AVX-512 (28 if x has 4). With AVX2 a body that needs more temporaries
// processes x in two halves, one after the other (see [Halves]).
//
// A body may also use the mask registers K1, K2 and K3 of AVX-512, and AX, BX, CX, DX, SI, DI. All other registers are
// in use: K4 to K7 hold the masks of a tail, R8 to R15 belong to the interpreter. There is no stack and no call. Each
// use needs new labels: see [Label]. A branch that skips a rare path (VPTEST or KORTEST, then a jump) is welcome.
//
// Constants lie in memory: [vec.Kind.Const], [vec.Kind.Bits]. AVX-512 reads them as an operand of the arithmetic
// (embedded broadcast), AVX2 needs them in a register (Splat to a temporary). [vec.Kind.Polynomial] uses the best form
// for each.
//
// Lanes beyond the end of an array hold arbitrary bits. A body must accept every argument without an exception (Go has
// none), but its speed for these lanes does not matter.
//
// # Rare arguments
//
// Some arguments need a special path that is not worth vector code (the sine of 1e30). For these a function has a
// Limit: for lanes with |x| > Limit, package scalar's function is called afterwards and replaces the body's result. NaN
// does not count as beyond the limit, infinities do: |NaN| > Limit is false, |Inf| > Limit is true.
//
// # How to add one
//
// Write the body in a file of its topic and list the function in [Unary] or [Binary]. Name is the opcode's name
// (device.Op.String). Then run go generate ./device/cpu/internal/simd/... Package vm finds the routines by their names;
// testing/compliance compares them with package scalar. A text that is a trace, which has no branches, also serves
// GPUs: command texts writes it as C.
package functions

import (
	"fmt"

	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Function is a function of one number.
type Function struct {
	Name  string // the opcode's name
	Body  func(k vec.Kind, x, t []reg.VecPhysical)
	Text  func(b *trace.Body, x trace.Value) trace.Value // nil for none
	Limit func(k vec.Kind) float64                       // nil for none
}

// Function2 is a function of two numbers, in x and y. The result replaces x; y may be overwritten. The temporaries are
// the remaining registers.
type Function2 struct {
	Name string
	Body func(k vec.Kind, x, y, t []reg.VecPhysical)
	Text func(b *trace.Body, x, y trace.Value) trace.Value
}

// Unary and Binary are all functions with one and with two arguments.
var (
	Unary = []Function{
		{Name: "rsqrt", Body: rsqrt, Text: rsqrtText},
		unary("exp", exp),
		unary("log", log),
		unary("tanh", tanh),
		unary("sigmoid", sigmoid),
		within(angleLimit, unary("sin", sin)),
		within(angleLimit, unary("cos", cos)),
		unary("exp2", exp2),
		unary("expm1", inDouble(expm1)),
		unary("log2", inDouble(log2)),
		unary("log10", inDouble(log10)),
		unary("log1p", inDouble(log1p)),
		unary("sinh", inDouble(sinh)),
		unary("cosh", inDouble(cosh)),
		within(angleLimit, unary("tan", inDouble(tan))),
		unary("atan", atan),
		unary("erf", erf),
		unary("erfc", erfc),
		unary("ndtr", ndtr),
		unary("softplus", softplus),
		unary("exp10", inDouble(exp10)),
		unary("asin", asin),
		unary("acos", acos),
		unary("asinh", inDouble(asinh)),
		unary("acosh", inDouble(acosh)),
		unary("atanh", inDouble(atanh)),
		unary("cbrt", cbrt),
	}
	Binary = []Function2{{Name: "pow", Body: pow, Text: powText}, binary("atan2", atan2), binary("hypot", hypot)}
)

// unary returns the function of a trace, for all vectors.
func unary(name string, f func(b *trace.Body, x trace.Value) trace.Value) Function {
	return Function{Name: name, Text: f, Body: func(k vec.Kind, x, t []reg.VecPhysical) {
		trace.Emit(k, func(b *trace.Body, x ...trace.Value) trace.Value { return f(b, x[0]) }, t, x)
	}}
}

// binary returns the function of a trace with two inputs.
func binary(name string, f func(b *trace.Body, x, y trace.Value) trace.Value) Function2 {
	return Function2{Name: name, Text: f, Body: func(k vec.Kind, x, y, t []reg.VecPhysical) {
		trace.Emit(k, func(b *trace.Body, in ...trace.Value) trace.Value { return f(b, in[0], in[1]) }, t, x, y)
	}}
}

// within returns f with a limit, beyond which arguments are rare.
func within(limit func(k vec.Kind) float64, f Function) Function {
	f.Limit = limit
	return f
}

var labels int

// Label returns a unique name for a label.
func Label(name string) string {
	labels++
	return fmt.Sprintf("%s%d", name, labels)
}
