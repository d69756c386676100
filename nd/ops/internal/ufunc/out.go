package ufunc

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CheckOut panics if Out cannot receive a result with the given shape. Its dtype is free: as in NumPy, the result of a
// reduction is converted to any dtype.
func CheckOut(fn nd.Func, x, out *nd.Array, shape []int) {
	fn.Check(x, out)
	fn.CheckWritable(out)
	if !broadcast.Equal(out.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result has shape %s, Out %s", broadcast.FormatShape(shape), broadcast.FormatShape(out.Shape())))
	}
}

// CheckOutCast is CheckOut for results that need same_kind casting to Out's dtype.
func CheckOutCast(fn nd.Func, x, out *nd.Array, shape []int, result dtype.DType) {
	CheckOut(fn, x, out, shape)
	CheckCast(fn, x, out, result)
}

// CheckTaken is CheckOut for elements or indices that are selected: as in NumPy, their dtype must be able to hold all
// values of Out's dtype.
func CheckTaken(fn nd.Func, x, out *nd.Array, shape []int, result dtype.DType) {
	CheckOut(fn, x, out, shape)
	if !dtype.CanCast(out.DType(), result, dtype.CastSafe) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result is %s: want an Out of a dtype whose values all fit it, not %s", result, out.DType()))
	}
}

// CheckCast panics if same_kind casting does not convert the result to Out's dtype.
func CheckCast(fn nd.Func, x, out *nd.Array, result dtype.DType) {
	if !dtype.CanCast(result, out.DType(), dtype.CastSameKind) {
		panic(castError(fn, []*nd.Array{x, out}, result, out.DType(), dtype.CastSameKind))
	}
}

func castError(fn nd.Func, operands []*nd.Array, result, out dtype.DType, rule dtype.Casting) *nd.Error {
	return fn.Errorf(operands, "the result is %s, which %s casting does not turn into %s", result, rule, out)
}
