package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// measurable returns x as floats or complex numbers; a Scalar becomes an array.
func measurable(made *nd.Temporaries, x *nd.Array) *nd.Array {
	if !x.DType().IsInexact() {
		return made.Own(x.AsType(dtype.Float64))
	}
	if x.IsScalar() {
		return made.Own(x.Copy())
	}
	return x
}

// VectorNorm returns norms of vectors. The orders are those of Norm for vectors; the default is 2. Several axes
// together form one vector; without axes, all axes do.
// NumPy: linalg.vector_norm.
func VectorNorm(x *nd.Array, opts ...NormOption) *nd.Array {
	const fn nd.Func = "linalg.VectorNorm"
	fn.Check(x)
	o := options.OfKept(fn, opts, normOver, normKept)
	made := fn.Temporaries(&x)
	defer made.Release()
	x = measurable(made, x)
	axes := broadcast.AllAxes(x.Rank())
	if o.Axes != nil {
		var err error
		if axes, err = broadcast.Axes(o.Axes, x.Rank()); err != nil {
			panic(fn.Errorf([]*nd.Array{x}, "%v", err))
		}
	}
	return made.Keep(vectorNorm(fn, x, axes, o))
}

// MatrixNormOptions are the options of MatrixNorm.
type MatrixNormOptions struct {
	// Ord is the order, if it is a number; nil means that of Kind.
	Ord *float64
	// Kind names an order instead of Ord: Frobenius (the default) or Nuclear.
	Kind NormKind
	// KeepDims leaves the axes of the matrices in the result, with length 1.
	KeepDims bool
}

// MatrixNorm returns the norms of the matrices in the last two axes. The orders are those of Norm for matrices.
//
// Shapes: (…, m, n) gives (…).
// NumPy: linalg.matrix_norm.
func MatrixNorm(x *nd.Array, opts ...MatrixNormOptions) *nd.Array {
	const fn nd.Func = "linalg.MatrixNorm"
	checkMatrices(fn, x)
	o := options.Read(fn, opts)
	if o.Ord != nil && o.Kind != "" {
		panic(fn.Errorf([]*nd.Array{x}, "Ord and Kind exclude each other"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	y := matrixNorm(fn, measurable(made, x), NormOptions{Ord: o.Ord, Kind: o.Kind})
	if o.KeepDims {
		y = y.ExpandDims(-2, -1)
	}
	return made.Keep(y)
}
