package ufunc

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CheckOut refuses an Out that cannot receive a result of a shape. The result of a reduction is converted to any dtype, as
// NumPy's are.
func CheckOut(fn nd.Func, x, out *nd.Array, shape []int) {
	fn.Check(x, out)
	fn.CheckWritable(out)
	if !broadcast.Equal(out.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result has shape %s, Out %s", broadcast.FormatShape(shape), broadcast.FormatShape(out.Shape())))
	}
}

// CheckOutCast is CheckOut of results that are converted where same_kind casting allows it.
func CheckOutCast(fn nd.Func, x, out *nd.Array, shape []int, result dtype.DType) {
	CheckOut(fn, x, out, shape)
	CheckCast(fn, x, out, result)
}

// CheckTaken is CheckOut of elements or positions that are taken: as in NumPy, their dtype must hold all values of Out's.
func CheckTaken(fn nd.Func, x, out *nd.Array, shape []int, result dtype.DType) {
	CheckOut(fn, x, out, shape)
	if !dtype.CanCast(out.DType(), result, dtype.CastSafe) {
		panic(fn.Errorf([]*nd.Array{x, out}, "the result is %s: want an Out of a dtype whose values this holds, not %s", result, out.DType()))
	}
}

// CheckCast refuses an Out to whose dtype same_kind casting does not convert the result.
func CheckCast(fn nd.Func, x, out *nd.Array, result dtype.DType) {
	if !dtype.CanCast(result, out.DType(), dtype.CastSameKind) {
		panic(castError(fn, []*nd.Array{x, out}, result, out.DType(), dtype.CastSameKind))
	}
}

func castError(fn nd.Func, operands []*nd.Array, result, out dtype.DType, rule dtype.Casting) *nd.Error {
	return fn.Errorf(operands, "the result is %s, which %s casting does not turn into %s", result, rule, out)
}
