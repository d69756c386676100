package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
)

// entry is a line of the table of functions.
type entry struct{ python, call, options, remark string }

// document writes docs/numpy.md for the module in a folder.
func document(root string) ([]byte, error) {
	names, err := gonames.Functions(filepath.Join(root, "testing", "conformance", "catalogue"))
	if err != nil {
		return nil, err
	}
	d, err := readDeclarations(filepath.Join(root, "nd"), filepath.Join(root, "testing", "assert"))
	if err != nil {
		return nil, err
	}
	bodies, err := phraseTexts(filepath.Join(root, "testing", "conformance", "numpymd", "syntax.go"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(introduction)
	for _, t := range topics {
		fmt.Fprintf(&b, "\n## %s\n\n| NumPy | here | |\n| --- | --- | --- |\n", t.title)
		for _, p := range t.phrases {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(p.python), code(bodies[p.python]), p.remark)
		}
	}
	functions, operations, err := entries(names, d)
	if err != nil {
		return nil, err
	}
	b.WriteString("\n## Operators\n\nIn place (`x += y`): with the option `Out: x`.\n\n| NumPy | here |\n| --- | --- |\n")
	for _, e := range operations {
		fmt.Fprintf(&b, "| %s | %s |\n", code(e.python), code(e.call))
	}
	section := ""
	for _, e := range functions {
		if s := sectionOf(e.python); s != section {
			section = s
			fmt.Fprintf(&b, "\n## %s\n\n| name | here | options | |\n| --- | --- | --- | --- |\n", section)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(e.python), code(e.call), e.options, e.remark)
	}
	b.WriteString(differences)
	return b.Bytes(), nil
}

// code writes text as code in a table, in which a bar would end the cell.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// entries makes the lines of the functions, sorted by section and name, and of the operators.
func entries(names map[string][]string, d *declarations) (functions, operations []entry, err error) {
	used := map[string]bool{}
	methods := map[string]string{}
	for _, row := range catalogue.Rows() {
		full, _, _ := strings.Cut(row.Signature, "(")
		if !strings.HasPrefix(full, "cupy.") && !strings.HasPrefix(full, "numpy.") || notNumPy[full] {
			continue
		}
		if operator, ok := strings.CutPrefix(full, "cupy.ndarray.__"); ok {
			methods[strings.TrimSuffix(operator, "__")] = names[row.Signature][0]
			continue
		}
		python := pythonName(full)
		if used[python] {
			continue // under both names
		}
		used[python] = true
		e := entry{python: python}
		e.call = calls(python, names[row.Signature], d)
		e.remark = row.Note
		if r, ok := remarkOn(python); ok {
			e.remark = cmp.Or(r.text, e.remark)
			if r.call != "" {
				if e.call, err = d.written(r.call); err != nil {
					return nil, nil, fmt.Errorf("the remark on %s: %w", python, err)
				}
			}
		}
		e.options = strings.Join(d.optionsOf(e.call), ", ")
		functions = append(functions, e)
	}
	for python := range remarks {
		if !used[python] {
			return nil, nil, fmt.Errorf("a remark on %s, which is not in the catalogue", python)
		}
	}
	for _, o := range operators {
		name := methods[o.method]
		if name == "" {
			return nil, nil, fmt.Errorf("the operator %s is not in the catalogue", o.symbol)
		}
		operations = append(operations, entry{python: "x " + o.symbol + " y", call: name + "(x, y)"})
	}
	operations = append(operations, entry{python: "-x, abs(x), ~x", call: "ops.Negative(x), ops.Absolute(x), ops.Invert(x)"})
	slices.SortStableFunc(functions, func(a, b entry) int {
		return cmp.Or(cmp.Compare(sectionRank(a.python), sectionRank(b.python)), cmp.Compare(strings.ToLower(a.python), strings.ToLower(b.python)))
	})
	return functions, operations, nil
}

// remarkOn finds the remark on a name; a method without one has the function's.
func remarkOn(python string) (remark, bool) {
	r, ok := remarks[python]
	if method, isMethod := strings.CutPrefix(python, "x."); !ok && isMethod {
		r, ok = remarks["np."+strings.TrimSuffix(method, "()")]
	}
	return r, ok
}

// pythonName is what a user of NumPy writes: np.sum, x.astype(), cupy.scatter_add.
func pythonName(full string) string {
	if cupyOnly[full] || strings.HasPrefix(full, "cupy.testing.") || strings.HasPrefix(full, "cupy.cuda.") {
		return full
	}
	_, name, _ := strings.Cut(full, ".")
	if attribute, ok := strings.CutPrefix(name, "ndarray."); ok {
		if slices.Contains([]string{"T", "dtype", "shape", "size", "ndim", "nbytes", "itemsize", "strides", "flags"}, attribute) {
			return "x." + attribute
		}
		return "x." + attribute + "()"
	}
	return "np." + name
}

var sections = []string{"Functions", "Methods and attributes", "np.linalg", "np.fft", "np.random", "CuPy's own", "cupy.testing"}

func sectionRank(python string) int {
	switch {
	case strings.HasPrefix(python, "np.linalg."):
		return 2
	case strings.HasPrefix(python, "np.fft."):
		return 3
	case strings.HasPrefix(python, "np.random."):
		return 4
	case strings.HasPrefix(python, "x."):
		return 1
	case strings.HasPrefix(python, "cupy.testing."):
		return 6
	case strings.HasPrefix(python, "cupy."):
		return 5
	}
	return 0
}

func sectionOf(python string) string { return sections[sectionRank(python)] }

// calls writes the calls of what a name comes to: of the function of the same name alone, where there is one.
func calls(python string, names []string, d *declarations) string {
	plain := func(s string) string {
		s = s[strings.LastIndexByte(s, '.')+1:]
		return strings.ToLower(strings.NewReplacer("_", "", "()", "").Replace(s))
	}
	for _, name := range names {
		if plain(name) == plain(python) {
			names = []string{name}
			break
		}
	}
	if len(names) > 0 && strings.HasPrefix(names[0], "assert.") {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, "assert.") })
	}
	var parts []string
	for _, name := range names[:min(len(names), 2)] {
		parts = append(parts, d.call(name))
	}
	return strings.Join(parts, ", ")
}

// phraseTexts reads the bodies of the phrases' functions, by what they stand for.
func phraseTexts(path string) (map[string]string, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || len(literal.Elts) != 3 {
			return true
		}
		python, ok1 := literal.Elts[0].(*ast.BasicLit)
		function, ok2 := literal.Elts[1].(*ast.FuncLit)
		if !ok1 || !ok2 {
			return true
		}
		name, _ := strconv.Unquote(python.Value)
		text, e := bodyText(files, function.Body)
		texts[name] = text
		err = cmp.Or(err, e)
		return false
	})
	return texts, err
}

// bodyText writes a body on one line: without the word return, the list that holds several results, and the folder of
// files.
func bodyText(files *token.FileSet, body *ast.BlockStmt) (string, error) {
	var parts []string
	write := func(n ast.Node) error {
		var b bytes.Buffer
		err := format.Node(&b, files, n)
		parts = append(parts, strings.Join(strings.Fields(b.String()), " "))
		return err
	}
	assigned := false
	for _, s := range body.List {
		if r, ok := s.(*ast.ReturnStmt); ok {
			results := r.Results
			if list, ok := results[0].(*ast.CompositeLit); ok {
				results = list.Elts
			}
			for _, e := range results {
				if id, ok := e.(*ast.Ident); assigned || ok && id.Name == "nil" {
					continue
				}
				if err := write(e); err != nil {
					return "", err
				}
			}
			continue
		}
		_, assigned = s.(*ast.AssignStmt)
		if err := write(s); err != nil {
			return "", err
		}
	}
	text := strings.Join(parts, ", ")
	return strings.NewReplacer(`path + "`, `"`, `path+"`, `"`).Replace(text), nil
}
