package mxnet

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// Array describes an array to be written.
type Array struct {
	Name  string
	DType dtype.DType
	Shape []int
}

// Write writes a file. If no array has a name, the file has no names. Arrays have version 2 of the layout, which MXNet
// reads since 1.0; an array that is 0-d or empty has version 3. When it is the turn of an array, Write calls data with its
// index; data returns the elements, row-major, in the byte order of the host.
func Write(w io.Writer, arrays []Array, data func(i int) []byte) error {
	named := slices.ContainsFunc(arrays, func(a Array) bool { return a.Name != "" })
	seen := map[string]bool{}
	for i, a := range arrays {
		switch {
		case named && seen[a.Name]:
			return fmt.Errorf("the name %q is taken", a.Name)
		case !slices.Contains(types(), a.DType):
			return fmt.Errorf("array %d, %q: the format has no %s", i, a.Name, a.DType)
		}
		seen[a.Name] = true
	}
	out := binary.LittleEndian
	b := out.AppendUint64(nil, listMagic)
	b = out.AppendUint64(b, 0)
	b = out.AppendUint64(b, uint64(len(arrays)))
	for i, a := range arrays {
		b = appendHeader(b, a)
		if _, err := w.Write(b); err != nil {
			return err
		}
		if err := npy.WriteData(w, npy.Header{DType: a.DType, Shape: a.Shape}, data(i)); err != nil {
			return fmt.Errorf("array %d, %q: %w", i, a.Name, err)
		}
		b = b[:0]
	}
	if !named {
		arrays = nil
	}
	b = out.AppendUint64(b, uint64(len(arrays)))
	for _, a := range arrays {
		b = out.AppendUint64(b, uint64(len(a.Name)))
		b = append(b, a.Name...)
	}
	_, err := w.Write(b)
	return err
}

// appendHeader appends everything that precedes the data of a dense array.
func appendHeader(b []byte, a Array) []byte {
	const cpu = 1
	out := binary.LittleEndian
	magic := uint32(magic2)
	if len(a.Shape) == 0 || slices.Contains(a.Shape, 0) {
		magic = magic3
	}
	b = out.AppendUint32(b, magic)
	b = out.AppendUint32(b, uint32(dense))
	b = out.AppendUint32(b, uint32(len(a.Shape)))
	for _, n := range a.Shape {
		b = out.AppendUint64(b, uint64(n))
	}
	b = out.AppendUint32(b, cpu)
	b = out.AppendUint32(b, 0)
	return out.AppendUint32(b, uint32(slices.Index(types(), a.DType)))
}
