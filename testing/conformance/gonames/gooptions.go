package gonames

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// Options reads the source of the catalogue like [Functions]. For the signature of each row whose Func is an adapter,
// it returns the fields of options that the adapter passes to library functions, such as "Alpha: slope" for
// "ops.LeakyReLU": with the documented argument, or alone if the adapter computes the value. Fields that have the name
// of the argument are left out, and functions that an adapter calls with different options.
func Options(source string) (map[string]map[string]string, error) {
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	options := map[string]map[string]string{}
	for _, row := range catalogue.Rows() {
		var signature *ast.FuncType
		var body *ast.BlockStmt
		switch function := s.rows[row.Signature].(type) {
		case *ast.FuncLit:
			signature, body = function.Type, function.Body
		case *ast.Ident:
			if f := s.bodies[s.info.Uses[function]]; f != nil {
				signature, body = f.Type, f.Body
			}
		}
		if body == nil {
			continue
		}
		bound, err := catalogue.Bind(&row)
		if err != nil {
			return nil, err
		}
		r := &optionsReader{source: s, arguments: map[types.Object]string{}}
		r.bind(signature, bound)
		options[row.Signature] = r.read(body)
	}
	return options, nil
}

// optionsReader finds the options in the calls of an adapter.
type optionsReader struct {
	*source
	arguments map[types.Object]string // the documented argument of each parameter
}

// bind finds the documented argument of each parameter of an adapter. It names none if the adapter takes other things.
func (r *optionsReader) bind(signature *ast.FuncType, f *catalogue.Function) {
	var parameters []types.Object
	for _, field := range signature.Params.List {
		for _, id := range field.Names {
			switch t := r.info.Defs[id].Type(); typeName(t) {
			case "Rand", "Scope":
			default:
				parameters = append(parameters, r.info.Defs[id])
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

// read finds the calls in an adapter that end with a literal of options.
func (r *optionsReader) read(body *ast.BlockStmt) map[string]string {
	found := map[string]string{}
	calls := map[string]int{}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := r.called(call)
		calls[name]++
		if len(call.Args) == 0 || name == "" {
			return true
		}
		if text := r.optionsText(call.Args[len(call.Args)-1]); text != "" {
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

// called returns the name of the library function that a call calls, or "".
func (r *optionsReader) called(call *ast.CallExpr) string {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if f, ok := r.info.Uses[selector.Sel].(*types.Func); ok && f.Pkg() != nil && public(f.Pkg().Path()) {
		return functionName(f)
	}
	return ""
}

// optionsText formats options: a literal, or axes alone.
func (r *optionsReader) optionsText(argument ast.Expr) string {
	switch argument := argument.(type) {
	case *ast.CompositeLit:
		return r.fieldsText(argument)
	case *ast.CallExpr:
		if r.called(argument) == "ops.Over" {
			return r.valueText(argument)
		}
	}
	return ""
}

// valueText formats a value that consists of documented arguments, constants and names of the library; it is "" for
// other values.
func (r *optionsReader) valueText(e ast.Expr) string {
	known := true
	renamed := map[*ast.Ident]string{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			known = false
		case *ast.Ident:
			object := r.info.Uses[n]
			argument, ok := r.arguments[object]
			switch {
			case ok:
				renamed[n] = argument
			case object == nil || object.Pkg() == nil:
			case !public(object.Pkg().Path()):
				_, imported := object.(*types.PkgName)
				known = known && imported
			}
		}
		return known
	})
	if !known {
		return ""
	}
	for id, argument := range renamed {
		defer func(before string) { id.Name = before }(id.Name)
		id.Name = argument
	}
	return lineOf(e)
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
func (r *optionsReader) fieldsText(literal *ast.CompositeLit) string {
	named, ok := r.info.Types[literal].Type.(*types.Named)
	if !ok || !strings.HasSuffix(named.Obj().Name(), "Options") || !public(named.Obj().Pkg().Path()) {
		return ""
	}
	var fields []string
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return ""
		}
		name := field.Key.(*ast.Ident).Name
		if strings.HasSuffix(name, "Options") {
			continue // embedded
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
		switch text := r.valueText(value); {
		case strings.EqualFold(strings.ReplaceAll(text, "_", ""), name):
		case text != "":
			fields = append(fields, name+": "+text)
		case !r.sameName(name):
			fields = append(fields, name)
		}
	}
	return strings.Join(fields, ", ")
}

// sameName reports whether a documented argument has the name of a field.
func (r *optionsReader) sameName(field string) bool {
	for _, argument := range r.arguments {
		if strings.EqualFold(strings.ReplaceAll(argument, "_", ""), field) {
			return true
		}
	}
	return false
}
