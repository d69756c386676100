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
// test names a function by a string, or by a constant and a string: as an argument of a call, in a list, or in a table as a
// key or as the first field of an entry. The folder is that of testing/conformance.
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
			constants := constants{}
			note := func(e ast.Expr) {
				if name := constants.text(e); known(name) && names[name] == "" {
					names[name] = filepath.ToSlash(filepath.Join(p, filepath.Base(path)))
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					constants.declare(n)
				case *ast.CallExpr:
					for _, e := range n.Args {
						note(e)
					}
				case *ast.KeyValueExpr:
					note(n.Key)
				case *ast.CompositeLit:
					for i, e := range n.Elts {
						if _, list := n.Type.(*ast.ArrayType); i == 0 || list {
							note(e)
						}
					}
				}
				return true
			})
		}
	}
	return names, nil
}

// constants are the values of the string constants that a file declares, the last one of each name.
type constants map[string]string

func (c constants) declare(spec *ast.ValueSpec) {
	for i, id := range spec.Names {
		if i < len(spec.Values) {
			c[id.Name] = c.text(spec.Values[i])
		}
	}
}

// text returns the value of a string, of a constant, or of a sum of them; "" for other expressions.
func (c constants) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.Ident:
		return c[e.Name]
	case *ast.BinaryExpr:
		if left, right := c.text(e.X), c.text(e.Y); e.Op == token.ADD && left != "" && right != "" {
			return left + right
		}
	}
	return ""
}
