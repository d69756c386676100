package conformance

import (
	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// elements are an array's, in row-major order, in the widest type of their kind; one of the slices is set.
type elements struct {
	signed    []int64
	unsigned  []uint64
	floats    []float64
	complexes []complex128
}

// elementsOf reads an array's elements on the host, without the device's conversions.
func elementsOf(x *nd.Array) (e elements) {
	switch x.DType() {
	case dtype.Bool:
		e.unsigned = widened(x, func(v bool) uint64 {
			if v {
				return 1
			}
			return 0
		})
	case dtype.Int8:
		e.signed = widened(x, func(v int8) int64 { return int64(v) })
	case dtype.Int16:
		e.signed = widened(x, func(v int16) int64 { return int64(v) })
	case dtype.Int32:
		e.signed = widened(x, func(v int32) int64 { return int64(v) })
	case dtype.Int64:
		e.signed = nd.ToSlice[int64](x)
	case dtype.Uint8:
		e.unsigned = widened(x, func(v uint8) uint64 { return uint64(v) })
	case dtype.Uint16:
		e.unsigned = widened(x, func(v uint16) uint64 { return uint64(v) })
	case dtype.Uint32:
		e.unsigned = widened(x, func(v uint32) uint64 { return uint64(v) })
	case dtype.Uint64:
		e.unsigned = nd.ToSlice[uint64](x)
	case dtype.Float16:
		e.floats = widened(x, func(v float16.Float16) float64 { return float64(v.Float32()) })
	case dtype.BFloat16:
		e.floats = widened(x, func(v dtype.BF16) float64 { return float64(v.Float32()) })
	case dtype.Float32:
		e.floats = widened(x, func(v float32) float64 { return float64(v) })
	case dtype.Float64:
		e.floats = nd.ToSlice[float64](x)
	case dtype.Complex64:
		e.complexes = widened(x, func(v complex64) complex128 { return complex128(v) })
	default:
		e.complexes = nd.ToSlice[complex128](x)
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

// complexAt is element i as a complex number.
func (e elements) complexAt(i int) complex128 {
	switch {
	case e.signed != nil:
		return complex(float64(e.signed[i]), 0)
	case e.unsigned != nil:
		return complex(float64(e.unsigned[i]), 0)
	case e.floats != nil:
		return complex(e.floats[i], 0)
	}
	return e.complexes[i]
}

// isInteger tells whether the elements are integers or bools.
func (e elements) isInteger() bool { return e.signed != nil || e.unsigned != nil }

// sameInteger compares two integers of any signedness.
func sameInteger(a elements, b elements, i int) bool {
	negative := func(e elements) bool { return e.signed != nil && e.signed[i] < 0 }
	bits := func(e elements) uint64 {
		if e.signed != nil {
			return uint64(e.signed[i])
		}
		return e.unsigned[i]
	}
	return negative(a) == negative(b) && bits(a) == bits(b)
}
