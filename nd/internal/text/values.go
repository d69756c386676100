package text

import (
	"fmt"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Values holds the shown elements of an array in row-major order, in one slice, which depends on the element type:
// Bools; Ints for signed and Uints for unsigned integers; Floats for all floats and Complexes for all complex numbers,
// widened exactly.
type Values struct {
	Bools     []bool
	Ints      []int64
	Uints     []uint64
	Floats    []float64
	Complexes []complex128
}

// ValuesOf widens elements of type d, which are in the byte order of the host.
func ValuesOf(d dtype.DType, data []byte) Values {
	n := len(data) / d.Size()
	var v Values
	var wide dtype.DType
	var to unsafe.Pointer
	switch d.Kind() {
	case dtype.KindBool:
		v.Bools = make([]bool, n)
		wide, to = dtype.Bool, unsafe.Pointer(unsafe.SliceData(v.Bools))
	case dtype.KindInt:
		v.Ints = make([]int64, n)
		wide, to = dtype.Int64, unsafe.Pointer(unsafe.SliceData(v.Ints))
	case dtype.KindUint:
		v.Uints = make([]uint64, n)
		wide, to = dtype.Uint64, unsafe.Pointer(unsafe.SliceData(v.Uints))
	case dtype.KindFloat:
		v.Floats = make([]float64, n)
		wide, to = dtype.Float64, unsafe.Pointer(unsafe.SliceData(v.Floats))
	default:
		v.Complexes = make([]complex128, n)
		wide, to = dtype.Complex128, unsafe.Pointer(unsafe.SliceData(v.Complexes))
	}
	if n > 0 {
		dtype.Convert(wide, to, 1, d, unsafe.Pointer(&data[0]), 1, n)
	}
	return v
}

// count returns the number of values in the slice for d.
func (v Values) count(d dtype.DType) int {
	switch {
	case d.IsBool():
		return len(v.Bools)
	case d.IsSigned():
		return len(v.Ints)
	case d.IsUnsigned():
		return len(v.Uints)
	case d.IsFloat():
		return len(v.Floats)
	case d.IsComplex():
		return len(v.Complexes)
	}
	panic(fmt.Sprintf("text: element type %v cannot be printed", d))
}

// element returns value i in the form that a user's formatter receives.
func (v Values) element(d dtype.DType, i int) any {
	switch {
	case d.IsBool():
		return v.Bools[i]
	case d.IsSigned():
		return v.Ints[i]
	case d.IsUnsigned():
		return v.Uints[i]
	case d.IsFloat():
		return v.Floats[i]
	}
	return v.Complexes[i]
}
