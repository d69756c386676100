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
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// phrase is an idiom or a piece of Python syntax and its equivalent: a function whose body is printed in the table and
// run by a test. If the body is a single return statement, the word return is not printed.
type phrase struct {
	python string
	ndgrad func() any
	remark string
}

// topic is a table of phrases.
type topic struct {
	title   string
	phrases []phrase
}

// Variables that the phrases use; the test sets them anew for each phrase.
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
	z       *nd.Array
	i       *nd.Array
	labels  *nd.Array
	images  *nd.Array
	alpha   float64
	cost    *nd.Array
	indices *nd.Array
	tape    *grad.Tape
	params  *nn.Scope
)

func makeOperands() {
	x = nd.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 3, 4)
	y = nd.FromSlice([]float64{0.5, 1.5, 2.5, 3.5})
	v = nd.FromSlice([]float64{7, 8, 9, 10})
	mask = ops.Greater(x, 6)
	a, b = nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2), nd.FromSlice([]float64{5, 6, 7, 8}, 2, 2)
	u8 = nd.FromSlice([]uint8{1, 2, 3})
	dev = x.Device()
	rng = nd.NewRand(7)
	numbers = []float64{1, 2, 3, 4}
	mean, cov = nd.FromSlice([]float64{1, 2}), nd.FromSlice([]float64{2, 1, 1, 3}, 2, 2)
	z = nd.FromSlice([]complex128{1 + 2i, 3})
	i, labels = nd.FromSlice([]int{2, 0}), nd.FromSlice([]int{2, 0, 1})
	images, alpha = nd.Arange(0, 64, 1).Reshape(1, 4, 4, 4), 0.5
	tape, params = grad.NewTape(), nn.NewScope()
	model := params.Watch(tape)
	cost = ops.Mean(nn.Affine(model.Sub("fc"), x.AsType(dtype.Float32), 8))
	indices = nd.FromSlice([]int{0, 1, 2}, 3, 1)
}

// phraseTexts reads the bodies of the phrases' functions from the sources in folder. Its keys are the Python texts.
func phraseTexts(folder string) (map[string]string, error) {
	texts := map[string]string{}
	for _, file := range []string{"numpyphrases.go", "numpyidioms.go", "torchphrases.go", "torchidioms.go"} {
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

// bodyText prints a function body on one line. It omits the word return, the list that holds several results, variables
// that are returned after other statements, and the folder of files.
func bodyText(files *token.FileSet, body *ast.BlockStmt) (string, error) {
	var statements, results []string
	for _, s := range body.List {
		r, ok := s.(*ast.ReturnStmt)
		if !ok {
			text, err := line(files, s)
			if err != nil {
				return "", err
			}
			statements = append(statements, text)
			continue
		}
		list := r.Results
		if several, ok := list[0].(*ast.CompositeLit); ok {
			list = several.Elts
		}
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok && (id.Name == "nil" || len(body.List) > 1) {
				continue
			}
			text, err := line(files, e)
			if err != nil {
				return "", err
			}
			results = append(results, text)
		}
	}
	if results != nil {
		statements = append(statements, strings.Join(results, ", "))
	}
	return strings.NewReplacer(`path + "`, `"`, `path+"`, `"`).Replace(strings.Join(statements, "; ")), nil
}

// line formats a node on one line.
func line(files *token.FileSet, n ast.Node) (string, error) {
	var b bytes.Buffer
	err := format.Node(&b, files, n)
	return strings.Join(strings.Fields(b.String()), " "), err
}
