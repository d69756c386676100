package main

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

var temporaries = &analysis.Analyzer{
	Name: "temporaries",
	Doc: `report hot loops that leave arrays to the garbage collector

An array that is computed in a loop and needed no more after the round should be released, or belong to a scope, an arena
or a tape. One report a loop names the functions that make such arrays, also in functions of the package that the loop
calls. Loops of fewer than 100 rounds, arrays of a few elements and test files are left alone, as is what an arena or a
tape of an unknown caller may own.`,
	Requires: []*analysis.Analyzer{functions},
	Run:      runTemporaries,
}

// temporary is an array that a call creates and that nothing keeps.
type temporary struct {
	at   token.Pos
	name string // name of the function that creates it
}

func runTemporaries(pass *analysis.Pass) (any, error) {
	all := pass.ResultOf[functions].([]*ssa.Function)
	p := newProgram(all)
	for _, fn := range all {
		if isTest(pass, fn.Pos()) || p.inScope(fn) {
			continue
		}
		loops := hotLoops(fn)
		left := map[*loop][]temporary{}
		for _, b := range fn.Blocks {
			if l := innermost(loops, b); l != nil {
				for _, i := range b.Instrs {
					left[l] = append(left[l], p.leftBy(i, l)...)
				}
			}
		}
		for _, l := range loops {
			if len(left[l]) > 0 {
				p.report(pass, fn, l, left[l])
			}
		}
		reportTapes(pass, fn, loops)
	}
	return nil, nil
}

// isTest reports whether a position is in a test file.
func isTest(pass *analysis.Pass, at token.Pos) bool {
	return at.IsValid() && strings.HasSuffix(pass.Fset.File(at).Name(), "_test.go")
}

func (p *program) report(pass *analysis.Pass, fn *ssa.Function, l *loop, left []temporary) {
	first := slices.MinFunc(left, func(a, b temporary) int { return int(a.at - b.at) })
	var names []string
	for _, t := range left {
		if !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	if len(names) > 4 {
		names = append(names[:3], "…")
	}
	arrays := "arrays"
	if len(left) == 1 {
		arrays = "array"
	}
	pass.Report(analysis.Diagnostic{
		Pos: first.at,
		Message: fmt.Sprintf("every round of this loop leaves %d %s to the garbage collector (%s): "+
			"compute in nd.TidyAll, or from what an nd.Arena has adopted, or Release them", len(left), arrays, strings.Join(names, ", ")),
		SuggestedFixes: p.scopeFix(pass, fn, l, left),
	})
}

// inScope reports whether fn is a function literal passed to a scope, or is inside one.
func (p *program) inScope(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if p.scoped[fn] {
			return true
		}
	}
	return false
}

// leftBy returns the arrays that one instruction creates and that are dropped within a round of the loop, or within the
// function if there is no loop.
func (p *program) leftBy(i ssa.Instruction, l *loop) []temporary {
	call, ok := i.(*ssa.Call)
	if !ok {
		return nil
	}
	var left []temporary
	name := p.maker(call)
	if name != "" && p.isLoose(call) {
		for _, y := range results(call) {
			if !isSmall(y) && p.isDropped(y, l, map[ssa.Value]bool{}) {
				left = append(left, temporary{call.Pos(), name})
			}
		}
	}
	if fn := call.Call.StaticCallee(); fn != nil && fn.Blocks != nil {
		in := fn.Name()
		if fn.Parent() != nil {
			in = "a literal"
		}
		for _, t := range p.dropsOf(fn) {
			left = append(left, temporary{call.Pos(), t.name + " in " + in})
		}
	}
	return left
}

// dropsOf returns the arrays that a call of a function of the package drops, without those of the function's own hot
// loops.
func (p *program) dropsOf(fn *ssa.Function) []temporary {
	left, known := p.drops[fn]
	if known || p.inScope(fn) {
		return left
	}
	p.drops[fn] = nil // for recursive calls
	loops := hotLoops(fn)
	for _, b := range fn.Blocks {
		if innermost(loops, b) == nil {
			for _, i := range b.Instrs {
				for _, t := range p.leftBy(i, nil) {
					t.name, _, _ = strings.Cut(t.name, " ")
					left = append(left, t)
				}
			}
		}
	}
	p.drops[fn] = left
	return left
}

// maker returns the name of the called function if its results are new memory, or "".
func (p *program) maker(call *ssa.Call) string {
	if name := callee(call); name != "" {
		if allocates(name) && !mayHaveOut(&call.Call) {
			return name
		}
		return ""
	}
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Blocks == nil || fn.Signature.Results().Len() != 1 || !isArray(call.Type()) {
		return ""
	}
	if p.making[fn] {
		return ""
	}
	p.making[fn] = true
	defer delete(p.making, fn)
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			if made, ok := ret.Results[0].(*ssa.Call); !ok || p.maker(made) == "" {
				return ""
			}
		}
	}
	return fn.Name()
}

// results returns the arrays that a call returns.
func results(call *ssa.Call) []ssa.Value {
	if isArray(call.Type()) {
		return []ssa.Value{call}
	}
	var ys []ssa.Value
	if tuple, ok := call.Type().(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if !isArrays(v.Type()) {
				return nil // it returns an error: this reads a file
			}
		}
		for _, use := range *call.Referrers() {
			if y, ok := use.(*ssa.Extract); ok && isArray(y.Type()) {
				ys = append(ys, y)
			}
		}
	}
	return ys
}

// mayHaveOut reports whether a call's options have, or may have, an Out.
func mayHaveOut(call *ssa.CallCommon) bool {
	if !call.Signature().Variadic() {
		return false
	}
	options, ok := call.Args[len(call.Args)-1].(*ssa.Slice)
	if !ok {
		_, none := call.Args[len(call.Args)-1].(*ssa.Const)
		return !none
	}
	for _, value := range elements(options) {
		if boxed, ok := value.(*ssa.MakeInterface); ok {
			value = boxed.X
		} else if types.IsInterface(value.Type()) {
			return true
		}
		if isOutput(value.Type()) {
			return true
		}
		u, ok := value.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for k := range u.NumFields() {
			if u.Field(k).Name() == "Out" && maySet(value, k) {
				return true
			}
		}
	}
	return false
}

// maySet reports whether field k of a struct may be set: always, unless a composite literal omits it.
func maySet(value ssa.Value, k int) bool {
	if _, zero := value.(*ssa.Const); zero {
		return false
	}
	load, ok := value.(*ssa.UnOp)
	if !ok {
		return true
	}
	literal, ok := load.X.(*ssa.Alloc)
	if !ok || literal.Comment != "complit" {
		return true
	}
	return slices.ContainsFunc(*literal.Referrers(), func(use ssa.Instruction) bool {
		field, ok := use.(*ssa.FieldAddr)
		return ok && field.Field == k
	})
}

// elements returns the values in a slice literal, or nil.
func elements(x ssa.Value) []ssa.Value {
	slice, ok := x.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var values []ssa.Value
	for _, use := range *array.Referrers() {
		if element, ok := use.(*ssa.IndexAddr); ok {
			for _, use := range *element.Referrers() {
				if store, ok := use.(*ssa.Store); ok && store.Addr == element {
					values = append(values, store.Val)
				}
			}
		}
	}
	return values
}
