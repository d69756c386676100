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
		of, _ = types.Unalias(t).(*types.Named)
	}
	if of == nil {
		return "", fmt.Errorf("options of type %s have no fields", t)
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
		if isPointer = isPointer && types.TypeString(pointer.Elem(), nil) != module+"nd.Array"; isPointer {
			fieldType = pointer.Elem()
		}
		if value == "" || slices.ContainsFunc(w.variables[:parameters], func(v Variable) bool { return v.Name == value }) {
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
	return types.TypeString(of, w.use) + "{" + strings.Join(parts, ", ") + "}", w.declareAll(o)
}

// declareAll declares the variables of expressions.
func (w *writer) declareAll(o Options) error {
	texts := []string{o.Axes}
	for _, f := range o.Fields {
		texts = append(texts, f.Value)
	}
	for _, text := range texts {
		if text == "" || token.IsIdentifier(text) {
			continue
		}
		e, err := parser.ParseExpr(text)
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
