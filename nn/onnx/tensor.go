package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// Texts is a tensor of texts, in row-major order.
type Texts struct {
	Shape  []int
	Values []string
}

// shape returns the lengths of the axes, and the number of elements.
func (m *tensorMessage) shape() ([]int, int, error) {
	shape := make([]int, len(m.Dims))
	for i, n := range m.Dims {
		shape[i] = int(n)
	}
	if err := broadcast.CheckShape(shape); err != nil {
		return nil, 0, err
	}
	return shape, broadcast.Size(shape), nil
}

// tensor returns the value of a tensor, whose elements may be in a file.
func (files *externalFiles) tensor(m *tensorMessage) (model.Value, error) {
	v, err := files.value(m)
	if err != nil {
		return nil, fmt.Errorf("tensor %q of type %s: %w", m.Name, m.DataType, err)
	}
	return v, nil
}

func (files *externalFiles) value(m *tensorMessage) (model.Value, error) {
	shape, size, err := m.shape()
	if err != nil {
		return nil, err
	}
	if m.DataType == String {
		return m.texts(shape, size)
	}
	t := m.DataType.DType()
	if !t.Valid() && !m.DataType.IsNarrow() {
		return nil, errors.New("the type is unknown")
	}
	if n := m.FloatData.Len(); t == dtype.Float32 && n > 0 {
		if n != size {
			return nil, fmt.Errorf("%d numbers for shape %s", n, broadcast.FormatShape(shape))
		}
		values := make([]float32, n)
		if err := m.FloatData.CopyTo(values); err != nil {
			return nil, err
		}
		return nd.Wrap(values, shape...), nil
	}
	data, err := files.bytes(m)
	if err != nil {
		return nil, err
	}
	if m.DataType.IsNarrow() {
		if m.DataType.narrowBits() == 6 && m.RawData.Len() == 0 {
			data = packSix(data)
		}
		values, err := unpack(m.DataType, data, size)
		if err != nil {
			return nil, err
		}
		wide := nd.Wrap(values, shape...)
		return Narrow{m.DataType, wide.AsType(m.DataType.narrowDType())}, nil
	}
	if len(data) != size*t.Size() {
		return nil, fmt.Errorf("%d bytes for shape %s", len(data), broadcast.FormatShape(shape))
	}
	return arrayOf(t, data, shape), nil
}

// packSix packs 6-bit codes, one a byte.
func packSix(codes []byte) []byte {
	packed := make([]byte, (len(codes)*6+7)/8)
	for i, code := range codes {
		at := 6 * i
		window := uint16(code&63) << (at % 8)
		packed[at/8] |= byte(window)
		if high := byte(window >> 8); high != 0 {
			packed[at/8+1] |= high
		}
	}
	return packed
}

// arrayOf returns an array of elements in little-endian order, which may lie in data.
func arrayOf(t dtype.DType, data []byte, shape []int) *nd.Array {
	if len(data) == 0 {
		return nd.Zeros(shape, t)
	}
	bytes := nd.Wrap(data)
	defer bytes.Release()
	if t == dtype.Bool {
		return bytes.AsType(dtype.Bool).Reshape(shape...)
	}
	if !littleEndian {
		for element := range slices.Chunk(data, t.Real().Size()) {
			slices.Reverse(element)
		}
	}
	elements := bytes.View(t)
	defer elements.Release()
	return elements.Reshape(shape...)
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// texts returns a tensor of texts.
func (m *tensorMessage) texts(shape []int, size int) (model.Value, error) {
	if len(m.StringData) != size {
		return nil, fmt.Errorf("%d texts for shape %s", len(m.StringData), broadcast.FormatShape(shape))
	}
	t := Texts{Shape: shape, Values: make([]string, size)}
	for i, s := range m.StringData {
		t.Values[i] = string(s)
	}
	return t, nil
}

// bytes returns the elements in little-endian order, as raw data has them.
func (files *externalFiles) bytes(m *tensorMessage) ([]byte, error) {
	const external = 1
	if m.DataLocation == external {
		return files.read(m.ExternalData)
	}
	switch {
	case m.RawData.Len() > 0:
		data := make([]byte, m.RawData.Len())
		return data, m.RawData.CopyTo(data)
	case len(m.Int32Data) > 0:
		width := 1
		if t := m.DataType.DType(); t.Valid() {
			width = t.Size()
		}
		return integers(m.Int32Data, width), nil
	case len(m.Int64Data) > 0:
		return integers(m.Int64Data, 8), nil
	case len(m.Uint64Data) > 0:
		return integers(m.Uint64Data, m.DataType.DType().Size()), nil
	case m.DoubleData.Len() > 0:
		values := make([]float64, m.DoubleData.Len())
		if err := m.DoubleData.CopyTo(values); err != nil {
			return nil, err
		}
		return binary.Append(nil, binary.LittleEndian, values)
	}
	values := make([]float32, m.FloatData.Len()) // of complex64
	if err := m.FloatData.CopyTo(values); err != nil {
		return nil, err
	}
	return binary.Append(nil, binary.LittleEndian, values)
}

// integers returns the lowest bytes of integers.
func integers[T int32 | int64 | uint64](values []T, width int) []byte {
	data := make([]byte, 0, len(values)*width)
	var word [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(word[:], uint64(v))
		data = append(data, word[:min(width, 8)]...)
	}
	return data
}

// dense returns the array of a sparse tensor, with zeros between its values.
func (files *externalFiles) dense(m *sparseMessage, budget *int) (*nd.Array, error) {
	if m.Values == nil || m.Indices == nil {
		return nil, errors.New("a sparse tensor without values or indices")
	}
	whole := tensorMessage{Name: m.Values.Name, DataType: m.Values.DataType, Dims: m.Dims}
	shape, size, err := whole.shape()
	if err != nil {
		return nil, fmt.Errorf("sparse tensor %q: %w", whole.Name, err)
	}
	v, err := files.tensor(m.Values)
	if err != nil {
		return nil, err
	}
	at, err := files.tensor(m.Indices)
	if err != nil {
		return nil, err
	}
	values, isArray := v.(*nd.Array)
	positions, _ := at.(*nd.Array)
	if !isArray || values.Rank() != 1 || positions == nil || positions.DType() != dtype.Int64 {
		return nil, fmt.Errorf("sparse tensor %q: want a vector of values, and int64 indices", whole.Name)
	}
	if *budget -= size * values.DType().Size(); *budget < 0 {
		return nil, fmt.Errorf("sparse tensor %q: more zeros than a file of this size may need", whole.Name)
	}
	flat, n := nd.ToSlice[int64](positions), values.Size()
	strides := broadcast.Strides(shape)
	switch {
	case positions.Rank() == 2 && len(flat) == n*len(shape):
		linear := make([]int64, n)
		for i := range linear {
			for axis, stride := range strides {
				linear[i] += flat[i*len(shape)+axis] * int64(stride)
			}
		}
		flat = linear
	case positions.Rank() != 1 || len(flat) != n:
		return nil, fmt.Errorf("sparse tensor %q: %d indices for %d values", whole.Name, len(flat), n)
	}
	y := nd.Zeros([]int{size}, values.DType())
	if err := nd.Catch(func() { y.Assign(values, nd.Pick(nd.FromSlice(flat))) }); err != nil {
		return nil, fmt.Errorf("sparse tensor %q: %w", whole.Name, err)
	}
	return y.Reshape(shape...), nil
}
