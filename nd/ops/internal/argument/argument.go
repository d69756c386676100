// Package argument reads the arguments of functions: options that may be left out, and arrays that need another dtype,
// device or shape before the computation.
package argument

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ValueOr returns the value of an option, or its default if it is nil.
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

// Choice returns the index of the value of an option in the list of those that a function has, and panics with the
// function's error if it has no such value.
func Choice[T comparable](fn nd.Func, operands []*nd.Array, name string, value T, list ...T) int {
	at := slices.Index(list, value)
	if at < 0 {
		words := make([]string, len(list))
		for i, v := range list {
			words[i] = fmt.Sprint(v)
		}
		last := len(words) - 1
		panic(fn.Errorf(operands, "%s %q: want %s or %s", name, fmt.Sprint(value), strings.Join(words[:last], ", "), words[last]))
	}
	return at
}

// Float converts bools and integers to the float dtype that NumPy's functions give them, and panics on complex numbers.
func Float(fn nd.Func, x *nd.Array) *nd.Array {
	t := ufunc.RealFloat(x.DType())
	if !t.Valid() {
		panic(fn.Errorf([]*nd.Array{x}, "it has no meaning for complex numbers"))
	}
	return x.AsType(t)
}

// As returns v as an array of dtype dt on x's device. A Scalar must fit the dtype; an array is converted, as by AsType.
func As(fn nd.Func, x, v *nd.Array, dt dtype.DType) *nd.Array {
	if !v.IsScalar() {
		return v.AsType(dt)
	}
	fn.CheckFits(dt, x, v)
	y := fn.NewLike(dt, nil, x)
	y.Assign(v)
	return y
}

// ShowInErrors makes an error show the caller's operands, for functions that add or drop axes of length 1 before they
// call others. Defer it.
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

// Numbers panics unless x is an array of numbers: it refuses bools and Scalars.
func Numbers(fn nd.Func, x *nd.Array) *nd.Array {
	fn.Check(x)
	if x.IsScalar() || x.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of numbers"))
	}
	return x
}

// Ordered panics unless x is an array of numbers that have an order: it refuses complex numbers.
func Ordered(fn nd.Func, x *nd.Array) *nd.Array {
	x = Numbers(fn, x)
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "complex numbers have no largest element"))
	}
	return x
}
