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

// Param is one documented argument and its binding to a Go parameter or option.
type Param struct {
	Name       string
	Default    any
	HasDefault bool
	Type       reflect.Type // of the Go parameter or field; nil where the row ignores the argument
	Stars      int          // 1 for *name, which takes any number of arguments, as a list; 2 for **name, which takes named ones; else 0

	view     bool  // it selects the view of the scope for a parametric function
	slot     int   // index of the Go parameter, or -1
	receiver bool  // the field belongs to the method's struct
	field    []int // index of the field in the options or in that struct
}

// Ignored reports whether the argument has no meaning here.
func (p *Param) Ignored() bool { return p.Type == nil }

// IsView reports whether the argument selects the view of a scope for a parametric function: its name, or whether its
// parameters are fixed.
func (p *Param) IsView() bool { return p.view }

// parseSignature parses "name(a, b=1, *, c=None)". The marks / and * between arguments have no meaning here.
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
				return s, fmt.Errorf("signature %q: argument %s is repeated", text, p.Name)
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
		p.Stars, p.Name = len(p.Name)-len(bare), bare
		p.HasDefault, p.Default = true, []any{}
	}
	if !isName(p.Name) {
		return p, fmt.Errorf("%q: want a name", p.Name)
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

// splitTop splits at commas outside brackets and quotes. It ignores a trailing comma.
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

// parseLiteral parses a Python literal, as documents print defaults. A bare name, such as float or numpy.float32, gives
// its last part as text.
func parseLiteral(s string) (any, error) {
	switch s {
	case "None":
		return nil, nil
	case "True":
		return true, nil
	case "False":
		return false, nil
	case "":
		return nil, fmt.Errorf("empty text: want a literal")
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
			return nil, fmt.Errorf("%s: want closing quotes", s)
		}
		return s[1 : len(s)-1], nil
	case strings.ContainsRune("+-.0123456789", rune(first)):
		if i, ok := new(big.Int).SetString(s, 10); ok {
			return i, nil
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: want a number", s)
		}
		return f, nil
	}
	name := s[strings.LastIndexByte(s, '.')+1:]
	if !isName(name) {
		return nil, fmt.Errorf("%s: want a literal", s)
	}
	return name, nil
}

// parseDictionary parses the contents of the braces of a Python dictionary whose keys are strings without colons.
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
			return nil, fmt.Errorf("key %s: want a string", left)
		}
		if dict[name], err = parseLiteral(strings.TrimSpace(right)); err != nil {
			return nil, err
		}
	}
	return dict, nil
}
