package main

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// fewRounds is how many rounds a loop may have for certain without being hot.
const fewRounds = 100

// loop is a natural loop: all blocks from which its head is reached again without passing it.
type loop struct {
	head   *ssa.BasicBlock
	blocks map[*ssa.BasicBlock]bool
}

// hotLoops returns the loops of a function that may have many rounds.
func hotLoops(fn *ssa.Function) []*loop {
	return slices.DeleteFunc(loopsOf(fn), (*loop).isShort)
}

func loopsOf(fn *ssa.Function) []*loop {
	var loops []*loop
	for _, head := range fn.Blocks {
		l := &loop{head: head, blocks: map[*ssa.BasicBlock]bool{head: true}}
		for _, end := range head.Preds {
			if head.Dominates(end) {
				l.add(end)
			}
		}
		if len(l.blocks) > 1 || slices.Contains(head.Succs, head) {
			loops = append(loops, l)
		}
	}
	return loops
}

// add takes in a block, and those that lead to it.
func (l *loop) add(b *ssa.BasicBlock) {
	if !l.blocks[b] {
		l.blocks[b] = true
		for _, before := range b.Preds {
			l.add(before)
		}
	}
}

// innermost returns the smallest loop that has the block, or nil.
func innermost(loops []*loop, b *ssa.BasicBlock) *loop {
	var in *loop
	for _, l := range loops {
		if l.blocks[b] && (in == nil || len(l.blocks) < len(in.blocks)) {
			in = l
		}
	}
	return in
}

// isShort reports whether the loop ends after few rounds for certain: it counts up to a small constant, or goes through a
// slice that is written out in the program.
func (l *loop) isShort() bool {
	for b := range l.blocks {
		test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		if next, ok := test.Cond.(*ssa.Extract); ok {
			if n, ok := next.Tuple.(*ssa.Next); ok && writtenOut(n.Iter.(*ssa.Range).X) {
				return true
			}
		}
		compare, ok := test.Cond.(*ssa.BinOp)
		if !ok || (compare.Op != token.LSS && compare.Op != token.LEQ) || !l.counts(compare.X) {
			continue
		}
		if limit, ok := compare.Y.(*ssa.Const); ok && limit.Value != nil {
			if n, exact := constant.Int64Val(constant.ToInt(limit.Value)); exact && n < fewRounds {
				return true
			}
		}
		if call, ok := compare.Y.(*ssa.Call); ok {
			if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" && writtenOut(call.Call.Args[0]) {
				return true
			}
		}
	}
	return false
}

// counts reports whether x is a number that begins with a constant and grows by one in every round.
func (l *loop) counts(x ssa.Value) bool {
	if grown, ok := x.(*ssa.BinOp); ok && grown.Op == token.ADD {
		x = grown.X
	}
	phi, ok := x.(*ssa.Phi)
	if !ok || phi.Block() != l.head {
		return false
	}
	for i, edge := range phi.Edges {
		if l.blocks[l.head.Preds[i]] {
			if next, ok := edge.(*ssa.BinOp); !ok || next.Op != token.ADD || next.X != phi {
				return false
			}
		} else if _, ok := edge.(*ssa.Const); !ok {
			return false
		}
	}
	return true
}

// writtenOut reports whether x is a composite literal, or a table of the package.
func writtenOut(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Slice:
		if array, ok := x.X.(*ssa.Alloc); ok {
			_, ok := array.Type().(*types.Pointer).Elem().Underlying().(*types.Array)
			return ok
		}
	case *ssa.UnOp:
		_, ok := x.X.(*ssa.Global)
		return ok && x.Op == token.MUL
	case *ssa.MakeMap:
		return true
	}
	return false
}
