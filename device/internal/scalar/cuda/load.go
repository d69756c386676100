package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
)

// translator holds a package with its types.
type translator struct {
	fset  *token.FileSet
	info  *types.Info
	pkg   *types.Package
	funcs map[types.Object]*ast.FuncDecl
	vars  map[types.Object]ast.Expr // the initial values of package variables

	wanted  []types.Object // in the order in which they were found
	known   map[types.Object]bool
	types   []*types.Named
	globals []types.Object
	late    string // the bodies, which come after the tables
	names   int    // number of temporaries
	results []*types.Var
	failure error
}

func load(folder string) (*translator, error) {
	t := &translator{
		fset: token.NewFileSet(), info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
		},
		funcs: map[types.Object]*ast.FuncDecl{}, vars: map[types.Object]ast.Expr{}, known: map[types.Object]bool{},
	}
	p, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(t.fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: importer.ForCompiler(t.fset, "source", nil)}
	if t.pkg, err = config.Check("scalar", t.fset, files, t.info); err != nil {
		return nil, fmt.Errorf("package scalar: %w", err)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				t.funcs[t.info.Defs[d.Name]] = d
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
						for i, name := range v.Names {
							t.vars[t.info.Defs[name]] = v.Values[i]
						}
					}
				}
			}
		}
	}
	return t, nil
}

// find returns a function by its name, or a method by the name of its type and its own.
func (t *translator) find(name string) (types.Object, error) {
	for object, d := range t.funcs {
		if functionName(object.(*types.Func)) == name || d.Recv == nil && object.Name() == name {
			return object, nil
		}
	}
	return nil, fmt.Errorf("package scalar has no %s", name)
}

// functionName returns a function's name, or a method's name after that of its type.
func functionName(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		return t.(*types.Named).Obj().Name() + "." + f.Name()
	}
	return f.Name()
}
