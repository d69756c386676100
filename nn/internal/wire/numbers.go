package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unsafe"
)

// Numbers are repeated float or double values, or the bytes of a field of bytes. They stay in the file, if they are many, until they
// are copied.
type Numbers[T float32 | float64 | byte] struct{ parts []part }

// part is a piece of Numbers, in memory or in a file.
type part struct {
	data []byte
	file *io.SectionReader // nil if data has the bytes
}

func (p part) len() int {
	if p.file != nil {
		return int(p.file.Size())
	}
	return len(p.data)
}

// copyTo copies the bytes to dst, which has room for them.
func (p part) copyTo(dst []byte) error {
	if p.file == nil {
		copy(dst, p.data)
		return nil
	}
	if n, err := p.file.ReadAt(dst[:p.len()], 0); n < p.len() {
		return fmt.Errorf("reading %d bytes of numbers: %w", p.len(), err)
	}
	return nil
}

// NumbersOf returns the given values. On a little-endian host, the slice is used when the message is written.
func NumbersOf[T float32 | float64 | byte](values []T) Numbers[T] {
	if len(values) == 0 {
		return Numbers[T]{}
	}
	data := bytesOf(values)
	if !littleEndian {
		data = bytes.Clone(data)
		swap(data, int(unsafe.Sizeof(values[0])))
	}
	return Numbers[T]{[]part{{data: data}}}
}

// bytesOf returns the memory of values; there is at least one.
func bytesOf[T float32 | float64 | byte](values []T) []byte {
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
		total += p.len()
	}
	return total
}

// Len returns the number of values.
func (n Numbers[T]) Len() int { return n.bytes() / n.width() }

// CopyTo copies the values to dst, which has Len values. It reads those that are in a file.
func (n Numbers[T]) CopyTo(dst []T) error {
	if len(dst) == 0 {
		return nil
	}
	out := bytesOf(dst)
	for _, p := range n.parts {
		if err := p.copyTo(out); err != nil {
			return err
		}
		out = out[p.len():]
	}
	if !littleEndian {
		swap(bytesOf(dst), n.width())
	}
	return nil
}

// add appends whole values.
func (n *Numbers[T]) add(p part) {
	if p.len() > 0 {
		n.parts = append(n.parts, p)
	}
}

// addValue appends a value to the first part, which addValue has made.
func (n *Numbers[T]) addValue(v float64) {
	if n.parts == nil {
		n.parts = make([]part, 1)
	}
	data := &n.parts[0].data
	switch n.width() {
	case 1:
		*data = append(*data, byte(v))
	case 4:
		*data = binary.LittleEndian.AppendUint32(*data, math.Float32bits(float32(v)))
	default:
		*data = binary.LittleEndian.AppendUint64(*data, math.Float64bits(v))
	}
}

// numbers is what all kinds of Numbers have in common.
type numbers interface {
	width() int
	bytes() int
	add(p part)
	addValue(v float64)
	load() error
	pieces() [][]byte
	appendText(out []byte, prefix string) []byte
}

// load reads what is in a file, so that the values can be written.
func (n *Numbers[T]) load() error {
	for i, p := range n.parts {
		if p.file == nil {
			continue
		}
		data := make([]byte, p.len())
		if err := p.copyTo(data); err != nil {
			return err
		}
		n.parts[i] = part{data: data}
	}
	return nil
}

// pieces returns the values as bytes, after load.
func (n *Numbers[T]) pieces() [][]byte {
	all := make([][]byte, len(n.parts))
	for i, p := range n.parts {
		all[i] = p.data
	}
	return all
}

// appendText appends a line for each value, after load. In a message of the text format Numbers are the value of a single
// field.
func (n *Numbers[T]) appendText(out []byte, prefix string) []byte {
	bits := 8 * max(n.width(), 4)
	for _, v := range n.values() {
		out = append(strconv.AppendFloat(append(out, prefix...), float64(v), 'g', -1, bits), '\n')
	}
	return out
}

// values returns a copy of the values, after load.
func (n *Numbers[T]) values() []T {
	all := make([]T, n.Len())
	_ = n.CopyTo(all) // nothing is in a file
	return all
}
