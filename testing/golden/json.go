package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Object is a JSON object. Its names keep their order.
type Object []Member

// Member is one name of an Object and its value.
type Member struct {
	Name  string
	Value Value
}

// Get returns the value for a name.
func (o Object) Get(name string) (Value, bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// Names returns the names in order.
func (o Object) Names() []string {
	names := make([]string, len(o))
	for i, m := range o {
		names[i] = m.Name
	}
	return names
}

// Parse parses one JSON text with nothing after it. Objects with a meaning become the type with that meaning.
func Parse(text []byte) (Value, error) {
	v, err := parse(text)
	if err != nil {
		return nil, err
	}
	return interpret(v)
}

// parse parses a text without interpreting objects.
func parse(text []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("text after the value, at byte %d", d.InputOffset())
	}
	return v, nil
}

func parseValue(d *json.Decoder) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return parseList(d)
		}
		return parseObject(d)
	case json.Number:
		return parseNumber(t.String())
	}
	return t, nil // nil, bool, string
}

func parseList(d *json.Decoder) (Value, error) {
	list := List{}
	for d.More() {
		v, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func parseObject(d *json.Decoder) (Value, error) {
	o := Object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		o = append(o, Member{name.(string), v})
	}
	_, err := d.Token()
	return o, err
}
