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
// testing/compliance compares with package scalar.
package functions

import (
	"fmt"

	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Function is a function of one number.
type Function struct {
	Name  string // the opcode's
	Body  func(k vec.Kind, x, t []reg.VecPhysical)
	Limit func(k vec.Kind) float64 // nil for none
}

// Function2 is a function of two numbers, in x and y; the result replaces x, and y may be overwritten. There are as many
// temporaries as registers remain.
type Function2 struct {
	Name string
	Body func(k vec.Kind, x, y, t []reg.VecPhysical)
}

// Unary and Binary are all functions.
var (
	Unary = []Function{
		{Name: "rsqrt", Body: rsqrt},
		{Name: "exp", Body: Exp},
		{Name: "log", Body: unary(log)},
		{Name: "tanh", Body: unary(tanh)},
		{Name: "sigmoid", Body: unary(sigmoid)},
		{Name: "sin", Body: unary(sin), Limit: angleLimit},
		{Name: "cos", Body: unary(cos), Limit: angleLimit},
		{Name: "exp2", Body: unary(exp2)},
		{Name: "expm1", Body: unary(inDouble(expm1))},
		{Name: "log2", Body: unary(inDouble(log2))},
		{Name: "log10", Body: unary(inDouble(log10))},
		{Name: "log1p", Body: unary(inDouble(log1p))},
		{Name: "sinh", Body: unary(inDouble(sinh))},
		{Name: "cosh", Body: unary(inDouble(cosh))},
		{Name: "tan", Body: unary(inDouble(tan)), Limit: angleLimit},
		{Name: "atan", Body: unary(atan)},
		{Name: "erf", Body: unary(erf)},
		{Name: "erfc", Body: unary(erfc)},
		{Name: "ndtr", Body: unary(ndtr)},
		{Name: "softplus", Body: unary(softplus)},
		{Name: "exp10", Body: unary(inDouble(exp10))},
		{Name: "asin", Body: unary(asin)},
		{Name: "acos", Body: unary(acos)},
		{Name: "asinh", Body: unary(inDouble(asinh))},
		{Name: "acosh", Body: unary(inDouble(acosh))},
		{Name: "atanh", Body: unary(inDouble(atanh))},
		{Name: "cbrt", Body: unary(cbrt)},
	}
	Binary = []Function2{{Name: "pow", Body: pow}, {Name: "atan2", Body: binary(atan2)}, {Name: "hypot", Body: binary(hypot)}}
)

var labels int

// Label returns a name for a label that no other has.
func Label(name string) string {
	labels++
	return fmt.Sprintf("%s%d", name, labels)
}
