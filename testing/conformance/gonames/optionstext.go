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

// fits reports whether the options are the value of a parameter that is not optional: its type is that of the struct, or
// axes.
func (o Options) fits(t types.Type) bool {
	return o.Axes != "" && typeName(t) == "Axes" || o.of != nil && types.TypeString(t, nil) == types.TypeString(o.of, nil)
}

// options writes options for a parameter of type t: axes, or a literal. It declares the variables of their values.
func (w *writer) options(o Options, t types.Type) (string, error) {
	if o.empty() {
		return "", nil
	}
	maps.Copy(w.imports, o.packages)
	if o.Axes != "" {
		w.imports["ops"] = module + "nd/ops"
		return o.Axes, w.declareAll(o)
	}
	of := o.of
	if of == nil {
		of = o.structFor(t)
	}
	if of == nil {
		return "", fmt.Errorf("no options of type %s have the fields %v", t, o.Fields)
	}
	var parts []string
	parameters := len(w.variables) // a documented argument may have the name of another parameter
	for _, field := range o.Fields {
		object, _, _ := types.LookupFieldOrMethod(of, false, of.Obj().Pkg(), field.Name)
		v, ok := object.(*types.Var)
		if !ok {
			return "", fmt.Errorf("%s has no field %s", of, field.Name)
		}
		value, fieldType := field.Value, v.Type()
		pointer, isPointer := fieldType.(*types.Pointer)
		if isPointer { // of an option whose zero value is legal
			if _, object := pointer.Elem().Underlying().(*types.Struct); object {
				isPointer = false
			} else {
				fieldType = pointer.Elem()
			}
		}
		if value == "false" && !isPointer {
			continue
		}
		taken := slices.ContainsFunc(w.variables[:parameters], func(v Variable) bool { return v.Name == value })
		if value == "" || taken && !slices.Contains(o.Arguments, value) {
			value = strings.ToLower(field.Name[:1]) + field.Name[1:]
		}
		if token.IsIdentifier(value) && value != "true" && value != "false" && value != "nil" {
			if err := w.declareAs(value, types.TypeString(fieldType, w.use)); err != nil {
				return "", err
			}
		}
		if isPointer {
			value = "new(" + value + ")"
		}
		parts = append(parts, field.Name+": "+value)
	}
	if parts == nil {
		return "", nil
	}
	return types.TypeString(of, w.use) + "{" + strings.Join(parts, ", ") + "}", w.declareAll(o)
}

// structFor returns the struct of a parameter's options: its type, or the one of an option family that has the fields.
func (o Options) structFor(t types.Type) *types.Named {
	family, ok := types.Unalias(t).(*types.Named)
	if !ok || !types.IsInterface(family) {
		return family
	}
	scope := family.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		named, ok := scope.Lookup(name).Type().(*types.Named)
		if !ok || !strings.HasSuffix(name, "Options") || !types.Implements(named, family.Underlying().(*types.Interface)) {
			continue
		}
		lacks := func(f Field) bool {
			object, _, _ := types.LookupFieldOrMethod(named, false, family.Obj().Pkg(), f.Name)
			return object == nil
		}
		if !slices.ContainsFunc(o.Fields, lacks) {
			return named
		}
	}
	return nil
}

// declareAll declares the variables of expressions.
func (w *writer) declareAll(o Options) error {
	texts := []string{o.Axes}
	for _, f := range o.Fields {
		if !token.IsIdentifier(f.Value) { // these have the type of the field
			texts = append(texts, f.Value)
		}
	}
	return w.declareIn(o, texts)
}

// arguments returns the expressions of a call's arguments by parameter, "" for those that are the parameters, and
// declares their variables. It joins those of a variadic parameter, and those that are options.
func (w *writer) arguments(o Options, signature *types.Signature) ([]string, error) {
	written, n := o.Arguments, signature.Params().Len()
	if signature.Variadic() && len(written) >= n {
		rest := strings.Join(written[n-1:], ", ")
		if slices.Contains(written[n-1:], "") || !o.empty() {
			rest = ""
		}
		written = append(slices.Clone(written[:n-1]), rest)
	}
	maps.Copy(w.imports, o.packages)
	return written, w.declareIn(o, written)
}

// declareIn declares the variables of expressions.
func (w *writer) declareIn(o Options, texts []string) error {
	for _, text := range texts {
		if text = strings.TrimSuffix(text, "..."); text == "" {
			continue
		}
		e, err := parser.ParseExpr("f(" + text + ")")
		if err != nil {
			return err
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && o.variables[id.Name] != nil && err == nil {
				err = w.declareAs(id.Name, types.TypeString(o.variables[id.Name], w.use))
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// declareAs declares a variable, unless it exists with the same type.
func (w *writer) declareAs(name, t string) error {
	if i := w.declared(name); i < 0 {
		w.declare(name, t)
	} else if w.variables[i].Type != t {
		return fmt.Errorf("variable %s is a %s and a %s", name, w.variables[i].Type, t)
	}
	return nil
}
