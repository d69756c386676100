package nd

import (
	"fmt"
	"io"
	"os"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/table"
)

// LoadTextOptions are the options of LoadText, those of numpy.loadtxt.
type LoadTextOptions struct {
	// DType is the dtype of the result; float64 unless given.
	DType dtype.DType
	// Comments are the texts that begin a comment, which ends with the line; nil means "#", an empty slice none.
	Comments []string
	// Delimiter stands between the numbers of a row; "" means any white space.
	Delimiter string
	// SkipRows is how many lines at the beginning are left out, comments and empty ones included.
	SkipRows int
	// UseCols are the columns to read, in the order of the result, negative ones counted from the last; nil means all.
	UseCols []int
	// MaxRows is how many rows are read at most; 0 means all.
	MaxRows int
	// NDMin is the least number of axes of the result, 0 to 2. Axes of length 1 beyond it are dropped.
	NDMin int
	// Filling is what is read where there is no number, as between two delimiters: one for all columns, or one for each that is
	// read; nil refuses such files. Numbers that are there but cannot be read are refused in any case.
	Filling []float64
	// Missing are the texts that stand for no number, beside the empty one.
	Missing []string
	// Unpack transposes the result, so that its first axis counts columns.
	Unpack bool
}

// LoadText reads a table of numbers from a text file: a row a line. Empty lines do not count. numpy.loadtxt,
// numpy.genfromtxt with Filling.
func LoadText(path string, opts ...LoadTextOptions) (*Array, error) {
	o := options.Read(Func("nd.LoadText"), opts)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := ReadText(f, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// ReadText reads what LoadText reads from a stream. An error names the line and the column, counted from 1.
func ReadText(r io.Reader, opts ...LoadTextOptions) (*Array, error) {
	const fn Func = "nd.ReadText"
	o := options.Read(fn, opts)
	dt, data, shape, err := table.Read(r, table.ReadOptions{DType: o.DType, Comments: o.Comments, Delimiter: o.Delimiter,
		SkipRows: o.SkipRows, UseCols: o.UseCols, MaxRows: o.MaxRows, NDMin: o.NDMin,
		Filling: o.Filling, Missing: o.Missing})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	x := fromBytes(fn, cpu, dt, data, broadcast.Size(shape), shape)
	if o.Unpack {
		return x.T(), nil
	}
	return x, nil
}

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
	o := options.Read(Func("nd.SaveText"), opts)
	return wholefile.Write(path, func(w io.Writer) error { return WriteText(w, x, o) })
}

// WriteText writes what SaveText writes to a stream.
func WriteText(w io.Writer, x *Array, opts ...SaveTextOptions) error {
	const fn Func = "nd.WriteText"
	x.check(fn)
	o := options.Read(fn, opts)
	switch x.Rank() {
	case 1:
		detached := x.Detach()
		x = instead(detached, detached.ExpandDims(1))
		defer x.Release()
	case 2:
	default:
		return fn.Errorf([]*Array{x}, "want one axis, or two")
	}
	t, err := table.NewWriter(table.WriteOptions(o), x.shape[1], x.dtype)
	if err != nil {
		return fn.Errorf([]*Array{x}, "%v", err)
	}
	if err := t.Write(w, x.shape[0], x.values(fn)); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}
