package nd

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// NpyRows reads an array in an .npy file a few rows at a time, so that the array may be larger than the memory. A row
// is the part of the array at one index of the first axis. Many goroutines may use an NpyRows at once.
type NpyRows struct {
	r      io.ReaderAt
	file   io.Closer // nil if the caller supplied the reader
	header npy.Header
	data   int64 // offset of the elements
}

// OpenNpyRows opens an .npy file. The caller closes it.
func OpenNpyRows(path string) (*NpyRows, error) {
	rows, file, err := openSized(path, NewNpyRows)
	if err != nil {
		return nil, err
	}
	rows.file = file
	return rows, nil
}

// NewNpyRows reads the header of an .npy file of the given size, which must hold all the data that the header declares.
func NewNpyRows(r io.ReaderAt, size int64) (*NpyRows, error) {
	const fn = "nd.NewNpyRows"
	whole := io.NewSectionReader(r, 0, size)
	h, err := npy.ReadHeader(whole)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	if err := broadcast.CheckShape(h.Shape); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	if len(h.Shape) == 0 {
		return nil, fmt.Errorf("%s: a 0-d array has no rows", fn)
	}
	data, err := whole.Seek(0, io.SeekCurrent) // the header was read up to the first element
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	if bytes, _ := h.Size(); int64(bytes) > size-data {
		return nil, fmt.Errorf("%s: %s%s has %d bytes, the file %d", fn, h.DType, broadcast.FormatShape(h.Shape), bytes, size-data)
	}
	return &NpyRows{r: r, header: h, data: data}, nil
}

// Close closes the file that OpenNpyRows opened.
func (n *NpyRows) Close() error {
	if n.file == nil {
		return nil
	}
	return n.file.Close()
}

// DType returns the dtype of the array in the file.
func (n *NpyRows) DType() dtype.DType { return n.header.DType }

// Shape returns the shape of the array in the file.
func (n *NpyRows) Shape() []int { return append([]int{}, n.header.Shape...) }

// Len returns the number of rows.
func (n *NpyRows) Len() int { return n.header.Shape[0] }

// Rows reads the rows from index from up to, but not including, index to. The strides keep Fortran order.
func (n *NpyRows) Rows(from, to int) (*Array, error) {
	const fn Func = "NpyRows.Rows"
	if from < 0 || to < from || to > n.Len() {
		return nil, fn.Errorf(nil, "rows from %d to %d are out of range, of %d rows", from, to, n.Len())
	}
	part := n.header
	part.Shape = n.Shape()
	part.Shape[0] = to - from
	return readElements(fn, func(room npy.Room) error {
		data, err := room(part)
		if err != nil || len(data) == 0 {
			return err
		}
		// Fortran order stores the rows' elements of one column side by side, C order the columns' elements of one row.
		lines := 1
		if n.header.Fortran {
			lines = broadcast.Size(part.Shape[1:])
		}
		length := len(data) / lines
		unit := int64(length / (to - from))
		line := npy.Header{DType: part.DType, BigEndian: part.BigEndian, Shape: []int{length / part.DType.Size()}}
		for k := range lines {
			at := n.data + (int64(k)*int64(n.Len())+int64(from))*unit
			if err := npy.ReadData(io.NewSectionReader(n.r, at, int64(length)), line, data[k*length:(k+1)*length]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Chunks reads all rows, the given number at a time; the last chunk may be smaller. It ends at the first error.
func (n *NpyRows) Chunks(rows int) iter.Seq2[*Array, error] {
	if rows < 1 {
		panic(Func("NpyRows.Chunks").Errorf(nil, "%d rows at a time: want at least one", rows))
	}
	return func(yield func(*Array, error) bool) {
		for from := 0; from < n.Len(); {
			to := from + min(rows, n.Len()-from)
			x, err := n.Rows(from, to)
			if !yield(x, err) || err != nil {
				return
			}
			from = to
		}
	}
}

// NpyRowWriter writes an .npy file a few rows at a time. The complete file appears when it is closed.
type NpyRowWriter struct {
	file   *wholefile.File // nil once it is closed
	header npy.Header
}

// CreateNpyRows begins an .npy file for an array of rows with the given dtype and shape. The caller closes the file, or
// discards it.
func CreateNpyRows(path string, dt dtype.DType, row []int) (*NpyRowWriter, error) {
	const fn Func = "nd.CreateNpyRows"
	n := &NpyRowWriter{header: npy.Header{DType: dt, Shape: append([]int{0}, row...)}}
	if !dt.Valid() {
		return nil, fn.Errorf(nil, "no dtype")
	}
	if err := broadcast.CheckShape(n.header.Shape); err != nil {
		return nil, fn.Errorf(nil, "%v", err)
	}
	file, err := wholefile.Create(path)
	if err != nil {
		return nil, err
	}
	if err := npy.WriteHeader(file, n.header); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", fn, err), file.Discard())
	}
	n.file = file
	return n, nil
}

// Append writes rows: an array of the file's dtype with the rows along its first axis.
func (n *NpyRowWriter) Append(x *Array) error {
	const fn Func = "NpyRowWriter.Append"
	x.check(fn)
	switch row := n.header.Shape[1:]; {
	case n.file == nil:
		return fmt.Errorf("%s: %w", fn, os.ErrClosed)
	case x.dtype != n.header.DType || x.Rank() == 0 || !broadcast.Equal(x.shape[1:], row):
		return fn.Errorf([]*Array{x}, "want %s rows of shape %s", n.header.DType, broadcast.FormatShape(row))
	}
	longer := n.header
	longer.Shape = append([]int{n.header.Shape[0] + x.shape[0]}, n.header.Shape[1:]...)
	if _, err := longer.Size(); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	err := npy.WriteData(n.file, npy.Header{DType: x.dtype, Shape: x.shape}, x.elements(fn))
	runtime.KeepAlive(x)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	n.header = longer
	return nil
}

// Close writes the number of rows to the header, which has room for it, and moves the file to its path.
func (n *NpyRowWriter) Close() error {
	if n.file == nil {
		return nil
	}
	file := n.file
	n.file = nil
	err := file.Rewind()
	if err == nil {
		err = npy.WriteHeader(file, n.header)
	}
	if err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Commit()
}

// Discard removes the unfinished file. After Close it does nothing, so that it can be deferred.
func (n *NpyRowWriter) Discard() error {
	if n.file == nil {
		return nil
	}
	file := n.file
	n.file = nil
	return file.Discard()
}
