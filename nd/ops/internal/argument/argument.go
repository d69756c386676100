// Package argument reads the arguments that functions were called with: options that may be left out, and arrays whose dtype,
// device or shape a function does not compute with as it is.
package argument

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ValueOr is the value of an option, or its default.
func ValueOr[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

// Axis resolves an optional axis.
func Axis(fn nd.Func, x *nd.Array, axis *int, def int) int {
	return fn.Axis(x, nil, ValueOr(axis, def))
}

// PerAxis returns the numbers of an option for n axes: the values, one value repeated for all axes, or def if there are no values. It
// panics with the function's error if the values are neither none nor one nor n, or if one is below least.
func PerAxis(fn nd.Func, operands []*nd.Array, name string, values []int, n, def, least int) []int {
	if len(values) > 1 && len(values) != n {
		panic(fn.Errorf(operands, "%s %v: want one number, or one for each of %d axes", name, values, n))
	}
	all := make([]int, n)
	for axis := range all {
		switch len(values) {
		case 0:
			all[axis] = def
		case 1:
			all[axis] = values[0]
		default:
			all[axis] = values[axis]
		}
		if all[axis] < least {
			panic(fn.Errorf(operands, "%s %v: want at least %d", name, values, least))
		}
	}
	return all
}

// Float converts bools and integers to the float dtype that NumPy's functions give them, and refuses complex numbers.
func Float(fn nd.Func, x *nd.Array) *nd.Array {
	t := ufunc.RealFloat(x.DType())
	if !t.Valid() {
		panic(fn.Errorf([]*nd.Array{x}, "it has no meaning for complex numbers"))
	}
	return x.AsType(t)
}

// OnDeviceOf makes an array on x's device of a Scalar; arrays stay as they are.
func OnDeviceOf(x, v *nd.Array) *nd.Array {
	if v.IsScalar() {
		return v.To(x.Device())
	}
	return v
}

// ShowInErrors has a refusal show the operands that the caller gave, where a function has made others of them that differ by axes of
// length 1. It is to be deferred.
func ShowInErrors(operands ...*nd.Array) {
	refusal := recover()
	if refusal == nil {
		return
	}
	if e, ok := refusal.(*nd.Error); ok && len(e.Shapes) > 0 {
		e.Within, e.Shapes, e.DTypes = "", nil, nil
		for _, x := range operands {
			if x != nil {
				e.Shapes, e.DTypes = append(e.Shapes, x.Shape()), append(e.DTypes, x.DType())
			}
		}
	}
	panic(refusal)
}

// Numbers checks an array of numbers: bools and Scalars are none.
func Numbers(fn nd.Func, x *nd.Array) *nd.Array {
	fn.Check(x)
	if x.IsScalar() || x.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of numbers"))
	}
	return x
}

// Ordered checks an array of numbers of which some are larger than others.
func Ordered(fn nd.Func, x *nd.Array) *nd.Array {
	x = Numbers(fn, x)
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "complex numbers have no largest element"))
	}
	return x
}
