package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// WriteOptions are nd.SaveTextOptions, which documents them.
type WriteOptions struct {
	Format         string
	Formats        []string
	Delimiter      *string
	Newline        string
	Header, Footer string
	Comments       *string
}

// Writer writes tables with a fixed number of columns.
type Writer struct {
	options WriteOptions
	columns int
	dtype   dtype.DType
	row     pattern
}

// NewWriter refuses formats that do not fit.
func NewWriter(o WriteOptions, columns int, dt dtype.DType) (*Writer, error) {
	o.setDefaults()
	row, err := o.rowPattern(columns, dt.IsComplex())
	if err != nil {
		return nil, err
	}
	return &Writer{o, columns, dt, row}, nil
}

func (o *WriteOptions) setDefaults() {
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

// rowPattern returns the format of a row, with one conversion per number and two per complex number.
func (o *WriteOptions) rowPattern(columns int, isComplex bool) (pattern, error) {
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

// exactly parses a format that must have the given number of conversions.
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

// escaped returns a format that prints text.
func escaped(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// Write writes a table whose elements are in row-major order.
func (t *Writer) Write(out io.Writer, rows int, values text.Values) error {
	w, o := bufio.NewWriter(out), &t.options
	if o.Header != "" {
		w.WriteString(o.comment(o.Header))
	}
	isComplex := t.dtype.IsComplex()
	numbers := make([]number, t.row.conversions())
	var line []byte
	for row := range rows {
		for k := range numbers {
			if isComplex {
				numbers[k] = partOf(t.dtype, values.Complexes[row*t.columns+k/2], k%2 == 1)
			} else {
				numbers[k] = numberOf(t.dtype, values, row*t.columns+k)
			}
		}
		var err error
		if line, err = t.row.append(line[:0], numbers); err != nil {
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
	return w.Flush()
}

func (o *WriteOptions) comment(text string) string {
	return *o.Comments + strings.ReplaceAll(text, "\n", "\n"+*o.Comments) + o.Newline
}
