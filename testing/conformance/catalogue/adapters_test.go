package catalogue_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mostAdapters is how many adapters may contain a loop or an algorithm.
const mostAdapters = 20

// adapterReasons says why an adapter contains a loop. A function has its name, and a function literal in a row the
// documented name. Users of the library have no use for what these do.
var adapterReasons = map[string]string{
	// Conversion of arguments.
	"converted":     "converts the items of any list: most adapters that take lists use it",
	"arrayOf":       "converts nested lists of Python's numbers to an array",
	"collateWith":   "converts a number, a list or a dictionary of paddings to the fields of data.Collate",
	"ranges":        "converts lists of starts, stops and steps to an index",
	"gradients":     "NNabla's grad takes numbers as gradients, and returns zeros where the library returns nil",
	"assignAll":     "NNabla's functions write their results to arrays that the caller passes",
	"pulledBack":    "NNabla's propagate_down selects the arrays whose gradients are computed",
	"inOrder":       "reports the entries of a dictionary one by one",
	"initState":     "returns the states of a parameter in the dictionary that Chainer passes",
	"updateOne":     "takes the states of a parameter from the dictionary that Chainer passes",
	"linksOf":       "leaves the link itself out, as Chainer's skipself says",
	"functionNamed": "finds the row of a universal function that is passed by name",

	"nnabla.parametric_functions.LSTMCell":     "calls the cell once for each of the inputs that a case adds to the document's arguments",
	"chainer.FunctionSet.collect_parameters":   "returns two lists where Gradients.All yields names and gradients",
	"chainer.FunctionSet.copy_parameters_from": "takes a list where Scope.Set takes names",

	// Checks of the library that no document has.
	"asCuPy":    "lists dtypes as CuPy's loops do: without bfloat16, and with two names for 64-bit integers",
	"viewChain": "applies the chain of views that a case lists, and notes which step shares memory",
}

// TestAdaptersOnlyConvert reads the source of the catalogue. It compares the functions that rows call, directly or through
// others, and that contain a loop or call themselves, with the table above.
func TestAdaptersOnlyConvert(t *testing.T) {
	found := readAdapters(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if adapterReasons[name] == "" {
			t.Errorf("%s: %s contains a loop: make what it does public in the library, so that the row only converts arguments", found[name], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(adapterReasons)) {
		if found[name] == "" {
			t.Errorf("no row calls %s, or it contains no loop: remove it from the table", name)
		}
	}
	if n := len(adapterReasons); n > mostAdapters {
		t.Errorf("%d adapters contain a loop, want at most %d", n, mostAdapters)
	}
}

// adapters collects what the rows of the catalogue call.
type adapters struct {
	fset      *token.FileSet
	info      types.Info
	functions map[types.Object]*ast.FuncDecl
	variables map[types.Object]ast.Expr              // values of the variables of the package
	calls     map[types.Object]map[types.Object]bool // what the functions that rows reach use
	loops     map[string]string                      // files of functions with loops, by name
}

// readAdapters returns the files of the functions with loops.
func readAdapters(t *testing.T) map[string]string {
	t.Helper()
	a := &adapters{fset: token.NewFileSet(), functions: map[types.Object]*ast.FuncDecl{}, variables: map[types.Object]ast.Expr{},
		calls: map[types.Object]map[types.Object]bool{}, loops: map[string]string{}}
	a.info = types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(a.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	// Without imports the checker resolves the names of the package itself, which is all that is needed.
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = config.Check("catalogue", a.fset, files, &a.info)
	for _, file := range files {
		a.declare(file)
	}
	rows := 0
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if t := a.info.Types[row].Type; ok && t != nil && t.String() == "catalogue.Row" {
				rows++
				a.row(row)
			}
			return true
		})
	}
	if rows < 1000 {
		t.Fatalf("found only %d rows", rows)
	}
	for f := range a.calls {
		if f != nil && a.leadsTo(f, f, map[types.Object]bool{}) {
			a.loops[f.Name()] = a.fset.Position(f.Pos()).Filename
		}
	}
	return a.loops
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

// declare notes the functions and the variables of a file.
func (a *adapters) declare(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			a.functions[a.info.Defs[d.Name]] = d
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
					for k, name := range v.Names {
						a.variables[a.info.Defs[name]] = v.Values[k]
					}
				}
			}
		}
	}
}

// row follows the function of a row.
func (a *adapters) row(row *ast.CompositeLit) {
	fields := map[string]ast.Expr{}
	for _, e := range row.Elts {
		field := e.(*ast.KeyValueExpr)
		fields[field.Key.(*ast.Ident).Name] = field.Value
	}
	name, _, _ := strings.Cut(a.text(fields["Signature"]), "(")
	a.note(name, fields["Func"])
	a.follow(fields["Func"], nil)
}

// text returns the beginning of a string in the source.
func (a *adapters) text(e ast.Expr) string {
	for {
		sum, ok := e.(*ast.BinaryExpr)
		if !ok {
			break
		}
		e = sum.X
	}
	text, _ := strconv.Unquote(e.(*ast.BasicLit).Value)
	return text
}

// follow visits everything of the package that n, a part of a function, uses.
func (a *adapters) follow(n ast.Node, of types.Object) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		used := a.info.Uses[id]
		if f, ok := used.(*types.Func); ok {
			used = f.Origin()
		}
		f, value := a.functions[used], a.variables[used]
		if f == nil && value == nil {
			return true
		}
		if a.calls[of] == nil {
			a.calls[of] = map[types.Object]bool{}
		}
		a.calls[of][used] = true
		if a.calls[used] != nil {
			return true
		}
		a.calls[used] = map[types.Object]bool{}
		if f != nil {
			a.note(f.Name.Name, f)
			a.follow(f.Body, used)
		} else {
			a.follow(value, used)
		}
		return true
	})
}

// note notes a function with a loop.
func (a *adapters) note(name string, f ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			a.loops[name] = a.fset.Position(n.Pos()).Filename
		}
		return true
	})
}

// leadsTo reports whether a function calls another, directly or through others.
func (a *adapters) leadsTo(from, to types.Object, seen map[types.Object]bool) bool {
	for next := range a.calls[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if a.leadsTo(next, to, seen) {
				return true
			}
		}
	}
	return false
}
