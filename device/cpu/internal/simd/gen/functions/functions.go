// Package functions holds the texts of elementary functions for vectors of float32 and float64, which the generators of
// several families of kernels put into their routines.
//
// # What a text may use
//
// A body computes the function of the numbers in the registers x, in place: each lane for itself, so that a result does
// not depend on where in a vector its argument lies. x are 4 registers in package vm, as few as 1 elsewhere; a body
// works on the slice as it is. t are temporaries, any of which may be overwritten: at least 10 with AVX2 (12 where x are 4),
// at least 22 with AVX-512 (28 where x are 4). With AVX2 a body that needs more does its work for half of x after the
// other (see [Halves]).
//
// Free besides: the mask registers K1, K2 and K3 of AVX-512, and AX, BX, CX, DX, SI, DI. Everything else is taken:
// K4 to K7 hold the masks of a tail, R8 to R15 belong to the interpreter. There is no stack and no call. Labels must be
// new for each use: see [Label]. A branch that spares a rare path (VPTEST or KORTEST, then a jump) is welcome.
//
// Constants stand in memory: [vec.Kind.Const], [vec.Kind.Bits]. AVX-512 reads them as an operand of the arithmetic
// (embedded broadcast), AVX2 needs them in a register (Splat to a temporary); [vec.Kind.Polynomial] does the best of each.
//
// Lanes beyond the end of an array hold anything: a body must bear every argument and may raise no exception (there are
// none in Go), but nothing is said about how fast it is for them.
//
// # Rare arguments
//
// Where some arguments need a path of their own that is hardly worth vectors (the sine of 1e30), Limit says so: for
// lanes with |x| > Limit package scalar's function is called afterwards, and replaces what the body made of them. NaN and
// infinities count as beyond Limit only if it says so: |NaN| > Limit is false, |Inf| > Limit is true.
//
// # How to add one
//
// Write the body in a file of its topic and list the function in [Unary] or [Binary]; Name is the opcode's name
// (device.Op.String). Then go generate ./device/cpu/internal/simd/... Package vm finds the routines by their names;
// testing/compliance compares with package scalar. A text that is a trace, which has no branches, serves GPUs too: command texts
// writes it as C.
package functions

import (
	"fmt"

	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Function is a function of one number.
type Function struct {
	Name  string // the opcode's
	Body  func(k vec.Kind, x, t []reg.VecPhysical)
	Text  func(b *trace.Body, x trace.Value) trace.Value // nil for none
	Limit func(k vec.Kind) float64                       // nil for none
}

// Function2 is a function of two numbers, in x and y; the result replaces x, and y may be overwritten. There are as many
// temporaries as registers remain.
type Function2 struct {
	Name string
	Body func(k vec.Kind, x, y, t []reg.VecPhysical)
	Text func(b *trace.Body, x, y trace.Value) trace.Value
}

// Unary and Binary are all functions.
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

// unary is the function of a trace, for any vectors.
func unary(name string, f func(b *trace.Body, x trace.Value) trace.Value) Function {
	return Function{Name: name, Text: f, Body: func(k vec.Kind, x, t []reg.VecPhysical) {
		trace.Emit(k, func(b *trace.Body, x ...trace.Value) trace.Value { return f(b, x[0]) }, t, x)
	}}
}

// binary is the function of a trace of two inputs.
func binary(name string, f func(b *trace.Body, x, y trace.Value) trace.Value) Function2 {
	return Function2{Name: name, Text: f, Body: func(k vec.Kind, x, y, t []reg.VecPhysical) {
		trace.Emit(k, func(b *trace.Body, in ...trace.Value) trace.Value { return f(b, in[0], in[1]) }, t, x, y)
	}}
}

// within is f where arguments beyond a limit are rare.
func within(limit func(k vec.Kind) float64, f Function) Function {
	f.Limit = limit
	return f
}

var labels int

// Label returns a name for a label that no other has.
func Label(name string) string {
	labels++
	return fmt.Sprintf("%s%d", name, labels)
}
