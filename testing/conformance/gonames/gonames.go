// Package gonames reads from the source of the catalogue which library functions its rows call, and with which options.
// The lists of functions are generated from it.
package gonames

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// Functions reads the source of the catalogue, the folder of its package. For each row's signature it returns the
// library functions and methods that its Func calls, such as "ops.Sum" or "Array.Reshape", the main one first: the
// function that Func names, or for an adapter, the functions whose results it returns. The main function of an adapter
// has the documented name, or is the outermost call that does more than convert or rearrange; the table mains lists the
// exceptions, and [PlainGo] the rows that call none. Fields and types follow, such as "Tape.Debug" or "grad.Function".
func Functions(source string) (map[string][]string, error) {
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for _, row := range catalogue.Rows() {
		function := s.rows[row.Signature]
		if function == nil {
			return nil, fmt.Errorf("%s: the catalogue in %s names no function for it", row.Signature, source)
		}
		name := row.Name()
		if PlainGo[name] != "" {
			names[row.Signature] = []string{}
			continue
		}
		if main, ok := mains[name]; ok {
			names[row.Signature] = strings.Fields(main)
			continue
		}
		names[row.Signature] = s.ranked(name, function)
	}
	return names, nil
}

// ranked lists the names that a row's function uses: the main one first.
func (s *source) ranked(documented string, function ast.Expr) []string {
	r := &reader{source: s, seen: map[types.Object]bool{}, types: map[string]bool{}, fields: map[string]bool{}}
	r.walk(function)
	flow := slices.Clone(r.names)
	r.seen = map[types.Object]bool{}
	r.everything = true
	r.walk(function)
	names := flow
	useful := func(name string) bool { return !isAuxiliary(name) && !r.other(name) }
	if !slices.ContainsFunc(flow, useful) {
		names = r.names
	} else {
		for _, name := range r.names {
			if likeness(documented, name) <= sameName && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	names = slices.Clone(names)
	rank := func(name string) int { return r.rank(documented, name) }
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	for k, name := range names {
		if k > 0 && rank(name) >= field && rank(name) > rank(names[0]) {
			names = names[:k]
			break
		}
	}
	if len(names) > 0 && rank(names[0]) <= different { // conversions are of no interest beside it
		names = slices.DeleteFunc(names, func(name string) bool { return rank(name) == conversion })
	}
	return names
}

// The ranks of the names that a row uses: first those like the documented name.
const (
	sameMethod = iota
	sameName
	similar
	different
	arithmetic // of glue, what computes
	conversion
	field
	typeOnly
	internal
	refusal
)

// rank returns the rank of a name among those that a row uses.
func (r *reader) rank(documented, name string) int {
	switch like := likeness(documented, name); {
	case like <= sameName:
		return like
	case strings.HasPrefix(name, "Func."):
		return refusal
	case isAuxiliary(name):
		return internal
	case r.types[name]:
		return typeOnly
	case r.fields[name]:
		return field
	case like < different:
		return like
	case glue[name] && strings.HasPrefix(name, "ops."):
		return arithmetic
	case glue[name] || plumbing(name):
		return conversion
	}
	return different
}

// likeness returns the rank of a function with respect to its name alone.
func likeness(documented, name string) int {
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		return strings.ToLower(strings.ReplaceAll(s, "_", ""))
	}
	parts := strings.Split(documented, ".")
	class, method, _ := strings.Cut(name, ".")
	last, base := plain(parts[len(parts)-1]), plain(method)
	if plain(parts[len(parts)-2]) == plain(class) && (last == base || last == "call") {
		return sameMethod
	}
	if trimmed := strings.TrimRight(last, "0123456789d"); last == base || base == "new"+last {
		return sameName
	} else if len(trimmed) >= 3 && (strings.HasPrefix(base, trimmed) || len(base) >= 4 && strings.HasPrefix(last, base)) {
		return similar
	}
	return different
}

// reader collects the names that a function uses.
type reader struct {
	*source
	names         []string
	types, fields map[string]bool
	seen          map[types.Object]bool
	everything    bool // whether to read whole functions, not only what they return
}

// other reports whether a name is that of a type or of a field.
func (r *reader) other(name string) bool { return r.types[name] || r.fields[name] }

// isAuxiliary reports whether adapters use a function only internally.
func isAuxiliary(name string) bool {
	return auxiliary[name] || strings.HasPrefix(name, "DType.") || strings.HasPrefix(name, "Func.")
}

// plumbing reports whether a name belongs to the conversion of arguments.
func plumbing(name string) bool {
	return strings.HasPrefix(name, "dtype.") || strings.HasPrefix(name, "broadcast.") || strings.HasPrefix(name, "device.")
}

func (r *reader) add(name string) {
	if !slices.Contains(r.names, name) {
		r.names = append(r.names, name)
	}
}

// walk reads an expression, the outermost call first, then the values of its variables.
func (r *reader) walk(n ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			r.function(m.Type, m.Body)
			return false
		case *ast.SelectorExpr:
			switch selection := r.info.Selections[m]; {
			case selection == nil:
				r.use(m.Sel)
			case selection.Kind() == types.FieldVal:
				r.field(selection)
			case !r.promoted(selection):
				r.use(m.Sel)
			}
			if _, qualified := m.X.(*ast.Ident); qualified && r.info.Selections[m] == nil {
				return false
			}
			r.walk(m.X)
			return false
		case *ast.KeyValueExpr:
			if _, field := m.Key.(*ast.Ident); field {
				r.walk(m.Value)
				return false
			}
		case *ast.Ident:
			r.use(m)
		}
		return true
	})
}

// function reads what a function returns, or all of it.
func (r *reader) function(signature *ast.FuncType, body *ast.BlockStmt) {
	if r.everything {
		r.walk(body)
		if len(r.names) == 0 {
			r.walk(signature)
		}
		return
	}
	var results []*ast.Ident // a bare return returns them
	if signature.Results != nil {
		for _, field := range signature.Results.List {
			results = append(results, field.Names...)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.ReturnStmt); ok {
			for _, e := range s.Results {
				r.walk(e)
			}
			if len(s.Results) == 0 {
				for _, id := range results {
					r.use(id)
				}
			}
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
}

// use notes a name of the library, and reads the functions and variables of the catalogue.
func (r *reader) use(id *ast.Ident) {
	object := r.object(id)
	if object == nil || object.Pkg() == nil {
		return
	}
	if public(object.Pkg().Path()) {
		r.library(object)
		return
	}
	if r.seen[object] {
		return
	}
	r.seen[object] = true
	if f, ok := object.(*types.Func); ok {
		object = f.Origin()
	}
	if f := r.bodies[object]; f != nil && f.Body != nil {
		r.function(f.Type, f.Body)
	}
	if _, ok := object.(*types.Var); ok && (!r.everything || object.Parent() == object.Pkg().Scope()) {
		for _, value := range r.values[object] {
			r.walk(value)
		}
	}
}

// library notes a function, method, field or type of the library.
func (r *reader) library(object types.Object) {
	if !object.Exported() {
		return
	}
	switch object := object.(type) {
	case *types.Func:
		r.add(functionName(object))
	case *types.TypeName:
		if !described(object) {
			return
		}
		name := object.Pkg().Name() + "." + object.Name()
		r.types[name] = true
		r.add(name)
	}
}

// promoted notes a method that a type of the library has from an interface that it embeds.
func (r *reader) promoted(selection *types.Selection) bool {
	owner := selection.Recv()
	if pointer, ok := owner.(*types.Pointer); ok {
		owner = pointer.Elem()
	}
	named, ok := types.Unalias(owner).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !public(named.Obj().Pkg().Path()) || !named.Obj().Exported() {
		return false
	}
	if receiver := selection.Obj().(*types.Func).Signature().Recv(); !types.IsInterface(receiver.Type()) || typeName(receiver.Type()) == named.Obj().Name() {
		return false
	}
	r.add(qualifiedType(named) + "." + selection.Obj().Name())
	return true
}

// field notes a field of a struct of the library, except options.
func (r *reader) field(selection *types.Selection) {
	field := selection.Obj()
	owner := typeName(selection.Recv())
	if field.Pkg() == nil || !public(field.Pkg().Path()) || !field.Exported() || strings.HasSuffix(owner, "Options") || len(selection.Index()) > 1 {
		return
	}
	r.fields[owner+"."+field.Name()] = true
	r.add(owner + "." + field.Name())
}

// functionName returns the name of a function, or of a method with its type.
func functionName(f *types.Func) string {
	if receiver := f.Signature().Recv(); receiver != nil {
		if pointer, ok := receiver.Type().(*types.Pointer); ok {
			return qualifiedType(pointer.Elem()) + "." + f.Name()
		}
		return qualifiedType(receiver.Type()) + "." + f.Name()
	}
	return f.Pkg().Name() + "." + f.Name()
}

// described reports whether a type is worth a line: no type of options, words or indices.
func described(t *types.TypeName) bool {
	if strings.HasSuffix(t.Name(), "Options") || strings.HasSuffix(t.Name(), "Option") || common[t.Pkg().Name()+"."+t.Name()] {
		return false
	}
	switch t.Type().Underlying().(type) {
	case *types.Struct, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// qualifiedType returns the name of a type; with its package if it is another Array than nd's.
func qualifiedType(t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	if ok && named.Obj().Name() == "Array" && named.Obj().Pkg().Name() != "nd" {
		return named.Obj().Pkg().Name() + ".Array"
	}
	return typeName(t)
}

// typeName returns the name of a type, or of the type that a pointer points to.
func typeName(t types.Type) string {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return t.String()
}
