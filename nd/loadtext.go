package nd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
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
	// Unpack transposes the result, so that its first axis counts columns.
	Unpack bool
}

// LoadText reads a table of numbers from a text file: a row a line. Empty lines do not count. numpy.loadtxt.
func LoadText(path string, opts ...LoadTextOptions) (*Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := ReadText(f, opts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// ReadText reads what LoadText reads from a stream. An error names the line and the column, counted from 1.
func ReadText(r io.Reader, opts ...LoadTextOptions) (*Array, error) {
	const fn Func = "nd.ReadText"
	t := tableReader{}
	if len(opts) > 0 {
		t.LoadTextOptions = opts[0]
	}
	if err := t.prepare(); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	if err := t.read(r); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return t.array(fn), nil
}

// tableReader is a table as it is being read.
type tableReader struct {
	LoadTextOptions
	parse   func(field string, to unsafe.Pointer) bool
	parsed  dtype.DType // of the numbers that parse makes
	row     []uint64    // room for the numbers of a row
	data    []byte      // of all rows, in DType
	rows    int
	columns int // of the result; -1 before the first row
}

func (t *tableReader) prepare() error {
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
		return fmt.Errorf("SkipRows %d, MaxRows %d, NDMin %d: want none below 0, and NDMin up to 2", t.SkipRows, t.MaxRows, t.NDMin)
	}
	t.columns = -1
	if t.UseCols != nil {
		t.columns = len(t.UseCols)
	}
	t.parse, t.parsed = parserOf(t.DType)
	return nil
}

func (t *tableReader) read(r io.Reader) error {
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
			return fmt.Errorf("line %d%w", number, err)
		}
		if t.rows == t.MaxRows {
			return nil
		}
	}
	return lines.Err()
}

// splitLines is bufio.ScanLines, but for a carriage return, which ends a line by itself too.
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

// fields cuts a line up; nil where it is empty, or a comment.
func (t *tableReader) fields(line string) []string {
	for _, c := range t.Comments {
		line, _, _ = strings.Cut(line, c)
	}
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case t.Delimiter == "":
		return strings.Fields(line)
	}
	return strings.Split(line, t.Delimiter)
}

// add appends a row. Its errors continue a sentence that begins with the line.
func (t *tableReader) add(fields []string) error {
	columns := t.UseCols
	if columns == nil {
		if t.columns >= 0 && len(fields) != t.columns {
			return fmt.Errorf(": %d columns, the rows before have %d", len(fields), t.columns)
		}
		t.columns = len(fields)
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
				return fmt.Errorf(": no column of index %d among %d", columns[k], len(fields))
			}
		}
		to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.row)), k*size)
		if !t.parse(strings.TrimSpace(fields[at]), to) {
			return fmt.Errorf(", column %d: %q is no %s", at+1, fields[at], t.DType)
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

// array makes the result, of which it drops axes of length 1, and adds them where NDMin wants more.
func (t *tableReader) array(fn Func) *Array {
	rows, columns := t.rows, t.columns
	if columns < 0 {
		columns = 1
	}
	var shape []int
	switch {
	case t.NDMin == 2:
		shape = []int{rows, columns}
	default:
		for _, n := range []int{rows, columns} {
			if n != 1 {
				shape = append(shape, n)
			}
		}
		if len(shape) < t.NDMin {
			shape = []int{1}
		}
	}
	if shape == nil {
		shape = []int{}
	}
	x := fromBytes(fn, cpu, t.DType, t.data, rows*columns, shape)
	if t.Unpack {
		return x.T()
	}
	return x
}

// parserOf returns the function that reads a number of a dtype, and of which dtype what it writes is. A parser does not
// touch its target where it returns false.
func parserOf(dt dtype.DType) (parse func(field string, to unsafe.Pointer) bool, parsed dtype.DType) {
	bits := 8 * dt.Size()
	switch {
	case dt.IsBool():
		return func(field string, to unsafe.Pointer) bool {
			v, err := strconv.ParseInt(field, 10, 64)
			if err == nil {
				*(*bool)(to) = v != 0
			}
			return err == nil
		}, dtype.Bool
	case dt.IsSigned():
		return func(field string, to unsafe.Pointer) bool {
			v, err := strconv.ParseInt(field, 10, bits)
			if err == nil {
				*(*int64)(to) = v
			}
			return err == nil
		}, dtype.Int64
	case dt.IsUnsigned():
		return func(field string, to unsafe.Pointer) bool {
			v, err := strconv.ParseUint(strings.TrimPrefix(field, "+"), 10, bits)
			if err == nil {
				*(*uint64)(to) = v
			}
			return err == nil
		}, dtype.Uint64
	case dt.IsFloat():
		return func(field string, to unsafe.Pointer) bool {
			v, ok := parseFloat(field)
			if ok {
				*(*float64)(to) = v
			}
			return ok
		}, dtype.Float64
	}
	return func(field string, to unsafe.Pointer) bool {
		v, ok := parseComplex(field)
		if ok {
			*(*complex128)(to) = v
		}
		return ok
	}, dtype.Complex128
}

// parseFloat reads a decimal number, inf or nan; numbers out of range become infinities.
func parseFloat(s string) (float64, bool) {
	if strings.ContainsAny(s, "xX_") { // Go's hexadecimal numbers and separators
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && len(s) == 4 && (s[0] == '-' || s[0] == '+') && strings.EqualFold(s[1:], "nan") {
		return math.NaN(), true
	}
	return v, err == nil || math.IsInf(v, 0)
}

// parseComplex reads a number such as 1, 2j, 1+2j or (1+2j).
func parseComplex(s string) (complex128, bool) {
	if inner, ok := strings.CutPrefix(s, "("); ok {
		if s, ok = strings.CutSuffix(inner, ")"); !ok {
			return 0, false
		}
		s = strings.TrimSpace(s)
	}
	body, imaginary := strings.CutSuffix(s, "j")
	if !imaginary {
		body, imaginary = strings.CutSuffix(s, "J")
	}
	if !imaginary {
		re, ok := parseFloat(s)
		return complex(re, 0), ok
	}
	sign := len(body) - 1 // of the imaginary part, if it is not the beginning
	for sign > 0 && !((body[sign] == '+' || body[sign] == '-') && body[sign-1]|0x20 != 'e') {
		sign--
	}
	re, ok := 0.0, true
	if sign > 0 {
		re, ok = parseFloat(body[:sign])
		body = body[sign:]
	}
	im, ok2 := parseFloat(body)
	return complex(re, im), ok && ok2
}
