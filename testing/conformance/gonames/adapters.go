package gonames

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// adapter returns the adapter that a row has: a literal, a function of the catalogue, or a literal that such a function
// returns.
func (r *optionsReader) adapter(function ast.Expr) (*ast.FuncType, *ast.BlockStmt) {
	switch function := function.(type) {
	case *ast.FuncLit:
		return function.Type, function.Body
	case *ast.Ident:
		if f := r.declaration(function); f != nil {
			return f.Type, f.Body
		}
	case *ast.CallExpr:
		maker := r.declaration(function.Fun)
		literal, ok := soleResult(maker).(*ast.FuncLit)
		if !ok {
			return nil, nil
		}
		for i, parameter := range parametersOf(maker) {
			if i < len(function.Args) {
				r.given[r.info.Defs[parameter]] = function.Args[i]
			}
		}
		return literal.Type, literal.Body
	}
	return nil, nil
}

// declaration returns the function of the catalogue that an expression names, or nil.
func (r *optionsReader) declaration(e ast.Expr) *ast.FuncDecl {
	if id, ok := e.(*ast.Ident); ok {
		return r.bodies[r.info.Uses[id]]
	}
	return nil
}

// soleResult returns what a function returns if it does nothing else, or nil.
func soleResult(f *ast.FuncDecl) ast.Expr {
	if f == nil || f.Body == nil || len(f.Body.List) != 1 {
		return nil
	}
	if result, ok := f.Body.List[0].(*ast.ReturnStmt); ok && len(result.Results) == 1 {
		return result.Results[0]
	}
	return nil
}

func parametersOf(f *ast.FuncDecl) (names []*ast.Ident) {
	for _, field := range f.Type.Params.List {
		names = append(names, field.Names...)
	}
	return names
}

// bind finds the documented argument of each parameter of an adapter. It names none if the adapter takes other things.
func (r *optionsReader) bind(signature *ast.FuncType, f *catalogue.Function) {
	var parameters []types.Object
	for _, field := range signature.Params.List {
		for _, id := range field.Names {
			p := r.info.Defs[id]
			if t := typeName(p.Type()); t != "Rand" && t != "Scope" {
				parameters = append(parameters, p)
			}
		}
	}
	var documented []string
	for i := range f.Params {
		if p := &f.Params[i]; !p.Ignored() {
			documented = append(documented, p.Name)
		}
	}
	if len(parameters) != len(documented) {
		return
	}
	for i, p := range parameters {
		r.arguments[p] = documented[i]
	}
}

// readArguments reads the arguments of a function if one of them is an expression or also an option, or if they are in
// another order than the documented ones.
func (r *optionsReader) readArguments(o *Options, call *ast.CallExpr) {
	const longest = 40
	if selector, ok := call.Fun.(*ast.SelectorExpr); ok && r.info.Selections[selector] != nil {
		return // a method
	}
	position := func(name string) int {
		return slices.IndexFunc(r.row.Params, func(p catalogue.Param) bool { return goName(p.Name) == name })
	}
	written := Options{variables: map[string]types.Type{}, packages: map[string]string{}}
	other, last := false, -1
	for i, e := range call.Args {
		if t := r.info.TypeOf(e); i == len(call.Args)-1 {
			if list, ok := t.(*types.Slice); ok && call.Ellipsis.IsValid() {
				t = list.Elem()
			}
			if isOption(t) {
				break
			}
		}
		text := ""
		if !r.reassigned(e) {
			text = r.value(&written, e)
		}
		if text = strings.TrimPrefix(text, "&"); len(text) > longest {
			text = ""
		}
		if i == len(call.Args)-1 && call.Ellipsis.IsValid() && text != "" {
			text += "..."
		}
		written.Arguments = append(written.Arguments, text)
		if p := position(text); p >= 0 {
			other = other || p < last
			last = p
		} else {
			other = other || text != "" && !strings.HasSuffix(text, "...")
		}
	}
	for _, f := range o.Fields { // self is the first argument and the output
		other = other || slices.Contains(written.Arguments, f.Value) && f.Value != ""
	}
	if other {
		o.Arguments = written.Arguments
		maps.Copy(o.variables, written.variables)
		maps.Copy(o.packages, written.packages)
	}
}

// reassigned reports whether an expression has a parameter to which the adapter assigns another value.
func (r *optionsReader) reassigned(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && r.arguments[r.info.Uses[id]] != "" && r.values[r.info.Uses[id]] != nil
		return !found
	})
	return found
}

// returned returns the literal that a function of the catalogue returns, if it does nothing else, or nil. The function's
// parameters are then the documented arguments of the call.
func (r *optionsReader) returned(call *ast.CallExpr) *ast.CompositeLit {
	f := r.declaration(call.Fun)
	literal, ok := soleResult(f).(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for i, parameter := range parametersOf(f) {
		if i < len(call.Args) {
			if value, ok := call.Args[i].(*ast.Ident); ok && r.arguments[r.info.Uses[value]] != "" {
				r.arguments[r.info.Defs[parameter]] = r.arguments[r.info.Uses[value]]
			}
		}
	}
	return literal
}
