package main

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// functions builds the functions of the package, with their literals, in static single assignment form. The analyzer
// buildssa would also do this for every imported package, to learn which functions do not return.
var functions = &analysis.Analyzer{
	Name:       "functions",
	Doc:        "build the functions of a package for the other analyzers",
	ResultType: reflect.TypeFor[[]*ssa.Function](),
	Run:        build,
}

func build(pass *analysis.Pass) (any, error) {
	var all []*ssa.Function
	uses := func(p *types.Package) bool { return strings.HasPrefix(p.Path(), module) }
	if !slices.ContainsFunc(pass.Pkg.Imports(), uses) {
		return all, nil
	}
	program := ssa.NewProgram(pass.Fset, 0)
	for _, imported := range pass.Pkg.Imports() {
		program.CreatePackage(imported, nil, nil, true)
	}
	own := program.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	own.Build()
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				all = withLiterals(all, program.FuncValue(pass.TypesInfo.Defs[d.Name].(*types.Func)))
			}
		}
	}
	return withLiterals(all, own.Func("init")), nil // initialises the package's variables
}

func withLiterals(all []*ssa.Function, fn *ssa.Function) []*ssa.Function {
	all = append(all, fn)
	for _, literal := range fn.AnonFuncs {
		all = withLiterals(all, literal)
	}
	return all
}
