package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"unsafe"
)

// Numbers are repeated float or double values, which stay where they are in the message until they are copied.
type Numbers[T float32 | float64] struct{ parts [][]byte }

// NumbersOf returns the given values. On a little-endian host, the slice is used when the message is written.
func NumbersOf[T float32 | float64](values []T) Numbers[T] {
	if len(values) == 0 {
		return Numbers[T]{}
	}
	data := bytesOf(values)
	if !littleEndian {
		data = bytes.Clone(data)
		swap(data, int(unsafe.Sizeof(values[0])))
	}
	return Numbers[T]{[][]byte{data}}
}

// bytesOf returns the memory of values; there is at least one.
func bytesOf[T float32 | float64](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0])))
}

// swap reverses the order of the bytes in each value.
func swap(data []byte, width int) {
	for value := range slices.Chunk(data, width) {
		slices.Reverse(value)
	}
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// width returns the size of a value in bytes.
func (n *Numbers[T]) width() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// bytes returns the number of bytes.
func (n *Numbers[T]) bytes() int {
	total := 0
	for _, p := range n.parts {
		total += len(p)
	}
	return total
}

// Len returns the number of values.
func (n Numbers[T]) Len() int { return n.bytes() / n.width() }

// CopyTo copies the values to dst, which has Len values.
func (n Numbers[T]) CopyTo(dst []T) {
	if len(dst) == 0 {
		return
	}
	out, at := bytesOf(dst), 0
	for _, p := range n.parts {
		at += copy(out[at:], p)
	}
	if !littleEndian {
		swap(out, n.width())
	}
}

// add appends bytes of whole values.
func (n *Numbers[T]) add(part []byte) {
	if len(part) > 0 {
		n.parts = append(n.parts, part)
	}
}

// addValue appends a value to the first part, which addValue has made.
func (n *Numbers[T]) addValue(v float64) {
	if n.parts == nil {
		n.parts = make([][]byte, 1)
	}
	if n.width() == 4 {
		n.parts[0] = binary.LittleEndian.AppendUint32(n.parts[0], math.Float32bits(float32(v)))
	} else {
		n.parts[0] = binary.LittleEndian.AppendUint64(n.parts[0], math.Float64bits(v))
	}
}

// pieces returns the values as bytes.
func (n *Numbers[T]) pieces() [][]byte { return n.parts }

// numbers is what both kinds of Numbers have in common.
type numbers interface {
	width() int
	bytes() int
	add(part []byte)
	addValue(v float64)
	pieces() [][]byte
	appendText(out []byte, prefix string) []byte
}

// appendText appends a line for each value. In a message of the text format Numbers are the value of a single field.
func (n *Numbers[T]) appendText(out []byte, prefix string) []byte {
	bits := 8 * n.width()
	for _, v := range n.values() {
		out = append(strconv.AppendFloat(append(out, prefix...), float64(v), 'g', -1, bits), '\n')
	}
	return out
}

// values returns a copy of the values.
func (n *Numbers[T]) values() []T {
	all := make([]T, n.Len())
	n.CopyTo(all)
	return all
}
