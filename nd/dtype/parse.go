package dtype

import (
	"fmt"
	"strings"
)

// Parse returns the type that a text names in one of NumPy's spellings: a name
// ("float32", "bfloat16", "half", "int"), a letter ("f", "?"), or a code of kind
// and size ("f4"), the last two also after a byte order ("<f4", "=u4", "|b1").
// Names that C leaves open mean what they mean on 64-bit Linux: "int", "long"
// and "l" are int64. Any byte order is accepted, for arrays in memory always
// have the machine's; [ParseOrdered] also tells which one it was.
func Parse(text string) (DType, error) {
	d, _, err := ParseOrdered(text)
	return d, err
}

// ParseOrdered is Parse for data that lies outside the program: it reports
// whether the text asks for the most significant byte first (">i2"). Types of
// one byte have no order.
func ParseOrdered(text string) (d DType, bigEndian bool, err error) {
	if d, ok := names[text]; ok {
		return d, false, nil
	}
	if text == BFloat16.Code() {
		// Any other two-byte void ("V2", "|V2") may be anything.
		return BFloat16, false, nil
	}
	code := strings.TrimLeft(text, "<>=|")
	if len(text)-len(code) <= 1 {
		if d, ok := codes[code]; ok {
			return d, text[0] == '>' && d.Size() > 1, nil
		}
	}
	return Unspecified, false, fmt.Errorf("dtype: data type %q not understood", text)
}

// names are the spellings that take no byte order.
var names = map[string]DType{
	"bool_": Bool,

	"byte": Int8, "short": Int16, "intc": Int32,
	"int": Int64, "int_": Int64, "intp": Int64, "long": Int64, "longlong": Int64,

	"ubyte": Uint8, "ushort": Uint16, "uintc": Uint32,
	"uint": Uint64, "uintp": Uint64, "ulong": Uint64, "ulonglong": Uint64,

	"half": Float16, "single": Float32, "double": Float64, "float": Float64,
	"csingle": Complex64, "cdouble": Complex128, "complex": Complex128,
}

// codes are the letters and the kinds with sizes.
var codes = map[string]DType{
	"p": Int64, "n": Int64, "q": Int64, "P": Uint64, "N": Uint64, "Q": Uint64,
}

func init() {
	for d := Bool; d < Count; d++ {
		t := &properties[d]
		names[t.name] = d
		if d != BFloat16 { // its code and letter are not NumPy's
			codes[t.code] = d
			codes[string(t.char)] = d
		}
	}
}
