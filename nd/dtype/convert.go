package dtype

import (
	"math/bits"
	"unsafe"
)

// A run describes n elements to copy from src to dst. Strides count elements, so that they do not depend on the element
// types.
type run struct {
	dst       unsafe.Pointer
	dstStride int
	src       unsafe.Pointer
	srcStride int
	n         int
}

// Convert writes n elements of type from, read at src, as elements of type to at
// dst, by the rules in the package's documentation. The strides are in elements
// and may be negative or 0; with n = 0 the pointers may be nil. Both types must
// be Valid.
//
// Source and destination must not overlap, unless they are the same elements:
// same address, stride and element size.
func Convert(to DType, dst unsafe.Pointer, dstStride int, from DType, src unsafe.Pointer, srcStride int, n int) {
	if !to.Valid() || !from.Valid() {
		panic("dtype: Convert from " + from.String() + " to " + to.String())
	}
	if n <= 0 {
		return
	}
	r := run{dst, dstStride, src, srcStride, n}
	if srcStride == 0 && dstStride == 1 && n > 1 {
		r.n = 1
		r.convert(to, from)
		repeat(dst, to.Size(), n)
		return
	}
	r.convert(to, from)
}

func (r run) convert(to, from DType) {
	if sameBits(to, from) {
		r.copy(to.Size())
		return
	}
	switch from {
	case Bool, Uint8: // a bool is a byte that is 0 or 1
		fromInteger[uint8](r, to)
	case Int8:
		fromInteger[int8](r, to)
	case Int16:
		fromInteger[int16](r, to)
	case Int32:
		fromInteger[int32](r, to)
	case Int64:
		fromInteger[int64](r, to)
	case Uint16:
		fromInteger[uint16](r, to)
	case Uint32:
		fromInteger[uint32](r, to)
	case Uint64:
		fromInteger[uint64](r, to)
	case Float16, BFloat16:
		from16Bits(r, to, from)
	case Float32:
		fromFloat[float32](r, to)
	case Float64:
		fromFloat[float64](r, to)
	case Complex64:
		fromComplex[float32](r, to)
	case Complex128:
		fromComplex[float64](r, to)
	}
}

// sameBits reports whether a conversion copies the elements bit by bit: within a
// type, between integers of one size, and from bool to a byte.
func sameBits(to, from DType) bool {
	return to == from || to.IsInteger() && (from.IsInteger() || from == Bool) && to.Size() == from.Size()
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

type real interface{ integer | float }

// roundsWrongly says that Go's conversion from 64-bit integers to float32 may round wrongly: see integerToFloat32.
const roundsWrongly = bits.UintSize == 32

func fromInteger[S integer](r run, to DType) {
	from64Bits := unsafe.Sizeof(S(0)) == 8
	switch to {
	case Bool:
		toBool[S](r)
	case Int8, Uint8: // the low bits are the same
		toNumber[S, uint8](r)
	case Int16, Uint16:
		toNumber[S, uint16](r)
	case Int32, Uint32:
		toNumber[S, uint32](r)
	case Int64, Uint64:
		toNumber[S, uint64](r)
	case Float16:
		integerToHalf[S](r)
	case BFloat16:
		integerToBFloat16[S](r)
	case Float32:
		if roundsWrongly && from64Bits {
			integerToFloat32[S](r)
		} else {
			toNumber[S, float32](r)
		}
	case Float64:
		toNumber[S, float64](r)
	case Complex64:
		if roundsWrongly && from64Bits {
			integerToComplex64[S](r)
		} else {
			toComplex[S, float32](r)
		}
	case Complex128:
		toComplex[S, float64](r)
	}
}

func fromFloat[S float](r run, to DType) {
	switch to {
	case Bool:
		toBool[S](r)
	case Int8:
		toInteger[S, int8](r)
	case Int16:
		toInteger[S, int16](r)
	case Int32:
		toInteger[S, int32](r)
	case Int64:
		toInteger[S, int64](r)
	case Uint8:
		toInteger[S, uint8](r)
	case Uint16:
		toInteger[S, uint16](r)
	case Uint32:
		toInteger[S, uint32](r)
	case Uint64:
		toInteger[S, uint64](r)
	case Float16:
		floatToHalf[S](r)
	case BFloat16:
		floatToBFloat16[S](r)
	case Float32:
		toNumber[S, float32](r)
	case Float64:
		toNumber[S, float64](r)
	case Complex64:
		toComplex[S, float32](r)
	case Complex128:
		toComplex[S, float64](r)
	}
}

// fromComplex converts complex numbers whose parts have type S.
func fromComplex[S float](r run, to DType) {
	switch to {
	case Bool:
		complexToBool[S](r)
	case Complex64:
		complexToComplex[S, float32](r)
	case Complex128:
		complexToComplex[S, float64](r)
	default:
		r.srcStride *= 2 // the real parts are every other float
		fromFloat[S](r, to)
	}
}

// from16Bits converts the 16-bit floats by way of float32, which holds them
// exactly, a block at a time: the block stays in the first-level cache, and no
// target type needs loops of its own.
func from16Bits(r run, to, from DType) {
	if to == Float32 {
		widen(r, from)
		return
	}
	const length = 256
	var block [length]float32
	size := to.Size()
	for done := 0; done < r.n; done += length {
		n := min(length, r.n-done)
		widen(run{unsafe.Pointer(&block), 1, unsafe.Add(r.src, done*r.srcStride*2), r.srcStride, n}, from)
		fromFloat[float32](run{unsafe.Add(r.dst, done*r.dstStride*size), r.dstStride, unsafe.Pointer(&block), 1, n}, to)
	}
}

// widen converts float16 or bfloat16 to float32.
func widen(r run, from DType) {
	if from == Float16 {
		halfToFloat(r)
	} else {
		bfloat16ToFloat(r)
	}
}
