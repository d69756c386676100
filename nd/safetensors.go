package nd

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

const (
	// maxSafetensorsHeader is the longest header that the format allows.
	maxSafetensorsHeader = 100_000_000

	// safetensorsMetadata is the member of the header that describes no array.
	safetensorsMetadata = "__metadata__"
)

// safetensorsTypes are the names of the dtypes in the format. It has no complex128.
var safetensorsTypes = map[string]dtype.DType{
	"BOOL": dtype.Bool, "U8": dtype.Uint8, "I8": dtype.Int8, "U16": dtype.Uint16, "I16": dtype.Int16, "U32": dtype.Uint32,
	"I32": dtype.Int32, "U64": dtype.Uint64, "I64": dtype.Int64, "F16": dtype.Float16, "BF16": dtype.BFloat16,
	"F32": dtype.Float32, "F64": dtype.Float64, "C64": dtype.Complex64,
}

// safetensor is what a header says of one array; its place is counted from the end of the header.
type safetensor struct {
	name       string
	dtype      dtype.DType
	shape      []int
	begin, end int
}

// ReadSafetensors reads all arrays of a file in the safetensors format, in the order of their data, and the file's
// metadata (nil where there are none). What the header says is not trusted: memory is taken as data arrive, and a file is
// refused where arrays overlap, gaps or other data lie between or behind them, or two have one name.
func ReadSafetensors(r io.Reader) (arrays []Named, metadata map[string]string, err error) {
	const fn Func = "nd.ReadSafetensors"
	fail := func(err error) ([]Named, map[string]string, error) {
		return nil, nil, fmt.Errorf("%s: %w", fn, err)
	}
	text, err := readSafetensorsHeader(r)
	if err != nil {
		return fail(err)
	}
	tensors, metadata, err := parseSafetensorsHeader(text)
	if err != nil {
		return fail(err)
	}
	for _, t := range tensors {
		data, err := npy.ReadElements(r, npy.Header{DType: t.dtype, Shape: t.shape})
		if err != nil {
			return fail(fmt.Errorf("%q: %w", t.name, err))
		}
		n := len(data) / t.dtype.Size()
		arrays = append(arrays, Named{t.name, fromBytes(fn, cpu, t.dtype, data, n, t.shape)})
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return fail(errors.New("there are data behind the last array"))
	} else if err != io.EOF {
		return fail(err)
	}
	return arrays, metadata, nil
}

// readSafetensorsHeader reads the header's length, 8 bytes, and the header.
func readSafetensorsHeader(r io.Reader) ([]byte, error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, fmt.Errorf("reading the length of the header: %w", err)
	}
	if length > maxSafetensorsHeader {
		return nil, fmt.Errorf("the header claims %d bytes, at most %d are allowed", length, maxSafetensorsHeader)
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(length)))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the header: %w", err)
	case uint64(len(text)) < length:
		return nil, fmt.Errorf("reading the header: %w", io.ErrUnexpectedEOF)
	case length == 0 || text[0] != '{':
		return nil, errors.New("the header is no JSON object")
	case !utf8.Valid(text):
		return nil, errors.New("the header is not UTF-8")
	}
	return text, nil
}

// parseSafetensorsHeader returns the arrays in the order of their data, which it has found to be without gaps and
// overlaps.
func parseSafetensorsHeader(text []byte) (tensors []safetensor, metadata map[string]string, err error) {
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = eachMember(d, func(name string) error {
		if seen[name] {
			return fmt.Errorf("the header has %q twice", name)
		}
		seen[name] = true
		if name == safetensorsMetadata {
			metadata, err = parseMetadata(d)
			return err
		}
		t, err := parseSafetensor(d, name)
		tensors = append(tensors, t)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("the header does not end with its object")
	}
	slices.SortFunc(tensors, func(a, b safetensor) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), strings.Compare(a.name, b.name))
	})
	next := 0
	for _, t := range tensors {
		if t.begin != next {
			return nil, nil, fmt.Errorf("the data of %q begin at byte %d, those before end at %d: want neither gaps nor overlaps",
				t.name, t.begin, next)
		}
		next = t.end
	}
	return tensors, metadata, nil
}

// eachMember reads a JSON object, and calls f for each name, to read the value.
func eachMember(d *json.Decoder, f func(name string) error) error {
	if err := wantDelim(d, '{'); err != nil {
		return err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if err := f(t.(string)); err != nil { // the decoder takes nothing but texts for names
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
			err = fmt.Errorf("the value of %q in the metadata is no text", name)
		}
		if _, twice := metadata[name]; twice {
			err = fmt.Errorf("the metadata have %q twice", name)
		}
		metadata[name] = value
		return err
	})
	return metadata, err
}

// parseSafetensor reads what the header says of the array of that name.
func parseSafetensor(d *json.Decoder, name string) (safetensor, error) {
	t := safetensor{name: name}
	var offsets []int
	seen := map[string]bool{}
	err := eachMember(d, func(member string) (err error) {
		if seen[member] {
			return fmt.Errorf("%q has %q twice", name, member)
		}
		seen[member] = true
		switch member {
		case "dtype":
			t.dtype, err = parseSafetensorsType(d)
		case "shape":
			t.shape, err = parseSizes(d, broadcast.MaxRank)
		case "data_offsets":
			offsets, err = parseSizes(d, 2)
		default:
			err = errors.New("it is none of dtype, shape, data_offsets")
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
	if err := broadcast.CheckShape(t.shape); err != nil {
		return t, fmt.Errorf("%q: %w", name, err)
	}
	size, err := npy.Header{DType: t.dtype, Shape: t.shape}.Size()
	if err == nil && t.end-t.begin != size {
		err = fmt.Errorf("%s%s has %d bytes, not those from %d to %d", t.dtype, broadcast.FormatShape(t.shape), size, t.begin, t.end)
	}
	if err != nil {
		return t, fmt.Errorf("%q: %w", name, err)
	}
	return t, nil
}

func parseSafetensorsType(d *json.Decoder) (dtype.DType, error) {
	t, err := d.Token()
	if err != nil {
		return 0, err
	}
	name, _ := t.(string)
	dt, ok := safetensorsTypes[name]
	if !ok {
		return 0, fmt.Errorf("%v: want one of %s", t, strings.Join(slices.Sorted(maps.Keys(safetensorsTypes)), ", "))
	}
	return dt, nil
}

// parseSizes reads a list of at most limit numbers, none below 0.
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

// WriteSafetensors writes arrays in the safetensors format, with metadata, which may be nil. The order of the data is
// that of the element sizes, largest first, so that all are aligned, and then of the names: the same arrays always make
// the same file.
func WriteSafetensors(w io.Writer, arrays []Named, metadata map[string]string) error {
	const fn Func = "nd.WriteSafetensors"
	tensors := slices.Clone(arrays)
	for _, n := range tensors {
		n.Array.check(fn)
	}
	slices.SortStableFunc(tensors, func(a, b Named) int {
		return cmp.Or(cmp.Compare(b.Array.dtype.Size(), a.Array.dtype.Size()), strings.Compare(a.Name, b.Name))
	})
	header, err := safetensorsHeader(tensors, metadata)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	if _, err := w.Write(header); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	for _, n := range tensors {
		x := materialize(n.Array)
		data := make([]byte, x.Bytes())
		x.copyOut(fn, data)
		if err := npy.WriteData(w, npy.Header{DType: x.dtype, Shape: x.shape}, data); err != nil {
			return fmt.Errorf("%s: %q: %w", fn, n.Name, err)
		}
	}
	return nil
}

// safetensorsHeader makes the header, with its length before it, and blanks behind it up to a multiple of 8 bytes.
func safetensorsHeader(tensors []Named, metadata map[string]string) ([]byte, error) {
	names := map[dtype.DType]string{}
	for name, dt := range safetensorsTypes {
		names[dt] = name
	}
	out := append(make([]byte, 8), '{')
	member := func(name string, value any) (err error) {
		if len(out) > 9 {
			out = append(out, ',')
		}
		if out, err = appendJSON(out, name); err != nil {
			return err
		}
		out, err = appendJSON(append(out, ':'), value)
		return err
	}
	if metadata != nil {
		if err := member(safetensorsMetadata, metadata); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{safetensorsMetadata: true}
	begin := 0
	for _, n := range tensors {
		dt := n.Array.dtype
		switch {
		case seen[n.Name]:
			return nil, fmt.Errorf("the name %q is taken", n.Name)
		case names[dt] == "":
			return nil, fmt.Errorf("%q: the format has no %s", n.Name, dt)
		}
		seen[n.Name] = true
		entry := struct {
			DType   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}{names[dt], n.Array.Shape(), [2]int{begin, begin + n.Array.Bytes()}}
		if err := member(n.Name, entry); err != nil {
			return nil, err
		}
		begin += n.Array.Bytes()
	}
	out = append(out, '}')
	for len(out)%8 != 0 {
		out = append(out, ' ')
	}
	length := len(out) - 8
	if length > maxSafetensorsHeader {
		return nil, fmt.Errorf("the header has %d bytes, at most %d are allowed", length, maxSafetensorsHeader)
	}
	binary.LittleEndian.PutUint64(out, uint64(length))
	return out, nil
}

// appendJSON appends a value as it is written in a header.
func appendJSON(out []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case string:
		if !utf8.ValidString(v) {
			return nil, fmt.Errorf("%q is not UTF-8", v)
		}
	case map[string]string:
		for name, text := range v {
			if !utf8.ValidString(name) || !utf8.ValidString(text) {
				return nil, fmt.Errorf("the metadata %q: %q are not UTF-8", name, text)
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return append(out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}

// LoadSafetensors reads all arrays and the metadata of a .safetensors file.
func LoadSafetensors(path string) (arrays []Named, metadata map[string]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	arrays, metadata, err = ReadSafetensors(bufio.NewReader(f))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return arrays, metadata, nil
}

// SaveSafetensors writes arrays and metadata to a .safetensors file, which appears whole or not at all.
func SaveSafetensors(path string, arrays []Named, metadata map[string]string) error {
	return writeFile(path, func(w io.Writer) error { return WriteSafetensors(w, arrays, metadata) })
}
