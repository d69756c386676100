package gonames

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// Options are options in the call of a function: fields of a struct, or axes alone.
type Options struct {
	Fields []Field
	Axes   string // an expression, such as ops.Over(axis)

	of        *types.Named          // the struct; nil for that of the function
	variables map[string]types.Type // of the values, except those that are a variable alone
	packages  map[string]string     // in the values: the paths, by the names
}

// Field is a field of options. Its value is an expression of documented arguments, or "" if an adapter computes it.
type Field struct{ Name, Value string }

// Renamed returns options that have other names than the documented arguments, by a row's Renames.
func Renamed(renames map[string]string) (o Options) {
	for _, argument := range slices.Sorted(maps.Keys(renames)) {
		if field := renames[argument]; field == "axis" {
			o.Axes, o.variables = "ops.Over("+argument+")", map[string]types.Type{argument: types.Typ[types.Int]}
		} else {
			o.Fields = append(o.Fields, Field{field, argument})
		}
	}
	return o
}

// empty reports whether there is nothing to write.
func (o Options) empty() bool { return len(o.Fields) == 0 && o.Axes == "" }

// OptionsOf reads the source of the catalogue like [Functions]. For the signature of each row whose Func is an adapter,
// it returns the options that the adapter passes to library functions, by names such as "ops.LeakyReLU". Fields that have
// the name and the default of the argument are left out, and functions that an adapter calls with different options.
func OptionsOf(source string) (map[string]map[string]Options, error) {
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	options := map[string]map[string]Options{}
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
		r := &optionsReader{source: s, row: bound, arguments: map[types.Object]string{}}
		r.bind(signature, bound)
		options[row.Signature] = r.read(body)
	}
	return options, nil
}

// optionsReader finds the options in the calls of an adapter.
type optionsReader struct {
	*source
	row       *catalogue.Function
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
func (r *optionsReader) read(body *ast.BlockStmt) map[string]Options {
	found := map[string]Options{}
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
		if o := r.options(call.Args[len(call.Args)-1]); !o.empty() {
			found[name] = o
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

// options reads options: a literal, or axes alone.
func (r *optionsReader) options(argument ast.Expr) Options {
	o := Options{variables: map[string]types.Type{}, packages: map[string]string{}}
	switch argument := argument.(type) {
	case *ast.CompositeLit:
		r.fields(&o, argument)
	case *ast.CallExpr:
		if r.called(argument) == "ops.Over" {
			o.Axes = r.value(&o, argument)
		} else if literal := r.returned(argument); literal != nil {
			r.fields(&o, literal)
		}
	}
	return o
}

// returned returns the literal that a function of the catalogue returns, if it does nothing else, or nil. The function's
// parameters are then the documented arguments of the call.
func (r *optionsReader) returned(call *ast.CallExpr) *ast.CompositeLit {
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return nil
	}
	f := r.bodies[r.info.Uses[id]]
	if f == nil || f.Body == nil || len(f.Body.List) != 1 {
		return nil
	}
	result, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return nil
	}
	literal, ok := result.Results[0].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	i := 0
	for _, field := range f.Type.Params.List {
		for _, parameter := range field.Names {
			if value, ok := call.Args[min(i, len(call.Args)-1)].(*ast.Ident); ok && r.arguments[r.info.Uses[value]] != "" {
				r.arguments[r.info.Defs[parameter]] = r.arguments[r.info.Uses[value]]
			}
			i++
		}
	}
	return literal
}

// value formats a value that consists of documented arguments, constants and names of the library, and notes what it
// uses; it is "" for other values. Pointers to arguments are written as the arguments.
func (r *optionsReader) value(o *Options, e ast.Expr) string {
	known := true
	renamed := map[*ast.Ident]string{}
	variables, packages := map[string]types.Type{}, map[string]string{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			known = false
		case *ast.Ident:
			object := r.info.Uses[n]
			argument, ok := r.arguments[object]
			name, imported := object.(*types.PkgName)
			switch {
			case ok:
				renamed[n] = argument
				variables[argument] = object.Type()
			case imported:
				packages[name.Name()] = name.Imported().Path()
			case object != nil && object.Pkg() != nil && !public(object.Pkg().Path()):
				known = false
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
	text := lineOf(e)
	for argument, t := range variables {
		if pointer, ok := t.(*types.Pointer); ok && strings.Contains(text, "*"+argument) {
			text, variables[argument] = strings.ReplaceAll(text, "*"+argument, argument), pointer.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && !public(named.Obj().Pkg().Path()) {
			return "" // a type of the catalogue
		}
	}
	if text != "" {
		maps.Copy(o.variables, variables)
		maps.Copy(o.packages, packages)
	}
	return text
}

// lineOf formats an expression, or returns "" if it takes several lines.
func lineOf(e ast.Expr) string {
	var text bytes.Buffer
	if err := format.Node(&text, token.NewFileSet(), e); err != nil || bytes.ContainsRune(text.Bytes(), '\n') {
		return ""
	}
	return text.String()
}

// fields reads the fields of an options literal, without the pointers.
func (r *optionsReader) fields(o *Options, literal *ast.CompositeLit) {
	named, ok := r.info.Types[literal].Type.(*types.Named)
	if !ok || !strings.HasSuffix(named.Obj().Name(), "Options") || !public(named.Obj().Pkg().Path()) {
		return
	}
	var fields []Field
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return
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
		text := r.value(o, value)
		argument := r.argumentNamed(name)
		if same := text == "" || strings.EqualFold(text, argument); !same || argument == "" || !r.sameDefault(argument, r.info.TypeOf(value), named, name) {
			fields = append(fields, Field{name, text})
		}
	}
	o.of, o.Fields = named, fields
}

// sameDefault reports whether a call without an argument and without the field of its name mean the same. The document has
// the default that Go's zero value stands for, or the adapter passes a pointer on.
func (r *optionsReader) sameDefault(argument string, t types.Type, options *types.Named, field string) bool {
	p := r.row.Param(argument)
	if p == nil || !p.HasDefault {
		return false
	}
	if _, pointer := t.(*types.Pointer); pointer {
		return true
	}
	if object, _, _ := types.LookupFieldOrMethod(options, false, options.Obj().Pkg(), field); object != nil {
		if _, pointer := object.Type().(*types.Pointer); pointer {
			return false
		}
	}
	switch d := p.Default.(type) {
	case nil:
		return true
	case bool:
		return !d
	case string:
		return d == ""
	}
	return reflect.ValueOf(p.Default).IsZero() || fmt.Sprint(p.Default) == "0" || fmt.Sprint(p.Default) == "[]"
}

// argumentNamed returns the documented argument with the name of a field, or "".
func (r *optionsReader) argumentNamed(field string) string {
	for _, argument := range r.arguments {
		if strings.EqualFold(strings.ReplaceAll(argument, "_", ""), field) {
			return argument
		}
	}
	return ""
}
