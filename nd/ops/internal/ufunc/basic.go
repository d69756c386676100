package ufunc

import "github.com/ndgrad/ndgrad/nd"

// What the gradients of programs, and results with Out or Where, are made with, and sums of products.
var (
	Add      = Definition{Fn: "ops.Add", Two: true, Body: "a + b"}
	Multiply = Definition{Fn: "ops.Multiply", Two: true, Body: "a * b"}
	Where    = Definition{Fn: "ops.Where", In: "bool c, T a, T b", Body: "c ? a : b"}
)

// The parts of norms. The derivatives of powers at 0 count as 0 in every order: expressions that are differentiated again
// use 1 instead of 0.
var (
	RootOfSquares = Definition{Fn: "ops.Norm", Body: "sqrt(x)", Gradient: "gx = y == 0 ? T(0) : gy / (y * 2)"}
	AbsPower      = Definition{Fn: "ops.Norm", In: "T x, T p", Body: "pow(abs(x), p)",
		Gradient: "gx = x == 0 ? T(0) : gy * sign(x) * p * pow(x == 0 ? T(1) : abs(x), p - 1)"}
)

// Choose is ops.Where.
func Choose(condition, a, b *nd.Array) *nd.Array {
	Where.Fn.Check(condition, a, b)
	t := CommonType([]*nd.Array{a, b})
	return Run(Where.Fn, Where.Program(t), nil, Options{}, []*nd.Array{condition, a, b})
}
