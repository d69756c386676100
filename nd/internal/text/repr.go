package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Repr writes an array as NumPy's repr and array_repr do: array([...]), with the shape and the element type if the
// elements do not determine them. It ignores Separator, Prefix and Suffix.
func (o Options) Repr(d dtype.DType, shape []int, v Values) string {
	const prefix = "array("
	inner := o
	inner.Separator, inner.Prefix, inner.Suffix = new(", "), prefix, ")"
	text := prefix + inner.Array(d, shape, v)

	extras := o.reprExtras(d, shape)
	if extras == "" {
		return text + ")"
	}
	text += ","
	extras += ")"
	lastLine := text[strings.LastIndexByte(text, '\n')+1:]
	if width(lastLine)+1+len(extras) > o.lineWidth() {
		return text + "\n" + strings.Repeat(" ", len(prefix)) + extras
	}
	return text + " " + extras
}

// reprExtras writes what the shown elements do not determine: the shape of an empty or summarised array, and the
// element type unless it is the default type of such literals.
func (o Options) reprExtras(d dtype.DType, shape []int) string {
	var extras []string
	empty := size(shape) == 0
	if empty && len(shape) != 1 || o.summarises(shape) {
		extras = append(extras, "shape="+tuple(shape))
	}
	if empty || !impliedByElements(d) {
		extras = append(extras, fmt.Sprintf("dtype=%v", d))
	}
	return strings.Join(extras, ", ")
}

func impliedByElements(d dtype.DType) bool {
	switch d {
	case dtype.Bool, dtype.Int64, dtype.Float64, dtype.Complex128:
		return true
	}
	return false
}

// tuple writes a shape as Python writes a tuple.
func tuple(shape []int) string {
	lengths := make([]string, len(shape))
	for axis, length := range shape {
		lengths[axis] = strconv.Itoa(length)
	}
	text := strings.Join(lengths, ", ")
	if len(shape) == 1 {
		text += ","
	}
	return "(" + text + ")"
}
