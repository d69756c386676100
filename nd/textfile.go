package nd

import (
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/table"
)

// LoadTextOptions are the options of LoadText, as in NumPy's loadtxt.
type LoadTextOptions struct {
	// DType is the dtype of the result; the default is float64.
	DType dtype.DType
	// Comments are the texts that begin a comment, which ends with the line; nil means "#", an empty slice means no
	// comments.
	Comments []string
	// Delimiter separates the numbers of a row; "" means any white space.
	Delimiter string
	// SkipRows is the number of lines to skip at the beginning, comments and empty lines included.
	SkipRows int
	// UseCols are the columns to read, in the order of the result; negative ones count from the last. Nil means all.
	UseCols []int
	// MaxRows is the maximal number of rows to read; 0 means all.
	MaxRows int
	// NDMin is the minimal number of axes of the result, 0 to 2. Axes of length 1 beyond it are dropped.
	NDMin int
	// Filling is the value of missing numbers, such as between two delimiters: one value for all columns, or one for
	// each column that is read. Nil refuses files with missing numbers. Unreadable numbers are always refused.
	Filling []float64
	// Missing are the texts that stand for a missing number, besides the empty text.
	Missing []string
	// Unpack transposes the result, so that its first axis counts columns.
	Unpack bool
}

// LoadText reads a table of numbers from a text file in UTF-8, with or without a byte order mark, one row per line. Empty
// lines do not count. Fields may stand in double quotes, as spreadsheets write them; what is between them may contain
// delimiters and comments. Each number becomes the nearest one of the dtype. A file whose name ends with .gz or .bz2 is
// decompressed.
// NumPy: loadtxt, genfromtxt (with Filling).
func LoadText(path string, opts ...LoadTextOptions) (*Array, error) {
	o := options.Read(Func("nd.LoadText"), opts)
	return loadStream(path, func(r io.Reader, _ int64) (*Array, error) {
		text, err := decompressed(path, r)
		if err != nil {
			return nil, err
		}
		return ReadText(text, o)
	})
}

// decompressed returns the text of a file, whose name says how it is compressed.
func decompressed(path string, r io.Reader) (io.Reader, error) {
	switch filepath.Ext(path) {
	case ".gz":
		return gzip.NewReader(r)
	case ".bz2":
		return bzip2.NewReader(r), nil
	}
	return r, nil
}

// ReadText is LoadText for a stream. An error names the line and the column, counted from 1.
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

// SaveTextOptions are the options of SaveText, as in NumPy's savetxt.
type SaveTextOptions struct {
	// Format says how a number is written, as for C's printf: the conversions d, i, u, o, x, X for integers; e, f, g
	// and E, F, G for all numbers; s and r for NumPy's own text. A format with as many conversions as there are columns
	// formats a row. The default is "%.18e". Integers of 64 bits are written exactly by all of them. A complex number
	// takes two conversions, or one for both parts.
	Format string
	// Formats are the formats of the columns, one each; nil means Format.
	Formats []string
	// Delimiter separates the columns; nil means a blank.
	Delimiter *string
	// Newline ends a row; the default is a line feed.
	Newline string
	// Header and Footer are written before and after the rows, their lines as comments.
	Header, Footer string
	// Comments begins the lines of Header and Footer; nil means "# ".
	Comments *string
}

// SaveText writes an array of one axis (a column) or two axes to a text file, one row per line. A file whose name ends
// with .gz is compressed. The file appears complete or not at all.
// NumPy: savetxt.
func SaveText(path string, x *Array, opts ...SaveTextOptions) error {
	o := options.Read(Func("nd.SaveText"), opts)
	return wholefile.Write(path, func(w io.Writer) error {
		if filepath.Ext(path) != ".gz" {
			return WriteText(w, x, o)
		}
		compressed := gzip.NewWriter(w)
		if err := WriteText(compressed, x, o); err != nil {
			return err
		}
		return compressed.Close()
	})
}

// WriteText is SaveText for a stream.
func WriteText(w io.Writer, x *Array, opts ...SaveTextOptions) error {
	const fn Func = "nd.WriteText"
	x.check(fn)
	o := options.Read(fn, opts)
	switch x.Rank() {
	case 1:
		detached := x.Detach()
		x = replaceHeader(detached, detached.ExpandDims(1))
		defer x.Release()
	case 2:
	default:
		return fn.Errorf([]*Array{x}, "want one axis, or two")
	}
	t, err := table.NewWriter(table.WriteOptions(o), x.shape[1], x.dtype)
	if err != nil {
		return fn.Errorf([]*Array{x}, "%v", err)
	}
	return named(fn, t.Write(w, x.shape[0], x.values(fn)))
}
