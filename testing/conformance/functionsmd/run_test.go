package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
	"github.com/ndgrad/ndgrad/testing/golden"
)

const (
	rowsToRun = 40
	drawSeed  = 29
)

// TestRowsRun draws rows of docs/functions.md, writes their expressions into one program, with arguments from the
// committed cases, and runs it. The results must be those of the documented names. It draws from the rows whose
// function has a case with results, and which are one call. Rows of quantised arrays are left out, because documents pass
// these arrays in three parts. If an expression has fewer results than the row, the first ones are compared.
func TestRowsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	p := program{values: map[string]*nd.Array{}, imports: map[string]string{"nd": "github.com/ndgrad/ndgrad/nd", "dtype": "github.com/ndgrad/ndgrad/nd/dtype"}}
	var drawn []drawnRow
	for _, r := range candidates(t) {
		if len(drawn) == rowsToRun {
			break
		}
		if r.record(t) {
			drawn = append(drawn, r)
		}
	}
	if len(drawn) < rowsToRun {
		t.Fatalf("%d rows have a case, want %d", len(drawn), rowsToRun)
	}
	for i := range drawn {
		p.add(t, i, &drawn[i])
	}
	if t.Failed() {
		return
	}
	got, texts := p.run(t)
	for i, r := range drawn {
		want, err := catalogue.Call(r.name, nil, r.used, catalogue.CallOptions{Rand: nd.NewRand(drawSeed)})
		if err != nil {
			t.Errorf("%s%v: %v", r.name, r.used, err)
			continue
		}
		for k, v := range want.Values {
			key := fmt.Sprintf("%d/%d", i, k)
			if _, isText := texts[key]; k > 0 && got[key] == nil && !isText {
				break
			}
			if y, ok := v.(*nd.Array); !ok {
				if text := fmt.Sprint(v); texts[key] != text {
					t.Errorf("%s: `%s` gives %q, the row %q", r.name, r.call.Text, texts[key], text)
				}
			} else if err := (compare.Tolerance{RTol: 1e-5, ATol: 1e-6}).Compare(got[key], y); err != nil {
				t.Errorf("%s: result %d of `%s`: %v", r.name, k, r.call.Text, err)
			}
		}
	}
}

// drawnRow is a row of the document with the arguments of a case.
type drawnRow struct {
	name string
	call gonames.Call
	f    *catalogue.Function
	path string         // of its cases
	args map[string]any // those of the case
	used map[string]any // those that are in the expression
}

// candidates returns the rows that are one call, in an order that depends on their names and the seed alone.
func candidates(t *testing.T) []drawnRow {
	t.Helper()
	source := filepath.Join("..", "catalogue")
	names, err := gonames.Functions(source)
	if err != nil {
		t.Fatal(err)
	}
	options, err := gonames.OptionsOf(source)
	if err != nil {
		t.Fatal(err)
	}
	paths := committedCases(t)
	var rows []drawnRow
	for _, row := range catalogue.Rows() {
		name := row.Name()
		if paths[name] == "" {
			continue
		}
		calls, err := callsOf(source, names[row.Signature], options[row.Signature], row.Renames)
		if err != nil {
			t.Fatal(err)
		}
		f, err := catalogue.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		quantized := func(v gonames.Variable) bool { return v.Type == "quantize.Array" }
		if len(calls) == 1 && calls[0].Results > 0 && !slices.ContainsFunc(calls[0].Variables, quantized) {
			rows = append(rows, drawnRow{name: name, call: calls[0], f: f, path: paths[name]})
		}
	}
	lot := func(r drawnRow) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", drawSeed, r.name))
		return string(sum[:])
	}
	slices.SortFunc(rows, func(a, b drawnRow) int { return cmp.Compare(lot(a), lot(b)) })
	return rows
}

// committedCases returns the files of committed cases by function.
func committedCases(t *testing.T) map[string]string {
	t.Helper()
	suites, err := golden.Suites(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{}
	for _, s := range suites {
		if s.Kind() != golden.Functions {
			continue
		}
		for f, err := range s.Open() {
			if err != nil {
				t.Fatal(err)
			}
			paths[f.Function] = f.Path
		}
	}
	return paths
}

// record takes the arguments of the first case with results; false if there is none.
func (r *drawnRow) record(t *testing.T) bool {
	t.Helper()
	file, err := golden.Open(r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range file.Cases {
		if c.Error || len(c.Outputs) == 0 || c.Variant != "" {
			continue
		}
		if r.args, err = runner.Arguments(file, r.f, c.Args, nil); err != nil {
			t.Fatal(err)
		}
		return true
	}
	return false
}

// add writes the expression of a row, in a block that declares its variables.
func (p *program) add(t *testing.T, i int, r *drawnRow) {
	t.Helper()
	maps.Copy(p.imports, r.call.Imports)
	fmt.Fprintf(&p.body, "\t{ // %s\n", r.name)
	r.used = map[string]any{}
	for k, v := range r.call.Variables {
		text, err := p.variable(fmt.Sprintf("%d/%d", i, k), r, v)
		if err != nil {
			t.Errorf("%s: variable %s of `%s`: %v", r.name, v.Name, r.call.Text, err)
		}
		fmt.Fprintf(&p.body, "\t\tvar %s = %s\n", v.Name, text)
	}
	for _, argument := range r.f.Params { // those that the expression says in another way
		if value, ok := r.args[argument.Name]; ok && !argument.HasDefault {
			r.used[argument.Name] = value
		}
	}
	fmt.Fprintf(&p.body, "\t\tkeep(%q, list(%s))\n\t}\n", strconv.Itoa(i), r.call.Text)
}

// variable writes the value of a variable. The value comes from the table, from the documented argument of the same name,
// or from the next argument that no variable has.
func (p *program) variable(key string, r *drawnRow, v gonames.Variable) (string, error) {
	if text := byHand[r.name+" "+v.Name]; text != "" {
		var err error
		text = argumentIn.ReplaceAllStringFunc(text, func(name string) string {
			name = strings.Trim(name, "{}")
			r.used[name] = r.args[name]
			value, problem := p.write(key+"/"+name, r.args[name], "")
			err = cmp.Or(err, problem)
			return value
		})
		return text, err
	}
	switch v.Type {
	case "*nd.Rand", "nd.Rand":
		return fmt.Sprintf("nd.NewRand(%d)", drawSeed), nil
	case "*nn.Scope":
		return "nn.NewScope()", nil
	}
	argument := r.argumentFor(v)
	if argument == nil {
		return "", errors.New("it is no documented argument")
	}
	value, ok := r.args[argument.Name]
	if !ok {
		value = argument.Default
	}
	r.used[argument.Name] = value
	return p.write(key, value, v.Type)
}

// argumentFor returns the documented argument with the name of a variable, or the next one that no variable has.
func (r *drawnRow) argumentFor(v gonames.Variable) *catalogue.Param {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	named := func(name string) bool {
		return slices.ContainsFunc(r.call.Variables, func(v gonames.Variable) bool { return plain(v.Name) == plain(name) })
	}
	for i := range r.f.Params {
		if p := &r.f.Params[i]; plain(p.Name) == plain(v.Name) {
			return p
		}
	}
	for i := range r.f.Params {
		p := &r.f.Params[i]
		if _, used := r.used[p.Name]; !used && !p.Ignored() && !named(p.Name) {
			return p
		}
	}
	return nil
}

// byHand gives the values of variables that are not documented arguments, by the documented name and the variable.
// Documented arguments stand in braces.
var byHand = map[string]string{
	"nnabla.parametric_functions.lstm st":         "&nn.State{H: {h}, C: {c}}",
	"nnabla.parametric_functions.affine outShape": "[]int(nil)", // for several axes
	"numpy.pad widths":                            "[][2]int{{5, 5}}",
	"chainer.functions.forget f":                  "func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(in[0])} }",
	"chainer.functions.forget in":                 "{xs}",
	"cupy.atleast_3d x":                           "{arys}[0]",
	"cupy.ndarray.__getitem__ ix":                 "[]nd.Index{nd.Ellipsis()}",
}

// argumentIn finds a documented argument in braces.
var argumentIn = regexp.MustCompile(`\{[a-z]+\}`)
