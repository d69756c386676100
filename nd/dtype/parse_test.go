package dtype_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestParseReadsNamesAndCodes(t *testing.T) {
	for _, d := range all {
		for _, text := range []string{d.String(), d.Code()} {
			if got, err := dtype.Parse(text); got != d || err != nil {
				t.Errorf("Parse(%q) = %v, %v; want %v", text, got, err, d)
			}
		}
		if d == dtype.BFloat16 {
			continue
		}
		code := d.Code()[1:]
		for _, spelling := range []string{code, string(d.Char())} {
			for _, order := range []string{"", "<", ">", "=", "|"} {
				got, bigEndian, err := dtype.ParseOrdered(order + spelling)
				if got != d || err != nil || bigEndian != (order == ">" && d.Size() > 1) {
					t.Errorf("ParseOrdered(%q) = %v, %v, %v; want %v", order+spelling, got, bigEndian, err, d)
				}
			}
		}
		if got, bigEndian, err := dtype.ParseOrdered(d.OrderedCode(true)); got != d || bigEndian != (d.Size() > 1) || err != nil {
			t.Errorf("ParseOrdered(%q) = %v, %v, %v", d.OrderedCode(true), got, bigEndian, err)
		}
	}
}

func TestParseReadsAliases(t *testing.T) {
	for text, want := range map[string]dtype.DType{
		"bool_": dtype.Bool,
		"byte":  dtype.Int8, "short": dtype.Int16, "intc": dtype.Int32,
		"int": dtype.Int64, "int_": dtype.Int64, "intp": dtype.Int64, "long": dtype.Int64, "longlong": dtype.Int64,
		"p": dtype.Int64, "n": dtype.Int64, "q": dtype.Int64, "<q": dtype.Int64,
		"ubyte": dtype.Uint8, "ushort": dtype.Uint16, "uintc": dtype.Uint32,
		"uint": dtype.Uint64, "uintp": dtype.Uint64, "ulong": dtype.Uint64, "ulonglong": dtype.Uint64,
		"P": dtype.Uint64, "N": dtype.Uint64, "Q": dtype.Uint64,
		"half": dtype.Float16, "single": dtype.Float32, "float": dtype.Float64, "double": dtype.Float64,
		"csingle": dtype.Complex64, "complex": dtype.Complex128, "cdouble": dtype.Complex128,
	} {
		if got, err := dtype.Parse(text); got != want || err != nil {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "<", ">", "f3", "int7", "i3", "u16", "c4", "f16", "g", "G", "O", "S4", "U", "M8", "m8[s]", "V2", "|V2", ">V2",
		"<float32", ">int", "=bool_", "<<f4", "<>f4", "f4 ", " f4", "Float32", "FLOAT", "unspecified", "invalid", "\x00", "f4f4", "f4,i4",
	} {
		d, err := dtype.Parse(text)
		if err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, d)
		} else if !strings.Contains(err.Error(), "not understood") {
			t.Errorf("Parse(%q): %v", text, err)
		}
	}
}
