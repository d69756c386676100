package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ReadOptions are nd.LoadTextOptions, which documents them, without Unpack.
type ReadOptions struct {
	DType     dtype.DType
	Comments  []string
	Delimiter string
	SkipRows  int
	UseCols   []int
	MaxRows   int
	NDMin     int
	Filling   []float64
	Missing   []string
}

// Read reads a table. It returns the elements, row-major in the byte order of the host, and the shape, without axes of
// length 1 beyond NDMin.
func Read(r io.Reader, o ReadOptions) (dt dtype.DType, data []byte, shape []int, err error) {
	t := reader{ReadOptions: o}
	if err := t.prepare(); err != nil {
		return dt, nil, nil, err
	}
	if err := t.read(r); err != nil {
		return dt, nil, nil, err
	}
	return t.DType, t.data, t.shape(), nil
}

// reader is the state of reading a table.
type reader struct {
	ReadOptions
	parse   func(field string, to unsafe.Pointer) bool
	parsed  dtype.DType // the dtype in which parse stores numbers
	row     []uint64    // buffer for the numbers of a row
	data    []byte      // of all rows, in DType
	rows    int
	columns int      // of the result; -1 until the first row
	filling []string // the text read for a missing number, for each column or for all
}

func (t *reader) prepare() error {
	if !t.DType.Valid() {
		t.DType = dtype.Float64
	}
	if t.Comments == nil {
		t.Comments = []string{"#"}
	}
	for _, c := range t.Comments {
		if c == "" {
			return fmt.Errorf("an empty text cannot begin comments")
		}
	}
	if t.SkipRows < 0 || t.MaxRows < 0 || t.NDMin < 0 || t.NDMin > 2 {
		return fmt.Errorf("SkipRows %d, MaxRows %d, NDMin %d: want at least 0, and NDMin up to 2", t.SkipRows, t.MaxRows, t.NDMin)
	}
	t.columns = -1
	if t.UseCols != nil {
		t.columns = len(t.UseCols)
	}
	t.parse, t.parsed = parserOf(t.DType)
	var room complex128
	for _, v := range t.Filling {
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if !t.parse(text, unsafe.Pointer(&room)) {
			return fmt.Errorf("%s does not hold the filling %v", t.DType, v)
		}
		t.filling = append(t.filling, text)
	}
	return nil
}

// filled returns the text to read instead of a field of column k of the result.
func (t *reader) filled(field string, k int) string {
	if t.filling == nil || field != "" && !slices.Contains(t.Missing, field) {
		return field
	}
	if len(t.filling) == 1 {
		k = 0
	}
	return t.filling[k]
}

func (t *reader) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, math.MaxInt)
	lines.Split(splitLines)
	for number := 1; lines.Scan(); number++ {
		if number <= t.SkipRows {
			continue
		}
		fields := t.fields(lines.Text())
		if fields == nil {
			continue
		}
		if err := t.add(fields); err != nil {
			if lines.Err() != nil {
				return lines.Err() // the line is incomplete
			}
			return fmt.Errorf("line %d%w", number, err)
		}
		if t.rows == t.MaxRows {
			return nil
		}
	}
	return lines.Err()
}

// splitLines is bufio.ScanLines, except that a carriage return alone also ends a line.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := bytes.IndexAny(data, "\r\n")
	switch {
	case end < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case end < 0:
		return 0, nil, nil
	case data[end] == '\n':
		return end + 1, data[:end], nil
	case end+1 == len(data) && !atEOF: // a line feed may follow
		return 0, nil, nil
	case end+1 < len(data) && data[end+1] == '\n':
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}

// fields splits a line. It returns nil for an empty line or a comment.
func (t *reader) fields(line string) []string {
	for _, c := range t.Comments {
		line, _, _ = strings.Cut(line, c)
	}
	blank := strings.TrimSpace(line) == ""
	if blank && t.filling != nil && t.Delimiter != "" { // delimiters such as tabs may have nothing between them
		blank = !strings.Contains(strings.Trim(line, " "), t.Delimiter)
	}
	switch {
	case blank:
		return nil
	case t.Delimiter == "":
		return strings.Fields(line)
	}
	return strings.Split(line, t.Delimiter)
}

// add appends a row. Its errors complete a message that begins with the number of the line.
func (t *reader) add(fields []string) error {
	columns := t.UseCols
	if columns == nil {
		if t.columns >= 0 && len(fields) != t.columns {
			return fmt.Errorf(": %d columns, the rows before have %d", len(fields), t.columns)
		}
		t.columns = len(fields)
	}
	if n := len(t.filling); n > 1 && n != t.columns {
		return fmt.Errorf(": %d columns, but %d filling values: want one, or one per column", t.columns, n)
	}
	size := t.parsed.Size()
	if need := (t.columns*size + 7) / 8; need > len(t.row) {
		t.row = make([]uint64, need)
	}
	for k := range t.columns {
		at := k
		if columns != nil {
			if at = columns[k]; at < 0 {
				at += len(fields)
			}
			if at < 0 || at >= len(fields) {
				return fmt.Errorf(": column index %d is out of range for %d columns", columns[k], len(fields))
			}
		}
		to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.row)), k*size)
		if !t.parse(t.filled(strings.TrimSpace(fields[at]), k), to) {
			return fmt.Errorf(", column %d: %q is not a valid %s", at+1, fields[at], t.DType)
		}
	}
	if n := t.columns * t.DType.Size(); n > 0 {
		start := len(t.data)
		t.data = append(t.data, make([]byte, n)...)
		dtype.Convert(t.DType, unsafe.Pointer(&t.data[start]), 1, t.parsed, unsafe.Pointer(&t.row[0]), 1, t.columns)
	}
	t.rows++
	return nil
}

// shape drops axes of length 1, or adds them if NDMin requires more axes.
func (t *reader) shape() []int {
	lengths := []int{t.rows, t.columns}
	if t.columns < 0 {
		lengths[1] = 1
	}
	if t.NDMin == 2 {
		return lengths
	}
	shape := slices.DeleteFunc(lengths, func(n int) bool { return n == 1 })
	if len(shape) < t.NDMin {
		return []int{1}
	}
	return shape
}
