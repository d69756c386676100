package nd

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Format prints x. %v and %s print as String does, %#v as GoString. For these, a precision, as in %.3v, applies to the
// elements, and a width pads a 0-d array. Every other verb, with its flags, width and precision, applies to each
// element; all elements are written, in NumPy's brackets: %.4f of a 1-d array prints [0.5000 0.2500], of a 0-d array
// 0.5000. The verbs of floats also format integers.
func (x *Array) Format(s fmt.State, verb rune) {
	if x == nil {
		fmt.Fprint(s, "<nil>")
		return
	}
	if x.integerDigits() != "" && verb != 'v' && verb != 's' && !isFloatVerb(verb) {
		fmt.Fprintf(s, fmt.FormatString(s, verb), x.scalar.integer())
		return
	}
	if verb != 'v' && verb != 's' {
		fmt.Fprint(s, x.formatted(fmt.FormatString(s, verb), isFloatVerb(verb)))
		return
	}
	var o PrintOptions
	p, precise := s.Precision()
	if precise {
		o.Precision = &p
	}
	var text string
	switch {
	case verb == 'v' && s.Flag('#'):
		text = x.Repr(o)
	case precise && x.Rank() == 0:
		text = x.Array2String(o)
	default:
		text = x.Text(o)
	}
	width, _ := s.Width()
	if x.Rank() > 0 {
		width = 0
	}
	if s.Flag('-') {
		width = -width
	}
	fmt.Fprintf(s, "%*s", width, text)
}

// formatted writes every element with a format for one value.
func (x *Array) formatted(format string, asFloat bool) string {
	if x.integerDigits() != "" {
		return fmt.Sprintf(format, x.scalar.re)
	}
	return x.Array2String(PrintOptions{Threshold: new(math.MaxInt), Formatter: func(v any) string {
		switch v := v.(type) {
		case int64:
			if asFloat {
				return fmt.Sprintf(format, float64(v))
			}
		case uint64:
			if asFloat {
				return fmt.Sprintf(format, float64(v))
			}
		case float64:
			if x.dtype != dtype.Float64 { // the shortest digits are those of its type
				return fmt.Sprintf(format, float32(v))
			}
		case complex128:
			if x.dtype == dtype.Complex64 {
				return fmt.Sprintf(format, complex64(v))
			}
		}
		return fmt.Sprintf(format, v)
	}})
}

func isFloatVerb(verb rune) bool {
	switch verb {
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return true
	}
	return false
}
