package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// plan describes how the fields of a struct are written.
type plan struct {
	fields   []field // in the order of the struct
	byNumber map[uint64]int
	byName   map[string]int
	rest     int // index of the field that collects unknown fields of a text; -1 if there is none
}

// field describes one field.
type field struct {
	index, number         int
	name                  string
	packed, fixed, zigzag bool
}

// planOf reads the tags of a struct. The tags are part of the program: a wrong one panics.
func planOf(t reflect.Type) *plan {
	p := &plan{byNumber: map[uint64]int{}, byName: map[string]int{}, rest: -1}
	for i := range t.NumField() {
		tag, ok := t.Field(i).Tag.Lookup("pb")
		if !ok {
			continue
		}
		if tag == ",rest" {
			p.rest = i
			continue
		}
		number, options, _ := strings.Cut(tag, ",")
		f := field{index: i, name: snake(t.Field(i).Name)}
		var err error
		if f.number, err = strconv.Atoi(number); err != nil {
			panic(fmt.Sprintf("wire: field %s of %v: tag %q", t.Field(i).Name, t, tag))
		}
		for option := range strings.SplitSeq(options, ",") {
			switch name, isName := strings.CutPrefix(option, "name="); {
			case isName:
				f.name = name
			case option == "packed":
				f.packed = true
			case option == "fixed":
				f.fixed = true
			case option == "zigzag":
				f.zigzag = true
			case option != "":
				panic(fmt.Sprintf("wire: field %s of %v: option %q", t.Field(i).Name, t, option))
			}
		}
		p.byNumber[uint64(f.number)] = len(p.fields)
		p.byName[f.name] = len(p.fields)
		p.fields = append(p.fields, f)
	}
	return p
}

// snake returns a Go name in lower case, with underscores between words.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// plans caches the plans of the structs in one message.
type plans map[reflect.Type]*plan

func (all plans) of(t reflect.Type) *plan {
	p := all[t]
	if p == nil {
		p = planOf(t)
		all[t] = p
	}
	return p
}

// structOf returns the struct that a pointer points to.
func structOf(pointer any) reflect.Value {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("wire: a %T is not a pointer to a struct", pointer))
	}
	return v.Elem()
}
