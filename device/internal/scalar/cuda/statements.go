package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (t *translator) block(b *strings.Builder, list []ast.Stmt, indent string) {
	for _, s := range list {
		t.statement(b, s, indent)
	}
}

// temporary returns an unused name.
func (t *translator) temporary() string {
	t.names++
	return fmt.Sprintf("t%d", t.names)
}

func (t *translator) statement(b *strings.Builder, s ast.Stmt, indent string) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		fmt.Fprintf(b, "%s%s;\n", indent, t.expr(s.X))
	case *ast.AssignStmt:
		t.assign(b, s, indent)
	case *ast.IncDecStmt:
		fmt.Fprintf(b, "%s%s%s;\n", indent, t.expr(s.X), s.Tok)
	case *ast.DeclStmt:
		t.declare(b, s.Decl.(*ast.GenDecl), indent)
	case *ast.ReturnStmt:
		t.returns(b, s, indent)
	case *ast.BranchStmt:
		if s.Label != nil {
			t.fail(s, "label")
		}
		fmt.Fprintf(b, "%s%s;\n", indent, s.Tok)
	case *ast.BlockStmt:
		fmt.Fprintf(b, "%s{\n", indent)
		t.block(b, s.List, indent+"\t")
		fmt.Fprintf(b, "%s}\n", indent)
	case *ast.IfStmt:
		t.ifs(b, s, indent)
	case *ast.SwitchStmt:
		t.switches(b, s, indent)
	case *ast.ForStmt:
		t.loop(b, s, indent)
	case *ast.RangeStmt:
		t.ranges(b, s, indent)
	default:
		t.fail(s, "statement %T", s)
	}
}

// target writes the target of an assignment: a new variable with its type, or an existing one.
func (t *translator) target(e ast.Expr, define bool) string {
	if id, ok := e.(*ast.Ident); ok && define {
		if object := t.info.Defs[id]; object != nil {
			return t.typeName(object.Type()) + " " + local(id.Name)
		}
	}
	return t.expr(e)
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (t *translator) assign(b *strings.Builder, s *ast.AssignStmt, indent string) {
	define := s.Tok == token.DEFINE
	switch {
	case s.Tok != token.ASSIGN && !define:
		op := strings.TrimSuffix(s.Tok.String(), "=")
		x, y := t.expr(s.Lhs[0]), t.expr(s.Rhs[0])
		switch {
		case op == "<<":
			fmt.Fprintf(b, "%s%s = shift_left(%s, %s);\n", indent, x, x, y)
		case op == ">>":
			fmt.Fprintf(b, "%s%s = shift_right(%s, %s);\n", indent, x, x, y)
		case isSigned(t.typeOf(s.Lhs[0])) && strings.Contains("+-*/%", op):
			name := map[string]string{"+": "plus", "-": "minus", "*": "times", "/": "quotient", "%": "remainder"}[op]
			fmt.Fprintf(b, "%s%s = %s(%s, %s);\n", indent, x, name, x, y)
		default:
			fmt.Fprintf(b, "%s%s %s= %s;\n", indent, x, op, y)
		}
	case len(s.Lhs) == 1:
		if f, ok := s.Rhs[0].(*ast.CallExpr); ok {
			if id, ok := f.Fun.(*ast.Ident); ok && t.info.Uses[id] != nil && t.info.Uses[id].Name() == "normalLayers" {
				return // its table is accessed by name
			}
		}
		if define {
			if _, ok := s.Rhs[0].(*ast.FuncLit); ok {
				fmt.Fprintf(b, "%sauto %s = %s;\n", indent, local(s.Lhs[0].(*ast.Ident).Name), t.expr(s.Rhs[0]))
				return
			}
		}
		fmt.Fprintf(b, "%s%s = %s;\n", indent, t.target(s.Lhs[0], define), t.expr(s.Rhs[0]))
	case len(s.Rhs) == 1:
		both := t.temporary()
		fmt.Fprintf(b, "%sauto %s = %s;\n", indent, both, t.expr(s.Rhs[0]))
		for i, e := range s.Lhs {
			if !blank(e) {
				fmt.Fprintf(b, "%s%s = %s.%c;\n", indent, t.target(e, define), both, 'a'+i)
			}
		}
	default:
		var values []string
		for i, e := range s.Rhs {
			v := t.temporary()
			x := t.typeOf(s.Lhs[i])
			if blank(s.Lhs[i]) {
				x = t.typeOf(e)
			}
			fmt.Fprintf(b, "%s%s %s = %s;\n", indent, t.typeName(types.Default(x)), v, t.expr(e))
			values = append(values, v)
		}
		for i, e := range s.Lhs {
			if !blank(e) {
				fmt.Fprintf(b, "%s%s = %s;\n", indent, t.target(e, define), values[i])
			}
		}
	}
}

func (t *translator) declare(b *strings.Builder, d *ast.GenDecl, indent string) {
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok || d.Tok == token.CONST {
			continue // constants are written where they are used
		}
		for i, name := range v.Names {
			x := t.typeName(t.info.Defs[name].Type())
			if len(v.Values) > 0 {
				fmt.Fprintf(b, "%s%s %s = %s;\n", indent, x, local(name.Name), t.expr(v.Values[i]))
			} else {
				fmt.Fprintf(b, "%s%s %s{};\n", indent, x, local(name.Name))
			}
		}
	}
}

func (t *translator) returns(b *strings.Builder, s *ast.ReturnStmt, indent string) {
	var values []string
	for _, e := range s.Results {
		values = append(values, t.expr(e))
	}
	if len(values) == 0 {
		for _, r := range t.results {
			values = append(values, local(r.Name()))
		}
	}
	text := strings.Join(values, ", ")
	if len(values) > 1 {
		text = "{" + text + "}"
	}
	fmt.Fprintf(b, "%sreturn %s;\n", indent, text)
}

func (t *translator) ifs(b *strings.Builder, s *ast.IfStmt, indent string) {
	inner := indent
	if s.Init != nil {
		fmt.Fprintf(b, "%s{\n", indent)
		inner += "\t"
		t.statement(b, s.Init, inner)
	}
	fmt.Fprintf(b, "%sif (%s) {\n", inner, t.expr(s.Cond))
	t.block(b, s.Body.List, inner+"\t")
	if s.Else != nil {
		fmt.Fprintf(b, "%s} else {\n", inner)
		if e, ok := s.Else.(*ast.BlockStmt); ok {
			t.block(b, e.List, inner+"\t")
		} else {
			t.statement(b, s.Else, inner+"\t")
		}
	}
	fmt.Fprintf(b, "%s}\n", inner)
	if s.Init != nil {
		fmt.Fprintf(b, "%s}\n", indent)
	}
}

// switches writes a chain of ifs, in Go's order. The last else is the default.
func (t *translator) switches(b *strings.Builder, s *ast.SwitchStmt, indent string) {
	fmt.Fprintf(b, "%s{\n", indent)
	inner := indent + "\t"
	if s.Init != nil {
		t.statement(b, s.Init, inner)
	}
	tag := ""
	if s.Tag != nil {
		tag = t.temporary()
		fmt.Fprintf(b, "%s%s %s = %s;\n", inner, t.typeName(t.typeOf(s.Tag)), tag, t.expr(s.Tag))
	}
	var last *ast.CaseClause
	word := inner + "if"
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			last = clause
			continue
		}
		var conditions []string
		for _, e := range clause.List {
			if tag != "" {
				conditions = append(conditions, tag+" == "+t.expr(e))
			} else {
				conditions = append(conditions, t.expr(e))
			}
		}
		fmt.Fprintf(b, "%s (%s) {\n", word, strings.Join(conditions, " || "))
		t.block(b, clause.Body, inner+"\t")
		word = inner + "} else if"
	}
	if last != nil {
		fmt.Fprintf(b, "%s} else {\n", inner)
		t.block(b, last.Body, inner+"\t")
	}
	fmt.Fprintf(b, "%s}\n%s}\n", inner, indent)
}

func (t *translator) loop(b *strings.Builder, s *ast.ForStmt, indent string) {
	fmt.Fprintf(b, "%s{\n", indent)
	inner := indent + "\t"
	if s.Init != nil {
		t.statement(b, s.Init, inner)
	}
	condition, post := "true", ""
	if s.Cond != nil {
		condition = t.expr(s.Cond)
	}
	if s.Post != nil {
		var p strings.Builder
		t.statement(&p, s.Post, "")
		lines := strings.Split(strings.TrimSpace(p.String()), "\n")
		if len(lines) != 1 {
			t.fail(s.Post, "statement after a loop")
		}
		post = strings.TrimSuffix(lines[0], ";")
	}
	fmt.Fprintf(b, "%sfor (; %s; %s) {\n", inner, condition, post)
	t.block(b, s.Body.List, inner+"\t")
	fmt.Fprintf(b, "%s}\n%s}\n", inner, indent)
}

// ranges writes a loop over the integers below a number, or over an array.
func (t *translator) ranges(b *strings.Builder, s *ast.RangeStmt, indent string) {
	key := t.temporary()
	if s.Key != nil && !blank(s.Key) {
		key = local(s.Key.(*ast.Ident).Name)
	}
	end := ""
	switch x := t.typeOf(s.X).Underlying().(type) {
	case *types.Basic:
		end = t.expr(s.X)
	case *types.Array:
		end = fmt.Sprint(x.Len())
	case *types.Slice:
		end = t.expr(s.X) + ".len"
	default:
		t.fail(s, "range over %v", x)
	}
	fmt.Fprintf(b, "%sfor (i64 %s = 0; %s < %s; %s++) {\n", indent, key, key, end, key)
	if s.Value != nil && !blank(s.Value) {
		fmt.Fprintf(b, "%s\t%s = %s[%s];\n", indent, t.target(s.Value, true), t.expr(s.X), key)
	}
	t.block(b, s.Body.List, indent+"\t")
	fmt.Fprintf(b, "%s}\n", indent)
}
