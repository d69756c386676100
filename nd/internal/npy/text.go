package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Text is an array of strings, its elements in row-major order.
type Text struct {
	Shape  []int
	Values []string
}

// textUnits returns the header of the units that form the elements of a text, for the header and the error that
// [ReadHeader] returned: code points for "U", bytes for "S". The last axis is as long as the longest element.
func textUnits(h Header, err error) (Header, error) {
	if !errors.Is(err, ErrUnsupportedDType) || h.Descr == "" {
		if err == nil {
			err = fmt.Errorf("it holds %v, not text", h.DType)
		}
		return h, err
	}
	code := strings.TrimLeft(h.Descr, "<>=|")
	units := map[byte]dtype.DType{'U': dtype.Uint32, 'S': dtype.Uint8, 'a': dtype.Uint8}[code[0]]
	length, notNumber := strconv.Atoi(code[1:])
	if !units.Valid() || notNumber != nil || length < 1 { // without characters, any shape would take 0 bytes
		return h, err
	}
	h.DType, h.BigEndian = units, h.Descr[0] == '>' && units == dtype.Uint32
	h.Shape = append(append([]int{}, h.Shape...), length)
	_, err = h.Size()
	return h, err
}

// decodeText makes strings of the units that a text's header describes. A string ends before the zeros that pad its
// element.
func decodeText(h Header, data []byte) (Text, error) {
	rank := len(h.Shape) - 1
	t := Text{Shape: h.Shape[:rank:rank]}
	width := h.Shape[rank] * h.DType.Size()
	t.Values = make([]string, len(data)/width)
	for i := range t.Values {
		element := data[i*width : (i+1)*width]
		if h.DType == dtype.Uint32 {
			var err error
			if element, err = utf8Of(element); err != nil {
				return t, fmt.Errorf("element %d: %w", i, err)
			}
		}
		t.Values[i] = strings.TrimRight(string(element), "\x00")
	}
	if h.Fortran {
		t.Values = rowMajor(t.Values, t.Shape)
	}
	return t, nil
}

// utf8Of encodes code points, which are four bytes each in the byte order of the host.
func utf8Of(points []byte) ([]byte, error) {
	out, order := make([]byte, 0, len(points)/4), hostOrder()
	for i := 0; i < len(points); i += 4 {
		point := order.Uint32(points[i:])
		if point > utf8.MaxRune || !utf8.ValidRune(rune(point)) {
			return nil, fmt.Errorf("%#x is not a character", point)
		}
		out = utf8.AppendRune(out, rune(point))
	}
	return out, nil
}

func hostOrder() binary.ByteOrder {
	if hostBigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// rowMajor reorders elements from column-major order (the first index varies fastest) to row-major order.
func rowMajor(values []string, shape []int) []string {
	out := make([]string, 0, len(values))
	index := make([]int, len(shape))
	for range values {
		at, stride := 0, 1
		for k, n := range shape {
			at += index[k] * stride
			stride *= n
		}
		out = append(out, values[at])
		for k := len(shape) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// ReadText reads the text of the given name, without .npy, as [Archive.Read] reads an array.
func (a *Archive) ReadText(name string) (Text, error) {
	f := a.files[name+extension]
	if f == nil {
		return Text{}, fmt.Errorf("the archive has no text %q", name)
	}
	units, data, err := Collect(func(room Room) error { return readMember(f, a.MaxBytes, textUnits, room) })
	if err != nil {
		return Text{}, fmt.Errorf("text %q: %w", name, err)
	}
	t, err := decodeText(units, data)
	if err != nil {
		return Text{}, fmt.Errorf("text %q: %w", name, err)
	}
	return t, nil
}

// WriteText writes a text under a name, as [ArchiveWriter.Create] begins an array. Its type is NumPy's "U" with the
// length of the longest element.
func (w *ArchiveWriter) WriteText(name string, t Text) error {
	count, longest := 1, 1
	for _, n := range t.Shape {
		count *= n
	}
	if count != len(t.Values) {
		return fmt.Errorf("text %q: %d elements for shape %s", name, len(t.Values), formatShape(t.Shape))
	}
	for i, s := range t.Values {
		if !utf8.ValidString(s) || strings.HasSuffix(s, "\x00") {
			return fmt.Errorf("text %q: element %d is not UTF-8, or ends with a zero, which the format does not keep", name, i)
		}
		longest = max(longest, utf8.RuneCountInString(s))
	}
	units := Header{DType: dtype.Uint32, Shape: append(append([]int{}, t.Shape...), longest)}
	header := appendHeader(nil, Header{Version: [2]byte{1, 0}, Descr: fmt.Sprintf("<U%d", longest), Shape: t.Shape})
	member, err := w.begin(name, header, units)
	if err != nil {
		return err
	}
	order := hostOrder()
	for _, s := range t.Values {
		element := make([]byte, 4*longest)
		i := 0
		for _, r := range s {
			order.PutUint32(element[4*i:], uint32(r))
			i++
		}
		row := Header{DType: dtype.Uint32, Shape: []int{longest}}
		if err := WriteData(member, row, element); err != nil {
			return err
		}
	}
	return nil
}
