package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ProductOptions are the options of Dot, Outer, MatMul and the products of vectors.
type ProductOptions struct {
	// DType is the dtype of the computation and of the result. same_kind casting must convert the operands to it. The
	// default is the dtype to which the operands promote. For example, Int32 gives exact sums for int8 operands.
	DType dtype.DType
	// Out receives the result, converted to its dtype (which same_kind casting must allow). It must have the shape of
	// the result; for Dot also the dtype. The axes of a product of matrices or vectors that broadcast also broadcast to
	// those of Out.
	Out *nd.Array
	// Axes are the axes of the matrices (two) or vectors (one) of operand 0, of operand 1, and of the result; nil means
	// the last ones. Dot and Outer have no Axes.
	Axes []Axes
}

// refuseAxes panics for products that have no Axes.
func (o *ProductOptions) refuseAxes(fn nd.Func) {
	if o.Axes != nil {
		fn.RefuseOptions("it has no Axes")
	}
}

// Dot returns the sums of products over the last axis of a and the second-last axis of b (the only one of a vector). If
// an operand is a 0-d array, it returns the product.
//
// Shapes: (…, k) and (…, k, n) give (… of a, … of b, n).
// NumPy: dot. NNabla: dot.
func Dot(a, b *nd.Array, opts ...ProductOption) *nd.Array {
	const fn nd.Func = "ops.Dot"
	fn.Check(a, b)
	o := options.Of(fn, opts, Output.product)
	o.refuseAxes(fn)
	var y *nd.Array
	if a.Rank() == 0 || b.Rank() == 0 {
		y = Multiply(a, b, UfuncOptions{DType: o.DType})
	} else {
		y = tensorDot(fn, o.DType, a, b, []int{a.Rank() - 1}, []int{max(b.Rank()-2, 0)})
	}
	out := o.Out
	if out == nil {
		return y
	}
	fn.Check(a, out)
	if out.DType() != y.DType() || !broadcast.Equal(out.Shape(), y.Shape()) {
		panic(fn.Errorf([]*nd.Array{a, b, out}, "want Out of dtype %s and shape %s", y.DType(), broadcast.FormatShape(y.Shape())))
	}
	out.Assign(y)
	y.Release()
	return out
}

// Inner returns the sums of products over the last axes of both operands. If an operand is a 0-d array, it returns the
// product.
//
// Shapes: (…, k) and (…, k) give (… of a, … of b).
// NumPy: inner.
func Inner(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "ops.Inner"
	fn.Check(a, b)
	if a.Rank() == 0 || b.Rank() == 0 {
		return fn.Made(Multiply(a, b))
	}
	return fn.Made(tensorDot(fn, dtype.Unspecified, a, b, []int{a.Rank() - 1}, []int{b.Rank() - 1}))
}

// VDot returns Σ conj(a)·b over all elements of two arrays of the same size.
// NumPy: vdot.
func VDot(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "ops.VDot"
	fn.Check(a, b)
	if a.Size() != b.Size() {
		panic(fn.Errorf([]*nd.Array{a, b}, "want as many elements in both"))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	return made.Keep(MatMul(conjugate(a).Ravel(), b.Ravel()))
}

// Outer returns the products of each element of a (one row each) with all elements of b.
//
// Shapes: m and n elements give (m, n).
// NumPy: outer.
func Outer(a, b *nd.Array, opts ...ProductOption) *nd.Array {
	const fn nd.Func = "ops.Outer"
	fn.Check(a, b)
	o := options.Of(fn, opts, Output.product)
	o.refuseAxes(fn)
	left, right := a.Reshape(-1, 1), b.Ravel()
	y := Multiply(left, right, UfuncOptions{Out: o.Out, DType: o.DType})
	release.Unless(right, b)
	return fn.Made(release.Operands(y, left))
}

// TensorDotOptions are the options of TensorDot.
type TensorDotOptions struct {
	// N is the number of axes to sum over: the last N of a together with the first N of b. Nil means 2.
	N *int
	// A and B name the axes of a and b to sum over together, instead of N. Negative axes count from the end.
	A, B []int
	// Out receives the result, converted to its dtype (which same_kind casting must allow). It must have the shape of
	// the result.
	Out *nd.Array
}

// TensorDot returns the sums of products over axes of a together with axes of b.
//
// Shapes: the remaining axes of a, then the remaining axes of b.
// NumPy: tensordot.
func TensorDot(a, b *nd.Array, opts ...TensorDotOption) *nd.Array {
	const fn nd.Func = "ops.TensorDot"
	fn.Check(a, b)
	o := options.Of(fn, opts, Output.tensorDot)
	if o.A == nil && o.B == nil {
		n := 2
		if o.N != nil {
			n = *o.N
		}
		if n < 0 || n > a.Rank() || n > b.Rank() {
			panic(fn.Errorf([]*nd.Array{a, b}, "sum over %d axes: both operands must have them", n))
		}
		all := broadcast.AllAxes(a.Rank())
		o.A, o.B = all[a.Rank()-n:], broadcast.AllAxes(n)
	}
	axesA, err := broadcast.Axes(o.A, a.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{a, b}, "axes of a: %v", err))
	}
	axesB, err := broadcast.Axes(o.B, b.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{a, b}, "axes of b: %v", err))
	}
	return reduction.IntoChecked(fn, o.Out, tensorDot(fn, dtype.Unspecified, a, b, axesA, axesB))
}

// tensorDot computes the product as two matrices, as matMulAdd does: the summed axes of each operand become one axis.
func tensorDot(fn nd.Func, t dtype.DType, a, b *nd.Array, axesA, axesB []int) *nd.Array {
	if len(axesA) != len(axesB) {
		panic(fn.Errorf([]*nd.Array{a, b}, "%d axes of a and %d of b: want as many", len(axesA), len(axesB)))
	}
	k := 1
	for i, axis := range axesA {
		if a.Dim(axis) != b.Dim(axesB[i]) {
			panic(fn.Errorf([]*nd.Array{a, b}, "axis %d of a has length %d, axis %d of b %d: want equal lengths",
				axis, a.Dim(axis), axesB[i], b.Dim(axesB[i])))
		}
		k *= a.Dim(axis)
	}
	restB := broadcast.MovedLast(b.Rank(), axesB)[:b.Rank()-len(axesB)]
	left := a.Transpose(broadcast.MovedLast(a.Rank(), axesA)...)
	right := b.Transpose(slices.Concat(axesB, restB)...)
	shape := append(left.Shape()[:a.Rank()-len(axesA)], right.Shape()[len(axesB):]...)
	m, n := 1, 1
	for i, d := range shape {
		if i < a.Rank()-len(axesA) {
			m *= d
		} else {
			n *= d
		}
	}
	left, right = release.Replace(left, left.Reshape(m, k)), release.Replace(right, right.Reshape(k, n))
	y := release.Operands(matMulAdd(fn, t, left, right, nil), left, right)
	return release.Replace(y, y.Reshape(shape...))
}

// AffineOptions are the options of Affine.
type AffineOptions struct {
	// Bias is added to every product; nil adds nothing.
	Bias *nd.Array
	// BaseAxis is the first axis of the features of x; negative axes count from the end, and nil means 1. The axes
	// before it are those of the examples.
	BaseAxis *int
	// Then is applied to each element of the result: a kernel of one input and one output. Unless a tape records it, it is part of the
	// launch. On the CPU, minima and maxima with numbers, such as those of ReLU, are then applied to float32 and float64 numbers before
	// they are stored, and other kernels to those that are still in the caches.
	Then *Kernel
}

// Affine returns x·w + bias. The axes of x from BaseAxis on are the features, and those of w from 1 on are the outputs.
//
// Shapes: x (M…, K…), w (K, N…), bias (N…); the result (M…, N…).
// PyTorch: nn.functional.linear. NNabla: affine.
func Affine(x, w *nd.Array, opts ...AffineOptions) *nd.Array {
	const fn nd.Func = "ops.Affine"
	fn.Check(x, w)
	o := options.Read(fn, opts)
	base := 1
	if o.BaseAxis != nil {
		base = *o.BaseAxis
	}
	if base < 0 {
		base += x.Rank()
	}
	if base < 0 || base > x.Rank() {
		panic(fn.Errorf([]*nd.Array{x, w}, "base axis %d of %d axes", base, x.Rank()))
	}
	if w.Rank() < 1 {
		panic(fn.Errorf([]*nd.Array{x, w}, "want weights of at least one axis"))
	}
	outer, outputs := x.Shape()[:base], w.Shape()[1:]
	k := broadcast.Size(x.Shape()[base:])
	if k != w.Dim(0) {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d features, w %d: want as many", k, w.Dim(0)))
	}
	if o.Then != nil && !o.Then.IsUnary() {
		panic(fn.Errorf([]*nd.Array{x, w}, "Then: want a kernel of one input, which is not raw, and one output"))
	}
	t, bias, fused := ufunc.CommonType([]*nd.Array{x, w}), o.Bias, true
	if bias != nil {
		fn.Check(x, bias)
		if !broadcast.Equal(bias.Shape(), outputs) {
			panic(fn.Errorf([]*nd.Array{x, w, bias}, "want a bias of shape %s", broadcast.FormatShape(outputs)))
		}
		fused = t.IsInexact() && ufunc.CommonType([]*nd.Array{x, w, bias}) == t // else it is added afterwards
		if bias.Rank() != 1 {
			bias = bias.Ravel()
		}
	}
	var then *device.Program // as a part of the product
	if o.Then != nil && fused && !ufunc.Recorded(x, w, bias) {
		then = o.Then.Program(t)
	}
	left, right := asMatrix(x, base), asMatrix(w, 1)
	var y *nd.Array
	if fused {
		y = matMulThen(fn, dtype.Unspecified, left, right, bias, then)
	} else {
		y = matMul(fn, left, right)
		y = release.Replace(y, Add(y, bias))
	}
	if o.Then != nil && then == nil {
		y = release.Replace(y, o.Then.Call(y))
	}
	release.AllUnless([]*nd.Array{left, right, bias}, []*nd.Array{x, w, o.Bias})
	if len(outer) == 1 && len(outputs) == 1 {
		return y
	}
	return release.Replace(y, y.Reshape(slices.Concat(outer, outputs)...))
}

// asMatrix returns x with two axes, of which the first one has all axes of x before the given one.
func asMatrix(x *nd.Array, axis int) *nd.Array {
	if x.Rank() == 2 && axis == 1 {
		return x
	}
	shape := x.Shape()
	return x.Reshape(broadcast.Size(shape[:axis]), broadcast.Size(shape[axis:]))
}

// BatchMatMulOptions are the options of BatchMatMul.
type BatchMatMulOptions struct {
	// TransposeA and TransposeB swap the last two axes of an operand first.
	TransposeA, TransposeB bool
}

// BatchMatMul is MatMul of operands with at least two axes, with an option to transpose each operand.
// NNabla: batch_matmul. Chainer: batch_matmul. MXNet: batch_dot.
func BatchMatMul(a, b *nd.Array, opts ...BatchMatMulOptions) *nd.Array {
	const fn nd.Func = "ops.BatchMatMul"
	fn.Check(a, b)
	if a.Rank() < 2 || b.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{a, b}, "want operands of at least two axes"))
	}
	o := options.Read(fn, opts)
	if o.TransposeA {
		a = a.SwapAxes(-1, -2)
		defer a.Release()
	}
	if o.TransposeB {
		b = b.SwapAxes(-1, -2)
		defer b.Release()
	}
	return fn.Made(MatMul(a, b))
}

// TraceOptions are the options of Trace.
type TraceOptions struct {
	// Offset is the diagonal, counted from the main one, positive to the right.
	Offset int
	// Axes are the two axes of the matrices; negative axes count from the end. Nil means 0 and 1.
	Axes Axes
	// DType is the dtype of the result; by default that of Sum.
	DType dtype.DType
	// Out receives the result, converted to its dtype (which same_kind casting must allow). It must have the shape of
	// the result.
	Out *nd.Array
}

// Trace returns the sums over a diagonal.
// NumPy: trace.
func Trace(x *nd.Array, opts ...TraceOption) *nd.Array {
	const fn nd.Func = "ops.Trace"
	fn.Check(x)
	o := options.OfTwo(fn, opts, Axes.trace, Output.trace)
	axes := o.Axes
	if axes == nil {
		axes = []int{0, 1}
	}
	if len(axes) != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "%d axes: want two", len(axes)))
	}
	diagonal := x.Diagonal(o.Offset, axes[0], axes[1])
	return release.Operands(Sum(diagonal, ReduceOptions{Axes: Over(-1), DType: o.DType, Out: o.Out}), diagonal)
}
