package ufunc

import "github.com/ndgrad/ndgrad/nd"

// The functions that gradients of programs, and results with Out or Where, need.
var (
	Add   = Definition{Fn: "ops.Add", Two: true, Body: "a + b"}
	Where = Definition{Fn: "ops.Where", In: "bool c, T a, T b", Body: "c ? a : b"}
)

// Choose is ops.Where.
func Choose(condition, a, b *nd.Array) *nd.Array {
	Where.Fn.Check(condition, a, b)
	t := CommonType([]*nd.Array{a, b})
	return Run(Where.Fn, Where.Program(t), nil, Options{}, []*nd.Array{condition, a, b})
}
