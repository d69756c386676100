package evidence

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
)

// testPackages are the folders of testing/conformance whose tests call rows by their documented names. Other tests have
// documented names too, in tables of exceptions and of texts, which check nothing.
var testPackages = []string{"named", "catalogue"}

// TestNames returns the documented names among known that tests name, each with the file in which it stands first. A
// test names a function by a string: as an argument of a call, or in a table, as a key or as the first field of an
// entry. The folder is that of testing/conformance.
func TestNames(folder string, known func(name string) bool) (map[string]string, error) {
	names := map[string]string{}
	for _, p := range testPackages {
		paths, err := filepath.Glob(filepath.Join(folder, p, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			note := func(e ast.Expr) {
				literal, ok := e.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return
				}
				if name, err := strconv.Unquote(literal.Value); err == nil && known(name) && names[name] == "" {
					names[name] = filepath.ToSlash(filepath.Join(p, filepath.Base(path)))
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					for _, e := range n.Args {
						note(e)
					}
				case *ast.KeyValueExpr:
					note(n.Key)
				case *ast.CompositeLit:
					if len(n.Elts) > 0 {
						note(n.Elts[0])
					}
				}
				return true
			})
		}
	}
	return names, nil
}
