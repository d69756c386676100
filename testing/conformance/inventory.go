package conformance

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// SignatureDifferences compares the rows' signatures with those of a table that SignaturesTable made: a documented
// argument that a row lacks, in another place, or with another default. Where a document prints no arguments, or *args,
// there is nothing to compare.
func SignatureDifferences(table string) ([]string, error) {
	printed := map[string]string{}
	for line := range strings.Lines(table) {
		name, signature, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		printed[name] = signature
	}
	if len(printed) == 0 {
		return nil, errors.New("the table of signatures is empty")
	}
	var differences []string
	for _, row := range Catalogue() {
		s, err := parseSignature(row.Signature)
		if err != nil {
			return nil, err
		}
		want, ok := printedParams(s.name, printed[s.name])
		if !ok || misprinted[s.name] {
			continue
		}
		if d := paramsDiffer(s.params, want); d != "" {
			differences = append(differences, fmt.Sprintf("%s: %s; the document: %s", row.Signature, d, printed[s.name]))
		}
	}
	return differences, nil
}

// misprinted names methods whose object the document prints under another name, or as no argument.
var misprinted = map[string]bool{
	"chainer.Variable.__getitem__": true, // (x, slices), where x is the variable
}

// framework lists arguments of the systems' own machinery, which rows need not name.
var framework = []string{"n_outputs", "outputs", "name"}

// paramsDiffer says what a row's arguments lack of the documented ones.
func paramsDiffer(row, documented []param) string {
	at := -1
	for _, d := range documented {
		i := slices.IndexFunc(row, func(p param) bool { return p.name == d.name })
		switch {
		case i < 0 && slices.Contains(framework, d.name):
			continue
		case i < 0:
			return "it lacks " + d.name
		case i < at:
			return d.name + " stands in another place"
		case !d.hasDefault || d.star: // the row may have one: documents leave out those of optional arrays
		case !row[i].hasDefault:
			return fmt.Sprintf("%s has no default, want %s", d.name, describe(d.def))
		case !sameDefault(row[i].def, d.def):
			return fmt.Sprintf("%s has the default %s, want %s", d.name, describe(row[i].def), describe(d.def))
		}
		at = i
	}
	return ""
}

// sameDefault compares defaults: 1 and 1.0 are one number, and MXNet writes bools as numbers.
func sameDefault(a, b golden.Value) bool {
	number := func(v golden.Value) (float64, bool) {
		if b, ok := v.(bool); ok {
			return map[bool]float64{true: 1}[b], true
		}
		return golden.Float(v)
	}
	x, ok1 := number(a)
	y, ok2 := number(b)
	if ok1 && ok2 {
		return x == y
	}
	if i, ok := a.(*big.Int); ok {
		j, same := b.(*big.Int)
		return same && i.Cmp(j) == 0
	}
	la, ok1 := a.(golden.List)
	lb, ok2 := b.(golden.List)
	if ok1 && ok2 {
		return slices.EqualFunc(la, lb, sameDefault)
	}
	return reflect.DeepEqual(a, b)
}

// printedParams reads a signature as a document prints it; ok is false where it prints none that can be read.
func printedParams(name, text string) (params []param, ok bool) {
	if strings.HasPrefix(name, "mxnet.npx.") {
		return mxnetParams(text)
	}
	open := strings.IndexByte(text, '(')
	closed := strings.LastIndexByte(text, ')')
	if open < 0 || closed < open+2 || strings.Contains(text, "**") || strings.Contains(text, "*args") {
		return nil, false
	}
	body := strings.ReplaceAll(text[open:closed+1], "<type 'float'>", "float")
	s, err := parseSignature("f" + body)
	return s.params, err == nil
}

// mxnetParams reads "data, axis int=-1, layout {None,NCHW}=None": names, types, and defaults.
func mxnetParams(text string) (params []param, ok bool) {
	for _, item := range splitTop(text) {
		declared, def, hasDefault := cutDefault(item)
		name, _, _ := strings.Cut(declared, " ")
		if !isName(name) {
			return nil, false
		}
		p := param{name: name, hasDefault: hasDefault}
		if hasDefault {
			def, _, _ = strings.Cut(def, " ") // a remark may follow
			v, err := parseLiteral(def)
			if err != nil {
				return nil, false
			}
			p.def = v
		}
		if strings.Contains(item, "optional") && !hasDefault {
			continue // "name (string, optional)"
		}
		params = append(params, p)
	}
	return params, len(params) > 0
}

// cutDefault splits at the last equals sign outside braces.
func cutDefault(item string) (declared, def string, ok bool) {
	depth := 0
	for i := len(item) - 1; i >= 0; i-- {
		switch item[i] {
		case '}', ')':
			depth++
		case '{', '(':
			depth--
		case '=':
			if depth == 0 {
				return strings.TrimSpace(item[:i]), strings.TrimSpace(item[i+1:]), true
			}
		}
	}
	return item, "", false
}
