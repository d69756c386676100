package onnx

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ElementType is the type of a tensor's elements, with ONNX's numbers.
type ElementType int32

// Types of elements.
const (
	Float ElementType = iota + 1
	Uint8
	Int8
	Uint16
	Int16
	Int32
	Int64
	String
	Bool
	Float16
	Double
	Uint32
	Uint64
	Complex64
	Complex128
	BFloat16
	Float8E4M3FN
	Float8E4M3FNUZ
	Float8E5M2
	Float8E5M2FNUZ
	Uint4
	Int4
	Float4E2M1
	Float8E8M0
	Uint2
	Int2
	Float6E2M3
	Float6E3M2
)

var elementNames = [...]string{"UNDEFINED", "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "STRING", "BOOL", "FLOAT16",
	"DOUBLE", "UINT32", "UINT64", "COMPLEX64", "COMPLEX128", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2",
	"FLOAT8E5M2FNUZ", "UINT4", "INT4", "FLOAT4E2M1", "FLOAT8E8M0", "UINT2", "INT2", "FLOAT6E2M3", "FLOAT6E3M2"}

// String returns ONNX's name of the type.
func (e ElementType) String() string {
	if e < 0 || int(e) >= len(elementNames) {
		return fmt.Sprintf("type %d", int32(e))
	}
	return elementNames[e]
}

// dtypes are the dtypes of arrays by type.
var dtypes = [...]dtype.DType{Float: dtype.Float32, Uint8: dtype.Uint8, Int8: dtype.Int8, Uint16: dtype.Uint16, Int16: dtype.Int16,
	Int32: dtype.Int32, Int64: dtype.Int64, Bool: dtype.Bool, Float16: dtype.Float16, Double: dtype.Float64, Uint32: dtype.Uint32,
	Uint64: dtype.Uint64, Complex64: dtype.Complex64, Complex128: dtype.Complex128, BFloat16: dtype.BFloat16}

// DType returns the dtype of arrays with elements of the type. It is not valid for types that no array has: texts, and
// those of 8 bits and less that a [Narrow] has.
func (e ElementType) DType() dtype.DType {
	if e < 0 || int(e) >= len(dtypes) {
		return dtype.Unspecified
	}
	return dtypes[e]
}

// ElementTypeOf returns the type of the elements of arrays of a dtype.
func ElementTypeOf(t dtype.DType) ElementType { return ElementType(max(slices.Index(dtypes[:], t), 0)) }
