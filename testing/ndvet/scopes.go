package main

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// scope reports uses of arrays that a function passed to nd.Tidy or nd.TidyAll leaves in variables that the scope does
// not know, and of states that were replaced.
func (r *releases) scope(call ssa.CallInstruction, name string) {
	body, states := call.Common().Args[1], []ssa.Value(nil)
	if name == "nd.TidyAll" {
		body, states = call.Common().Args[0], elements(call.Common().Args[1])
	}
	closure, ok := body.(*ssa.MakeClosure)
	if !ok {
		return
	}
	fn := closure.Fn.(*ssa.Function)
	var operands []ssa.Value // the scope's arrays are computed from these
	for _, p := range fn.Params {
		operands = append(operands, p)
	}
	for k, inner := range fn.FreeVars {
		if !slices.Contains(states, closure.Bindings[k]) {
			continue
		}
		operands = append(operands, inner)
		if outer, ok := closure.Bindings[k].(*ssa.Alloc); ok && isStored(inner) {
			r.replaced(call, outer)
		}
	}
	for k, inner := range fn.FreeVars {
		outer, ok := closure.Bindings[k].(*ssa.Alloc)
		if !ok || slices.Contains(states, closure.Bindings[k]) || !r.smuggles(inner, operands) || isRewritten(outer, call) {
			continue
		}
		for _, load := range loads(outer) {
			if precedes(call, load) {
				r.after(call, load, "the end of its scope: it is not among the results of "+name)
			}
		}
	}
}

// smuggles reports whether a scope's function stores values computed from the operands in an outer variable, or appends
// them to one.
func (r *releases) smuggles(variable *ssa.FreeVar, operands []ssa.Value) bool {
	for _, use := range *variable.Referrers() {
		store, ok := use.(*ssa.Store)
		if !ok || store.Addr != variable {
			continue
		}
		stored := []ssa.Value{store.Val}
		if call, ok := store.Val.(*ssa.Call); ok && len(call.Call.Args) == 2 {
			if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
				stored = elements(call.Call.Args[1])
			}
		}
		for _, x := range stored {
			owners := r.owners.find(x)
			made := slices.ContainsFunc(owners, func(owner ssa.Value) bool { return !isOlder(owner) })
			if !made && slices.ContainsFunc(owners, func(owner ssa.Value) bool { return slices.Contains(operands, owner) }) {
				return true
			}
		}
	}
	return false
}

// replaced reports uses of a state that an earlier nd.TidyAll left in its variable. The call releases this state when
// it stores another one.
func (r *releases) replaced(call ssa.CallInstruction, variable *ssa.Alloc) {
	const what = "the next nd.TidyAll, which releases the state before it: keep a Copy"
	in := innermost(r.loops, call.Block())
	if in == nil {
		return
	}
	for _, use := range *variable.Referrers() {
		if store, ok := use.(*ssa.Store); ok && store.Addr == variable && in.blocks[store.Block()] {
			return // a different variable
		}
	}
	for _, load := range loads(variable) {
		if !in.blocks[load.Block()] {
			continue
		}
		if precedes(load, call) {
			r.after(call, load, what)
		} else if precedes(call, load) {
			r.fromRoundBefore(call, load, in, what, map[ssa.Value]bool{})
		}
	}
}

// fromRoundBefore follows a state that a variable still holds in the next round.
func (r *releases) fromRoundBefore(call ssa.CallInstruction, x ssa.Value, in *loop, what string, seen map[ssa.Value]bool) {
	for _, use := range *x.Referrers() {
		phi, ok := use.(*ssa.Phi)
		if !ok || seen[phi] || !in.blocks[phi.Block()] {
			continue
		}
		seen[phi] = true
		if phi.Block() == in.head {
			r.after(call, phi, what)
		} else {
			r.fromRoundBefore(call, phi, in, what, seen)
		}
	}
}

// isStored reports whether a function literal assigns to an outer variable.
func isStored(variable *ssa.FreeVar) bool {
	return slices.ContainsFunc(*variable.Referrers(), func(use ssa.Instruction) bool {
		store, ok := use.(*ssa.Store)
		return ok && store.Addr == variable
	})
}

// loads returns the instructions with which the function that declares a variable reads it.
func loads(variable *ssa.Alloc) []*ssa.UnOp {
	var all []*ssa.UnOp
	for _, use := range *variable.Referrers() {
		if load, ok := use.(*ssa.UnOp); ok {
			all = append(all, load)
		}
	}
	return all
}

// isRewritten reports whether the function that declares a variable may write to it after the call.
func isRewritten(variable *ssa.Alloc, call ssa.Instruction) bool {
	return slices.ContainsFunc(*variable.Referrers(), func(use ssa.Instruction) bool {
		store, ok := use.(*ssa.Store)
		return ok && store.Addr == variable && !precedes(store, call)
	})
}
