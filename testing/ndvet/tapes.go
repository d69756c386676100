package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// reportTapes finds tapes and arenas that are created or that grow in a hot loop and are not emptied there. It ignores
// those that other code can reach, too.
func reportTapes(pass *analysis.Pass, fn *ssa.Function, loops []*loop) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			made, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			switch callee(made) {
			case "grad.NewTape":
				reportTape(pass, made, "tape", "Reset", loops)
			case "nd.NewArena":
				reportTape(pass, made, "arena", "Release", loops)
			}
		}
	}
}

func reportTape(pass *analysis.Pass, made *ssa.Call, kind, empty string, loops []*loop) {
	var watches, gradients, emptied []ssa.Instruction
	for _, use := range *made.Referrers() {
		call, ok := use.(ssa.CallInstruction)
		if !ok {
			return
		}
		switch callee(call) {
		case "Tape.Watch":
			watches = append(watches, use)
		case "Scope.Watch": // watches all parameters: a step begins
			watches, gradients = append(watches, use), append(gradients, use)
		case "Tape.Gradient", "Tape.VJP":
			gradients = append(gradients, use)
		case "Tape.Reset", "Tape.Release", "Arena.Release":
			emptied = append(emptied, use)
		case "Arena.Adopt", "Arena.Keep", "Tape.Keep", "Tape.Len":
		default:
			return
		}
	}
	if l := innermost(loops, made.Block()); l != nil {
		if !l.has(emptied) {
			pass.Reportf(made.Pos(), "every round of this loop leaves the arrays of its %s to the garbage collector: %s it", kind, empty)
		}
		return
	}
	for _, g := range gradients {
		if l := innermost(loops, g.Block()); l != nil && l.has(watches) && !l.has(emptied) {
			pass.Reportf(g.Pos(), "the tape grows with every round of this loop: Reset it at the end")
			return
		}
	}
}

// has reports whether one of the instructions is in the loop.
func (l *loop) has(instructions []ssa.Instruction) bool {
	for _, i := range instructions {
		if l.blocks[i.Block()] {
			return true
		}
	}
	return false
}
