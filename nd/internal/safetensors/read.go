package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

const (
	// maxHeader is the longest header that the format allows.
	maxHeader = 100_000_000

	// metadataName is the member of the header that describes no array.
	metadataName = "__metadata__"
)

// types maps the format's dtype names. The format has no complex128.
var types = map[string]dtype.DType{
	"BOOL": dtype.Bool, "U8": dtype.Uint8, "I8": dtype.Int8, "U16": dtype.Uint16, "I16": dtype.Int16, "U32": dtype.Uint32,
	"I32": dtype.Int32, "U64": dtype.Uint64, "I64": dtype.Int64, "F16": dtype.Float16, "BF16": dtype.BFloat16,
	"F32": dtype.Float32, "F64": dtype.Float64, "C64": dtype.Complex64,
}

// Tensor is the entry of one array in a header.
type Tensor struct {
	Name  string
	DType dtype.DType
	Shape []int

	begin, end int // offsets of the data, counted from the end of the header
}

// Read reads a file. It passes the arrays to the function array in the order of their data: row-major, in the byte
// order of the host.
func Read(r io.Reader, array func(t Tensor, data []byte)) (metadata map[string]string, err error) {
	text, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	tensors, metadata, err := parseHeader(text)
	if err != nil {
		return nil, err
	}
	for _, t := range tensors {
		data, err := npy.ReadElements(r, t.layout())
		if err != nil {
			return nil, fmt.Errorf("%q: %w", t.Name, err)
		}
		array(t, data)
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return nil, errors.New("data follow the last array")
	} else if err != io.EOF {
		return nil, err
	}
	return metadata, nil
}

// readHeader reads the length of the header, 8 bytes, and the header.
func readHeader(r io.Reader) ([]byte, error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, fmt.Errorf("reading the length of the header: %w", err)
	}
	if length > maxHeader {
		return nil, fmt.Errorf("the header claims %d bytes, at most %d are allowed", length, maxHeader)
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(length)))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the header: %w", err)
	case uint64(len(text)) < length:
		return nil, fmt.Errorf("reading the header: %w", io.ErrUnexpectedEOF)
	case length == 0 || text[0] != '{':
		return nil, errors.New("the header is not a JSON object")
	case !utf8.Valid(text):
		return nil, errors.New("the header is not UTF-8")
	}
	return text, nil
}

// parseHeader returns the arrays in the order of their data, and checks that the data have neither gaps nor overlaps.
func parseHeader(text []byte) (tensors []Tensor, metadata map[string]string, err error) {
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = eachMember(d, func(name string) error {
		if seen[name] {
			return fmt.Errorf("the header has %q twice", name)
		}
		seen[name] = true
		if name == metadataName {
			metadata, err = parseMetadata(d)
			return err
		}
		t, err := parseTensor(d, name)
		tensors = append(tensors, t)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("the header does not end with its object")
	}
	slices.SortFunc(tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), strings.Compare(a.Name, b.Name))
	})
	next := 0
	for _, t := range tensors {
		if t.begin != next {
			return nil, nil, fmt.Errorf("the data of %q begin at byte %d, those before end at %d: want neither gaps nor overlaps",
				t.Name, t.begin, next)
		}
		next = t.end
	}
	return tensors, metadata, nil
}

// eachMember reads a JSON object, and calls f for each name; f reads the value.
func eachMember(d *json.Decoder, f func(name string) error) error {
	if err := wantDelim(d, '{'); err != nil {
		return err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if err := f(t.(string)); err != nil { // the decoder only accepts strings as names
			return err
		}
	}
	return wantDelim(d, '}')
}

func wantDelim(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && t != want {
		err = fmt.Errorf("%v in the header, want %q", t, want)
	}
	return err
}

func parseMetadata(d *json.Decoder) (map[string]string, error) {
	metadata := map[string]string{}
	err := eachMember(d, func(name string) error {
		t, err := d.Token()
		value, ok := t.(string)
		if err == nil && !ok {
			err = fmt.Errorf("the value of %q in the metadata is not a text", name)
		}
		if _, twice := metadata[name]; twice {
			err = fmt.Errorf("the metadata have %q twice", name)
		}
		metadata[name] = value
		return err
	})
	return metadata, err
}

// parseTensor reads the entry of the array of that name.
func parseTensor(d *json.Decoder, name string) (Tensor, error) {
	t := Tensor{Name: name}
	var offsets []int
	seen := map[string]bool{}
	err := eachMember(d, func(member string) (err error) {
		if seen[member] {
			return fmt.Errorf("%q has %q twice", name, member)
		}
		seen[member] = true
		switch member {
		case "dtype":
			t.DType, err = parseType(d)
		case "shape":
			t.Shape, err = parseSizes(d, broadcast.MaxRank)
		case "data_offsets":
			offsets, err = parseSizes(d, 2)
		default:
			err = errors.New("want dtype, shape or data_offsets")
		}
		if err != nil {
			return fmt.Errorf("%q of %q: %w", member, name, err)
		}
		return nil
	})
	switch {
	case err != nil:
		return t, err
	case len(seen) != 3 || len(offsets) != 2:
		return t, fmt.Errorf("%q: want dtype, shape and two data_offsets", name)
	}
	t.begin, t.end = offsets[0], offsets[1]
	if err := broadcast.CheckShape(t.Shape); err != nil {
		return t, fmt.Errorf("%q: %w", name, err)
	}
	size, err := t.layout().Size()
	if err == nil && t.end-t.begin != size {
		err = fmt.Errorf("%s%s has %d bytes, not those from %d to %d", t.DType, broadcast.FormatShape(t.Shape), size, t.begin, t.end)
	}
	if err != nil {
		return t, fmt.Errorf("%q: %w", name, err)
	}
	return t, nil
}

func parseType(d *json.Decoder) (dtype.DType, error) {
	t, err := d.Token()
	if err != nil {
		return 0, err
	}
	name, _ := t.(string)
	dt, ok := types[name]
	if !ok {
		return 0, fmt.Errorf("%v: want one of %s", t, strings.Join(slices.Sorted(maps.Keys(types)), ", "))
	}
	return dt, nil
}

// parseSizes reads a list of at most limit nonnegative integers.
func parseSizes(d *json.Decoder, limit int) ([]int, error) {
	if err := wantDelim(d, '['); err != nil {
		return nil, err
	}
	sizes := []int{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		number, _ := t.(json.Number)
		n, err := strconv.Atoi(number.String())
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%v: want whole numbers from 0 on", t)
		}
		if sizes = append(sizes, n); len(sizes) > limit {
			return nil, fmt.Errorf("more than %d numbers", limit)
		}
	}
	return sizes, wantDelim(d, ']')
}
