package onnx

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nn/model"
)

// Kind says what a value is.
type Kind int

// Kinds of values.
const (
	UnknownKind  Kind = iota
	TensorKind        // an *nd.Array, a Narrow or Texts
	SequenceKind      // a Sequence
	OptionalKind      // None, or a value of type Of
	MapKind           // a Map
)

// Type is the type of a value, as far as a file states it.
type Type struct {
	Kind    Kind
	Element ElementType // of a tensor, or of the keys of a map
	Shape   []int       // of a tensor: -1 is any length, and a nil Shape any shape
	Of      *Type       // of the elements of a sequence, of an optional value, or of the values of a map
}

func typeOf(m *typeMessage) Type {
	switch {
	case m == nil:
		return Type{}
	case m.SequenceType != nil:
		of := typeOf(m.SequenceType.ElemType)
		return Type{Kind: SequenceKind, Of: &of}
	case m.OptionalType != nil:
		of := typeOf(m.OptionalType.ElemType)
		return Type{Kind: OptionalKind, Of: &of}
	case m.MapType != nil:
		of := typeOf(m.MapType.ValueType)
		return Type{Kind: MapKind, Element: m.MapType.KeyType, Of: &of}
	}
	tensor := m.TensorType
	if tensor == nil {
		tensor = m.SparseType
	}
	if tensor == nil {
		return Type{}
	}
	t := Type{Kind: TensorKind, Element: tensor.ElemType}
	if tensor.Shape != nil {
		t.Shape = make([]int, len(tensor.Shape.Dim))
		for i, d := range tensor.Shape.Dim {
			t.Shape[i] = -1
			if d.DimValue != nil && *d.DimValue > 0 {
				t.Shape[i] = int(*d.DimValue)
			}
		}
	}
	return t
}

// String returns the type as "FLOAT[1,3,?,?]", "sequence of FLOAT[?]" or the like.
func (t Type) String() string {
	switch t.Kind {
	case SequenceKind:
		return "sequence of " + t.Of.String()
	case OptionalKind:
		return "optional " + t.Of.String()
	case MapKind:
		return fmt.Sprintf("map from %s to %s", t.Element, t.Of)
	case UnknownKind:
		return "unknown"
	case TensorKind:
	}
	if t.Shape == nil {
		return t.Element.String()
	}
	lengths := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		lengths[i] = "?"
		if n >= 0 {
			lengths[i] = fmt.Sprint(n)
		}
	}
	return t.Element.String() + "[" + strings.Join(lengths, ",") + "]"
}

// input returns the dtype and the shape that an input must have.
func (t Type) input(name string) model.Input {
	in := model.Input{Name: name, Shape: t.Shape, Optional: t.Kind == OptionalKind}
	if t.Kind == TensorKind {
		in.DType = t.Element.DType()
	}
	return in
}

// Messages of onnx-data.proto.
type (
	sequenceMessage struct {
		ElemType       int32              `pb:"2"`
		TensorValues   []*tensorMessage   `pb:"3"`
		SequenceValues []*sequenceMessage `pb:"5"`
		MapValues      []*mapMessage      `pb:"6"`
		OptionalValues []*optionalMessage `pb:"7"`
	}
	optionalMessage struct {
		ElemType      int32            `pb:"2"`
		TensorValue   *tensorMessage   `pb:"3"`
		SequenceValue *sequenceMessage `pb:"5"`
		MapValue      *mapMessage      `pb:"6"`
		OptionalValue *optionalMessage `pb:"7"`
	}
	mapMessage struct {
		KeyType    ElementType      `pb:"2"`
		Keys       []int64          `pb:"3"`
		StringKeys [][]byte         `pb:"4"`
		Values     *sequenceMessage `pb:"5"`
	}
)

// Read reads a value of the type: a serialized TensorProto, SequenceProto or OptionalProto, as in ONNX's test data.
func (t Type) Read(data []byte) (v model.Value, err error) {
	files := &externalFiles{}
	switch t.Kind {
	case SequenceKind:
		var m sequenceMessage
		if err = unmarshal(data, &m); err == nil {
			v, err = files.sequence(&m)
		}
	case OptionalKind:
		var m optionalMessage
		if err = unmarshal(data, &m); err == nil {
			v, err = files.optional(&m)
		}
	case MapKind:
		err = errors.New("maps are not read")
	case UnknownKind, TensorKind:
		var m tensorMessage
		if err = unmarshal(data, &m); err == nil {
			v, err = files.tensor(&m)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("Type.Read: %w", err)
	}
	return v, nil
}

func (files *externalFiles) sequence(m *sequenceMessage) (model.Value, error) {
	s := Sequence{}
	for _, t := range m.TensorValues {
		v, err := files.tensor(t)
		if err != nil {
			return nil, err
		}
		s = append(s, v)
	}
	for _, inner := range m.SequenceValues {
		v, err := files.sequence(inner)
		if err != nil {
			return nil, err
		}
		s = append(s, v)
	}
	for _, inner := range m.OptionalValues {
		v, err := files.optional(inner)
		if err != nil {
			return nil, err
		}
		s = append(s, v)
	}
	return s, nil
}

func (files *externalFiles) optional(m *optionalMessage) (model.Value, error) {
	switch {
	case m.TensorValue != nil:
		return files.tensor(m.TensorValue)
	case m.SequenceValue != nil:
		return files.sequence(m.SequenceValue)
	case m.OptionalValue != nil:
		return files.optional(m.OptionalValue)
	}
	return None{}, nil
}
