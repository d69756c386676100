package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// keepsNothing reports whether a call keeps none of its arguments.
func (r *region) keepsNothing(call *ast.CallExpr) bool {
	none := !slices.ContainsFunc(call.Args, r.reaches) && !r.reaches(call) // no array goes in or out
	if method, ok := call.Fun.(*ast.SelectorExpr); ok && r.pass.TypesInfo.Selections[method] != nil {
		none = none && !r.reaches(method.X)
	}
	if none || r.pass.TypesInfo.Types[call.Fun].IsType() {
		return true
	}
	switch callee := typeutil.Callee(r.pass.TypesInfo, call).(type) {
	case *types.Builtin:
		return true
	case *types.Func:
		if name := function(callee); name != "" {
			return onlyReads(name)
		}
		if callee.Pkg() != r.pass.Pkg {
			return prints(callee)
		}
		return r.p.keepsNothing(r.fn.Prog.FuncValue(callee))
	}
	literal := r.literal(call.Fun)
	return literal != nil && r.p.keepsNothing(r.built(literal))
}

// literal returns the function literal that a variable of the function holds, if it never holds another function.
func (r *region) literal(e ast.Expr) *ast.FuncLit {
	name, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	variable := r.pass.TypesInfo.Uses[name]
	var literal *ast.FuncLit
	once := true
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for k, x := range n.Lhs {
				if x, ok := x.(*ast.Ident); ok && r.pass.TypesInfo.ObjectOf(x) == variable {
					once = once && literal == nil && len(n.Lhs) == len(n.Rhs)
					if once {
						literal, once = n.Rhs[k].(*ast.FuncLit)
					}
				}
			}
		case *ast.UnaryExpr:
			if x, ok := n.X.(*ast.Ident); ok && n.Op == token.AND && r.pass.TypesInfo.Uses[x] == variable {
				once = false
			}
		}
		return true
	})
	if !once {
		return nil
	}
	return literal
}

// built returns the code of a function literal.
func (r *region) built(literal *ast.FuncLit) *ssa.Function {
	for fn := r.fn; fn != nil; fn = fn.Parent() {
		for _, inner := range fn.AnonFuncs {
			if inner.Pos() == literal.Pos() {
				return inner
			}
		}
	}
	return nil
}

// onlyReads reports whether a function of the library keeps no operand outside its result, and releases none.
func onlyReads(name string) bool {
	switch of, method, _ := strings.Cut(name, "."); {
	case allocates(name), views[name]:
		return true
	case of == "nd":
		return !strings.HasPrefix(name, "nd.Tidy") && name != "nd.Data" && name != "nd.Wrap" && name != "nd.NewArena" && name != "nd.Catch"
	case of == "Array":
		return method != "Release" && method != "Block"
	}
	return false
}

// prints reports whether a function of the standard library writes its arguments as text.
func prints(fn *types.Func) bool {
	return fn.Pkg() != nil && (fn.Pkg().Path() == "fmt" || fn.Pkg().Path() == "log")
}

// keepsNothing reports whether a function of the package keeps arrays only in its own variables and results.
func (p *program) keepsNothing(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	if answer, known := p.harmless[fn]; known {
		return answer
	}
	p.harmless[fn] = true // for recursive calls
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if !p.leavesNothing(i) {
				p.harmless[fn] = false
				return false
			}
		}
	}
	return fn.Blocks != nil
}

func (p *program) leavesNothing(i ssa.Instruction) bool {
	anyReaches := func(xs []ssa.Value) bool {
		return slices.ContainsFunc(xs, func(x ssa.Value) bool { return reaches(x.Type()) })
	}
	switch i := i.(type) {
	case *ssa.Store:
		variable, ok := p.whole(i.Addr).(*ssa.Alloc)
		return ok && variable.Parent() == i.Parent() || !reaches(i.Val.Type())
	case *ssa.MapUpdate:
		_, own := i.Map.(*ssa.MakeMap)
		return own || !reaches(i.Value.Type())
	case *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Select:
		return false
	case *ssa.MakeClosure:
		return !anyReaches(i.Bindings)
	case *ssa.Call:
		if _, ok := i.Call.Value.(*ssa.Builtin); ok || !anyReaches(i.Call.Args) && !reaches(i.Type()) {
			return true
		}
		if name := callee(i); name != "" {
			return onlyReads(name)
		}
		called := i.Call.StaticCallee()
		if called == nil {
			return false
		}
		if object, ok := called.Object().(*types.Func); ok && prints(object) {
			return true
		}
		return called.Blocks != nil && p.keepsNothing(called)
	}
	return true
}
