package dtype

import "github.com/x448/float16"

// DType is an element type of an array.
type DType uint8

// The element types. Unspecified is the zero value and not an element type: it says that the choice was left open.
const (
	Unspecified DType = iota
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	BFloat16
	Float32
	Float64
	Complex64
	Complex128

	// Count is the number of DType values, Unspecified included: the length of
	// a table indexed by DType.
	Count = iota
)

// Kind is the sort of number that an element type holds.
type Kind uint8

// The kinds, in the order in which promotion raises them. KindNone is the kind of Unspecified.
const (
	KindNone Kind = iota
	KindBool
	KindUint
	KindInt // signed integers
	KindFloat
	KindComplex
)

// Element lists the Go types that array elements have in memory, one for each element type. It leaves out int and uint,
// because their size depends on the platform.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float16.Float16 | BF16 | float32 | float64 | complex64 | complex128
}

// Of returns the element type whose elements are Go values of type T.
func Of[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float16.Float16:
		return Float16
	case BF16:
		return BFloat16
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	case complex128:
		return Complex128
	}
	return Unspecified
}

// traits are the fixed properties of an element type.
type traits struct {
	kind Kind
	size uint8
	char byte // NumPy's one-letter code
	real DType
}

// bfloat16 has no type of its own in NumPy. The package ml_dtypes registers it
// as a two-byte void type with the letter E; its files say "<V2".
var properties = [Count]traits{
	Unspecified: {KindNone, 0, 0, Unspecified},
	Bool:        {KindBool, 1, '?', Bool},
	Int8:        {KindInt, 1, 'b', Int8},
	Int16:       {KindInt, 2, 'h', Int16},
	Int32:       {KindInt, 4, 'i', Int32},
	Int64:       {KindInt, 8, 'l', Int64},
	Uint8:       {KindUint, 1, 'B', Uint8},
	Uint16:      {KindUint, 2, 'H', Uint16},
	Uint32:      {KindUint, 4, 'I', Uint32},
	Uint64:      {KindUint, 8, 'L', Uint64},
	Float16:     {KindFloat, 2, 'e', Float16},
	BFloat16:    {KindFloat, 2, 'E', BFloat16},
	Float32:     {KindFloat, 4, 'f', Float32},
	Float64:     {KindFloat, 8, 'd', Float64},
	Complex64:   {KindComplex, 8, 'F', Float32},
	Complex128:  {KindComplex, 16, 'D', Float64},
}

// Valid reports whether d is one of the 15 element types; Unspecified is not.
func (d DType) Valid() bool { return d > Unspecified && d < Count }

// ArrayOption marks dtypes as options of functions that make arrays: nd.Zeros(shape, dtype.Float32).
func (d DType) ArrayOption() {}

// Size returns the size of one element in bytes, 0 for Unspecified.
func (d DType) Size() int { return int(properties[d].size) }

// String returns NumPy's name of the type, such as "float32" or "bool".
func (d DType) String() string {
	if d >= Count {
		return "invalid"
	}
	return [Count]string{
		Unspecified: "unspecified", Bool: "bool", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64", Uint8: "uint8", Uint16: "uint16",
		Uint32: "uint32", Uint64: "uint64", Float16: "float16", BFloat16: "bfloat16", Float32: "float32", Float64: "float64", Complex64: "complex64", Complex128: "complex128",
	}[d]
}

// Kind returns the sort of number that the type holds.
func (d DType) Kind() Kind { return properties[d].kind }

// Char returns NumPy's one-letter code of the type: 'f' for float32, 'l' for int64, '?' for bool, 'E' (from the package
// ml_dtypes) for bfloat16; 0 for Unspecified.
func (d DType) Char() byte { return properties[d].char }

// Code returns the type as the header of an npy file states it, little-endian: "<f4", "|b1", "|u1". For bfloat16 it is
// "<V2", which NumPy writes together with the package ml_dtypes. It is empty for Unspecified.
func (d DType) Code() string { return d.OrderedCode(false) }

// OrderedCode is Code for elements whose bytes lie in the given order:
// OrderedCode(true) of int16 is ">i2". Types of one byte have no order.
func (d DType) OrderedCode(bigEndian bool) string {
	switch {
	case d.Size() == 0:
		return ""
	case d.Size() == 1:
		return "|" + d.kindAndSize()
	case bigEndian:
		return ">" + d.kindAndSize()
	default:
		return "<" + d.kindAndSize()
	}
}

// kindAndSize returns the npy code without its byte order.
func (d DType) kindAndSize() string {
	return [Count]string{
		Bool: "b1", Int8: "i1", Int16: "i2", Int32: "i4", Int64: "i8", Uint8: "u1", Uint16: "u2", Uint32: "u4",
		Uint64: "u8", Float16: "f2", BFloat16: "V2", Float32: "f4", Float64: "f8", Complex64: "c8", Complex128: "c16",
	}[d]
}

// IsBool reports whether d is Bool.
func (d DType) IsBool() bool { return d == Bool }

// IsInteger reports whether d is a signed or unsigned integer type.
func (d DType) IsInteger() bool { return d >= Int8 && d <= Uint64 }

// IsSigned reports whether d is a signed integer type.
func (d DType) IsSigned() bool { return d >= Int8 && d <= Int64 }

// IsUnsigned reports whether d is an unsigned integer type.
func (d DType) IsUnsigned() bool { return d >= Uint8 && d <= Uint64 }

// IsFloat reports whether d is a real floating-point type.
func (d DType) IsFloat() bool { return d >= Float16 && d <= Float64 }

// IsComplex reports whether d is a complex type.
func (d DType) IsComplex() bool { return d == Complex64 || d == Complex128 }

// IsInexact reports whether d is a real or complex floating-point type.
func (d DType) IsInexact() bool { return d >= Float16 && d <= Complex128 }

// Real returns the type of the real and imaginary parts: Float32 for Complex64,
// Float64 for Complex128, and a real type itself.
func (d DType) Real() DType { return properties[d].real }

// Complex returns the smallest complex type that holds the values of d, as promotion sees it: Complex64 for bool,
// floats up to 32 bits and integers up to 16 bits, Complex128 for wider ones, and a complex type itself.
func (d DType) Complex() DType {
	if d == Unspecified {
		return Unspecified
	}
	return Promote(d, Complex64)
}

// String names the kind: "bool", "uint", "int", "float", "complex" or "none".
func (k Kind) String() string {
	names := [...]string{"none", "bool", "uint", "int", "float", "complex"}
	if int(k) >= len(names) {
		return "invalid"
	}
	return names[k]
}

// Letter returns NumPy's letter for the kind: 'b', 'u', 'i', 'f' or 'c'; 0 for
// KindNone.
func (k Kind) Letter() byte {
	const letters = "\x00buifc"
	if int(k) >= len(letters) {
		return 0
	}
	return letters[k]
}
