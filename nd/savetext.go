package nd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// SaveTextOptions are the options of SaveText, those of numpy.savetxt.
type SaveTextOptions struct {
	// Format is how a number is written, as C's printf writes it: the conversions d, i, u, o, x, X of integers, e, f, g
	// and E, F, G of all numbers, s and r of NumPy's own text. With as many conversions as there are columns it is the
	// format of a row. "%.18e" unless given. A complex number has two conversions, or one for both parts.
	Format string
	// Formats are the formats of each column; nil where Format says all.
	Formats []string
	// Delimiter stands between columns; nil means a blank.
	Delimiter *string
	// Newline ends a row; a line feed unless given.
	Newline string
	// Header and Footer are written before and after the rows, their lines as comments.
	Header, Footer string
	// Comments begins the lines of Header and Footer; nil means "# ".
	Comments *string
}

// SaveText writes an array of one axis (a column) or two to a text file, a row a line. The file appears whole or not at
// all. numpy.savetxt.
func SaveText(path string, x *Array, opts ...SaveTextOptions) error {
	return writeFile(path, func(w io.Writer) error { return WriteText(w, x, opts...) })
}

// WriteText writes what SaveText writes to a stream.
func WriteText(w io.Writer, x *Array, opts ...SaveTextOptions) error {
	const fn Func = "nd.WriteText"
	x.check(fn)
	var o SaveTextOptions
	if len(opts) > 0 {
		o = opts[0]
	}
	o.setDefaults()
	switch x.Rank() {
	case 1:
		x = x.Detach().ExpandDims(1)
	case 2:
	default:
		return fn.Errorf([]*Array{x}, "want one axis, or two")
	}
	p, err := o.rowPattern(x.shape[1], x.dtype.IsComplex())
	if err != nil {
		return fn.Errorf([]*Array{x}, "%v", err)
	}
	out := bufio.NewWriter(w)
	if err := o.writeTable(out, p, x, x.values(fn)); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

func (o *SaveTextOptions) setDefaults() {
	if o.Format == "" {
		o.Format = "%.18e"
	}
	if o.Delimiter == nil {
		o.Delimiter = new(" ")
	}
	if o.Newline == "" {
		o.Newline = "\n"
	}
	if o.Comments == nil {
		o.Comments = new("# ")
	}
}

// rowPattern makes the format of a row, which has a conversion for every number, two for a complex one.
func (o *SaveTextOptions) rowPattern(columns int, isComplex bool) (pattern, error) {
	numbers := columns
	if isComplex {
		numbers *= 2
	}
	if o.Formats != nil {
		if len(o.Formats) != columns {
			return nil, fmt.Errorf("%d formats for %d columns", len(o.Formats), columns)
		}
		return exactly(numbers, strings.Join(o.Formats, escaped(*o.Delimiter)))
	}
	one, err := parsePattern(o.Format)
	if err != nil {
		return nil, err
	}
	switch n := one.conversions(); {
	case n == 1 && isComplex:
		return exactly(numbers, repeated(" ("+o.Format+"+"+o.Format+"j)", columns, *o.Delimiter))
	case n == 1:
		return exactly(numbers, repeated(o.Format, columns, *o.Delimiter))
	case n == numbers && n > 0:
		return one, nil
	case n == 2 && isComplex:
		return exactly(numbers, repeated(o.Format, columns, *o.Delimiter))
	default:
		return nil, fmt.Errorf("format %q has %d conversions, a row %d numbers", o.Format, n, numbers)
	}
}

// exactly parses a format that must have so many conversions.
func exactly(numbers int, format string) (pattern, error) {
	p, err := parsePattern(format)
	if err == nil && p.conversions() != numbers {
		err = fmt.Errorf("the format has %d conversions, a row %d numbers", p.conversions(), numbers)
	}
	return p, err
}

func repeated(format string, n int, delimiter string) string {
	all := make([]string, n)
	for k := range all {
		all[k] = format
	}
	return strings.Join(all, escaped(delimiter))
}

// escaped is text as a format that stands for it.
func escaped(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func (o *SaveTextOptions) writeTable(w *bufio.Writer, p pattern, x *Array, values text.Values) error {
	if o.Header != "" {
		w.WriteString(o.comment(o.Header))
	}
	rows, columns := x.shape[0], x.shape[1]
	isComplex := x.dtype.IsComplex()
	numbers := make([]textNumber, p.conversions())
	var line []byte
	for row := range rows {
		for k := range numbers {
			if isComplex {
				numbers[k] = partOf(x.dtype, values.Complexes[row*columns+k/2], k%2 == 1)
			} else {
				numbers[k] = numberOf(x.dtype, values, row*columns+k)
			}
		}
		var err error
		if line, err = p.append(line[:0], numbers); err != nil {
			return fmt.Errorf("row %d, %w", row+1, err)
		}
		if isComplex {
			line = bytes.ReplaceAll(line, []byte("+-"), []byte("-"))
		}
		w.Write(line)
		if _, err := w.WriteString(o.Newline); err != nil {
			return err
		}
	}
	if o.Footer != "" {
		w.WriteString(o.comment(o.Footer))
	}
	return nil
}

func (o *SaveTextOptions) comment(text string) string {
	return *o.Comments + strings.ReplaceAll(text, "\n", "\n"+*o.Comments) + o.Newline
}

// textNumber is a real number that is to be written.
type textNumber struct {
	dtype dtype.DType
	i     int64 // a bool, or a signed integer
	u     uint64
	f     float64
}

func numberOf(dt dtype.DType, values text.Values, at int) textNumber {
	n := textNumber{dtype: dt}
	switch {
	case dt.IsBool():
		if values.Bools[at] {
			n.i = 1
		}
	case dt.IsSigned():
		n.i = values.Ints[at]
	case dt.IsUnsigned():
		n.u = values.Uints[at]
	default:
		n.f = values.Floats[at]
	}
	return n
}

// partOf is the real or the imaginary part of a complex number.
func partOf(dt dtype.DType, z complex128, imaginary bool) textNumber {
	if imaginary {
		return textNumber{dtype: dt.Real(), f: imag(z)}
	}
	return textNumber{dtype: dt.Real(), f: real(z)}
}

// values returns the number as package text takes it.
func (n textNumber) values() text.Values {
	return text.Values{Bools: []bool{n.i != 0}, Ints: []int64{n.i}, Uints: []uint64{n.u}, Floats: []float64{n.f}}
}
