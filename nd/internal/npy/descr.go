package npy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ErrUnsupportedDType is wrapped by errors about well-formed files whose elements are not numbers of this library:
// text, objects, dates, structures, long doubles.
var ErrUnsupportedDType = errors.New("unsupported dtype")

// An encoding says how an element type is written.
type encoding struct {
	dtype     dtype.DType
	code      string // NumPy's kind and size in bytes
	component int    // bytes that are swapped as one unit: half of a complex number
}

// NumPy has no bfloat16. The ml_dtypes package, whose bfloat16 JAX and TensorFlow use, saves it as raw elements of two
// bytes, V2.
var encodings = [...]encoding{
	{dtype.Bool, "b1", 1},
	{dtype.Int8, "i1", 1},
	{dtype.Int16, "i2", 2},
	{dtype.Int32, "i4", 4},
	{dtype.Int64, "i8", 8},
	{dtype.Uint8, "u1", 1},
	{dtype.Uint16, "u2", 2},
	{dtype.Uint32, "u4", 4},
	{dtype.Uint64, "u8", 8},
	{dtype.Float16, "f2", 2},
	{dtype.BFloat16, "V2", 2},
	{dtype.Float32, "f4", 4},
	{dtype.Float64, "f8", 8},
	{dtype.Complex64, "c8", 4},
	{dtype.Complex128, "c16", 8},
}

func encodingOf(dt dtype.DType) (encoding, error) {
	for _, e := range encodings {
		if e.dtype == dt {
			return e, nil
		}
	}
	return encoding{}, fmt.Errorf("%w: %v cannot be written", ErrUnsupportedDType, dt)
}

// formatDescr returns the descr of a type, as NumPy's dtype.str has it.
func formatDescr(dt dtype.DType, bigEndian bool) (string, error) {
	e, err := encodingOf(dt)
	switch {
	case err != nil:
		return "", err
	case e.component == 1:
		return "|" + e.code, nil
	case bigEndian:
		return ">" + e.code, nil
	}
	return "<" + e.code, nil
}

// parseDescr reads a descr such as "<f4". No mark, "=" and "|" mean little-endian on every host, so that a file means
// the same everywhere. NumPy takes them for the reading host's order, and writes none of them before a type of several
// bytes.
func parseDescr(descr string) (dt dtype.DType, bigEndian bool, err error) {
	code := descr
	if descr != "" && strings.IndexByte("<>=|", descr[0]) >= 0 {
		code = descr[1:]
		bigEndian = descr[0] == '>'
	}
	if descr == "bfloat16" {
		code = "V2" // some programs save it under this name, to distinguish it from raw bytes
	}
	for _, e := range encodings {
		if e.code == code {
			return e.dtype, bigEndian && e.component > 1, nil
		}
	}
	if what := unsupportedKind(code); what != "" {
		return dtype.Unspecified, false, fmt.Errorf("%w: descr %q holds %s, not numbers of a supported type", ErrUnsupportedDType, descr, what)
	}
	return dtype.Unspecified, false, fmt.Errorf("descr %q is not a dtype", descr)
}

// unsupportedKind returns what a valid code without an element type here stands for, and "" for an invalid code.
func unsupportedKind(code string) string {
	if code == "" {
		return ""
	}
	size := code[1:]
	sized := strings.Trim(size, "0123456789") == ""
	switch code[0] {
	case 'O':
		if sized {
			return "Python objects"
		}
	case 'U':
		if sized {
			return "text"
		}
	case 'S', 'a':
		if sized {
			return "byte strings"
		}
	case 'V':
		if sized {
			return "raw bytes"
		}
	case 'T':
		if sized {
			return "text of variable length"
		}
	case 'M':
		return "dates"
	case 'm':
		return "time spans"
	case 'f':
		if size == "12" || size == "16" {
			return "long doubles"
		}
	case 'c':
		if size == "24" || size == "32" {
			return "complex long doubles"
		}
	}
	return ""
}
