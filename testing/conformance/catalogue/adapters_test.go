package catalogue_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestListAdapters(t *testing.T) {
	a, err := readAdapters()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(a.loops())) {
		fmt.Println(name)
	}
}

// adapters are the functions of the catalogue that its rows call.
type adapters struct {
	fset    *token.FileSet
	info    *types.Info
	bodies  map[types.Object]*ast.FuncDecl
	reached map[types.Object]bool
	found   map[string]string
}

// noImports makes the type checker resolve only the names of the package itself.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) { return nil, errors.New("not imported") }

func readAdapters() (*adapters, error) {
	a := &adapters{fset: token.NewFileSet(), bodies: map[types.Object]*ast.FuncDecl{}, reached: map[types.Object]bool{}, found: map[string]string{},
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(a.fset, path, text, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	config.Check("catalogue", a.fset, files, a.info)
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				a.bodies[a.info.Defs[fn.Name]] = fn
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || a.info.Types[lit].Type == nil || a.info.Types[lit].Type.String() != "catalogue.Row" {
				return true
			}
			name := ""
			for _, e := range lit.Elts {
				kv := e.(*ast.KeyValueExpr)
				if kv.Key.(*ast.Ident).Name == "Signature" {
					ast.Inspect(kv.Value, func(n ast.Node) bool {
						if b, ok := n.(*ast.BasicLit); ok && name == "" {
							name, _, _ = strings.Cut(strings.Trim(b.Value, `"`), "(")
						}
						return true
					})
				}
				if kv.Key.(*ast.Ident).Name == "Func" {
					if hasLoop(kv.Value) {
						a.found[a.pos(kv)+" "+name] = ""
					}
					a.follow(kv.Value)
				}
			}
			return true
		})
	}
	return a, nil
}

func (a *adapters) pos(n ast.Node) string { return a.fset.Position(n.Pos()).Filename }

func hasLoop(n ast.Node) bool {
	has := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			has = true
		}
		return true
	})
	return has
}

func (a *adapters) follow(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := a.info.Uses[id]
		fn := a.bodies[obj]
		if fn == nil || a.reached[obj] {
			return true
		}
		a.reached[obj] = true
		a.follow(fn.Body)
		recursive := false
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && a.info.Uses[id] == obj {
				recursive = true
			}
			return true
		})
		if hasLoop(fn.Body) || recursive {
			a.found[a.pos(fn)+" "+fn.Name.Name] = ""
		}
		return true
	})
}

func (a *adapters) loops() map[string]string { return a.found }
