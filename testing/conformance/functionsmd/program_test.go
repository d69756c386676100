package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// program is the generated program: its imports, the arrays that it reads, and its statements.
type program struct {
	imports map[string]string
	values  map[string]*nd.Array
	body    strings.Builder
}

// write writes a value of a case as an expression of a type.
func (p *program) write(key string, value any, t string) (string, error) {
	if t == "[]nd.Index" {
		return p.indices(key, value)
	}
	switch v := value.(type) {
	case nil:
		return "*new(" + t + ")", nil
	case *nd.Array:
		p.values[key] = v.Copy() // the row may write to it
		return fmt.Sprintf("arrays[%q]", key), nil
	case []*nd.Array:
		items := make([]string, len(v))
		for i, x := range v {
			items[i], _ = p.write(fmt.Sprintf("%s/%d", key, i), x, "*nd.Array")
		}
		return "[]*nd.Array{" + strings.Join(items, ", ") + "}", nil
	case []any:
		items, of := make([]string, len(v)), strings.TrimPrefix(t, "[]")
		if t == "ops.Axes" {
			of = "int"
		} else if of == t {
			return "", fmt.Errorf("a list is no %s", t)
		}
		for i, item := range v {
			text, err := p.write(fmt.Sprintf("%s/%d", key, i), item, of)
			if err != nil {
				return "", err
			}
			items[i] = text
		}
		if t == "ops.Axes" {
			return "ops.Over(" + strings.Join(items, ", ") + ")", nil
		}
		return t + "{" + strings.Join(items, ", ") + "}", nil
	case dtype.DType:
		return fmt.Sprintf("parsed(%q)", v), nil
	case string:
		return fmt.Sprintf("%s(%q)", t, v), nil
	case bool:
		switch t {
		case "*nd.Array":
			return fmt.Sprintf("nd.Scalar(%t)", v), nil
		case "float64": // an operand of any type
			t = "bool"
		}
		return fmt.Sprintf("%s(%t)", t, v), nil
	case complex128:
		return fmt.Sprintf("complex(%v, %v)", real(v), imag(v)), nil
	case *big.Int, int, float64:
		switch {
		case t == "*nd.Array":
			return fmt.Sprintf("nd.Scalar(%v)", v), nil
		case t == "ops.Axes":
			return fmt.Sprintf("ops.Over(%v)", v), nil
		case strings.HasPrefix(t, "[]"):
			return fmt.Sprintf("%s{%v}", t, v), nil
		}
		return fmt.Sprintf("%s(%v)", t, v), nil
	}
	return "", fmt.Errorf("a value %v of %T is not written", value, value)
}

// indices writes the contents of the brackets of x[…].
func (p *program) indices(key string, value any) (string, error) {
	items, ok := value.([]any)
	if !ok {
		items = []any{value}
	}
	texts := make([]string, len(items))
	for i, item := range items {
		switch v := item.(type) {
		case nil:
			texts[i] = "nd.NewAxis()"
		case string:
			texts[i] = "nd.Ellipsis()"
		case *big.Int, int:
			texts[i] = fmt.Sprintf("nd.At(%v)", v)
		case *nd.Array:
			array, err := p.write(fmt.Sprintf("%s/%d", key, i), v, "*nd.Array")
			if err != nil {
				return "", err
			}
			texts[i] = "nd.Pick(" + array + ")"
		case catalogue.Slice:
			texts[i] = span(v)
		default:
			return "", fmt.Errorf("an index %v of %T is not written", item, item)
		}
	}
	return "[]nd.Index{" + strings.Join(texts, ", ") + "}", nil
}

// span writes a slice of Python.
func span(s catalogue.Slice) string {
	text := "nd.All()"
	switch {
	case s.Start != nil && s.Stop != nil:
		text = fmt.Sprintf("nd.Span(%v, %v)", s.Start, s.Stop)
	case s.Start != nil:
		text = fmt.Sprintf("nd.From(%v)", s.Start)
	case s.Stop != nil:
		text = fmt.Sprintf("nd.Until(%v)", s.Stop)
	}
	if s.Step != nil {
		text += fmt.Sprintf(".By(%v)", s.Step)
	}
	return text
}

// run compiles and runs the program, and returns the results that are arrays and the others as text, by row and
// result. The text of a row that panicked is that of the panic.
func (p *program) run(t *testing.T) (map[string]*nd.Array, map[string]string) {
	t.Helper()
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.npz"), filepath.Join(folder, "out.npz")
	var given []nd.Named
	for _, key := range slices.Sorted(maps.Keys(p.values)) {
		given = append(given, nd.Named{Name: key, Array: p.values[key]})
	}
	if err := nd.SaveNpz(in, given, false); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("package main\n\nimport (\n\t\"fmt\"\n")
	for _, name := range slices.Sorted(maps.Keys(p.imports)) {
		if !strings.Contains(p.body.String(), name+".") && !strings.Contains(mainText, name+".") {
			continue // of the types of variables
		}
		fmt.Fprintf(&text, "\t%s %q\n", name, p.imports[name])
	}
	fmt.Fprintf(&text, mainText, in, p.body.String(), out)
	source := filepath.Join(folder, "main.go")
	if err := os.WriteFile(source, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "run", "-gcflags=-e", source) // all errors
	command.Dir = filepath.Join("..", "..", "..")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, blamed(stderr.String(), text.String()))
	}
	texts := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(printed)); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), " ")
		texts[key] = value
	}
	named, err := nd.LoadNpz(out)
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]*nd.Array{}
	for _, n := range named {
		arrays[n.Name] = n.Array
	}
	return arrays, texts
}

// blamed names the row of each error of the compiler.
func blamed(errors, program string) string {
	lines := strings.Split(program, "\n")
	var text strings.Builder
	for line := range strings.Lines(errors) {
		n := 0
		if parts := strings.SplitN(line, ":", 3); len(parts) == 3 {
			_, _ = fmt.Sscan(parts[1], &n)
		}
		for n = min(n, len(lines)); n > 0; n-- {
			if name, isRow := strings.CutPrefix(lines[n-1], "\t{ // "); isRow {
				text.WriteString(name + ": ")
				break
			}
		}
		text.WriteString(line)
	}
	return text.String()
}

// mainText is the program after the first imports: it reads arrays, has the rows' blocks, and saves the results.
const mainText = `)

var (
	arrays  = map[string]*nd.Array{}
	results []nd.Named
)

func list(values ...any) []any { return values }

func parsed(name string) dtype.DType {
	d, err := dtype.Parse(name)
	if err != nil {
		panic(err)
	}
	return d
}

func keep(row string, call func() []any) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Printf("%%s %%v\n", row, v)
		}
	}()
	values, n := call(), 0
	one := func(v any) {
		key := fmt.Sprintf("%%s/%%d", row, n)
		n++
		if x, ok := v.(*nd.Array); ok && x != nil {
			results = append(results, nd.Named{Name: key, Array: x})
		} else {
			fmt.Println(key, v)
		}
	}
	for _, v := range values {
		switch v := v.(type) {
		case []*nd.Array:
			for _, x := range v {
				one(x)
			}
		default:
			one(v)
		}
	}
}

func main() {
	named, err := nd.LoadNpz(%q)
	if err != nil {
		panic(err)
	}
	for _, n := range named {
		arrays[n.Name] = n.Array
	}
%s	if err := nd.SaveNpz(%q, results, false); err != nil {
		panic(err)
	}
}
`
