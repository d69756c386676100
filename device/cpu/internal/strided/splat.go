package strided

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Splat writes n copies of a number, as type t.
func Splat(dst unsafe.Pointer, t dtype.DType, s device.Scalar, n int) {
	switch {
	case t.IsBool():
		*(*bool)(dst) = s.Int != 0
	case t == dtype.Float32:
		*(*float32)(dst) = float32(s.Re)
	case t == dtype.Float64:
		*(*float64)(dst) = s.Re
	case t == dtype.Complex64:
		*(*complex64)(dst) = complex(float32(s.Re), float32(s.Im))
	case t == dtype.Complex128:
		*(*complex128)(dst) = complex(s.Re, s.Im)
	default: // the low bits are the number
		v := s.Int
		dtype.Convert(t, dst, 1, dtype.Int64, unsafe.Pointer(&v), 1, 1)
	}
	if n > 1 {
		repeat(dst, t.Size(), n)
	}
}

// repeat copies the first of n elements to the other elements.
func repeat(p unsafe.Pointer, size, n int) {
	all := memory.Slice[byte](p, n*size)
	for filled := size; filled < len(all); {
		filled += copy(all[filled:], all[:filled])
	}
}
