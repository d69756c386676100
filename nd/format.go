package nd

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Format prints x as String does for %v and %s, and as GoString for %#v; a precision, as in %.3v, is that of the elements,
// and a width pads an array without axes. Every other verb, with its flags, width and precision, is that of the elements, all of
// which are written, in NumPy's brackets: %.4f of an array of one axis gives [0.5000 0.2500], and of one without axes 0.5000.
// Integers are formatted by the verbs of floats, too.
func (x *Array) Format(s fmt.State, verb rune) {
	if x == nil {
		fmt.Fprint(s, "<nil>")
		return
	}
	if x.integerDigits() != "" && verb != 'v' && verb != 's' && !isFloatVerb(verb) {
		fmt.Fprintf(s, fmt.FormatString(s, verb), x.weak.integer())
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

// formatted writes every element by a format of one value.
func (x *Array) formatted(format string, asFloat bool) string {
	if x.integerDigits() != "" {
		return fmt.Sprintf(format, x.weak.re)
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
