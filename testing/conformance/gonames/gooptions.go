package gonames

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// Options reads the source of the catalogue like [Functions]. For the signature of each row whose Func is an adapter,
// it returns the options that the adapter passes to library functions, such as "Alpha: slope" for "ops.LeakyReLU".
// Functions that an adapter calls with different options are left out.
func Options(source string) (map[string]map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(source, "*.go"))
	if err != nil {
		return nil, err
	}
	options := map[string]map[string]string{}
	functions := map[string]*ast.BlockStmt{}
	adapters := map[string]string{} // the adapter that a row names
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				functions[f.Name.Name] = f.Body
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			switch signature, function := rowFields(row); function := function.(type) {
			case *ast.FuncLit:
				options[signature] = optionsIn(function.Body)
			case *ast.Ident:
				adapters[signature] = function.Name
			}
			return true
		})
	}
	for signature, name := range adapters {
		if body := functions[name]; body != nil {
			options[signature] = optionsIn(body)
		}
	}
	return options, nil
}

// optionsIn finds the calls in an adapter that end with a literal of options.
func optionsIn(body *ast.BlockStmt) map[string]string {
	found := map[string]string{}
	calls := map[string]int{}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := qualified(selector)
		calls[name]++
		if len(call.Args) == 0 {
			return true
		}
		if text := optionsText(call.Args[len(call.Args)-1]); text != "" && name != "" {
			found[name] = text
		}
		return true
	})
	for name := range found {
		if calls[name] > 1 {
			delete(found, name)
		}
	}
	return found
}

// optionsText formats options: a literal, or axes alone.
func optionsText(argument ast.Expr) string {
	switch argument := argument.(type) {
	case *ast.CompositeLit:
		return fieldsText(argument)
	case *ast.CallExpr:
		if s, ok := argument.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Over" {
			return lineOf(argument)
		}
	}
	return ""
}

// lineOf formats an expression, or returns "" if it takes several lines.
func lineOf(e ast.Expr) string {
	var text bytes.Buffer
	if err := format.Node(&text, token.NewFileSet(), e); err != nil || bytes.ContainsRune(text.Bytes(), '\n') {
		return ""
	}
	return text.String()
}

// fieldsText formats the fields of an options literal without the pointers: "Alpha: slope".
func fieldsText(literal *ast.CompositeLit) string {
	if t, ok := literal.Type.(*ast.SelectorExpr); !ok || !strings.HasSuffix(t.Sel.Name, "Options") {
		return ""
	}
	var fields []string
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return ""
		}
		value := field.Value
		if pointer, ok := value.(*ast.UnaryExpr); ok && pointer.Op == token.AND {
			value = pointer.X
		}
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "new" {
				value = call.Args[0]
			}
		}
		if line := lineOf(value); line != "" {
			fields = append(fields, field.Key.(*ast.Ident).Name+": "+line)
		}
	}
	return strings.Join(fields, ", ")
}
