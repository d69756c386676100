package main

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// program caches facts about a package's functions.
type program struct {
	calls   map[*ssa.Function][]ssa.CallInstruction // the calls of each function
	escapes map[*ssa.Function]bool                  // functions that are also values: their callers are unknown
	stores  map[ssa.Value][]ssa.Value               // values stored in a variable, field or element, by what contains it
	states  map[ssa.Value]bool                      // variables in which TidyAll leaves arrays that a scope owns
	scoped  map[*ssa.Function]bool                  // functions that Tidy or TidyAll calls
	bound   map[*ssa.FreeVar]ssa.Value              // the outer values of the variables of function literals

	loose    map[ssa.Value]bool            // answers of isLoose
	assumed  []ssa.Value                   // answers that assume the first answer, which is still being computed
	drops    map[*ssa.Function][]temporary // answers of dropsOf
	making   map[*ssa.Function]bool        // functions whose results maker is currently examining
	harmless map[*ssa.Function]bool        // answers of keepsNothing
}

func newProgram(functions []*ssa.Function) *program {
	p := &program{calls: map[*ssa.Function][]ssa.CallInstruction{}, escapes: map[*ssa.Function]bool{},
		stores: map[ssa.Value][]ssa.Value{}, states: map[ssa.Value]bool{}, bound: map[*ssa.FreeVar]ssa.Value{},
		scoped: map[*ssa.Function]bool{}, loose: map[ssa.Value]bool{}, drops: map[*ssa.Function][]temporary{},
		making: map[*ssa.Function]bool{}, harmless: map[*ssa.Function]bool{}}
	instructions := func(do func(ssa.Instruction)) {
		for _, fn := range functions {
			for _, b := range fn.Blocks {
				for _, i := range b.Instrs {
					do(i)
				}
			}
		}
	}
	instructions(func(i ssa.Instruction) { // first, because whole depends on it
		if f, ok := i.(*ssa.MakeClosure); ok {
			for k, v := range f.Fn.(*ssa.Function).FreeVars {
				p.bound[v] = f.Bindings[k]
			}
		}
	})
	instructions(p.record)
	return p
}

// record records one instruction.
func (p *program) record(i ssa.Instruction) {
	var called ssa.Value
	if call, ok := i.(ssa.CallInstruction); ok {
		if fn := call.Common().StaticCallee(); fn != nil {
			p.calls[fn] = append(p.calls[fn], call)
			called = call.Common().Value
		}
		name := callee(call)
		if f := scopeOf(call, name); f != nil {
			p.scoped[f] = true
		}
		if args := call.Common().Args; name == "nd.TidyAll" || name == "Func.Temporaries" {
			for _, x := range p.stores[p.whole(args[1])] {
				p.states[p.whole(x)] = true
			}
		}
	}
	for _, operand := range i.Operands(nil) {
		if *operand == nil || *operand == called {
			continue
		}
		value := *operand
		if f, ok := value.(*ssa.MakeClosure); ok {
			value = f.Fn
		}
		if fn, ok := value.(*ssa.Function); ok {
			p.escapes[fn] = true
			if method, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" { // x.method or T.method as a value
				p.escapes[fn.Prog.FuncValue(method)] = true
			}
		}
	}
	switch i := i.(type) {
	case *ssa.Store:
		p.stores[p.whole(i.Addr)] = append(p.stores[p.whole(i.Addr)], i.Val)
	case *ssa.MapUpdate:
		p.stores[p.whole(i.Map)] = append(p.stores[p.whole(i.Map)], i.Value)
	}
}

// scopeOf returns the function that a call passes to a scope, if it is known.
func scopeOf(call ssa.CallInstruction, name string) *ssa.Function {
	var f ssa.Value
	switch name {
	case "nd.Tidy":
		f = call.Common().Args[1]
	case "nd.TidyAll":
		f = call.Common().Args[0]
	}
	if closure, ok := f.(*ssa.MakeClosure); ok {
		f = closure.Fn
	}
	fn, _ := f.(*ssa.Function)
	return fn
}

// whole returns what x is a part of, or the array that x shows a part of.
func (p *program) whole(x ssa.Value) ssa.Value {
	for {
		switch v := x.(type) {
		case *ssa.FieldAddr:
			x = v.X
		case *ssa.Field:
			x = v.X
		case *ssa.IndexAddr:
			x = v.X
		case *ssa.Index:
			x = v.X
		case *ssa.Lookup:
			x = v.X
		case *ssa.Slice:
			x = v.X
		case *ssa.Extract:
			if next, ok := v.Tuple.(*ssa.Next); ok {
				x = next.Iter.(*ssa.Range).X
				continue
			}
			x = v.Tuple
		case *ssa.ChangeType:
			x = v.X
		case *ssa.MakeInterface:
			x = v.X
		case *ssa.TypeAssert:
			x = v.X
		case *ssa.FreeVar:
			outside, ok := p.bound[v]
			if !ok {
				return x
			}
			x = outside
		case *ssa.UnOp:
			if v.Op != token.MUL {
				return x
			}
			x = v.X
		default:
			return x
		}
	}
}

// isLoose reports whether no tape, arena or scope can own the arrays in x. Arrays from unknown functions may be owned
// by tapes, arenas or scopes of those functions.
func (p *program) isLoose(x ssa.Value) bool {
	if !reaches(x.Type()) {
		return true
	}
	x = p.whole(x)
	if answer, known := p.loose[x]; known {
		return answer
	}
	assumed := len(p.assumed)
	p.loose[x] = true // so that a cycle gets the answer of its entry
	p.assumed = append(p.assumed, x)
	if p.comesLoose(x) {
		if assumed == 0 {
			p.assumed = p.assumed[:0]
		}
		return true
	}
	for _, y := range p.assumed[assumed:] { // drop answers that used this assumption
		delete(p.loose, y)
	}
	p.assumed = p.assumed[:assumed]
	p.loose[x] = false
	return false
}

func (p *program) comesLoose(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function:
		return true
	case *ssa.Alloc:
		return !p.states[x] && p.allLoose(p.stores[x])
	case *ssa.MakeSlice, *ssa.MakeMap:
		return p.allLoose(p.stores[x])
	case *ssa.Phi:
		return p.allLoose(x.Edges)
	case *ssa.MakeClosure:
		return p.allLoose(x.Bindings)
	case *ssa.Parameter:
		return p.argumentsLoose(x)
	case *ssa.Call:
		return p.resultLoose(x)
	}
	return false
}

func (p *program) allLoose(xs []ssa.Value) bool {
	for _, x := range xs {
		if !p.isLoose(x) {
			return false
		}
	}
	return true
}

// argumentsLoose checks all calls of the parameter's function, if they are known.
func (p *program) argumentsLoose(x *ssa.Parameter) bool {
	fn := x.Parent()
	exported := fn.Object() != nil && fn.Object().Exported() && fn.Object().Pkg().Name() != "main"
	if exported || p.escapes[fn] || len(p.calls[fn]) == 0 {
		return false
	}
	for k, parameter := range fn.Params {
		if parameter != x {
			continue
		}
		for _, call := range p.calls[fn] {
			if !p.isLoose(call.Common().Args[k]) {
				return false
			}
		}
	}
	return true
}

// resultLoose checks the arguments: a result computed only from loose arrays is loose.
func (p *program) resultLoose(call *ssa.Call) bool {
	name := callee(call)
	of, _, _ := strings.Cut(name, ".")
	switch {
	case of == "Tape", of == "Arena", of == "Temporaries", name == "grad.NewTape", name == "nd.NewArena", name == "Scope.Watch":
		return false
	case call.Call.IsInvoke():
		return false
	}
	_, builtin := call.Call.Value.(*ssa.Builtin) // append
	return (builtin || p.isLoose(call.Call.Value)) && p.allLoose(call.Call.Args)
}
