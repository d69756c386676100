package options_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

func TestRead(t *testing.T) {
	type axis struct{ at int }
	const fn nd.Func = "mine.Sum"
	if got := options.Read(fn, []axis(nil)); got != (axis{}) {
		t.Errorf("without options: %v, want the zero value", got)
	}
	if got := options.Read(fn, []axis{{2}}); got != (axis{2}) {
		t.Errorf("of one: %v, want it", got)
	}
	err := nd.Catch(func() { options.Read(fn, []axis{{1}, {2}}) })
	var e *nd.Error
	if !errors.As(err, &e) || e.Func != fn {
		t.Errorf("of two: %v, want an *nd.Error of %s", err, fn)
	}
}

// TestAllOptionsAreRead reads the source of every package that takes options. A function with opts must pass them as a
// whole, on every path, to another function, which in the end is Read, and must do nothing else with them.
func TestAllOptionsAreRead(t *testing.T) {
	const root = "../.."
	functions := 0
	for _, folder := range []string{"nd", "nn", "testing/assert"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name, ok := optionsOf(f.Type)
				if !ok {
					continue
				}
				if strings.HasSuffix(f.Name.Name, "Options") && f.Type.Results != nil {
					continue // it reads them itself, the usual forms by a shorter way
				}
				functions++
				if name != "opts" && name != "over" {
					t.Errorf("%s: %s calls its options %q, want opts, or over", set.Position(f.Pos()), f.Name.Name, name)
					continue
				}
				if passed, used := usesOf(f.Body); passed != used {
					t.Errorf("%s: %s looks into its opts: want options.Read(fn, opts)", set.Position(f.Pos()), f.Name.Name)
				}
				if !onEveryPath(f.Body.List, false) {
					t.Errorf("%s: %s may return without a look at its opts: want options.Read(fn, opts) before", set.Position(f.Pos()), f.Name.Name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if functions < 300 {
		t.Errorf("%d functions with options were found, want some hundreds", functions)
	}
}

// isOptions matches the names of option types.
var isOptions = regexp.MustCompile(`(Options?|^Axes)$`)

// optionsOf finds the parameter that is a list of option structs, variadic or passed on.
func optionsOf(f *ast.FuncType) (name string, ok bool) {
	for _, p := range f.Params.List {
		var element ast.Expr
		switch t := p.Type.(type) {
		case *ast.Ellipsis:
			element = t.Elt
		case *ast.ArrayType:
			element = t.Elt
		}
		if s, isSelector := element.(*ast.SelectorExpr); isSelector {
			element = s.Sel
		}
		if id, isIdent := element.(*ast.Ident); isIdent && isOptions.MatchString(id.Name) {
			return p.Names[0].Name, true
		}
	}
	return "", false
}

// onEveryPath reports whether every path through the statements passes opts on before it returns; after says whether
// the statements that follow do.
func onEveryPath(list []ast.Stmt, after bool) bool {
	if len(list) == 0 {
		return after
	}
	rest := onEveryPath(list[1:], after)
	switch s := list[0].(type) {
	case *ast.ReturnStmt:
		return passes(s)
	case *ast.BlockStmt:
		return onEveryPath(s.List, rest)
	case *ast.IfStmt:
		otherwise := rest
		if s.Else != nil {
			otherwise = onEveryPath([]ast.Stmt{s.Else}, rest)
		}
		return passes(s.Init) || passes(s.Cond) || onEveryPath(s.Body.List, rest) && otherwise
	case *ast.ForStmt:
		return onEveryPath(s.Body.List, rest) && rest
	case *ast.RangeStmt:
		return onEveryPath(s.Body.List, rest) && rest
	case *ast.SwitchStmt:
		every, otherwise := true, rest
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			every = every && onEveryPath(c.Body, rest)
			otherwise = otherwise || c.List == nil
		}
		return passes(s.Init) || passes(s.Tag) || every && otherwise
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
				return true
			}
		}
	}
	return passes(list[0]) || rest
}

func passes(n ast.Node) bool {
	if v := reflect.ValueOf(n); !v.IsValid() || v.IsNil() {
		return false
	}
	passed, _ := usesOf(n)
	return passed > 0
}

// usesOf counts the uses of opts as an argument of a call, and all uses.
func usesOf(n ast.Node) (passed, used int) {
	isOpts := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && (id.Name == "opts" || id.Name == "over")
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if isOpts(n) {
				used++
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"len", "cap", "append", "copy"}, f.Name) {
				break
			}
			for _, arg := range n.Args {
				if isOpts(arg) {
					passed++
				}
			}
		}
		return true
	})
	return passed, used
}
