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

// Header describes a file.
type Header struct {
	Tensors  []Tensor // in the order of their data, which have neither gaps nor overlaps
	Metadata map[string]string
	Bytes    int64 // size of the header: the data begin here
}

// Tensor is the entry of one array in a header.
type Tensor struct {
	Name  string
	DType dtype.DType // not valid if no array has the file's dtype
	Type  string      // dtype as the file writes it
	Shape []int

	Begin, End int // offsets of the data, counted from the end of the header
}

// Layout returns the header of an .npy file for the tensor: both formats store the elements in the same order. It is an
// error if no array can have the tensor's dtype.
func (t Tensor) Layout() (npy.Header, error) {
	if !t.DType.Valid() {
		return npy.Header{}, fmt.Errorf("%q: dtype %s: want one of %s", t.Name, t.Type, strings.Join(slices.Sorted(maps.Keys(types)), ", "))
	}
	return npy.Header{DType: t.DType, Shape: t.Shape}, nil
}

// DataEnd returns the offset at which the data end, counted from the end of the header.
func (h Header) DataEnd() int64 {
	if len(h.Tensors) == 0 {
		return 0
	}
	return int64(h.Tensors[len(h.Tensors)-1].End)
}

// ReadHeader reads the header of a file.
func ReadHeader(r io.Reader) (Header, error) {
	text, err := readHeader(r)
	if err != nil {
		return Header{}, err
	}
	tensors, metadata, err := parseHeader(text)
	return Header{tensors, metadata, int64(8 + len(text))}, err
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
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), strings.Compare(a.Name, b.Name))
	})
	next := 0
	for _, t := range tensors {
		if t.Begin != next {
			return nil, nil, fmt.Errorf("the data of %q begin at byte %d, those before end at %d: want neither gaps nor overlaps",
				t.Name, t.Begin, next)
		}
		next = t.End
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
			t.Type, err = parseType(d)
			t.DType = types[t.Type]
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
	t.Begin, t.End = offsets[0], offsets[1]
	if err := broadcast.CheckShape(t.Shape); err != nil {
		return t, fmt.Errorf("%q: %w", name, err)
	}
	if !t.DType.Valid() { // the size of its elements is unknown
		if t.End < t.Begin {
			return t, fmt.Errorf("%q: the data end at byte %d, before their begin %d", name, t.End, t.Begin)
		}
		return t, nil
	}
	size, err := npy.Header{DType: t.DType, Shape: t.Shape}.Size()
	if err == nil && t.End-t.Begin != size {
		err = fmt.Errorf("%s%s has %d bytes, not those from %d to %d", t.DType, broadcast.FormatShape(t.Shape), size, t.Begin, t.End)
	}
	if err != nil {
		return t, fmt.Errorf("%q: %w", name, err)
	}
	return t, nil
}

// parseType reads the name of a dtype, which may be one that no array has.
func parseType(d *json.Decoder) (string, error) {
	t, err := d.Token()
	if err != nil {
		return "", err
	}
	name, _ := t.(string)
	if name == "" || name != strings.ToUpper(name) {
		return "", fmt.Errorf("%v: want one of %s", t, strings.Join(slices.Sorted(maps.Keys(types)), ", "))
	}
	return name, nil
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
