package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// phrase is something that NumPy has syntax for, or a habit, and how it is said here: the body of a function, whose text
// goes to the table and which a test runs. A body that is one return statement stands without the word.
type phrase struct {
	python string
	here   func() any
	remark string
}

// topic is a table of phrases.
type topic struct {
	title   string
	phrases []phrase
}

// What the phrases speak of; the test makes them anew for each.
var (
	x, y, v *nd.Array
	mask    *nd.Array
	a, b    *nd.Array
	u8      *nd.Array
	path    string
	dev     device.Device
	rng     *nd.Rand
	numbers []float64
	mean    *nd.Array
	cov     *nd.Array
)

func makeOperands() {
	x = nd.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 3, 4)
	y = nd.FromSlice([]float64{0.5, 1.5, 2.5, 3.5})
	v = nd.FromSlice([]float64{7, 8, 9, 10})
	mask = ops.Greater(x, nd.Scalar(6))
	a, b = nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2), nd.FromSlice([]float64{5, 6, 7, 8}, 2, 2)
	u8 = nd.FromSlice([]uint8{1, 2, 3})
	dev = x.Device()
	rng = nd.NewRand(7)
	numbers = []float64{1, 2, 3, 4}
	mean, cov = nd.FromSlice([]float64{1, 2}), nd.FromSlice([]float64{2, 1, 1, 3}, 2, 2)
}

// phraseTexts reads the bodies of the phrases' functions in a folder, by what they stand for.
func phraseTexts(folder string) (map[string]string, error) {
	texts := map[string]string{}
	for _, file := range []string{"numpyphrases.go", "numpyidioms.go"} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, filepath.Join(folder, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
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
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
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
