package onnx

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/model"
)

// value is a graph's input or output of a type, with any shape.
func value(name string, t ElementType) *valueMessage {
	return &valueMessage{Name: name, Type: &typeMessage{TensorType: &tensorTypeMessage{ElemType: t}}}
}

// operation is a node.
func operation(typ string, in, out []string, attributes ...*attributeMessage) *nodeMessage {
	return &nodeMessage{OpType: typ, Name: typ, Input: in, Output: out, Attribute: attributes}
}

func intAttribute(name string, v int64) *attributeMessage {
	return &attributeMessage{Name: name, Type: attributeInt, I: v}
}

func graphAttribute(name string, g *graphMessage) *attributeMessage {
	return &attributeMessage{Name: name, Type: attributeGraph, G: g}
}

// floats is a tensor of float32 numbers.
func floats(name string, shape []int64, values ...float32) *tensorMessage {
	return &tensorMessage{Name: name, DataType: Float, Dims: shape, FloatData: wire.NumbersOf(values)}
}

// integer64 is a tensor of int64 numbers.
func integer64(name string, shape []int64, values ...int64) *tensorMessage {
	return &tensorMessage{Name: name, DataType: Int64, Dims: shape, Int64Data: values}
}

// file is the bytes of a model of a graph.
func file(t testing.TB, g *graphMessage, functions ...*functionMessage) []byte {
	t.Helper()
	data, err := wire.Marshal(&modelMessage{IrVersion: 10, Graph: g, Functions: functions,
		OpsetImport: []*opsetMessage{{Version: 17}, {Domain: "own", Version: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// loaded returns the model of a graph.
func loaded(t testing.TB, g *graphMessage, functions ...*functionMessage) *model.Model {
	t.Helper()
	m, err := tryLoad(t, g, functions...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tryLoad(t testing.TB, g *graphMessage, functions ...*functionMessage) (*model.Model, error) {
	t.Helper()
	f, err := Read(file(t, g, functions...))
	if err != nil {
		return nil, err
	}
	return f.Model()
}

// vector is an array of float32 numbers.
func vector(values ...float32) *nd.Array { return nd.FromSlice(values) }

// numbers returns the elements of an array.
func numbers(x *nd.Array) []float64 { return nd.ToSlice[float64](x.Detach().AsType(dtype.Float64)) }

// run returns the elements of the only output.
func runModel(m *model.Model, inputs map[string]*nd.Array) []float64 {
	return numbers(m.Call(inputs)[0])
}
