package catalogue

import (
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// signature is a parsed documented signature.
type signature struct {
	name   string
	params []Param
}

// Param is one documented argument, and the place among the Go function's parameters or options where it goes.
type Param struct {
	Name       string
	Default    any
	HasDefault bool
	Type       reflect.Type // of the Go parameter or field; nil where the row ignores the argument

	view     bool  // it says which view of the scope a parametric function gets
	star     bool  // *name: any number of arguments, given as a list
	slot     int   // the place among the Go parameters, or -1
	receiver bool  // the field is one of the method's struct
	field    []int // the field of the options, or of that struct
}

// Ignored tells whether the argument means nothing here.
func (p *Param) Ignored() bool { return p.Type == nil }

// IsView tells whether the argument says which view of a scope a parametric function gets: under which name, or whether its
// parameters are fixed.
func (p *Param) IsView() bool { return p.view }

// parseSignature reads "name(a, b=1, *, c=None)". The marks / and * between arguments have no meaning here.
func parseSignature(text string) (signature, error) {
	name, rest, ok := strings.Cut(text, "(")
	body, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed || name == "" {
		return signature{}, fmt.Errorf("signature %q: want name(arguments)", text)
	}
	s := signature{name: name}
	for _, item := range splitTop(body) {
		if item == "/" || item == "*" {
			continue
		}
		p, err := parseParam(item)
		if err != nil {
			return s, fmt.Errorf("signature %q: %w", text, err)
		}
		for _, q := range s.params {
			if q.Name == p.Name {
				return s, fmt.Errorf("signature %q: %s stands twice", text, p.Name)
			}
		}
		s.params = append(s.params, p)
	}
	return s, nil
}

func parseParam(item string) (Param, error) {
	name, def, hasDefault := strings.Cut(item, "=")
	p := Param{Name: strings.TrimSpace(name), HasDefault: hasDefault}
	if bare := strings.TrimLeft(p.Name, "*"); bare != p.Name {
		p.Name, p.star = bare, true
		p.HasDefault, p.Default = true, []any{}
	}
	if !isName(p.Name) {
		return p, fmt.Errorf("%q is no name", p.Name)
	}
	if hasDefault {
		var err error
		if p.Default, err = parseLiteral(strings.TrimSpace(def)); err != nil {
			return p, fmt.Errorf("default of %s: %w", p.Name, err)
		}
	}
	return p, nil
}

func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// splitTop splits at the commas that stand in no bracket and no quotes. A comma at the end counts for nothing.
func splitTop(s string) []string {
	var items []string
	depth, start := 0, 0
	quote := rune(0)
	add := func(item string) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	for i, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			add(s[start:i])
			start = i + 1
		}
	}
	add(s[start:])
	return items
}

// parseLiteral reads a Python literal as documents print defaults. A bare name, such as float or numpy.float32, is the
// text of its last part.
func parseLiteral(s string) (any, error) {
	switch s {
	case "None":
		return nil, nil
	case "True":
		return true, nil
	case "False":
		return false, nil
	case "":
		return nil, fmt.Errorf("it is empty")
	}
	switch first, last := s[0], s[len(s)-1]; {
	case first == '(' && last == ')' || first == '[' && last == ']':
		list := []any{}
		for _, item := range splitTop(s[1 : len(s)-1]) {
			v, err := parseLiteral(item)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case first == '{' && last == '}':
		return parseDictionary(s[1 : len(s)-1])
	case first == '\'' || first == '"':
		if len(s) < 2 || last != first {
			return nil, fmt.Errorf("%s: the quotes do not close", s)
		}
		return s[1 : len(s)-1], nil
	case strings.ContainsRune("+-.0123456789", rune(first)):
		if i, ok := new(big.Int).SetString(s, 10); ok {
			return i, nil
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is no number", s)
		}
		return f, nil
	}
	name := s[strings.LastIndexByte(s, '.')+1:]
	if !isName(name) {
		return nil, fmt.Errorf("%s is no literal", s)
	}
	return name, nil
}

// parseDictionary reads what stands in the braces of a Python dictionary whose keys are texts without colons.
func parseDictionary(s string) (any, error) {
	dict := map[string]any{}
	for _, item := range splitTop(s) {
		left, right, _ := strings.Cut(item, ":")
		key, err := parseLiteral(strings.TrimSpace(left))
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("the key %s is no text", left)
		}
		if dict[name], err = parseLiteral(strings.TrimSpace(right)); err != nil {
			return nil, err
		}
	}
	return dict, nil
}
