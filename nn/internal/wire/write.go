package wire

import (
	"fmt"
	"math"
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
)

// Marshal returns the struct that from points to as a binary message, in the order of its fields. Fields with the value
// zero are left out.
func Marshal(from any) ([]byte, error) {
	e := &encoder{plans: plans{}}
	return e.message(nil, structOf(from), 0)
}

// encoder writes a message and those in it.
type encoder struct{ plans plans }

func (e *encoder) message(out []byte, v reflect.Value, depth int) ([]byte, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	for _, f := range e.plans.of(v.Type()).fields {
		var err error
		if out, err = e.field(out, f, v.Field(f.index), depth); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return out, nil
}

func (e *encoder) field(out []byte, f field, v reflect.Value, depth int) ([]byte, error) {
	if n, ok := v.Addr().Interface().(numbers); ok {
		if err := n.load(); err != nil {
			return nil, err
		}
		return appendNumbers(out, f, n), nil
	}
	if v.IsZero() {
		return out, nil
	}
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() == reflect.Uint8 {
		return e.tagged(out, f, v, depth)
	}
	if f.packed {
		var packed []byte
		for i := range v.Len() {
			packed = f.append(packed, v.Index(i))
		}
		return protowire.AppendBytes(protowire.AppendTag(out, protowire.Number(f.number), protowire.BytesType), packed), nil
	}
	for i := range v.Len() {
		var err error
		if out, err = e.tagged(out, f, v.Index(i), depth); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendNumbers appends Numbers: packed, or each by itself.
func appendNumbers(out []byte, f field, n numbers) []byte {
	if n.bytes() == 0 {
		return out
	}
	if f.packed {
		out = protowire.AppendTag(out, protowire.Number(f.number), protowire.BytesType)
		out = protowire.AppendVarint(out, uint64(n.bytes()))
		for _, p := range n.pieces() {
			out = append(out, p...)
		}
		return out
	}
	kind := protowire.Fixed32Type
	if n.width() == 8 {
		kind = protowire.Fixed64Type
	}
	for _, p := range n.pieces() {
		for ; len(p) > 0; p = p[n.width():] {
			out = append(protowire.AppendTag(out, protowire.Number(f.number), kind), p[:n.width()]...)
		}
	}
	return out
}

// tagged appends one value after its tag.
func (e *encoder) tagged(out []byte, f field, v reflect.Value, depth int) ([]byte, error) {
	kind, err := kindOf(f, v.Type())
	if err != nil {
		return nil, err
	}
	out = protowire.AppendTag(out, protowire.Number(f.number), kind)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		inner, err := e.message(nil, v.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		return protowire.AppendBytes(out, inner), nil
	}
	return f.append(out, reflect.Indirect(v)), nil
}

// append appends a number, a bool, a text or bytes.
func (f field) append(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return protowire.AppendString(out, v.String())
	case reflect.Slice:
		return protowire.AppendBytes(out, v.Bytes())
	case reflect.Float32:
		return protowire.AppendFixed32(out, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		return protowire.AppendFixed64(out, math.Float64bits(v.Float()))
	}
	var bits uint64
	switch v.Kind() {
	case reflect.Bool:
		bits = protowire.EncodeBool(v.Bool())
	case reflect.Uint32, reflect.Uint64:
		bits = v.Uint()
	default:
		bits = uint64(v.Int())
		if f.zigzag {
			bits = protowire.EncodeZigZag(v.Int())
		}
	}
	switch {
	case !f.fixed:
		return protowire.AppendVarint(out, bits)
	case v.Type().Size() == 4:
		return protowire.AppendFixed32(out, uint32(bits))
	}
	return protowire.AppendFixed64(out, bits)
}
