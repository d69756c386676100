package main

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// owners finds the arenas, tapes and scopes that may own the arrays of a package's functions. The owner of a result is
// the youngest owner of its operands. A parameter, or a variable from outside a literal, represents the owner of its
// array, which is older than anything that the function creates.
type owners struct {
	of       map[ssa.Value][]ssa.Value
	returned map[*ssa.Function][]ssa.Value // known owners of a function's results
}

func newOwners() *owners {
	return &owners{of: map[ssa.Value][]ssa.Value{}, returned: map[*ssa.Function][]ssa.Value{}}
}

// belongs reports whether that arena, tape or parameter certainly owns x.
func (o *owners) belongs(x, owner ssa.Value) bool {
	all := o.find(x)
	if !slices.Contains(all, owner) {
		return false
	}
	return !slices.ContainsFunc(all, func(other ssa.Value) bool { return other != owner && (isOlder(owner) || !isOlder(other)) })
}

// isOlder reports whether an owner existed before the function was called.
func isOlder(owner ssa.Value) bool {
	switch owner.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	}
	return false
}

// find returns all possible owners of x; none if x was taken away from its owner.
func (o *owners) find(x ssa.Value) []ssa.Value {
	all, known := o.of[x]
	if !known {
		o.of[x] = nil // for cycles
		if !isKept(x, map[ssa.Value]bool{}) {
			all = o.look(x)
		}
		o.of[x] = all
	}
	return all
}

func (o *owners) look(x ssa.Value) []ssa.Value {
	switch x := x.(type) {
	case *ssa.Parameter:
		if isArray(x.Type()) {
			return []ssa.Value{x}
		}
	case *ssa.Extract:
		return o.find(x.Tuple)
	case *ssa.UnOp:
		switch from := x.X.(type) {
		case *ssa.IndexAddr: // one of the gradients
			return o.find(from.X)
		case *ssa.FreeVar:
			if isArray(x.Type()) {
				return []ssa.Value{from}
			}
		}
	case *ssa.Call:
		return o.result(x)
	}
	return nil
}

// union returns the owners of all xs.
func (o *owners) union(xs []ssa.Value) []ssa.Value {
	var all []ssa.Value
	for _, x := range xs {
		for _, owner := range o.find(x) {
			if !slices.Contains(all, owner) {
				all = append(all, owner)
			}
		}
	}
	return all
}

// result returns the owners of the result of a call.
func (o *owners) result(call *ssa.Call) []ssa.Value {
	args := call.Call.Args
	name := callee(call)
	of, _, _ := strings.Cut(name, ".")
	switch {
	case name == "":
		return o.resultHere(call)
	case name == "Tape.Watch", name == "Tape.Gradient", name == "Tape.VJP", name == "Arena.Adopt":
		return []ssa.Value{arenaOf(args[0])}
	case of == "nd", !allocates(name) && !views[name], mayHaveOut(&call.Call):
		return nil
	}
	operands := slices.Clone(args)
	for _, arg := range args {
		operands = append(operands, elements(arg)...)
	}
	return o.union(slices.DeleteFunc(operands, func(x ssa.Value) bool { return !isArray(x.Type()) }))
}

// resultHere is result for functions of the package: the returned values show which parameters own the result. A
// function that gets a tape or an arena may Keep its result there.
func (o *owners) resultHere(call *ssa.Call) []ssa.Value {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Blocks == nil || !isArray(call.Type()) || slices.ContainsFunc(fn.Params, isArena) {
		return nil
	}
	returned, known := o.returned[fn]
	if !known {
		o.returned[fn] = nil
		returned = o.returns(fn)
		o.returned[fn] = returned
	}
	var all []ssa.Value
	for k, p := range fn.Params {
		if slices.Contains(returned, ssa.Value(p)) {
			all = append(all, o.find(call.Call.Args[k])...)
		}
	}
	return all
}

// returns returns the owners of fn's result, if they are the same at every return.
func (o *owners) returns(fn *ssa.Function) []ssa.Value {
	var all []ssa.Value
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			these := o.find(ret.Results[0])
			if these == nil || all != nil && !slices.Equal(all, these) {
				return nil
			}
			all = these
		}
	}
	return all
}

func isArena(p *ssa.Parameter) bool {
	n := named(p.Type())
	return n != nil && (n.Obj().Name() == "Tape" || n.Obj().Name() == "Arena")
}

// arenaOf returns the tape if x is the arena of a tape, otherwise x.
func arenaOf(x ssa.Value) ssa.Value {
	if call, ok := x.(*ssa.Call); ok && callee(call) == "Tape.Arena" {
		return call.Call.Args[0]
	}
	return x
}

// isKept reports whether x, an element of x, or a variable that holds x is taken out of its arena anywhere.
func isKept(x ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[x] || x.Referrers() == nil {
		return false
	}
	seen[x] = true
	return slices.ContainsFunc(*x.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Call:
			name := callee(use)
			_, builtin := use.Call.Value.(*ssa.Builtin)
			return keeps[name] || name == "" && !builtin && !isArray(x.Type())
		case *ssa.Phi, *ssa.IndexAddr:
			return isKept(use.(ssa.Value), seen)
		case *ssa.UnOp:
			return isArray(use.Type()) && isKept(use, seen)
		}
		return false
	})
}
