package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// tensorOf returns an array as a tensor of a file.
func tensorOf(name string, x *nd.Array) *tensorMessage {
	t := &tensorMessage{Name: name, DataType: ElementTypeOf(x.DType()), RawData: wire.NumbersOf(bytesOf(x))}
	for _, n := range x.Shape() {
		t.Dims = append(t.Dims, int64(n))
	}
	return t
}

// bytesOf returns the elements in row-major order, each in little-endian order.
func bytesOf(x *nd.Array) []byte {
	if x.Size() == 0 {
		return nil
	}
	row := x.Detach().Contiguous()
	if x.DType() == dtype.Bool {
		return nd.ToSlice[byte](row.AsType(dtype.Uint8))
	}
	data := nd.ToSlice[byte](row.Reshape(-1).View(dtype.Uint8))
	if !littleEndian {
		for element := range slices.Chunk(data, x.DType().Real().Size()) {
			slices.Reverse(element)
		}
	}
	return data
}

// Attributes of new nodes.

func intValue(name string, v int) *attributeMessage {
	return &attributeMessage{Name: name, I: int64(v), Type: attributeInt}
}

func intsValue(name string, v ...int) *attributeMessage {
	a := &attributeMessage{Name: name, Type: attributeInts}
	for _, n := range v {
		a.Ints = append(a.Ints, int64(n))
	}
	return a
}

func textValue(name, v string) *attributeMessage {
	return &attributeMessage{Name: name, S: []byte(v), Type: attributeString}
}
