package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// MatVec returns the products of matrices with vectors, Σ a[…, i, k]·v[…, k]. The leading axes broadcast. The option
// Axes chooses other axes of matrices and vectors.
//
// Shapes: (…, m, k) and (…, k) give (…, m).
// NumPy: matvec.
func MatVec(a, v *nd.Array, opts ...ProductOption) *nd.Array {
	const fn nd.Func = "ops.MatVec"
	fn.Check(a, v)
	if a.Rank() < 2 || v.Rank() < 1 {
		panic(fn.Errorf([]*nd.Array{a, v}, "want matrices, of at least two axes, and vectors, of at least one"))
	}
	o := options.Of(fn, opts, Output.product)
	return productOf(fn, o, a, v, [3]int{2, 1, 1}, func(a, v *nd.Array) *nd.Array {
		if a.Dim(-1) != v.Dim(-1) {
			panic(fn.Errorf([]*nd.Array{a, v}, "the rows of a have length %d, the vectors %d: want the same", a.Dim(-1), v.Dim(-1)))
		}
		column := v.ExpandDims(-1)
		y := release.Operands(matMulAdd(fn, o.DType, a, column, nil), column)
		return release.Replace(y, y.Squeeze(-1))
	})
}

// VecMat returns the products of vectors with matrices, Σ conj(v[…, k])·a[…, k, j]. The leading axes broadcast. It
// conjugates the vectors, as VecDot does. The option Axes chooses other axes of vectors and matrices.
//
// Shapes: (…, k) and (…, k, n) give (…, n).
// NumPy: vecmat.
func VecMat(v, a *nd.Array, opts ...ProductOption) *nd.Array {
	const fn nd.Func = "ops.VecMat"
	fn.Check(v, a)
	if v.Rank() < 1 || a.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{v, a}, "want vectors, of at least one axis, and matrices, of at least two"))
	}
	o := options.Of(fn, opts, Output.product)
	return productOf(fn, o, v, a, [3]int{1, 2, 1}, func(v, a *nd.Array) *nd.Array {
		if v.Dim(-1) != a.Dim(-2) {
			panic(fn.Errorf([]*nd.Array{v, a}, "the vectors have length %d, the columns of a %d: want the same", v.Dim(-1), a.Dim(-2)))
		}
		turned := conjugate(v)
		row := turned.ExpandDims(-2)
		y := release.Operands(matMulAdd(fn, o.DType, row, a, nil), row)
		release.Unless(turned, v)
		return release.Replace(y, y.Squeeze(-2))
	})
}

// VecDotOptions are the options of VecDot.
type VecDotOptions struct {
	// Axis is the axis of the vectors of both operands; nil means the last one.
	Axis Axes
	// Axes are the axis of the vectors of a and that of b, if they differ.
	Axes []Axes
	// KeepDims leaves the axis of the vectors in the result, with length 1: at the index of Axis, or as the last.
	KeepDims bool
	// DType is the dtype of the computation and of the result, as in ProductOptions.
	DType dtype.DType
	// Out receives the result, converted to its dtype (which same_kind casting must allow). The result broadcasts to its
	// shape.
	Out *nd.Array
}

// VecDotOption is a [VecDotOptions], the axis alone ([Axes] or [KeptAxes]), or [Into].
type VecDotOption interface {
	vecDot(VecDotOptions) VecDotOptions
}

func (o VecDotOptions) vecDot(VecDotOptions) VecDotOptions { return o }
func (a Axes) vecDot(o VecDotOptions) VecDotOptions        { o.Axis = a; return o }
func (a KeptAxes) vecDot(o VecDotOptions) VecDotOptions    { o.Axis, o.KeepDims = Axes(a), true; return o }
func (out Output) vecDot(o VecDotOptions) VecDotOptions    { o.Out = out.array; return o }

// VecDot returns the sums Σ conj(a)·b along an axis (the default is the last) that both operands have; the other axes
// broadcast.
//
// Shapes: (…, k) and (…, k) give (…).
// NumPy: vecdot, linalg.vecdot.
func VecDot(a, b *nd.Array, opts ...VecDotOption) *nd.Array {
	const fn nd.Func = "ops.VecDot"
	fn.Check(a, b)
	o := options.OfReduction(fn, opts, Axes.vecDot, KeptAxes.vecDot, Output.vecDot)
	both := []*nd.Array{a, b}
	axes := []Axes{o.Axis, o.Axis}
	if o.Axes != nil {
		if axes = o.Axes; o.Axis != nil || len(axes) != 2 {
			panic(fn.Errorf(both, "Axes %v: want the axes of both operands, without Axis", o.Axes))
		}
	}
	i, j := fn.AxisOf(a.Rank(), axes[0], -1, both...), fn.AxisOf(b.Rank(), axes[1], -1, both...)
	if a.Dim(i) != b.Dim(j) {
		panic(fn.Errorf(both, "the vectors have lengths %d and %d: want the same", a.Dim(i), b.Dim(j)))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	row := conjugate(a).MoveAxis([]int{i}, []int{-1}).ExpandDims(-2)
	column := b.MoveAxis([]int{j}, []int{-1}).ExpandDims(-1)
	y := matMulAdd(fn, o.DType, row, column, nil).Squeeze(-1)
	if !o.KeepDims {
		return made.Keep(intoProduct(fn, o.Out, y.Squeeze(-1), nil, 0))
	}
	if o.Axis != nil {
		y = y.MoveAxis([]int{-1}, []int{fn.AxisOf(y.Rank(), o.Axis, -1, both...)})
	}
	return made.Keep(intoProduct(fn, o.Out, y, nil, 0))
}

// CrossOptions are the options of Cross.
type CrossOptions struct {
	// Axis is the axis of the vectors, and of their products in the result; a negative axis counts from the end. Nil
	// means the last one.
	Axis Axes
	// A, B and C are the axes of a, of b and of the result, if they differ; nil means Axis.
	A, B, C Axes
}

// CrossOption is a [CrossOptions], or the axis alone.
type CrossOption interface {
	cross(CrossOptions) CrossOptions
}

func (o CrossOptions) cross(CrossOptions) CrossOptions { return o }
func (a Axes) cross(o CrossOptions) CrossOptions       { o.Axis = a; return o }

// Cross returns the vector products of vectors of three elements; the other axes broadcast.
//
// Shapes: (…, 3) and (…, 3) give (…, 3).
// NumPy: cross, linalg.cross.
func Cross(a, b *nd.Array, opts ...CrossOption) *nd.Array {
	const fn nd.Func = "ops.Cross"
	fn.Check(a, b)
	o := options.Of(fn, opts, Axes.cross)
	for _, axis := range []*Axes{&o.A, &o.B, &o.C} {
		if *axis == nil {
			*axis = o.Axis
		}
	}
	i, j := fn.AxisOf(a.Rank(), o.A, -1, a, b), fn.AxisOf(b.Rank(), o.B, -1, a, b)
	if a.Dim(i) != 3 || b.Dim(j) != 3 {
		panic(fn.Errorf([]*nd.Array{a, b}, "the vectors have %d and %d elements: want three each", a.Dim(i), b.Dim(j)))
	}
	if a.DType().IsBool() && b.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{a, b}, "bools cannot be subtracted: want numbers"))
	}
	k := fn.AxisOf(max(a.Rank(), b.Rank()), o.C, -1, a, b)
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	a, b = a.MoveAxis([]int{i}, []int{-1}), b.MoveAxis([]int{j}, []int{-1})
	next, last := []int{1, 2, 0}, []int{2, 0, 1}
	turned := func(x *nd.Array, order []int) *nd.Array { return takeFrom(fn, x, x.Rank()-1, order) }
	y := Subtract(Multiply(turned(a, next), turned(b, last)), Multiply(turned(a, last), turned(b, next)))
	return made.Keep(y.MoveAxis([]int{-1}, []int{k}).Contiguous())
}
