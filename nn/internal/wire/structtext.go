package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// UnmarshalText reads a message in the text format into the struct that into points to. A field that the struct lacks is
// an error, unless the struct has a field for the rest.
func UnmarshalText(text []byte, into any) error {
	m, err := ParseText(text)
	if err != nil {
		return err
	}
	return m.Unmarshal(into)
}

// Unmarshal reads a parsed message into a struct.
func (m Message) Unmarshal(into any) error { return plans{}.fill(m, structOf(into)) }

func (all plans) fill(m Message, v reflect.Value) error {
	p := all.of(v.Type())
	for _, f := range m {
		i, ok := p.byName[f.Name]
		if !ok {
			if p.rest < 0 {
				return fmt.Errorf("the field %q is unknown", f.Name)
			}
			rest := v.Field(p.rest)
			rest.Set(reflect.Append(rest, reflect.ValueOf(f)))
			continue
		}
		if err := all.set(v.Field(p.fields[i].index), f.Value); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// set sets a field, or appends to it.
func (all plans) set(v reflect.Value, value any) error {
	if n, ok := v.Addr().Interface().(numbers); ok {
		w, _ := value.(Word)
		x, err := w.Float()
		if err == nil {
			n.addValue(x)
		}
		return err
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			element := reflect.New(v.Type().Elem()).Elem()
			err := all.set(element, value)
			v.Set(reflect.Append(v, element))
			return err
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return all.set(v.Elem(), value)
	}
	switch value := value.(type) {
	case Message:
		if v.Kind() != reflect.Struct {
			return fmt.Errorf("a message where a %v was expected", v.Type())
		}
		return all.fill(value, v)
	case string:
		switch v.Kind() {
		case reflect.String:
			if !utf8.ValidString(value) {
				return fmt.Errorf("the text %q is not UTF-8", value)
			}
			v.SetString(value)
			return nil
		case reflect.Slice:
			v.SetBytes([]byte(value))
			return nil
		}
		return fmt.Errorf("a quoted text where a %v was expected", v.Type())
	case Word:
		return setWord(v, value)
	}
	return fmt.Errorf("a %T where a %v was expected", value, v.Type())
}

func setWord(v reflect.Value, w Word) error {
	switch v.Kind() {
	case reflect.Bool:
		b, err := w.Bool()
		v.SetBool(b)
		return err
	case reflect.Float32, reflect.Float64:
		x, err := w.Float()
		v.SetFloat(x)
		return err
	case reflect.Int32, reflect.Int64:
		n, err := w.Int()
		if err == nil && v.OverflowInt(n) {
			err = fmt.Errorf("%s is out of range of %v", w, v.Type())
		}
		v.SetInt(n)
		return err
	case reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(string(w), 0, v.Type().Bits())
		v.SetUint(n)
		return err
	}
	return fmt.Errorf("%q where a %v was expected", string(w), v.Type())
}

// MarshalText returns a struct as a message in the text format.
func MarshalText(from any) ([]byte, error) {
	m, err := plans{}.text(structOf(from), 0)
	return m.AppendText(nil, 0), err
}

// text returns a struct as a message: its fields in order, and then the rest. Fields with the value zero are left out.
func (all plans) text(v reflect.Value, depth int) (Message, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	p := all.of(v.Type())
	m := Message{}
	for _, f := range p.fields {
		if err := all.appendField(&m, f, v.Field(f.index), depth); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if p.rest >= 0 {
		m = append(m, v.Field(p.rest).Interface().([]Field)...)
	}
	return m, nil
}

func (all plans) appendField(m *Message, f field, v reflect.Value, depth int) error {
	if n, ok := v.Addr().Interface().(numbers); ok {
		if n.bytes() > 0 {
			*m = append(*m, Field{f.name, n})
		}
		return n.load()
	}
	if v.IsZero() {
		return nil
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
		for i := range v.Len() {
			if err := all.appendValue(m, f, v.Index(i), depth); err != nil {
				return err
			}
		}
		return nil
	}
	return all.appendValue(m, f, v, depth)
}

func (all plans) appendValue(m *Message, f field, v reflect.Value, depth int) error {
	v = reflect.Indirect(v)
	var value any
	switch v.Kind() {
	case reflect.Struct:
		inner, err := all.text(v, depth+1)
		if err != nil {
			return err
		}
		value = inner
	case reflect.String:
		value = v.String()
	case reflect.Slice:
		value = string(v.Bytes())
	case reflect.Float32:
		value = Word(strconv.FormatFloat(v.Float(), 'g', -1, 32))
	case reflect.Float64:
		value = Word(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	default:
		value = Word(fmt.Sprint(v.Interface()))
	}
	*m = append(*m, Field{f.name, value})
	return nil
}
