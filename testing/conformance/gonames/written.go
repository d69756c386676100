package gonames

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Written returns the calls of a row whose expressions are written by hand; none for other rows.
func Written(source, documented string) ([]Call, error) {
	texts := written[documented]
	if texts == nil {
		return nil, nil
	}
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	calls := make([]Call, len(texts)-1)
	for k, text := range texts[1:] {
		if calls[k], err = s.writtenCall(texts[0], text); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", documented, text, err)
		}
	}
	return calls, nil
}

// writtenCall makes a call of an expression with the given parameters as its variables.
func (s *source) writtenCall(parameters, text string) (Call, error) {
	c := Call{Text: text, Imports: map[string]string{}}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return c, err
	}
	if _, call := e.(*ast.CallExpr); !call {
		text = "_ = " + text
	}
	c.Check = "func _(" + parameters + ") { " + text + " }"
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+c.Check, 0)
	if err != nil {
		return c, err
	}
	for _, id := range file.Unresolved {
		if path := s.packages[id.Name]; path != "" {
			c.Imports[id.Name] = path
		} else if id.Name == "fmt" {
			c.Imports[id.Name] = id.Name
		}
	}
	f, info, err := s.check(c)
	if err != nil {
		return c, err
	}
	for _, field := range f.Type.Params.List {
		for _, id := range field.Names {
			c.Variables = append(c.Variables, Variable{id.Name, types.TypeString(info.TypeOf(field.Type), (*types.Package).Name)})
		}
	}
	if statement, ok := f.Body.List[0].(*ast.ExprStmt); ok {
		switch value := info.Types[statement.X]; t := value.Type.(type) {
		case *types.Tuple:
			c.Results = t.Len()
		default:
			if value.IsValue() {
				c.Results = 1
			}
		}
	}
	return c, nil
}

// check type-checks the function of a call.
func (s *source) check(c Call) (*ast.FuncDecl, *types.Info, error) {
	var text strings.Builder
	text.WriteString("package p\n")
	for _, name := range slices.Sorted(maps.Keys(c.Imports)) {
		fmt.Fprintf(&text, "import %s %q\n", name, c.Imports[name])
	}
	text.WriteString(c.Check)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text.String(), parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s.imports, Sizes: types.SizesFor("gc", "amd64")}
	if _, err := config.Check("p", files, []*ast.File{file}, info); err != nil {
		return nil, nil, err
	}
	return file.Decls[len(file.Decls)-1].(*ast.FuncDecl), info, nil
}
