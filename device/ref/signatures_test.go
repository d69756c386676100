package ref_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

// permissions are the attributes that permit behaviour that the reference device does not have, or demand what it always does.
var permissions = []string{"AsStored", "Fast", "Fresh", "Kept", "Version"}

// TestSignatures reads this package's source. A kernel, and the functions that it calls, must use exactly the
// attributes of its signature.
func TestSignatures(t *testing.T) {
	functions := map[string][]*ast.FuncDecl{} // methods with the same name are treated as one
	names, _ := filepath.Glob("*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				functions[f.Name.Name] = append(functions[f.Name.Name], f)
			}
		}
	}
	for _, s := range device.Signatures {
		read, seen := map[string]bool{}, map[string]bool{}
		attributesOf(s.Kernel, functions, seen, read)
		got, want := slices.Sorted(maps.Keys(read)), slices.Sorted(strings.FieldsSeq(s.Attributes))
		want = slices.DeleteFunc(want, func(name string) bool { return slices.Contains(permissions, name) })
		if !slices.Equal(got, want) {
			t.Errorf("%s reads %v, its signature has %v", s.Kernel, got, want)
		}
	}
}

// attributesOf adds the attributes that a function, and those that it calls, read from a launch l.
func attributesOf(name string, functions map[string][]*ast.FuncDecl, seen, read map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	for _, f := range functions[name] {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if launch, ok := n.X.(*ast.Ident); ok && launch.Name == "l" && isAttribute(n.Sel.Name) {
					read[n.Sel.Name] = true
				}
			case *ast.CallExpr:
				function := n.Fun
				if instance, ok := function.(*ast.IndexExpr); ok {
					function = instance.X
				}
				switch called := function.(type) {
				case *ast.Ident:
					attributesOf(called.Name, functions, seen, read)
				case *ast.SelectorExpr:
					attributesOf(called.Sel.Name, functions, seen, read)
				}
			}
			return true
		})
	}
}

func isAttribute(name string) bool {
	_, ok := reflect.TypeFor[device.Attributes]().FieldByName(name)
	return ok || name == "Scalars"
}
