package gonames

import (
	"go/ast"
	"go/types"
)

// OptionsIn returns the options of the functions in a call, by the names of their fields; axis and axes for those that
// take axes alone. They include the fields of a type, and of the type of a method's receiver.
func OptionsIn(source string, c Call) ([]string, error) {
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	f, info, err := s.check(c)
	if err != nil {
		return nil, err
	}
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		switch t := info.TypeOf(e).(type) {
		case nil:
		case *types.Signature:
			if n := t.Params().Len(); n > 0 {
				last := t.Params().At(n - 1).Type()
				if list, ok := last.(*types.Slice); ok && t.Variadic() {
					last = list.Elem()
				}
				names = append(names, fieldsOf(last)...)
			}
		default:
			names = append(names, fieldsOf(t)...)
		}
		return true
	})
	return names, nil
}

// fieldsOf returns the fields of a struct, or of all structs that are options of a family, and "axis" and "axes" for axes.
func fieldsOf(t types.Type) (names []string) {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !public(named.Obj().Pkg().Path()) {
		return nil
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			names = append(names, field.Name())
			if field.Embedded() {
				names = append(names, fieldsOf(field.Type())...)
			}
		}
	case *types.Interface:
		if !isOption(t) {
			return nil
		}
		scope := named.Obj().Pkg().Scope()
		for _, name := range scope.Names() {
			if member, ok := scope.Lookup(name).(*types.TypeName); ok && !types.IsInterface(member.Type()) && types.Implements(member.Type(), u) {
				names = append(names, fieldsOf(member.Type())...)
			}
		}
	case *types.Slice:
		if named.Obj().Name() == "Axes" {
			names = []string{"axis", "axes"}
		}
	}
	return names
}
