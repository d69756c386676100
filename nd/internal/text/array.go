package text

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Array writes an array as NumPy's array2string does. The values are the elements that [Options.Layout] shows.
func (o Options) Array(d dtype.DType, shape []int, v Values) string {
	if size(shape) == 0 {
		return "[]"
	}
	layout := o.Layout(shape)
	if got, want := v.count(d), size(layout.ShownShape()); got != want {
		panic(fmt.Sprintf("text: %d values for an array that shows %d", got, want))
	}
	w := wrapper{
		layout:    layout,
		strides:   rowMajorStrides(layout.ShownShape()),
		element:   o.elementFormat(d, v, len(shape) == 0),
		separator: o.separator(),
	}
	return w.text(o.lineWidth()-width(o.Suffix), strings.Repeat(" ", 1+width(o.Prefix)))
}

// Str writes an array as NumPy's str and array_str do: as [Options.Array], except that a 0-d array is written like a
// scalar, whose digits Precision does not limit.
func (o Options) Str(d dtype.DType, shape []int, v Values) string {
	if len(shape) == 0 {
		return Scalar(d, v)
	}
	return o.Array(d, shape, v)
}

// elementFormat chooses the format of value i, which depends on all shown values: columns are as wide as the widest
// value.
func (o Options) elementFormat(d dtype.DType, v Values, scalar bool) func(i int) string {
	switch {
	case o.Formatter != nil:
		return func(i int) string { return o.Formatter(v.element(d, i)) }
	case d.IsBool():
		return boolFormat(v.Bools, scalar)
	case d.IsSigned():
		return integerFormat(v.Ints, o.sign())
	case d.IsUnsigned():
		return integerFormat(v.Uints, o.sign())
	case d.IsFloat():
		column := newFloatColumn(widthOf(d), v.Floats, o, o.sign())
		return func(i int) string { return column.text(v.Floats[i]) }
	}
	return complexFormat(widthOf(d.Real()), v.Complexes, o)
}

func rowMajorStrides(shape []int) []int {
	strides := make([]int, len(shape))
	stride := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		strides[axis] = stride
		stride *= shape[axis]
	}
	return strides
}
