package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// matrixRows is the chapter of products of arrays and of matrix diagonals.
var matrixRows = []Row{
	{Signature: "cupy.dot(a, b, out=None)", Func: dotOfNumbers},
	{Signature: "cupy.ndarray.dot(self, b, out=None)", Func: ops.Dot},
	{Signature: "cupy.inner(a, b)", Func: ops.Inner},
	{Signature: "cupy.outer(a, b, out=None)", Func: ops.Outer},
	{Signature: "cupy.vdot(a, b)", Func: ops.VDot},
	{Signature: "cupy.tensordot(a, b, axes=2, out=None)", Func: func(a, b *nd.Array, axes any, out *nd.Array) *nd.Array {
		list, ok := axes.([]any)
		if !ok {
			return ops.TensorDot(a, b, ops.TensorDotOptions{N: new(integer(axes)), Out: out})
		}
		if len(list) != 2 {
			panic(nd.Func("tensordot").Errorf([]*nd.Array{a, b}, "axes: want two lists, not %d", len(list)))
		}
		return ops.TensorDot(a, b, ops.TensorDotOptions{A: oneOrMore(list[0]), B: oneOrMore(list[1]), Out: out})
	}},
	{Signature: "cupy.trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)", Func: trace},
	{Signature: "cupy.ndarray.trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", Func: trace},
	{Signature: "cupy.diag(v, k=0)", Func: ops.Diag},
	{Signature: "cupy.diagflat(v, k=0)", Func: ops.DiagFlat},
	{Signature: "numpy.matmul(x1, x2, /, out=None, dtype=None, axes=None)", Func: ops.MatMul},
	{Signature: "numpy.linalg.matmul(x1, x2, /)", Func: ops.MatMul},
	{Signature: "numpy.vecdot(x1, x2, /, out=None, *, keepdims=False, dtype=None, axes=None, axis=None)", Func: ops.VecDot},
	{Signature: "numpy.linalg.vecdot(x1, x2, /, *, axis=-1)", Func: ops.VecDot},
	{Signature: "numpy.cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)", Func: func(a, b *nd.Array, axisA, axisB, axisC, axis []int) *nd.Array {
		if axis != nil {
			axisA, axisB, axisC = axis, axis, axis
		}
		return ops.Cross(a, b, ops.CrossOptions{A: axisA, B: axisB, C: axisC})
	}, Note: "Over for one axis"},
	{Signature: "numpy.linalg.cross(x1, x2, /, *, axis=-1)", Func: ops.Cross},
	{Signature: "numpy.matvec(x1, x2, /, out=None, dtype=None, axes=None)", Func: ops.MatVec},
	{Signature: "numpy.vecmat(x1, x2, /, out=None, dtype=None, axes=None)", Func: ops.VecMat},
	{Signature: "numpy.tril(m, k=0)", Func: ops.Tril},
	{Signature: "numpy.triu(m, k=0)", Func: ops.Triu},

	{Signature: "nnabla.functions.affine(x, weight, bias=None, base_axis=1)", Func: ops.Affine},
	{Signature: "nnabla.functions.batch_matmul(a, b, transpose_a=False, transpose_b=False)", Func: ops.BatchMatMul},
	{Signature: "nnabla.functions.dot(a, b, out=None)", Func: dotInto, Writes: []string{"out"}},
	{Signature: "nnabla.functions.norm(x, p=None, axis=None, keepdims=False)", Func: ops.Norm},
	{Signature: "nnabla.functions.matrix_diag(x)", Func: ops.MatrixDiag},
	{Signature: "nnabla.functions.matrix_diag_part(x)", Func: func(x *nd.Array) *nd.Array { return x.Diagonal(0, -2, -1) }},

	{Signature: "chainer.functions.linear(x, W, b=None)", Func: func(x, w, b *nd.Array) *nd.Array {
		return ops.Affine(x, w.T(), ops.AffineOptions{Bias: b})
	}, Note: "Chainer 7's n_batch_axes is BaseAxis"},
	{Signature: "chainer.functions.matmul(a, b, transa=False, transb=False)", Func: matMulChainer},
	{Signature: "chainer.functions.batch_matmul(a, b, transa=False, transb=False)", Func: func(a, b *nd.Array, transA, transB bool) *nd.Array {
		return ops.BatchMatMul(columns(a, 3), columns(b, 3), ops.BatchMatMulOptions{TransposeA: transA, TransposeB: transB})
	}},
	{Signature: "chainer.functions.bias(x, y, axis=1)", Func: func(x, y *nd.Array, axis int) *nd.Array {
		return ops.Add(x, ops.AlignLike(y, x, ops.Over(axis)))
	}},
	{Signature: "chainer.functions.scale(x, y, axis=1)", Func: func(x, y *nd.Array, axis int) *nd.Array {
		return ops.Multiply(x, ops.AlignLike(y, x, ops.Over(axis)))
	}},

	{Signature: "mxnet.npx.batch_dot(lhs, rhs, transpose_a=False, transpose_b=False, forward_stype=None)", Func: ops.BatchMatMul,
		Ignores: []string{"forward_stype"}},
	{Signature: "mxnet.npx.fully_connected(data, weight, bias=None, num_hidden=0, no_bias=False, flatten=True)", Func: fullyConnected,
		Ignores: []string{"num_hidden"}},
	{Signature: "mxnet.npx.norm(data, ord=2, axis=None, out_dtype=None, keepdims=False)", Func: func(x *nd.Array, p float64, axis []int, to dtype.DType, keepDims bool) *nd.Array {
		y := ops.Norm(x, ops.NormOptions{P: &p, Axes: axis, KeepDims: keepDims})
		if axis == nil && !keepDims {
			y = y.Reshape(1)
		}
		if to.Valid() {
			y = y.AsType(to)
		}
		return y
	}},
}

func trace(x *nd.Array, offset, axis1, axis2 int, t dtype.DType, out *nd.Array) *nd.Array {
	return ops.Trace(x, ops.TraceOptions{Offset: offset, Axes: ops.Over(axis1, axis2), DType: t, Out: out})
}

// dotOfNumbers treats numbers as 0-d arrays, as NumPy does.
func dotOfNumbers(a, b, out *nd.Array) *nd.Array {
	if b.IsScalar() {
		b = b.To(a.Device())
	}
	return ops.Dot(a, b, ops.Into(out))
}

// dotInto returns nothing if the result is written to out.
func dotInto(a, b, out *nd.Array) []*nd.Array {
	y := ops.Dot(a, b, ops.Into(out))
	if out != nil {
		return []*nd.Array{nil}
	}
	return []*nd.Array{y}
}

// columns converts vectors to matrices with one column.
func columns(x *nd.Array, rank int) *nd.Array {
	if x.Rank() < rank {
		return x.ExpandDims(-1)
	}
	return x
}

// matMulChainer treats a vector operand as a column; the result keeps two axes.
func matMulChainer(a, b *nd.Array, transA, transB bool) *nd.Array {
	return ops.BatchMatMul(columns(a, 2), columns(b, 2), ops.BatchMatMulOptions{TransposeA: transA, TransposeB: transB})
}

// fullyConnected is Affine with transposed weights. Unless flatten is set, all axes but the last are batch axes.
func fullyConnected(x, w, bias *nd.Array, noBias, flatten bool) *nd.Array {
	o := ops.AffineOptions{Bias: bias}
	if noBias {
		o.Bias = nil
	}
	if !flatten {
		o.BaseAxis = new(x.Rank() - 1)
	}
	return ops.Affine(x, w.T(), o)
}
