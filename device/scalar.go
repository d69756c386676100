package device

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ScalarOf returns a number as a launch parameter of the compute type t. The number is rounded to t, also to a 16-bit
// float if t is one. It saturates if t is an integer type. If t is bool, it is true for every number except 0.
func ScalarOf(v float64, t dtype.DType) Scalar {
	switch {
	case t == dtype.Float32 || t == dtype.Complex64:
		return Scalar{Re: float64(float32(v))}
	case t == dtype.Float16 || t == dtype.BFloat16:
		var narrow uint16
		dtype.Convert(t, unsafe.Pointer(&narrow), 1, dtype.Float64, unsafe.Pointer(&v), 1, 1)
		dtype.Convert(dtype.Float64, unsafe.Pointer(&v), 1, t, unsafe.Pointer(&narrow), 1, 1)
		return Scalar{Re: v}
	case t.IsInexact():
		return Scalar{Re: v}
	case t.IsBool() && v != 0:
		return Scalar{Int: 1}
	case t.IsBool():
		return Scalar{}
	}
	var s Scalar
	var narrow uint64
	dtype.Convert(t, unsafe.Pointer(&narrow), 1, dtype.Float64, unsafe.Pointer(&v), 1, 1)
	dtype.Convert(dtype.Int64, unsafe.Pointer(&s.Int), 1, t, unsafe.Pointer(&narrow), 1, 1)
	return s
}
