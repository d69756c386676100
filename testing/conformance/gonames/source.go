package gonames

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const module = "github.com/ndgrad/ndgrad/"

// source is the type-checked package of the catalogue.
type source struct {
	info     *types.Info
	imports  types.Importer
	packages map[string]string // the paths of the library's public packages, by their names
	paths    []string          // the same, in order
	rows     map[string]ast.Expr
	bodies   map[types.Object]*ast.FuncDecl
	values   map[types.Object][]ast.Expr // what is assigned to a variable
}

var (
	loading sync.Mutex
	loaded  = map[string]*source{}
)

// load type-checks the catalogue in a folder, once. The compiler's export data describe the packages that it imports.
func load(folder string) (*source, error) {
	loading.Lock()
	defer loading.Unlock()
	if s := loaded[folder]; s != nil {
		return s, nil
	}
	command := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,DepOnly", ".")
	command.Dir = folder
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	s := &source{packages: map[string]string{}, rows: map[string]ast.Expr{},
		bodies: map[types.Object]*ast.FuncDecl{}, values: map[types.Object][]ast.Expr{}}
	exports := map[string]string{}
	var path, dir string
	var names []string
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Name, Dir, Export string
			GoFiles                       []string
			DepOnly                       bool
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if public(p.ImportPath) {
			s.packages[p.Name] = p.ImportPath
			s.paths = append(s.paths, p.ImportPath)
		}
		if !p.DepOnly {
			path, dir, names = p.ImportPath, p.Dir, p.GoFiles
		}
	}
	files := token.NewFileSet()
	s.imports = importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var parsed []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(files, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	s.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s.imports, Sizes: types.SizesFor("gc", "amd64")}
	if _, err := config.Check(path, files, parsed, s.info); err != nil {
		return nil, err
	}
	for _, f := range parsed {
		ast.Inspect(f, s.index)
	}
	loaded[folder] = s
	return s, nil
}

// public reports whether a package belongs to the library and may be imported by its users.
func public(path string) bool {
	return strings.HasPrefix(path, module) && !strings.HasPrefix(path, module+"testing/conformance/") &&
		!strings.Contains(path, "/internal/") && !strings.HasSuffix(path, "/internal")
}

// index notes the rows, the functions and the assignments.
func (s *source) index(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		s.bodies[s.info.Defs[n.Name]] = n
	case *ast.CompositeLit:
		if signature, function := rowFields(n); function != nil {
			s.rows[signature] = function
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if id, ok := left.(*ast.Ident); ok {
				s.assigned(id, n.Rhs, i)
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			s.assigned(id, n.Values, i)
		}
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if id, ok := e.(*ast.Ident); ok {
				s.assigned(id, []ast.Expr{n.X}, 0)
			}
		}
	}
	return true
}

// assigned notes the value of index i that a statement gives to a variable.
func (s *source) assigned(id *ast.Ident, values []ast.Expr, i int) {
	object := s.object(id)
	if object == nil || len(values) == 0 {
		return
	}
	if len(values) == 1 {
		i = 0 // a call with several results
	}
	s.values[object] = append(s.values[object], values[i])
}

func (s *source) object(id *ast.Ident) types.Object {
	if object := s.info.Defs[id]; object != nil {
		return object
	}
	return s.info.Uses[id]
}

// rowFields returns the signature and the function of a Row literal; nil for other literals.
func rowFields(literal *ast.CompositeLit) (signature string, function ast.Expr) {
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return "", nil
		}
		switch name, _ := field.Key.(*ast.Ident); {
		case name == nil:
		case name.Name == "Signature":
			signature, ok = constantText(field.Value)
			if !ok {
				return "", nil
			}
		case name.Name == "Func":
			function = field.Value
		}
	}
	if signature == "" {
		return "", nil
	}
	return signature, function
}

// constantText returns the value of a string literal or of a concatenation of them.
func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok1 := constantText(e.X)
		right, ok2 := constantText(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}
