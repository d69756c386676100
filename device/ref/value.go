package ref

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// value is a number of one of the register types. The type says which field holds the number.
type value struct {
	i int64      // a bool (0 or 1) or an integer; an unsigned 64-bit integer by its bits
	x float64    // a float
	z complex128 // a complex number
}

func truth(b bool) value {
	if b {
		return value{i: 1}
	}
	return value{}
}

// element has room for one stored number of any type.
type element [2]uint64

// decode returns the number of type t at p.
func decode(t dtype.DType, p unsafe.Pointer) value {
	switch t {
	case dtype.Bool:
		return truth(*(*uint8)(p) != 0)
	case dtype.Int8:
		return value{i: int64(*(*int8)(p))}
	case dtype.Int16:
		return value{i: int64(*(*int16)(p))}
	case dtype.Int32:
		return value{i: int64(*(*int32)(p))}
	case dtype.Int64, dtype.Uint64:
		return value{i: *(*int64)(p)}
	case dtype.Uint8:
		return value{i: int64(*(*uint8)(p))}
	case dtype.Uint16:
		return value{i: int64(*(*uint16)(p))}
	case dtype.Uint32:
		return value{i: int64(*(*uint32)(p))}
	case dtype.Float32:
		return value{x: float64(*(*float32)(p))}
	case dtype.Float64:
		return value{x: *(*float64)(p)}
	case dtype.Complex64:
		return value{z: complex128(*(*complex64)(p))}
	case dtype.Complex128:
		return value{z: *(*complex128)(p)}
	}
	panic("ref: nothing computes with " + t.String())
}

// encode stores v as a number of type t. A float is rounded to t; an integer loses the bits that do not fit in t.
func encode(t dtype.DType, v value) (e element) {
	p := unsafe.Pointer(&e)
	switch t {
	case dtype.Bool, dtype.Int8, dtype.Uint8:
		*(*int8)(p) = int8(v.i)
	case dtype.Int16, dtype.Uint16:
		*(*int16)(p) = int16(v.i)
	case dtype.Int32, dtype.Uint32:
		*(*int32)(p) = int32(v.i)
	case dtype.Int64, dtype.Uint64:
		*(*int64)(p) = v.i
	case dtype.Float32:
		*(*float32)(p) = float32(v.x)
	case dtype.Float64:
		*(*float64)(p) = v.x
	case dtype.Complex64:
		*(*complex64)(p) = complex64(v.z)
	case dtype.Complex128:
		*(*complex128)(p) = v.z
	default:
		panic("ref: nothing computes with " + t.String())
	}
	return e
}

// convert converts a number of one type to another, as package dtype does.
func convert(v value, from, to dtype.DType) value {
	if from == to {
		return v
	}
	source := encode(from, v)
	var target element
	dtype.Convert(to, unsafe.Pointer(&target), 1, from, unsafe.Pointer(&source), 1, 1)
	return decode(to, unsafe.Pointer(&target))
}

// fromScalar returns a launch parameter or constant as a number of type t.
func fromScalar(s device.Scalar, t dtype.DType) value {
	v := value{i: s.Int, x: s.Re, z: complex(s.Re, s.Im)}
	if t.IsBool() {
		v = truth(s.Int != 0)
	}
	e := encode(t, v)
	return decode(t, unsafe.Pointer(&e))
}
