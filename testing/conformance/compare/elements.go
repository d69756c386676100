package compare

import (
	"math"
	"slices"

	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Elements are the elements of an array in row-major order, in the widest type of their kind; one of the slices is set.
type Elements struct {
	Signed    []int64
	unsigned  []uint64
	Floats    []float64
	Complexes []complex128
}

// ElementsOf reads an array's elements on the host, without conversions by the device.
func ElementsOf(x *nd.Array) (e Elements) {
	switch x.DType() {
	case dtype.Bool:
		e.unsigned = widened(x, func(v bool) uint64 {
			if v {
				return 1
			}
			return 0
		})
	case dtype.Int8:
		e.Signed = widened(x, func(v int8) int64 { return int64(v) })
	case dtype.Int16:
		e.Signed = widened(x, func(v int16) int64 { return int64(v) })
	case dtype.Int32:
		e.Signed = widened(x, func(v int32) int64 { return int64(v) })
	case dtype.Int64:
		e.Signed = nd.ToSlice[int64](x)
	case dtype.Uint8:
		e.unsigned = widened(x, func(v uint8) uint64 { return uint64(v) })
	case dtype.Uint16:
		e.unsigned = widened(x, func(v uint16) uint64 { return uint64(v) })
	case dtype.Uint32:
		e.unsigned = widened(x, func(v uint32) uint64 { return uint64(v) })
	case dtype.Uint64:
		e.unsigned = nd.ToSlice[uint64](x)
	case dtype.Float16:
		e.Floats = widened(x, func(v float16.Float16) float64 { return float64(v.Float32()) })
	case dtype.BFloat16:
		e.Floats = widened(x, func(v dtype.BF16) float64 { return float64(v.Float32()) })
	case dtype.Float32:
		e.Floats = widened(x, func(v float32) float64 { return float64(v) })
	case dtype.Float64:
		e.Floats = nd.ToSlice[float64](x)
	case dtype.Complex64:
		e.Complexes = widened(x, func(v complex64) complex128 { return complex128(v) })
	default:
		e.Complexes = nd.ToSlice[complex128](x)
	}
	return e
}

func widened[T dtype.Element, W any](x *nd.Array, f func(T) W) []W {
	narrow := nd.ToSlice[T](x)
	wide := make([]W, len(narrow))
	for i, v := range narrow {
		wide[i] = f(v)
	}
	return wide
}

// ComplexAt returns element i as a complex number.
func (e Elements) ComplexAt(i int) complex128 {
	switch {
	case e.Signed != nil:
		return complex(float64(e.Signed[i]), 0)
	case e.unsigned != nil:
		return complex(float64(e.unsigned[i]), 0)
	case e.Floats != nil:
		return complex(e.Floats[i], 0)
	}
	return e.Complexes[i]
}

// isInteger reports whether the elements are integers or bools.
func (e Elements) isInteger() bool { return e.Signed != nil || e.unsigned != nil }

// sameInteger compares two integers, signed or unsigned.
func sameInteger(a Elements, b Elements, i int) bool {
	negative := func(e Elements) bool { return e.Signed != nil && e.Signed[i] < 0 }
	bits := func(e Elements) uint64 {
		if e.Signed != nil {
			return uint64(e.Signed[i])
		}
		return e.unsigned[i]
	}
	return negative(a) == negative(b) && bits(a) == bits(b)
}

// Item returns element i as a Go value, a bool if x is a bool array.
func (e Elements) Item(x *nd.Array, i int) any {
	switch {
	case x.DType().IsBool():
		return e.unsigned[i] != 0
	case e.Signed != nil:
		return e.Signed[i]
	case e.unsigned != nil:
		return e.unsigned[i]
	case e.Floats != nil:
		return e.Floats[i]
	}
	return e.Complexes[i]
}

// Identical compares bit for bit, except that all NaNs are equal.
func (e Elements) Identical(f Elements) bool {
	same := func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}
	return slices.Equal(e.Signed, f.Signed) && slices.Equal(e.unsigned, f.unsigned) &&
		slices.EqualFunc(e.Floats, f.Floats, same) &&
		slices.EqualFunc(e.Complexes, f.Complexes, func(a, b complex128) bool {
			return same(real(a), real(b)) && same(imag(a), imag(b))
		})
}

// AllZero reports whether all elements are 0; systems return zeros where no gradient flows.
func AllZero(x *nd.Array) bool {
	e := ElementsOf(x)
	for i := range x.Size() {
		if e.ComplexAt(i) != 0 {
			return false
		}
	}
	return true
}
