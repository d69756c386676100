package sparse

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Map returns the matrix with f applied to its stored elements, which form an array of one axis. f must return as many
// elements, and must map 0 to 0, because elements that are not stored stay 0. Map first adds up elements at the same
// coordinates.
func Map[M Format[M]](m M, f func(x *nd.Array) *nd.Array) M {
	const fn nd.Func = "sparse.Map"
	summed := m.SumDuplicates()
	x := elementsOf(fn, summed)
	y := f(x)
	if x != y && x != elementsOf(fn, m) {
		defer x.Release() // x is temporary
	}
	return summed.WithData(y)
}

// elementsOf returns the stored elements.
func elementsOf(fn nd.Func, m Matrix) *nd.Array {
	e := m.entries(fn)
	defer e.made.Release()
	return e.made.Keep(e.data)
}

// apply is Map for a function of package ops.
func apply[M Format[M]](m M, f func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array) M {
	return Map(m, func(x *nd.Array) *nd.Array { return f(x) })
}

// These functions keep zeros, for matrices of any format. They are the functions of package ops, with their dtypes and
// gradients.

// Absolute returns |m|.
func Absolute[M Format[M]](m M) M { return apply(m, ops.Absolute) }

// Sign returns -1, 0 or 1 by the sign of each element.
func Sign[M Format[M]](m M) M { return apply(m, ops.Sign) }

// Square returns the squares of the elements.
func Square[M Format[M]](m M) M { return apply(m, ops.Square) }

// Sqrt returns the square roots of the elements.
func Sqrt[M Format[M]](m M) M { return apply(m, ops.Sqrt) }

// Sin returns the sines of the elements.
func Sin[M Format[M]](m M) M { return apply(m, ops.Sin) }

// Tan returns the tangents of the elements.
func Tan[M Format[M]](m M) M { return apply(m, ops.Tan) }

// Arcsin returns the inverse sines of the elements.
func Arcsin[M Format[M]](m M) M { return apply(m, ops.Arcsin) }

// Arctan returns the inverse tangents of the elements.
func Arctan[M Format[M]](m M) M { return apply(m, ops.Arctan) }

// Sinh returns the hyperbolic sines of the elements.
func Sinh[M Format[M]](m M) M { return apply(m, ops.Sinh) }

// Tanh returns the hyperbolic tangents of the elements.
func Tanh[M Format[M]](m M) M { return apply(m, ops.Tanh) }

// Arcsinh returns the inverse hyperbolic sines of the elements.
func Arcsinh[M Format[M]](m M) M { return apply(m, ops.Arcsinh) }

// Arctanh returns the inverse hyperbolic tangents of the elements.
func Arctanh[M Format[M]](m M) M { return apply(m, ops.Arctanh) }

// Expm1 returns e to the power of the elements, minus 1.
func Expm1[M Format[M]](m M) M { return apply(m, ops.Expm1) }

// Log1p returns the logarithms of 1 plus the elements.
func Log1p[M Format[M]](m M) M { return apply(m, ops.Log1p) }

// Floor rounds the elements down.
func Floor[M Format[M]](m M) M { return apply(m, ops.Floor) }

// Ceil rounds the elements up.
func Ceil[M Format[M]](m M) M { return apply(m, ops.Ceil) }

// Rint rounds the elements to the nearest integer, halves to the even one.
func Rint[M Format[M]](m M) M { return apply(m, ops.Rint) }

// Trunc rounds the elements towards zero.
func Trunc[M Format[M]](m M) M { return apply(m, ops.Trunc) }

// Deg2Rad converts the elements from degrees to radians.
func Deg2Rad[M Format[M]](m M) M { return apply(m, ops.Deg2Rad) }

// Rad2Deg converts the elements from radians to degrees.
func Rad2Deg[M Format[M]](m M) M { return apply(m, ops.Rad2Deg) }

// ReLU returns the positive elements, and 0 for the others, which stay stored.
func ReLU[M Format[M]](m M) M { return apply(m, ops.ReLU) }

// Power returns the elements to the power p, a number: a Scalar or a 0-d array. p must be positive, because elements
// that are not stored stay 0. For a 0-d array the check waits for the device.
func Power[M Format[M]](m M, p *nd.Array) M {
	const fn nd.Func = "sparse.Power"
	fn.Check(elementsOf(fn, m), p)
	if p.Rank() != 0 || p.DType().IsComplex() || !(nd.Value[float64](p) > 0) {
		panic(fn.Errorf([]*nd.Array{p}, "want a positive number: 0 to another power is not 0"))
	}
	return Map(m, func(x *nd.Array) *nd.Array { return ops.Power(x, p) })
}

// AsType returns the matrix with its elements converted to a dtype, as by [nd.Array.AsType].
func AsType[M Format[M]](m M, dt dtype.DType) M {
	return Map(m, func(x *nd.Array) *nd.Array { return x.AsType(dt) })
}

// Negative returns -m.
func Negative[M Format[M]](m M) M { return m.WithData(ops.Negative(elementsOf("sparse.Negative", m))) }

// Conj returns the complex conjugates of the elements.
func Conj[M Format[M]](m M) M { return m.WithData(ops.Conj(elementsOf("sparse.Conj", m))) }

// Multiply returns the elementwise product with v: a number, or an array that broadcasts to the matrix, such as a row
// or column of factors. Elements that are not stored stay 0, even if v is infinite or NaN there.
func Multiply[M Format[M]](m M, v *nd.Array) M {
	return elementwiseWith("sparse.Multiply", m, v, ops.Multiply)
}

// Divide returns the elementwise quotient by v: a number, or an array that broadcasts to the matrix. Elements that are
// not stored stay 0, even if v is 0 there.
func Divide[M Format[M]](m M, v *nd.Array) M {
	return elementwiseWith("sparse.Divide", m, v, ops.Divide)
}

// elementwiseWith computes f of the stored elements and the elements of v at their coordinates. f is linear in the stored
// elements.
func elementwiseWith[M Format[M]](fn nd.Func, m M, v *nd.Array, f func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array) M {
	e := m.entries(fn)
	defer e.made.Release()
	fn.Check(e.data, v)
	if v.Rank() > 0 {
		shape := []int{e.rows, e.cols}
		if full, err := broadcast.Shapes(v.Shape(), shape); err != nil || !broadcast.Equal(full, shape) {
			panic(fn.Errorf([]*nd.Array{v}, "the operand does not broadcast to the matrix (%d, %d)", e.rows, e.cols))
		}
		whole := v.BroadcastTo(shape...)
		if whole != v {
			defer whole.Release()
		}
		v = gatherAt(fn, whole, e)
		defer v.Release()
	}
	return m.WithData(e.made.Keep(f(e.data, v)))
}
