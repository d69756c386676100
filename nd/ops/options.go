package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// UfuncOptions are the options of elementwise functions, as NumPy's universal functions have them.
type UfuncOptions struct {
	// Out receives the result, converted to its dtype (which Casting must allow); inputs broadcast to its shape.
	Out *nd.Array
	// Where is a bool array: where it is false, Out keeps its elements, or the result is 0 without Out.
	Where *nd.Array
	// DType is the dtype to compute in, and of the result; by default the one that the operands promote to.
	DType dtype.DType
	// Casting says which conversions are allowed: from the operands to the dtype of the computation, and from the
	// result to Out. The default is dtype.CastSameKind. Casting does not influence the choice of the dtype itself.
	// Scalars (nd.Scalar) are weak under every rule, and only dtype.CastUnsafe converts a float scalar to an integer
	// dtype.
	Casting dtype.Casting
	// Kink chooses the gradient at corners or ties, for functions whose comment says so; others refuse it.
	Kink Kink
}

// PairOptions are the options of elementwise functions with two results.
type PairOptions struct {
	// Out receives the results, each converted to the dtype of its array (which Casting must allow); inputs broadcast
	// to its shape. A result whose Out is nil is allocated.
	Out [2]*nd.Array
	// Where is a bool array: where it is false, each Out keeps its elements, or the result is 0 without one.
	Where *nd.Array
	// DType is the dtype to compute in; by default the one that the operands promote to.
	DType dtype.DType
	// Casting says which conversions are allowed, as in UfuncOptions.
	Casting dtype.Casting
}

// ReduceOptions are the options of reductions.
type ReduceOptions struct {
	// Axes are the axes to reduce; negative ones count from the end. Nil means all axes, an empty slice none.
	Axes Axes
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
	// DType is the dtype of the result and of the computation. By default, sums and products of small integers are 64
	// bits wide, means of integers are float64, and all other results have the dtype of the array.
	DType dtype.DType
	// Out receives the result, converted to Out's dtype, whichever it is. Out must have the shape of the result.
	// Without DType, the computation uses the dtype to which the array and Out promote.
	Out *nd.Array
	// Where is a bool array that broadcasts to x's shape. Elements where it is false are left out. Extremes then need
	// an Initial, because they have no identity.
	Where *nd.Array
	// Initial is a number (nd.Scalar or a 0-d array) with which sums, products and extremes begin, converted to the
	// dtype of the result. The extreme of an empty array is Initial.
	Initial *nd.Array
	// Kink chooses the gradient of Max and Min at ties; other reductions refuse it.
	Kink Kink
}

// ufuncOptions reads the options of an elementwise function.
func ufuncOptions(fn nd.Func, opts []UfuncOption) ufunc.Options {
	o, kink := kinkOptions(fn, opts)
	kink.refuse(fn)
	return o
}

// kinkOptions is ufuncOptions for functions that have a Kink. A single option has a fast path: for few elements the
// general path takes as long as the rest of the call.
func kinkOptions(fn nd.Func, opts []UfuncOption) (ufunc.Options, Kink) {
	if len(opts) == 0 {
		return ufunc.Options{}, 0
	}
	if len(opts) == 1 {
		switch given := opts[0].(type) {
		case UfuncOptions:
			return given.common(), given.Kink
		case Output:
			return ufunc.Options{Out: given.array}, 0
		}
	}
	o := options.Of(fn, opts, Output.ufunc)
	return o.common(), o.Kink
}

// common returns the options that every elementwise function has.
func (o *UfuncOptions) common() ufunc.Options {
	return ufunc.Options{Out: o.Out, Where: o.Where, DType: o.DType, Casting: o.Casting}
}

// refuse panics for functions that have no Kink.
func (k Kink) refuse(fn nd.Func) {
	if k != 0 {
		fn.RefuseOptions("it has no Kink")
	}
}

// reduceOptions reads the options of a reduction, the usual forms by a short way.
func reduceOptions(fn nd.Func, opts []ReduceOption) ReduceOptions {
	o := tieOptions(fn, opts)
	o.Kink.refuse(fn)
	return o
}

// tieOptions is reduceOptions for functions that have a Kink.
func tieOptions(fn nd.Func, opts []ReduceOption) ReduceOptions {
	if len(opts) == 0 {
		return ReduceOptions{}
	}
	if len(opts) == 1 {
		switch given := opts[0].(type) {
		case ReduceOptions:
			return given
		case Axes:
			return ReduceOptions{Axes: given}
		}
	}
	return options.OfReduction(fn, opts, Axes.reduce, KeptAxes.reduce, Output.reduce)
}

// call1, call2 and call run elementwise functions of one, two, and any number of arrays, with their options.
func call1(d *ufunc.Definition, x *nd.Array, opts []UfuncOption) *nd.Array {
	return d.Call1(x, ufuncOptions(d.Fn, opts))
}

func call2[A, B nd.Operand](d *ufunc.Definition, a A, b B, opts []UfuncOption) *nd.Array {
	return d.Call2(nd.AsArray(a), nd.AsArray(b), ufuncOptions(d.Fn, opts))
}

func call(d *ufunc.Definition, opts []UfuncOption, scalars []float64, in ...*nd.Array) *nd.Array {
	return d.Call(ufuncOptions(d.Fn, opts), scalars, in...)
}

func callTwo(d *ufunc.Definition, opts []PairOptions, in ...*nd.Array) (y, z *nd.Array) {
	return d.CallTwo(ufunc.PairOptions(options.Read(d.Fn, opts)), in...)
}

// combine runs a reduction with its options.
func combine(d *reduction.Definition, x *nd.Array, opts []ReduceOption) *nd.Array {
	return combineWith(d, x, reduceOptions(d.Fn, opts))
}

func combineWith(d *reduction.Definition, x *nd.Array, o ReduceOptions) *nd.Array {
	if o.Where != nil || o.Initial != nil {
		return maskedReduction(d, x, o)
	}
	return d.Call(x, reduction.Options{Axes: o.Axes, KeepDims: o.KeepDims, DType: o.DType, Out: o.Out, Kink: uint8(o.Kink)})
}
