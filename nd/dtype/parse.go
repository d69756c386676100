package dtype

import (
	"fmt"
	"strings"
)

// Parse returns the type that a text names in one of NumPy's spellings: a name ("float32", "bfloat16", "half", "int"),
// a letter ("f", "?"), or a code of kind and size ("f4"). Letters and codes may have a byte order ("<f4", "=u4",
// "|b1"). Names that C leaves open mean the same as on 64-bit Linux: "int", "long" and "l" are int64. Every byte order
// is accepted, because arrays in memory always have the machine's; [ParseOrdered] also returns the byte order.
// NumPy: dtype.
func Parse(text string) (DType, error) {
	d, _, err := ParseOrdered(text)
	return d, err
}

// ParseOrdered is Parse for data outside the program: it also reports whether the text asks for the most significant
// byte first (">i2"). Types of one byte have no order.
func ParseOrdered(text string) (d DType, bigEndian bool, err error) {
	if d := named(text); d.Valid() {
		return d, false, nil
	}
	if text == BFloat16.Code() {
		// Any other two-byte void ("V2", "|V2") is ambiguous.
		return BFloat16, false, nil
	}
	code := strings.TrimLeft(text, "<>=|")
	if len(text)-len(code) <= 1 {
		if d := coded(code); d.Valid() {
			return d, text[0] == '>' && d.Size() > 1, nil
		}
	}
	return Unspecified, false, fmt.Errorf("dtype: data type %q not understood", text)
}

// named resolves the spellings that take no byte order.
func named(text string) DType {
	switch text {
	case "bool_":
		return Bool
	case "byte":
		return Int8
	case "short":
		return Int16
	case "intc":
		return Int32
	case "int", "int_", "intp", "long", "longlong":
		return Int64
	case "ubyte":
		return Uint8
	case "ushort":
		return Uint16
	case "uintc":
		return Uint32
	case "uint", "uintp", "ulong", "ulonglong":
		return Uint64
	case "half":
		return Float16
	case "single":
		return Float32
	case "double", "float":
		return Float64
	case "csingle":
		return Complex64
	case "cdouble", "complex":
		return Complex128
	}
	for d := Bool; d < Count; d++ {
		if d.String() == text {
			return d
		}
	}
	return Unspecified
}

// coded resolves the letters, and the kinds with sizes. NumPy itself does not have those of bfloat16.
func coded(text string) DType {
	switch text {
	case "p", "n", "q":
		return Int64
	case "P", "N", "Q":
		return Uint64
	}
	for d := Bool; d < Count; d++ {
		if d != BFloat16 && (d.kindAndSize() == text || len(text) == 1 && d.Char() == text[0]) {
			return d
		}
	}
	return Unspecified
}
