// Package layer has the cores of layers that packages nn, nn/link and nn/quant share, and functions for the arguments
// of all layers.
package layer

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// InDType returns x in the dtype of the parameter w, in which layers compute. It returns x itself if x has that dtype
// or is complex.
func InDType(x, w *nd.Array) *nd.Array {
	if x.DType() == w.DType() || x.DType().IsComplex() {
		return x
	}
	return x.AsType(w.DType())
}

// OrZeros is InDType for a state of a recurrent layer. For a nil state it returns zeros of the shape, which made owns.
func OrZeros(fn nd.Func, made *nd.Temporaries, x, w *nd.Array, shape ...int) *nd.Array {
	if x == nil {
		return made.Own(fn.NewFilled(w.DType(), shape, 0, w))
	}
	return InDType(x, w)
}

// WantReal checks arguments, and refuses complex ones, and a scope of complex parameters.
func WantReal(fn nd.Func, params dtype.DType, in ...*nd.Array) {
	if len(in) > 0 {
		fn.Check(in...)
	}
	if slices.ContainsFunc(in, func(x *nd.Array) bool { return x.DType().IsComplex() }) {
		panic(fn.Errorf(in, "want real numbers"))
	}
	if params.IsComplex() {
		panic(fn.Errorf(in, "parameters of dtype %s: want real ones", params))
	}
}

// Extremes returns the least and the largest of some integers; if one is to be ignored, of 0 and all others.
func Extremes(x *nd.Array, ignore *int) (low, high *nd.Array) {
	var counted ops.ReduceOptions
	if ignore != nil {
		counted.Where, counted.Initial = ops.NotEqual(x, *ignore), nd.Scalar(0)
		defer counted.Where.Release()
	}
	return ops.Min(x, counted), ops.Max(x, counted)
}

// Overwrite sets a parameter to the values of x, which may be on any device. No tape records the write.
func Overwrite(p, x *nd.Array) {
	values := x.Detach()
	there := values.To(p.Device())
	p.Assign(there)
	values.Release()
	there.Release()
}
