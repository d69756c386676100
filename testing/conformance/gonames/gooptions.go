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

// Options are options in the call of a function: fields of a struct, or axes alone. They also have the arguments before
// them, if these are more than the documented arguments in order.
type Options struct {
	Fields    []Field
	Axes      string   // an expression, such as ops.Over(axis)
	Arguments []string // expressions such as w.T(); "" for the parameter of the function, nil for all of them

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
// it returns the options, and arguments, that the adapter passes to library functions, by names such as "ops.LeakyReLU". Fields that have
// the name and the default of the argument are left out, and functions that an adapter calls with different options.
func OptionsOf(source string) (map[string]map[string]Options, error) {
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	options := map[string]map[string]Options{}
	for _, row := range catalogue.Rows() {
		bound, err := catalogue.Bind(&row)
		if err != nil {
			return nil, err
		}
		r := &optionsReader{source: s, row: bound, arguments: map[types.Object]string{}, given: map[types.Object]ast.Expr{}}
		signature, body := r.adapter(s.rows[row.Signature])
		if body == nil {
			continue
		}
		r.bind(signature, bound)
		options[row.Signature] = r.read(body)
	}
	return options, nil
}

// optionsReader finds the options in the calls of an adapter.
type optionsReader struct {
	*source
	row       *catalogue.Function
	arguments map[types.Object]string   // the documented argument of each parameter
	given     map[types.Object]ast.Expr // what a function that makes the adapter got for each parameter
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
		o := r.options(call.Args[len(call.Args)-1])
		r.readArguments(&o, call)
		if !o.empty() || o.Arguments != nil {
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
	function := call.Fun
	if id, ok := function.(*ast.Ident); ok && r.given[r.info.Uses[id]] != nil {
		function = r.given[r.info.Uses[id]]
	}
	selector, ok := function.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if f, ok := r.info.Uses[selector.Sel].(*types.Func); ok && f.Pkg() != nil && public(f.Pkg().Path()) {
		return functionName(f)
	}
	return ""
}

// options reads options: a literal, axes alone, or a variable that is set once.
func (r *optionsReader) options(e ast.Expr) Options {
	o := Options{variables: map[string]types.Type{}, packages: map[string]string{}}
	switch argument := e.(type) {
	case *ast.Ident:
		if values := r.values[r.info.Uses[argument]]; len(values) == 1 && r.given[r.info.Uses[argument]] == nil && values[0] != e {
			return r.options(values[0])
		}
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
			given := r.given[object]
			name, imported := object.(*types.PkgName)
			switch {
			case ok:
				renamed[n] = goName(argument)
				variables[goName(argument)] = object.Type()
			case imported:
				packages[name.Name()] = name.Imported().Path()
			case given != nil:
				known = isConstant(given)
				renamed[n] = lineOf(given)
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
		if pointer, ok := t.(*types.Pointer); ok && strings.Count(text, "*"+argument) == strings.Count(text, argument) {
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

// goName returns the variable for a documented argument, which may be a keyword of Go.
func goName(argument string) string {
	if token.IsKeyword(argument) {
		return argument + "_"
	}
	return argument
}

// isConstant reports whether an expression is a number, a text, or true or false.
func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	}
	return false
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
