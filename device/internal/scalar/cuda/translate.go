package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// translate writes the named functions, those of the opcode tables, and everything that they need.
func (t *translator) translate(b *bytes.Buffer, names []string) error {
	for _, table := range []string{"Functions", "Functions2", "ComplexFunctions"} {
		object := t.pkg.Scope().Lookup(table)
		for _, e := range t.vars[object].(*ast.CompositeLit).Elts {
			t.need(t.info.Uses[e.(*ast.KeyValueExpr).Value.(*ast.Ident)])
		}
	}
	for _, name := range names {
		object, err := t.find(name)
		if err != nil {
			return err
		}
		t.need(object)
	}
	var bodies strings.Builder
	for i := 0; i < len(t.wanted); i++ { // the list grows
		f := t.wanted[i].(*types.Func)
		bodies.WriteString(t.function(f))
		if t.failure != nil {
			return fmt.Errorf("%s: %w", functionName(f), t.failure)
		}
	}
	var globals strings.Builder
	for i := 0; i < len(t.globals); i++ {
		globals.WriteString(t.global(t.globals[i]))
		if t.failure != nil {
			return fmt.Errorf("%s: %w", t.globals[i].Name(), t.failure)
		}
	}
	for _, named := range t.types {
		b.WriteString(t.structure(named))
	}
	b.WriteString(globals.String() + "\n")
	for _, object := range t.wanted {
		b.WriteString(t.signature(object.(*types.Func)) + ";\n")
	}
	t.late = "\n" + bodies.String()
	return t.failure
}

// afterwards returns the bodies of the functions.
func (t *translator) afterwards() string { return t.late }

// need adds a function to those that are translated.
func (t *translator) need(object types.Object) {
	if f, ok := object.(*types.Func); ok {
		object = f.Origin()
	}
	if !t.known[object] {
		t.known[object] = true
		t.wanted = append(t.wanted, object)
	}
}

func (t *translator) fail(n ast.Node, format string, args ...any) string {
	if t.failure == nil {
		t.failure = fmt.Errorf("%v: %s", t.fset.Position(n.Pos()), fmt.Sprintf(format, args...))
	}
	return "?"
}

// cName returns the C++ name of a function: a method's name follows that of its type.
func cName(f *types.Func) string { return strings.ReplaceAll(functionName(f), ".", "_") }

// typeName returns the C++ name of a type.
func (t *translator) typeName(x types.Type) string {
	switch x := x.(type) {
	case *types.Basic:
		switch x.Kind() {
		case types.Bool, types.UntypedBool:
			return "bool"
		case types.Int, types.Int64, types.UntypedInt:
			return "i64"
		case types.Uint, types.Uint64, types.Uintptr:
			return "u64"
		case types.Int32:
			return "int"
		case types.Uint32:
			return "u32"
		case types.Float32:
			return "float"
		case types.Float64, types.UntypedFloat:
			return "double"
		case types.Complex64:
			return "c64"
		case types.Complex128:
			return "c128"
		}
	case *types.TypeParam:
		return x.Obj().Name()
	case *types.Named:
		if !t.known[x.Obj()] {
			t.known[x.Obj()] = true
			fields := x.Underlying().(*types.Struct)
			for i := range fields.NumFields() {
				if _, ok := fields.Field(i).Type().(*types.Signature); !ok {
					t.typeName(fields.Field(i).Type())
				}
			}
			t.types = append(t.types, x)
		}
		return x.Obj().Name() + "_t"
	case *types.Array:
		return fmt.Sprintf("Array<%s, %d>", t.typeName(x.Elem()), x.Len())
	case *types.Slice:
		return fmt.Sprintf("Slice<%s>", t.typeName(x.Elem()))
	case *types.Pointer:
		return t.typeName(x.Elem()) + "*"
	case *types.Tuple:
		var parts []string
		for i := range x.Len() {
			parts = append(parts, t.typeName(x.At(i).Type()))
		}
		switch len(parts) {
		case 0:
			return "void"
		case 1:
			return parts[0]
		case 2:
			return "Two<" + strings.Join(parts, ", ") + ">"
		}
	}
	if t.failure == nil {
		t.failure = fmt.Errorf("type %v is not known", x)
	}
	return "?"
}

// structure writes a struct. Fields that are functions stay out.
func (t *translator) structure(named *types.Named) string {
	var b strings.Builder
	fmt.Fprintf(&b, "struct %s_t {\n", named.Obj().Name())
	fields := named.Underlying().(*types.Struct)
	for i := range fields.NumFields() {
		f := fields.Field(i)
		if _, ok := f.Type().(*types.Signature); !ok {
			fmt.Fprintf(&b, "\t%s %s;\n", t.typeName(f.Type()), fieldName(f))
		}
	}
	return b.String() + "};\n"
}

func fieldName(v *types.Var) string { return v.Name() + "_" }

// global writes a package variable: a table of numbers, or a struct.
func (t *translator) global(object types.Object) string {
	value := t.vars[object]
	if array, ok := object.Type().(*types.Array); ok {
		return fmt.Sprintf("TABLE(%s, %d, %s) = {%s};\n", object.Name(), array.Len(), t.typeName(array.Elem()), t.elements(value, array.Elem()))
	}
	if _, ok := value.(*ast.CompositeLit); !ok { // computed, if possible by the compiler
		return fmt.Sprintf("DEVICE %s %s_value() { return %s; }\n", t.typeName(object.Type()), object.Name(), t.expr(value))
	}
	return fmt.Sprintf("DEVICE %s %s_value() { return %s; }\n", t.typeName(object.Type()), object.Name(), t.expr(value))
}

// elements writes the elements of an array literal.
func (t *translator) elements(value ast.Expr, elem types.Type) string {
	var parts []string
	for _, e := range value.(*ast.CompositeLit).Elts {
		if inner, ok := e.(*ast.CompositeLit); ok {
			if _, ok := elem.(*types.Array); ok {
				parts = append(parts, "{{"+t.elements(inner, elem.(*types.Array).Elem())+"}}")
				continue
			}
			parts = append(parts, "{"+t.elements(inner, nil)+"}")
			continue
		}
		parts = append(parts, t.expr(e))
	}
	return strings.Join(parts, ", ")
}

// template returns a function's template parameters: its own, and one for each parameter that is a function.
func (t *translator) template(f *types.Func) string {
	var parts []string
	for i := range f.Signature().TypeParams().Len() {
		parts = append(parts, "class "+f.Signature().TypeParams().At(i).Obj().Name())
	}
	params := f.Signature().Params()
	for i := range params.Len() {
		if _, ok := params.At(i).Type().(*types.Signature); ok {
			parts = append(parts, fmt.Sprintf("class F%d", i))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "template <" + strings.Join(parts, ", ") + "> "
}

// large is the source length in bytes from which a function is called instead of inlined.
const large = 400

func (t *translator) signature(f *types.Func) string {
	d := t.funcs[f]
	var params []string
	if recv := f.Signature().Recv(); recv != nil {
		params = append(params, t.typeName(recv.Type())+" "+local(recv.Name()))
	}
	for i := range f.Signature().Params().Len() {
		p := f.Signature().Params().At(i)
		name := t.typeNameOfParam(p, i)
		params = append(params, name+" "+local(p.Name()))
	}
	inline := "DEVICE"
	if d.End()-d.Pos() > large {
		inline = "DEVICE_LARGE"
	}
	return fmt.Sprintf("%s%s %s %s(%s)", t.template(f), inline, t.typeName(f.Signature().Results()), cName(f), strings.Join(params, ", "))
}

func (t *translator) typeNameOfParam(p *types.Var, i int) string {
	if _, ok := p.Type().(*types.Signature); ok {
		return fmt.Sprintf("F%d", i)
	}
	return t.typeName(p.Type())
}

// function writes a whole function.
func (t *translator) function(f *types.Func) string {
	d := t.funcs[f]
	t.results = nil
	var b strings.Builder
	b.WriteString(t.signature(f) + " {\n")
	results := f.Signature().Results()
	for i := range results.Len() {
		if r := results.At(i); r.Name() != "" && r.Name() != "_" {
			fmt.Fprintf(&b, "\t%s %s{};\n", t.typeName(r.Type()), local(r.Name()))
			t.results = append(t.results, r)
		}
	}
	t.block(&b, d.Body.List, "\t")
	return b.String() + "}\n\n"
}

// local returns the C++ name of a variable, which differs from all function names and C++ keywords.
func local(name string) string {
	if name == "_" || name == "" {
		return ""
	}
	return name + "_"
}
