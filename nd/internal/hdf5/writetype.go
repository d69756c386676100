package hdf5

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// classOf returns the first byte of a datatype.
func classOf(version, class int) byte { return byte(version<<4 | class) }

// typeOf returns the datatype message of a little-endian dtype.
func typeOf(dt dtype.DType) []byte {
	size := dt.Size()
	switch {
	case dt == dtype.Bool:
		return concat([]byte{classOf(3, enumClass), 2, 0, 0}, u32(1), typeOf(dtype.Int8), []byte("FALSE\x00TRUE\x00\x00\x01"))
	case dt.IsComplex():
		part := typeOf(dtype.Float32)
		if dt == dtype.Complex128 {
			part = typeOf(dtype.Float64)
		}
		return concat([]byte{classOf(3, compoundClass), 2, 0, 0}, u32(uint32(size)), []byte("r\x00\x00"), part, []byte{'i', 0, byte(size / 2)}, part)
	case dt.IsFloat():
		const impliedOne = 0x20
		f := formatOf(dt)
		return concat([]byte{classOf(1, floatClass), impliedOne, byte(f.sign), 0}, u32(uint32(size)), u16(0), u16(8*size),
			[]byte{byte(f.exponentAt), byte(f.exponent), 0, byte(f.mantissa)}, u32(uint32(f.bias)))
	}
	signed := byte(8)
	if dt.Kind() == dtype.Uint8.Kind() {
		signed = 0
	}
	return concat([]byte{classOf(1, integerClass), signed, 0, 0}, u32(uint32(size)), u16(0), u16(8*size))
}

// space returns the dataspace message of a shape.
func space(shape []int) []byte {
	const scalar, simple = 0, 1
	b := []byte{2, byte(len(shape)), 0, simple}
	if len(shape) == 0 {
		b[3] = scalar
	}
	for _, n := range shape {
		b = append(b, u64(uint64(n))...)
	}
	return b
}

// nullSpace returns the dataspace message of what has no elements.
func nullSpace() []byte { return []byte{2, 0, 0, 2} }

// fixed returns the datatype message of texts that are padded with zeros to the length of the longest, and their elements.
func fixed(t npy.Text) (datatype, data []byte, err error) {
	if err := broadcast.CheckShape(t.Shape); err != nil {
		return nil, nil, err
	}
	if n := broadcast.Size(t.Shape); n != len(t.Values) {
		return nil, nil, fmt.Errorf("%d texts for %d elements", len(t.Values), n)
	}
	longest := 1
	for i, s := range t.Values {
		if !utf8.ValidString(s) || strings.HasSuffix(s, "\x00") {
			return nil, nil, fmt.Errorf("element %d is not UTF-8, or ends with a zero, which the format does not keep", i)
		}
		longest = max(longest, len(s))
	}
	if longest > math.MaxInt32 || len(t.Values) > math.MaxInt/longest {
		return nil, nil, fmt.Errorf("a text of %d bytes", longest)
	}
	const padded, isUTF8 = 1, 1
	data = make([]byte, len(t.Values)*longest)
	for i, s := range t.Values {
		copy(data[i*longest:], s)
	}
	return concat([]byte{classOf(1, textClass), padded | isUTF8<<4, 0, 0}, u32(uint32(longest))), data, nil
}
