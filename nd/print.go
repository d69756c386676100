package nd

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// SignMode says before which numbers a sign is printed.
type SignMode string

const (
	SignMinus SignMode = "-" // before negative numbers
	SignPlus  SignMode = "+" // before all numbers
	SignBlank SignMode = " " // a blank before positive numbers
)

// FloatMode says how many digits of floats are printed.
type FloatMode string

const (
	FloatFixed        FloatMode = "fixed"         // exactly PrintOptions.Precision digits after the point
	FloatUnique       FloatMode = "unique"        // as many digits as make each number unique
	FloatMaxPrec      FloatMode = "maxprec"       // as many, but at most PrintOptions.Precision
	FloatMaxPrecEqual FloatMode = "maxprec_equal" // as FloatMaxPrec, with equally many digits for all numbers
)

// PrintOptions say how an array is printed; the zero value means NumPy's defaults.
type PrintOptions struct {
	Precision *int      // maximal number of digits after the decimal point; nil means 8
	Threshold *int      // arrays with more elements than this are summarised; nil means 1000
	EdgeItems *int      // items shown at each end of a summarised axis; nil means 3
	LineWidth *int      // columns; nil means 75
	Suppress  bool      // no scientific notation: small numbers are printed as zero
	NaNStr    string    // "" means "nan"
	InfStr    string    // "" means "inf"
	Sign      SignMode  // "" means SignMinus
	FloatMode FloatMode // "" means FloatMaxPrec

	Separator *string // between elements; nil means " "
	Prefix    string  // text that the caller writes before: only its width counts
	Suffix    string  // text that the caller writes after: only its width counts

	// Formatter, if set, formats every element and replaces the rules for its type. It receives a bool, int64, uint64,
	// float64 or complex128.
	Formatter func(v any) string
}

// text returns the options for package text.
func (o PrintOptions) text() text.Options {
	return text.Options{Precision: o.Precision, Threshold: o.Threshold, EdgeItems: o.EdgeItems, LineWidth: o.LineWidth,
		Suppress: o.Suppress, NaNStr: o.NaNStr, InfStr: o.InfStr, Sign: string(o.Sign), FloatMode: string(o.FloatMode),
		Separator: o.Separator, Prefix: o.Prefix, Suffix: o.Suffix, Formatter: o.Formatter}
}

// String formats x as NumPy's str does; long arrays are summarised. Only the elements that are shown are copied from
// the device.
func (x *Array) String() string { return x.Text(PrintOptions{}) }

// GoString formats x as NumPy's repr does.
func (x *Array) GoString() string { return x.Repr(PrintOptions{}) }

// Text formats x as str does, with options.
// NumPy: array_str.
func (x *Array) Text(o PrintOptions) string {
	if digits := x.integerDigits(); digits != "" {
		return digits
	}
	values := x.shown("Array.Text", o)
	return o.text().Str(x.dtype, x.shape, values)
}

// Repr formats x as repr does, with options.
// NumPy: array_repr.
func (x *Array) Repr(o PrintOptions) string {
	if digits := x.integerDigits(); digits != "" {
		return "array(" + digits + ")"
	}
	values := x.shown("Array.Repr", o)
	return o.text().Repr(x.dtype, x.shape, values)
}

// Array2String formats x as String does, with options.
// NumPy: array2string.
func (x *Array) Array2String(o PrintOptions) string {
	if digits := x.integerDigits(); digits != "" {
		return digits
	}
	values := x.shown("Array.Array2String", o)
	return o.text().Array(x.dtype, x.shape, values)
}

// integerDigits returns the digits of a Scalar that is an integer beyond int64, and nothing for others.
func (x *Array) integerDigits() string {
	if x == nil || x.scalar == nil || x.scalar.fits(dtype.Int64) {
		return ""
	}
	return x.scalar.integer().String()
}

// shown copies the elements to be printed.
func (x *Array) shown(fn Func, given PrintOptions) text.Values {
	x.check(fn)
	o := given.text()
	if err := o.Check(); err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	if x.scalar != nil {
		x = materialize(x)
	}
	layout := o.Layout(x.shape)
	part := allocate(fn, x.store.dev, x.dtype, layout.ShownShape())
	copyCorners(fn, part.Layout(), x.Layout(), layout, 0, part, x)
	defer part.Release()
	return part.values(fn)
}

// copyCorners copies the leading and trailing items of every summarised axis.
func copyCorners(fn Func, dst, src broadcast.View, layout text.Layout, axis int, part, x *Array) {
	if axis == len(layout) {
		to, from := part.header(fn, dst), x.header(fn, src)
		copyInto(fn, to, from)
		to.Release()
		from.Release()
		return
	}
	a := layout[axis]
	if !a.Summarised {
		copyCorners(fn, dst, src, layout, axis+1, part, x)
		return
	}
	for _, end := range []struct{ from, to, count int }{{0, 0, a.Leading}, {a.Size - a.Trailing, a.Leading, a.Trailing}} {
		if end.count == 0 {
			continue
		}
		d, err1 := dst.Slice(axis, end.to, end.count, 1)
		s, err2 := src.Slice(axis, end.from, end.count, 1)
		if err1 != nil || err2 != nil {
			panic("unreachable: the layout lies within the shape")
		}
		copyCorners(fn, d, s, layout, axis+1, part, x)
	}
}

// values copies all elements to the host, in the widest type of their kind.
func (x *Array) values(fn Func) text.Values {
	host := make([]byte, x.Bytes())
	x.copyOut(fn, host)
	return text.ValuesOf(x.dtype, host)
}
