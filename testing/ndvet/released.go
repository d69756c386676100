package main

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

var released = &analysis.Analyzer{
	Name: "released",
	Doc: `report arrays that are used after they were released

by their Release, by that of their arena or the Reset of their tape unless they were kept, or at the end of their scope: a
variable outside that the function of nd.Tidy or nd.TidyAll assigns to, and that is none of its results. Shape, DType and the
like of a released array may be asked for.`,
	Requires: []*analysis.Analyzer{functions},
	Run:      runReleased,
}

func runReleased(pass *analysis.Pass) (any, error) {
	all := pass.ResultOf[functions].([]*ssa.Function)
	o := newOwners()
	for _, fn := range all {
		r := releases{pass: pass, owners: o, fn: fn, loops: loopsOf(fn), reported: map[token.Pos]bool{}}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok {
					r.call(call)
				}
			}
		}
	}
	return nil, nil
}

// releases finds uses after each release in a function.
type releases struct {
	pass     *analysis.Pass
	owners   *owners
	fn       *ssa.Function
	loops    []*loop
	reported map[token.Pos]bool
}

// call checks one call, if it releases something.
func (r *releases) call(call ssa.CallInstruction) {
	name := callee(call)
	switch name {
	case "Array.Release":
		r.after(call, call.Common().Args[0], "its Release")
	case "Arena.Release", "Tape.Reset", "Tape.Release":
		of := arenaOf(call.Common().Args[0])
		_, deferred := call.(*ssa.Defer)
		for _, b := range r.fn.Blocks {
			for _, i := range b.Instrs {
				x, ok := i.(ssa.Value)
				if ok && isArrays(x.Type()) && (deferred || precedes(i, call)) && r.owners.belongs(x, of) {
					r.after(call, x, name+" without Keep")
				}
			}
		}
	case "nd.Tidy", "nd.TidyAll":
		r.scope(call, name)
	}
}

// after reports a use of x that certainly follows its release. A deferred release precedes the function's return.
func (r *releases) after(release ssa.CallInstruction, x ssa.Value, what string) {
	if x.Referrers() == nil {
		return
	}
	_, deferred := release.(*ssa.Defer)
	for _, use := range *x.Referrers() {
		if phi, ok := use.(*ssa.Phi); ok && !deferred {
			r.carried(release, x, phi, what, map[*ssa.Phi]bool{})
		}
		if element, ok := use.(*ssa.IndexAddr); ok {
			for _, load := range *element.Referrers() {
				if load, ok := load.(*ssa.UnOp); ok {
					r.after(release, load, what)
				}
			}
		}
		switch {
		case deferred && !isResult(use) || !needs(use):
		case precedes(release, use):
			r.report(use, what)
			return
		case r.comesAgain(release, x, use):
			r.report(use, what+" in the round before")
			return
		}
	}
}

// comesAgain reports whether the use of an array from before a loop follows its release in the next round of the loop.
func (r *releases) comesAgain(release ssa.Instruction, x ssa.Value, use ssa.Instruction) bool {
	return slices.ContainsFunc(r.loops, func(l *loop) bool {
		if made, ok := x.(ssa.Instruction); ok && l.blocks[made.Block()] || !l.blocks[release.Block()] || !l.blocks[use.Block()] {
			return false
		}
		return !slices.ContainsFunc(l.head.Preds, func(end *ssa.BasicBlock) bool {
			return l.blocks[end] && !release.Block().Dominates(end)
		})
	})
}

// carried reports the first use of a variable that may hold the released array x; in a loop this may be in the next
// round.
func (r *releases) carried(release ssa.CallInstruction, x ssa.Value, variable *ssa.Phi, what string, seen map[*ssa.Phi]bool) {
	if seen[variable] {
		return
	}
	seen[variable] = true
	for i, edge := range variable.Edges {
		before := variable.Block().Preds[i]
		if edge != x || !precedes(release, before.Instrs[len(before.Instrs)-1]) {
			continue
		}
		if variable.Block().Dominates(before) {
			what += " in the round before"
		}
		for _, use := range *variable.Referrers() {
			if next, ok := use.(*ssa.Phi); ok {
				r.carried(release, variable, next, what, seen)
			} else if needs(use) {
				r.report(use, what)
				return
			}
		}
	}
}

// isResult reports whether an instruction returns the array. With deferred calls, a variable holds the result until
// they are done.
func isResult(use ssa.Instruction) bool {
	store, ok := use.(*ssa.Store)
	if !ok {
		_, ok := use.(*ssa.Return)
		return ok
	}
	variable, ok := store.Addr.(*ssa.Alloc)
	return ok && slices.ContainsFunc(*variable.Referrers(), func(use ssa.Instruction) bool {
		load, ok := use.(*ssa.UnOp)
		return ok && slices.ContainsFunc(*load.Referrers(), func(use ssa.Instruction) bool {
			_, ok := use.(*ssa.Return)
			return ok
		})
	})
}

// report reports a position once. If the instruction has no position, report uses the position of the
// next instruction.
func (r *releases) report(use ssa.Instruction, what string) {
	rest := use.Block().Instrs
	rest = rest[slices.Index(rest, use):]
	at := use.Pos()
	for k := 0; k < len(rest) && !at.IsValid(); k++ {
		at = rest[k].Pos()
	}
	if !r.reported[at] {
		r.reported[at] = true
		r.pass.Reportf(at, "the array is used after %s", what)
	}
}

// needs reports whether an instruction requires that x is not released.
func needs(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.Phi, *ssa.IndexAddr:
		return false
	case ssa.CallInstruction:
		_, builtin := use.Common().Value.(*ssa.Builtin)
		return !builtin && !safeAfterRelease[callee(use)]
	}
	return true
}

// precedes reports whether every path to b goes through a.
func precedes(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	return slices.Index(a.Block().Instrs, a) < slices.Index(b.Block().Instrs, b)
}
