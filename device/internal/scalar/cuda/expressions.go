package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// double writes a number exactly.
func double(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "math_inf(1)"
	case math.IsInf(v, -1):
		return "math_inf(-1)"
	}
	return strconv.FormatFloat(v, 'x', -1, 64)
}

// literal writes a constant of a type.
func (t *translator) literal(e ast.Expr, v constant.Value, x types.Type) string {
	if p, ok := x.(*types.TypeParam); ok {
		f, _ := constant.Float64Val(constant.ToFloat(v))
		if f == math.Trunc(f) && math.Abs(f) < 1<<31 {
			return fmt.Sprintf("(%s)%d", p.Obj().Name(), int64(f))
		}
		return fmt.Sprintf("(%s)%s", p.Obj().Name(), double(f))
	}
	basic, ok := x.Underlying().(*types.Basic)
	if !ok {
		return t.fail(e, "constant of type %v", x)
	}
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return v.String()
	case info&types.IsComplex != 0:
		re, _ := constant.Float64Val(constant.Real(v))
		im, _ := constant.Float64Val(constant.Imag(v))
		return fmt.Sprintf("%s{%s, %s}", t.typeName(x), double(re), double(im))
	case basic.Kind() == types.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(v))
		return "(float)" + double(float64(f))
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return double(f)
	case info&types.IsUnsigned != 0:
		u, _ := constant.Uint64Val(constant.ToInt(v))
		return fmt.Sprintf("(%s)0x%xull", t.typeName(x), u)
	}
	i, exact := constant.Int64Val(constant.ToInt(v))
	if !exact {
		return t.fail(e, "constant %v", v)
	}
	return fmt.Sprintf("(%s)%dll", t.typeName(x), i)
}

func (t *translator) typeOf(e ast.Expr) types.Type { return t.info.TypeOf(e) }

// expr writes an expression, in parentheses unless it is a single token.
func (t *translator) expr(e ast.Expr) string {
	if tv := t.info.Types[e]; tv.Value != nil {
		return t.literal(e, tv.Value, tv.Type)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.expr(e.X)
	case *ast.Ident:
		return t.ident(e)
	case *ast.BinaryExpr:
		return t.binary(e)
	case *ast.UnaryExpr:
		return t.unary(e)
	case *ast.StarExpr:
		return "(*" + t.expr(e.X) + ")"
	case *ast.CallExpr:
		return t.call(e)
	case *ast.SelectorExpr:
		return t.selector(e)
	case *ast.IndexExpr:
		return t.index(e)
	case *ast.SliceExpr:
		array, ok := t.typeOf(e.X).Underlying().(*types.Array)
		if !ok || e.Low != nil || e.High != nil {
			return t.fail(e, "slice")
		}
		return fmt.Sprintf("Slice<%s>{%s, %d}", t.typeName(array.Elem()), t.pointerTo(e.X), array.Len())
	case *ast.CompositeLit:
		return t.composite(e)
	case *ast.FuncLit:
		return t.closure(e)
	}
	return t.fail(e, "expression %T", e)
}

// pointerTo writes a pointer to the first element of an array: a table, or a row of a table.
func (t *translator) pointerTo(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok && t.isGlobal(t.info.Uses[id]) {
		return t.ident(id)
	}
	return t.expr(e) + ".v"
}

func (t *translator) isGlobal(object types.Object) bool {
	return object != nil && object.Parent() == t.pkg.Scope()
}

func (t *translator) ident(e *ast.Ident) string {
	object := t.info.Uses[e]
	if object == nil {
		object = t.info.Defs[e]
	}
	switch object := object.(type) {
	case *types.Var:
		if !t.isGlobal(object) {
			return local(e.Name)
		}
		if !t.known[object] {
			t.known[object] = true
			t.globals = append(t.globals, object)
		}
		if _, ok := object.Type().(*types.Array); ok {
			return e.Name
		}
		return e.Name + "_value()"
	case *types.Func:
		t.need(object)
		return cName(object.Origin())
	}
	return t.fail(e, "identifier %s", e.Name)
}

func isSigned(x types.Type) bool {
	if _, ok := x.(*types.TypeParam); ok {
		return true // perhaps an unsigned type; the C++ functions used for it support all types
	}
	b, ok := x.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUnsigned == 0
}

func (t *translator) binary(e *ast.BinaryExpr) string {
	x, y := t.expr(e.X), t.expr(e.Y)
	of := t.typeOf(e.X)
	switch e.Op {
	case token.SHL:
		return fmt.Sprintf("shift_left(%s, %s)", x, y)
	case token.SHR:
		return fmt.Sprintf("shift_right(%s, %s)", x, y)
	case token.AND_NOT:
		return fmt.Sprintf("(%s & ~%s)", x, y)
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
		if _, ok := of.(*types.TypeParam); ok || isSigned(of) {
			name := map[token.Token]string{token.ADD: "plus", token.SUB: "minus", token.MUL: "times", token.QUO: "quotient", token.REM: "remainder"}[e.Op]
			return fmt.Sprintf("%s(%s, %s)", name, x, y)
		}
	}
	return fmt.Sprintf("(%s %s %s)", x, e.Op, y)
}

func (t *translator) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.SUB:
		if isSigned(t.typeOf(e.X)) {
			return fmt.Sprintf("negative(%s)", t.expr(e.X))
		}
		return "(-" + t.expr(e.X) + ")"
	case token.NOT:
		return "(!" + t.expr(e.X) + ")"
	case token.XOR:
		return "(~" + t.expr(e.X) + ")"
	case token.AND:
		return "(&" + t.expr(e.X) + ")"
	}
	return t.fail(e, "operator %s", e.Op)
}

// selector writes a field, with the embedded structs that contain it.
func (t *translator) selector(e *ast.SelectorExpr) string {
	s := t.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return t.fail(e, "selector %s", e.Sel.Name)
	}
	return t.path(t.expr(e.X), t.typeOf(e.X), s.Index())
}

// path writes the field at the end of a path of fields.
func (t *translator) path(text string, x types.Type, index []int) string {
	for _, i := range index {
		dot := "."
		if p, ok := x.(*types.Pointer); ok {
			x, dot = p.Elem(), "->"
		}
		f := x.Underlying().(*types.Struct).Field(i)
		text, x = text+dot+fieldName(f), f.Type()
	}
	return text
}

func (t *translator) index(e *ast.IndexExpr) string {
	if tv := t.info.Types[e.X]; tv.IsValue() {
		x := t.expr(e.X)
		if _, ok := t.typeOf(e.X).(*types.Pointer); ok {
			x = "(*" + x + ")"
		}
		if s, ok := e.X.(*ast.SelectorExpr); ok { // the layers of the normal distribution
			if p, ok := t.typeOf(s.X).(*types.Pointer); ok && strings.HasSuffix(p.Elem().String(), "ziggurat") {
				x = "normalLayers_" + s.Sel.Name
			}
		}
		return fmt.Sprintf("%s[%s]", x, t.expr(e.Index))
	}
	return t.expr(e.X) // a function with type arguments
}

func (t *translator) composite(e *ast.CompositeLit) string {
	x := t.typeOf(e)
	switch u := x.Underlying().(type) {
	case *types.Array:
		return fmt.Sprintf("%s{{%s}}", t.typeName(x), t.list(e.Elts, u.Elem()))
	case *types.Struct:
		return fmt.Sprintf("%s{%s}", t.typeName(x), t.list(e.Elts, nil))
	}
	return t.fail(e, "literal of type %v", x)
}

func (t *translator) list(es []ast.Expr, elem types.Type) string {
	var parts []string
	for _, e := range es {
		if _, ok := e.(*ast.KeyValueExpr); ok {
			return t.fail(e, "key")
		}
		parts = append(parts, t.expr(e))
	}
	return strings.Join(parts, ", ")
}

func (t *translator) closure(e *ast.FuncLit) string {
	var params []string
	for _, f := range e.Type.Params.List {
		for _, name := range f.Names {
			params = append(params, t.typeName(t.typeOf(f.Type))+" "+local(name.Name))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[=](%s) -> %s {\n", strings.Join(params, ", "), t.typeName(t.typeOf(e).(*types.Signature).Results()))
	t.block(&b, e.Body.List, "\t\t")
	return b.String() + "\t}"
}
