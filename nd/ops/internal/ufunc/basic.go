package ufunc

import "github.com/ndgrad/ndgrad/nd"

// The functions that gradients of programs, results with Out or Where, and sums of products need.
var (
	Add      = Definition{Fn: "ops.Add", Two: true, Body: "a + b"}
	Multiply = Definition{Fn: "ops.Multiply", Two: true, Body: "a * b"}
	Where    = Definition{Fn: "ops.Where", In: "bool c, T a, T b", Body: "c ? a : b"}
)

// The functions that norms need. The derivatives of powers at 0 are 0 in every order: before a power is differentiated
// again, 0 is replaced by 1.
var (
	RootOfSquares = Definition{Fn: "ops.Norm", Body: "sqrt(x)", Gradient: "gx = y == 0 ? T(0) : gy / (y * 2)"}
	AbsPower      = Definition{Fn: "ops.Norm", In: "T x, T p", Body: "pow(abs(x), p)",
		Gradient: "gx = x == 0 ? T(0) : gy * sign(x) * p * pow(x == 0 ? T(1) : abs(x), p - 1)"}
	// Unit is the power of two below a magnitude, by which numbers can be divided without rounding; 1 if there is none.
	Unit = Definition{Fn: "ops.Norm", Body: "x > 0 && x < inf ? exp2(floor(log2(x))) : T(1)", Gradient: "gx = T(0)"}
)

// Choose is ops.Where.
func Choose(condition, a, b *nd.Array) *nd.Array {
	Where.Fn.Check(condition, a, b)
	t := CommonType([]*nd.Array{a, b})
	return Run(Where.Fn, Where.Program(t), nil, Options{}, []*nd.Array{condition, a, b})
}
