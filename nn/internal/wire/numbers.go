package wire

import (
	"encoding/binary"
	"math"
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
	width := int(unsafe.Sizeof(values[0]))
	if littleEndian {
		return Numbers[T]{[][]byte{unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*width)}}
	}
	out := make([]byte, 0, len(values)*width)
	for _, v := range values {
		if width == 4 {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		} else {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(float64(v)))
		}
	}
	return Numbers[T]{[][]byte{out}}
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
	out := unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), len(dst)*n.width())
	for _, p := range n.parts {
		out = out[copy(out, p):]
	}
	if littleEndian {
		return
	}
	whole := unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), len(dst)*n.width())
	for i := range dst {
		if n.width() == 4 {
			dst[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(whole[4*i:])))
		} else {
			dst[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(whole[8*i:])))
		}
	}
}

// add appends bytes of whole values.
func (n *Numbers[T]) add(part []byte) {
	if len(part) > 0 {
		n.parts = append(n.parts, part)
	}
}

// addText appends a value of a text to the first part, which addText has made.
func (n *Numbers[T]) addText(v float64) {
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
	addText(v float64)
	pieces() [][]byte
}

// manyNumbers are Numbers as the value of a field that is written as text: a line for each, without a Field for each.
type manyNumbers interface {
	bytes() int
	appendText(out []byte, prefix string) []byte
}

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
