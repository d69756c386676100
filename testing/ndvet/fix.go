package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// region is a run of statements in the body of a loop, from the first to the last one that leaves arrays to the GC, and
// what nd.TidyAll around it needs to know.
type region struct {
	pass *analysis.Pass
	p    *program
	fn   *ssa.Function
	file *ast.File
	path []ast.Node // the nodes around the loop's body, the innermost first
	body []ast.Stmt // all statements of the loop's body
	from int        // the region is body[from:to]
	to   int

	variables []*types.Var // the arrays from outside that the region uses, in the order of their uses
	assigned  map[*types.Var]bool
	continues []*ast.BranchStmt // statements that go to the next round; in the scope's function they return
}

// scopeFix returns the fix that puts nd.TidyAll around the statements of a loop that leave arrays, or nothing where it
// is not sure that the program stays the same. The scope releases what it computed, so no such array may leave the
// region but in a variable that TidyAll knows; and TidyAll releases the former array of a variable, so nothing else in
// a loop around it may hold that array.
func (p *program) scopeFix(pass *analysis.Pass, fn *ssa.Function, l *loop, left []temporary) []analysis.SuggestedFix {
	r := &region{pass: pass, p: p, fn: fn, assigned: map[*types.Var]bool{}}
	if !r.find(l, left) || !r.stays() || !r.collect() || len(r.variables) == 0 || !r.unshared() {
		return nil
	}
	nd := r.packageName()
	if nd == "" {
		return nil
	}
	var end strings.Builder
	end.WriteString("\n}")
	for _, v := range r.variables {
		end.WriteString(", &" + v.Name())
	}
	end.WriteString(")")
	edits := []analysis.TextEdit{
		{Pos: r.pos(), End: r.pos(), NewText: []byte(nd + ".TidyAll(func() {\n")},
		{Pos: r.afterComment(), End: r.afterComment(), NewText: []byte(end.String())},
	}
	for _, c := range r.continues {
		edits = append(edits, analysis.TextEdit{Pos: c.Pos(), End: c.End(), NewText: []byte("return")})
	}
	return []analysis.SuggestedFix{{Message: "Compute in nd.TidyAll", TextEdits: edits}}
}

func (r *region) pos() token.Pos { return r.body[r.from].Pos() }
func (r *region) end() token.Pos { return r.body[r.to-1].End() }

func (r *region) contains(at token.Pos) bool { return r.pos() <= at && at < r.end() }

// find finds the statements of the loop that leave arrays.
func (r *region) find(l *loop, left []temporary) bool {
	first, last := left[0].at, left[0].at
	for _, t := range left {
		first, last = min(first, t.at), max(last, t.at)
	}
	from, to := first, last
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(*ssa.Call); ok && call.Pos().IsValid() {
				from, to = min(from, call.Pos()), max(to, call.Pos())
			}
		}
	}
	for _, file := range r.pass.Files {
		if file.FileStart <= first && first < file.FileEnd {
			r.file = file
		}
	}
	if r.file == nil {
		return false
	}
	path, _ := astutil.PathEnclosingInterval(r.file, first, last+1)
	for k, node := range path {
		var body *ast.BlockStmt
		switch node := node.(type) {
		case *ast.ForStmt:
			body = node.Body
		case *ast.RangeStmt:
			body = node.Body
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
		if body == nil || from < node.Pos() || node.End() <= to {
			continue
		}
		holds := func(at token.Pos) func(s ast.Stmt) bool {
			return func(s ast.Stmt) bool { return s.Pos() <= at && at < s.End() }
		}
		r.path, r.body = path[k:], body.List
		r.from, r.to = slices.IndexFunc(r.body, holds(first)), slices.IndexFunc(r.body, holds(last))+1
		if r.from < 0 || r.to == 0 {
			return false // in the loop's header
		}
		r.close()
		return true
	}
	return false
}

// close extends the region until no statement after it uses a variable that the region declares.
func (r *region) close() {
	for k := r.to; k < len(r.body); k++ {
		uses := false
		ast.Inspect(r.body[k], func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				if object := r.pass.TypesInfo.Uses[name]; object != nil && r.contains(object.Pos()) {
					uses = true
				}
			}
			return !uses
		})
		if uses {
			r.to = k + 1
		}
	}
}

// stays reports whether control leaves the region only at its end, or for the next round if the body ends there.
func (r *region) stays() bool {
	ok := true
	var inner []ast.Node // statements that break or continue may belong to
	for _, s := range r.body[r.from:r.to] {
		astutil.Apply(s, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.ReturnStmt, *ast.LabeledStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.FuncLit:
				ok = false
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				inner = append(inner, n)
			case *ast.BranchStmt:
				loops := slices.ContainsFunc(inner, isLoop)
				switch {
				case n.Label != nil || n.Tok == token.GOTO || n.Tok == token.BREAK && len(inner) == 0:
					ok = false
				case n.Tok == token.CONTINUE && !loops:
					r.continues = append(r.continues, n)
				}
			}
			return ok
		}, func(c *astutil.Cursor) bool {
			if n := len(inner); n > 0 && inner[n-1] == c.Node() {
				inner = inner[:n-1]
			}
			return true
		})
	}
	if ok && len(r.continues) > 0 && r.to < len(r.body) {
		r.to, r.continues = len(r.body), nil
		return r.stays()
	}
	return ok
}

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

func (r *region) reaches(e ast.Expr) bool {
	t := r.pass.TypesInfo.TypeOf(e)
	return t != nil && reaches(t)
}

// collect finds the variables of the region, and reports whether arrays leave it in these only.
func (r *region) collect() bool {
	ok := true
	for _, s := range r.body[r.from:r.to] {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				r.uses(n)
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					ok = ok && r.assigns(x)
				}
			case *ast.RangeStmt:
				for _, x := range []ast.Expr{n.Key, n.Value} {
					ok = ok && (x == nil || r.assigns(x))
				}
			case *ast.UnaryExpr:
				ok = ok && (n.Op != token.AND || !r.reaches(n.X))
			case *ast.CallExpr:
				ok = ok && r.keepsNothing(n)
				if literal := r.literal(n.Fun); literal != nil {
					ast.Inspect(literal.Body, func(n ast.Node) bool {
						if name, ok := n.(*ast.Ident); ok {
							r.uses(name)
						}
						return true
					})
				}
			}
			return ok
		})
	}
	return ok
}

// uses adds the array variable that a name means to those of the region.
func (r *region) uses(name *ast.Ident) {
	if v := r.variable(name); v != nil && v.Parent().Contains(r.pos()) && !slices.Contains(r.variables, v) {
		r.variables = append(r.variables, v)
	}
}

// variable returns the array variable from outside the region that a name means, or nil. Variables of the package are
// not passed to TidyAll, because other goroutines may read them.
func (r *region) variable(name *ast.Ident) *types.Var {
	v, ok := r.pass.TypesInfo.Uses[name].(*types.Var)
	if !ok || v.IsField() || !isArray(v.Type()) || r.contains(v.Pos()) || v.Parent() == r.pass.Pkg.Scope() || v.Pkg() != r.pass.Pkg {
		return nil
	}
	return v
}

// assigns reports whether an assignment to x keeps arrays in the region, or in a variable that TidyAll gets.
func (r *region) assigns(x ast.Expr) bool {
	if !r.reaches(x) {
		return true
	}
	root := x
	for {
		switch e := root.(type) {
		case *ast.ParenExpr:
			root = e.X
			continue
		case *ast.SelectorExpr:
			root = e.X
			continue
		case *ast.IndexExpr:
			root = e.X
			continue
		}
		break
	}
	name, ok := root.(*ast.Ident)
	if !ok {
		return false
	}
	if object := r.pass.TypesInfo.ObjectOf(name); name.Name == "_" || object != nil && r.contains(object.Pos()) {
		// An element of a pointer or slice may be an element of something older.
		return name == x || name.Name == "_"
	}
	v := r.variable(name)
	if v == nil || name != x {
		return false
	}
	r.assigned[v] = true
	return true
}

// packageName returns the name under which the file imports package nd, if it means the package in the region.
func (r *region) packageName() string {
	for _, spec := range r.file.Imports {
		imported := r.pass.TypesInfo.PkgNameOf(spec)
		if imported == nil || imported.Imported().Path() != module+"nd" {
			continue
		}
		scope := r.pass.Pkg.Scope().Innermost(r.pos())
		if scope == nil {
			return ""
		}
		if _, object := scope.LookupParent(imported.Name(), r.pos()); object == imported {
			return imported.Name()
		}
	}
	return ""
}

// afterComment returns the end of the region, with a comment on its last line.
func (r *region) afterComment() token.Pos {
	end := r.end()
	line := r.pass.Fset.Position(end).Line
	for _, group := range r.file.Comments {
		for _, c := range group.List {
			if c.Pos() >= end && r.pass.Fset.Position(c.Pos()).Line == line {
				return c.End()
			}
		}
	}
	return end
}
