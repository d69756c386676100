package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// unshared reports whether no other variable can hold what TidyAll releases: the array that a variable had before the
// round.
func (r *region) unshared() bool {
	around := r.path[0] // the outermost loop in this function, where a later round meets what an earlier one kept
	var function ast.Node
	for _, n := range r.path {
		if isLoop(n) {
			around = n
		}
		if _, literal := n.(*ast.FuncLit); literal {
			function = n
			break
		}
		if _, ok := n.(*ast.FuncDecl); ok {
			function = n
		}
	}
	if function == nil {
		return false
	}
	ok := true
	var parents []ast.Node
	ast.Inspect(r.file, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		if name, isName := n.(*ast.Ident); isName {
			if v := r.variable(name); v != nil && slices.Contains(r.variables, v) {
				ok = ok && r.isAlone(name, v, parents, around, function)
			}
		}
		parents = append(parents, n)
		return true
	})
	return ok
}

// isAlone reports whether one use of a variable makes no second variable for its array that a later round could meet.
func (r *region) isAlone(name *ast.Ident, v *types.Var, parents []ast.Node, around, function ast.Node) bool {
	if literal := innermostLiteral(parents); literal != nil && ast.Node(literal) != function {
		return !r.assigned[v] && r.isOnlyCalled(literal)
	}
	if v.Pos() < function.Pos() || function.End() <= v.Pos() {
		return false // the variable of an outer function
	}
	parent := parents[len(parents)-1]
	if address, ok := parent.(*ast.UnaryExpr); ok && address.Op == token.AND {
		return false
	}
	if r.contains(name.Pos()) || !r.assigned[v] || name.Pos() < around.Pos() || around.End() <= name.Pos() {
		return true
	}
	switch parent := parent.(type) {
	case *ast.ReturnStmt, *ast.BinaryExpr: // the loop ends, or a comparison with nil
		return true
	case *ast.AssignStmt: // the variable gets another array
		return slices.Contains(parent.Lhs, ast.Expr(name))
	case *ast.SelectorExpr:
		call, ok := parents[len(parents)-2].(*ast.CallExpr)
		return ok && call.Fun == parent && r.reads(call)
	case *ast.CallExpr:
		return r.reads(parent)
	}
	return false
}

// isOnlyCalled reports whether a variable holds a function literal, and the file only calls it.
func (r *region) isOnlyCalled(literal *ast.FuncLit) bool {
	var variable types.Object
	ast.Inspect(r.file, func(n ast.Node) bool {
		if define, ok := n.(*ast.AssignStmt); ok && define.Tok == token.DEFINE && len(define.Rhs) == 1 && define.Rhs[0] == literal {
			variable = r.pass.TypesInfo.Defs[define.Lhs[0].(*ast.Ident)]
		}
		return true
	})
	uses := 0
	for _, object := range r.pass.TypesInfo.Uses {
		if object == variable {
			uses++
		}
	}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && r.pass.TypesInfo.Uses[name] == variable {
				uses--
			}
		case *ast.GoStmt:
			uses++
		}
		return true
	})
	return variable != nil && uses == 0
}

// reads reports whether the result of a call does not share the memory of its arguments.
func (r *region) reads(call *ast.CallExpr) bool {
	fn, ok := typeutil.Callee(r.pass.TypesInfo, call).(*types.Func)
	if !ok {
		return false
	}
	name := function(fn)
	return prints(fn) || name != "" && !views[name] && onlyReads(name)
}

func innermostLiteral(parents []ast.Node) *ast.FuncLit {
	for _, n := range slices.Backward(parents) {
		if literal, ok := n.(*ast.FuncLit); ok {
			return literal
		}
	}
	return nil
}
