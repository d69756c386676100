package main

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

var ignored = &analysis.Analyzer{
	Name: "ignored",
	Doc: `report calls whose only effect is a result that nobody takes

The functions of ndgrad return new arrays and leave their operands as they are. Calls whose options have an Out, that write
an operand or create parameters, those in the function of an nd.Catch and those of test files are left alone. Assign to _
where the result is not wanted.`,
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      runIgnored,
}

// effects are the functions with effects besides returning arrays.
var effects = set("Arena.Keep Tape.Keep Temporaries.Keep Temporaries.Own normalize.BatchNormalization normalize.BatchNormalizationWithStat normalize.FusedBatchNormalization " +
	"normalize.SpectralNorm nn.Affine Scope.Get Scope.Parameter")

func runIgnored(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for c := range in.Root().Preorder((*ast.ExprStmt)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil)) {
		var call *ast.CallExpr
		switch s := c.Node().(type) {
		case *ast.ExprStmt:
			call, _ = ast.Unparen(s.X).(*ast.CallExpr)
		case *ast.GoStmt:
			call = s.Call
		case *ast.DeferStmt:
			call = s.Call
		}
		if call == nil || isTest(pass, call.Pos()) {
			continue
		}
		name := called(pass, call)
		if name == "" || effects[name] || !onlyArrays(pass.TypesInfo.TypeOf(call)) || hasOut(pass, call) || inCatch(pass, c) {
			continue
		}
		if name == "Tape.Gradient" || name == "Tape.VJP" {
			pass.Reportf(call.Pos(), "the gradients that %s returns are ignored: they are nowhere else", name)
			continue
		}
		pass.Reportf(call.Pos(), "the result of %s is ignored, and its operands are left as they are", name)
	}
	return nil, nil
}

// called returns the name of the called library function, or "".
func called(pass *analysis.Pass, call *ast.CallExpr) string {
	return function(typeutil.StaticCallee(pass.TypesInfo, call))
}

// onlyArrays reports whether a call returns only arrays, or slices of arrays.
func onlyArrays(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return isArrays(t)
	}
	for v := range tuple.Variables() {
		if !isArrays(v.Type()) {
			return false
		}
	}
	return tuple.Len() > 0
}

// hasOut reports whether the options of a call have an Out, or may have one.
func hasOut(pass *analysis.Pass, call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		t := pass.TypesInfo.TypeOf(arg)
		if call.Ellipsis.IsValid() {
			if s, ok := t.Underlying().(*types.Slice); ok {
				t = s.Elem()
			}
		}
		if types.IsInterface(t) || isOutput(t) {
			return true
		}
		u, ok := t.Underlying().(*types.Struct)
		if !ok || !hasField(u, "Out") {
			continue
		}
		literal, ok := ast.Unparen(arg).(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, element := range literal.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Out" {
				return true
			}
		}
	}
	return false
}

func hasField(u *types.Struct, name string) bool {
	for f := range u.Fields() {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// inCatch reports whether a statement is in a function literal that nd.Catch calls, where a panic is intended.
func inCatch(pass *analysis.Pass, c inspector.Cursor) bool {
	for literal := range c.Enclosing((*ast.FuncLit)(nil)) {
		if call, ok := literal.Parent().Node().(*ast.CallExpr); ok && called(pass, call) == "nd.Catch" {
			return true
		}
	}
	return false
}
