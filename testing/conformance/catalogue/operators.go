package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

var self = []string{"self"}

// operatorRows is the chapter of Python's operators.
var operatorRows = []Row{
	{Signature: "cupy.ndarray.__add__(self, other)", Func: pair(ops.Add)},
	{Signature: "cupy.ndarray.__sub__(self, other)", Func: pair(ops.Subtract)},
	{Signature: "cupy.ndarray.__mul__(self, other)", Func: pair(ops.Multiply)},
	{Signature: "cupy.ndarray.__div__(self, other)", Func: pair(ops.Divide)},
	{Signature: "cupy.ndarray.__truediv__(self, other)", Func: pair(ops.Divide)},
	{Signature: "cupy.ndarray.__floordiv__(self, other)", Func: pair(ops.FloorDivide), NoGrad: true},
	{Signature: "cupy.ndarray.__mod__(self, other)", Func: pair(ops.Remainder)},
	{Signature: "cupy.ndarray.__divmod__(self, other)", Func: ops.DivMod[*nd.Array, *nd.Array]},
	{Signature: "cupy.ndarray.__pow__(self, other)", Func: pair(ops.Power)},
	{Signature: "cupy.ndarray.__neg__(self)", Func: ops.Negative},
	{Signature: "cupy.ndarray.__abs__(self)", Func: ops.Absolute},

	{Signature: "cupy.ndarray.__radd__(self, other)", Func: swapped(ops.Add)},
	{Signature: "cupy.ndarray.__rsub__(self, other)", Func: swapped(ops.Subtract)},
	{Signature: "cupy.ndarray.__rmul__(self, other)", Func: swapped(ops.Multiply)},
	{Signature: "cupy.ndarray.__rdiv__(self, other)", Func: swapped(ops.Divide)},
	{Signature: "cupy.ndarray.__rtruediv__(self, other)", Func: swapped(ops.Divide)},
	{Signature: "cupy.ndarray.__rfloordiv__(self, other)", Func: swapped(ops.FloorDivide), NoGrad: true},
	{Signature: "cupy.ndarray.__rmod__(self, other)", Func: swapped(ops.Remainder)},
	{Signature: "cupy.ndarray.__rdivmod__(self, other)", Func: func(self, other *nd.Array) (quotient, rest *nd.Array) {
		return ops.DivMod(other, self)
	}},
	{Signature: "cupy.ndarray.__rpow__(self, other)", Func: swapped(ops.Power)},

	{Signature: "cupy.ndarray.__iadd__(self, other)", Func: inPlace(ops.Add), Writes: self},
	{Signature: "cupy.ndarray.__isub__(self, other)", Func: inPlace(ops.Subtract), Writes: self},
	{Signature: "cupy.ndarray.__imul__(self, other)", Func: inPlace(ops.Multiply), Writes: self},
	{Signature: "cupy.ndarray.__idiv__(self, other)", Func: inPlace(ops.Divide), Writes: self},
	{Signature: "cupy.ndarray.__itruediv__(self, other)", Func: inPlace(ops.Divide), Writes: self},
	{Signature: "cupy.ndarray.__ifloordiv__(self, other)", Func: inPlace(ops.FloorDivide), Writes: self},
	{Signature: "cupy.ndarray.__imod__(self, other)", Func: inPlaceOfCopy(ops.Remainder), Writes: self},
	{Signature: "cupy.ndarray.__ipow__(self, other)", Func: inPlaceOfCopy(ops.Power), Writes: self},

	{Signature: "cupy.ndarray.__and__(self, other)", Func: pair(ops.BitwiseAnd), NoGrad: true},
	{Signature: "cupy.ndarray.__rand__(self, other)", Func: swapped(ops.BitwiseAnd), NoGrad: true},
	{Signature: "cupy.ndarray.__iand__(self, other)", Func: inPlace(ops.BitwiseAnd), Writes: self},
	{Signature: "cupy.ndarray.__or__(self, other)", Func: pair(ops.BitwiseOr), NoGrad: true},
	{Signature: "cupy.ndarray.__ror__(self, other)", Func: swapped(ops.BitwiseOr), NoGrad: true},
	{Signature: "cupy.ndarray.__ior__(self, other)", Func: inPlace(ops.BitwiseOr), Writes: self},
	{Signature: "cupy.ndarray.__xor__(self, other)", Func: pair(ops.BitwiseXor), NoGrad: true},
	{Signature: "cupy.ndarray.__rxor__(self, other)", Func: swapped(ops.BitwiseXor), NoGrad: true},
	{Signature: "cupy.ndarray.__ixor__(self, other)", Func: inPlace(ops.BitwiseXor), Writes: self},
	{Signature: "cupy.ndarray.__lshift__(self, other)", Func: pair(ops.LeftShift), NoGrad: true},
	{Signature: "cupy.ndarray.__rlshift__(self, other)", Func: swapped(ops.LeftShift), NoGrad: true},
	{Signature: "cupy.ndarray.__ilshift__(self, other)", Func: inPlace(ops.LeftShift), Writes: self},
	{Signature: "cupy.ndarray.__rshift__(self, other)", Func: pair(ops.RightShift), NoGrad: true},
	{Signature: "cupy.ndarray.__rrshift__(self, other)", Func: swapped(ops.RightShift), NoGrad: true},
	{Signature: "cupy.ndarray.__irshift__(self, other)", Func: inPlace(ops.RightShift), Writes: self},
	{Signature: "cupy.ndarray.__invert__(self)", Func: ops.Invert, NoGrad: true},
	{Signature: "cupy.ndarray.__pos__(self)", Func: ops.Positive},

	{Signature: "cupy.ndarray.__eq__(self, other)", Func: pair(ops.Equal), NoGrad: true},
	{Signature: "cupy.ndarray.__ne__(self, other)", Func: pair(ops.NotEqual), NoGrad: true},
	{Signature: "cupy.ndarray.__lt__(self, other)", Func: pair(ops.Less), NoGrad: true},
	{Signature: "cupy.ndarray.__le__(self, other)", Func: pair(ops.LessEqual), NoGrad: true},
	{Signature: "cupy.ndarray.__gt__(self, other)", Func: pair(ops.Greater), NoGrad: true},
	{Signature: "cupy.ndarray.__ge__(self, other)", Func: pair(ops.GreaterEqual), NoGrad: true},

	{Signature: "chainer.Variable.__abs__(self)", Func: ops.Absolute},
	{Signature: "chainer.Variable.__neg__(self)", Func: ops.Negative},
	{Signature: "chainer.Variable.__add__(self, rhs)", Func: pair(ops.Add)},
	{Signature: "chainer.Variable.__sub__(self, rhs)", Func: pair(ops.Subtract)},
	{Signature: "chainer.Variable.__mul__(self, rhs)", Func: pair(ops.Multiply)},
	{Signature: "chainer.Variable.__div__(self, rhs)", Func: pair(ops.Divide)},
	{Signature: "chainer.Variable.__truediv__(self, rhs)", Func: pair(ops.Divide)},
	{Signature: "chainer.Variable.__pow__(self, rhs)", Func: pair(ops.Power)},
	{Signature: "chainer.Variable.__radd__(self, rhs)", Func: swapped(ops.Add)},
	{Signature: "chainer.Variable.__rsub__(self, rhs)", Func: swapped(ops.Subtract)},
	{Signature: "chainer.Variable.__rmul__(self, rhs)", Func: swapped(ops.Multiply)},
	{Signature: "chainer.Variable.__rdiv__(self, rhs)", Func: swapped(ops.Divide)},
	{Signature: "chainer.Variable.__rtruediv__(self, rhs)", Func: swapped(ops.Divide)},
	{Signature: "chainer.Variable.__rpow__(self, rhs)", Func: swapped(ops.Power)},
}
