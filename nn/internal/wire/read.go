package wire

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// deepest is the depth to which messages may be nested.
const deepest = 100

// checkDepth refuses a depth beyond deepest.
func checkDepth(depth int) error {
	if depth > deepest {
		return errors.New("messages are nested too deeply")
	}
	return nil
}

// Unmarshal reads a binary message of the given size, such as a file, into the struct that into points to. Long Numbers are
// read from r when they are copied.
func Unmarshal(r io.ReaderAt, size int64, into any) error {
	const (
		spare  = 32 << 20
		expand = 8
	)
	d := &decoder{plans: plans{}, left: spare + expand*size}
	return d.message(span{&input{r: r, size: size}, 0, size}, structOf(into), 0)
}

// decoder reads a message and those in it.
type decoder struct {
	plans plans
	left  int64 // bytes that the structs and lists may still take, so that a small message cannot fill the memory
}

func (d *decoder) spend(bytes int) error {
	if d.left -= int64(bytes); d.left < 0 {
		return errors.New("the message needs more memory than one of its size may")
	}
	return nil
}

func (d *decoder) message(s span, v reflect.Value, depth int) error {
	if err := checkDepth(depth); err != nil {
		return err
	}
	p := d.plans.of(v.Type())
	for s.len() > 0 {
		number, kind, err := s.tag()
		if err != nil {
			return err
		}
		value, err := s.next(number, kind)
		if err != nil {
			return fmt.Errorf("field %d: %w", number, err)
		}
		if i, ok := p.byNumber[uint64(number)]; ok {
			f := p.fields[i]
			if err := d.field(f, kind, value, v.Field(f.index), depth); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return nil
}

// field reads one value, or several packed ones, into a field.
func (d *decoder) field(f field, kind protowire.Type, data span, v reflect.Value, depth int) error {
	if n, ok := v.Addr().Interface().(numbers); ok {
		return d.numbers(n, kind, data)
	}
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() == reflect.Uint8 {
		return d.value(f, kind, data, v, depth)
	}
	element := v.Type().Elem()
	if want, _ := kindOf(f, element); kind == protowire.BytesType && want != protowire.BytesType {
		return d.packed(f, want, data, v)
	}
	if err := d.spend(2 * int(element.Size())); err != nil {
		return err
	}
	v.Set(reflect.Append(v, reflect.Zero(element)))
	return d.value(f, kind, data, v.Index(v.Len()-1), depth)
}

// kindOf returns how a value of a type is encoded.
func kindOf(f field, t reflect.Type) (protowire.Type, error) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64:
		switch {
		case !f.fixed:
			return protowire.VarintType, nil
		case t.Size() == 4:
			return protowire.Fixed32Type, nil
		}
		return protowire.Fixed64Type, nil
	case reflect.Float32:
		return protowire.Fixed32Type, nil
	case reflect.Float64:
		return protowire.Fixed64Type, nil
	case reflect.String, reflect.Slice:
		return protowire.BytesType, nil
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return protowire.BytesType, nil
		}
		return kindOf(f, t.Elem())
	}
	return 0, fmt.Errorf("a %v cannot be a field of a message", t)
}

// numbers adds values to Numbers.
func (d *decoder) numbers(n numbers, kind protowire.Type, data span) error {
	switch {
	case kind == protowire.BytesType:
	case kind == protowire.Fixed32Type && n.width() == 4, kind == protowire.Fixed64Type && n.width() == 8:
	default:
		return fmt.Errorf("wire type %d for numbers of %d bytes", kind, n.width())
	}
	if data.len()%int64(n.width()) != 0 {
		return fmt.Errorf("%d bytes of numbers of %d bytes", data.len(), n.width())
	}
	p, err := data.part()
	if err != nil {
		return err
	}
	const cost = 64
	n.add(p)
	return d.spend(cost)
}

// packed adds packed numbers to a slice.
func (d *decoder) packed(f field, kind protowire.Type, s span, v reflect.Value) error {
	data, err := s.bytes()
	if err != nil {
		return err
	}
	count := 0
	switch kind {
	case protowire.VarintType:
		for _, b := range data {
			if b < 0x80 {
				count++
			}
		}
	case protowire.Fixed32Type:
		count = len(data) / 4
	default:
		count = len(data) / 8
	}
	if err := d.spend(count * int(v.Type().Elem().Size())); err != nil {
		return err
	}
	at := v.Len()
	v.Grow(count)
	for len(data) > 0 {
		size := protowire.ConsumeFieldValue(1, kind, data)
		if size < 0 || at == v.Len() && v.Len() == v.Cap() {
			return errors.New("packed numbers end within a number")
		}
		v.SetLen(at + 1)
		if err := f.set(kind, data[:size], v.Index(at)); err != nil {
			return err
		}
		at++
		data = data[size:]
	}
	return nil
}

// value reads one value.
func (d *decoder) value(f field, kind protowire.Type, data span, v reflect.Value, depth int) error {
	want, err := kindOf(f, v.Type())
	if err != nil {
		return err
	}
	if kind != want {
		return fmt.Errorf("wire type %d, want %d", kind, want)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			if err := d.spend(int(v.Type().Elem().Size())); err != nil {
				return err
			}
			v.Set(reflect.New(v.Type().Elem()))
		}
		if v = v.Elem(); v.Kind() == reflect.Struct {
			return d.message(data, v, depth+1)
		}
	}
	b, err := data.bytes()
	if err != nil {
		return err
	}
	if v.Kind() == reflect.String {
		if err := d.spend(len(b)); err != nil {
			return err
		}
	}
	return f.set(kind, b, v)
}

// set sets a number, a bool, a text or bytes.
func (f field) set(kind protowire.Type, data []byte, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		if !utf8.Valid(data) {
			return fmt.Errorf("the text %q is not UTF-8", data)
		}
		v.SetString(string(data))
	case reflect.Slice:
		v.SetBytes(data)
	case reflect.Float32:
		bits, _ := protowire.ConsumeFixed32(data)
		v.SetFloat(float64(math.Float32frombits(bits)))
	case reflect.Float64:
		bits, _ := protowire.ConsumeFixed64(data)
		v.SetFloat(math.Float64frombits(bits))
	case reflect.Bool:
		v.SetBool(f.integer(kind, data) != 0)
	default:
		v.Set(reflect.ValueOf(f.integer(kind, data)).Convert(v.Type()))
	}
	return nil
}

// integer returns an integer, which converts to the field's type.
func (f field) integer(kind protowire.Type, data []byte) int64 {
	switch kind {
	case protowire.Fixed32Type:
		bits, _ := protowire.ConsumeFixed32(data)
		return int64(int32(bits))
	case protowire.Fixed64Type:
		bits, _ := protowire.ConsumeFixed64(data)
		return int64(bits)
	}
	bits, _ := protowire.ConsumeVarint(data)
	if f.zigzag {
		return protowire.DecodeZigZag(bits)
	}
	return int64(bits)
}
