package main

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// fewRounds is the largest number of rounds of a loop that does not count as hot.
const fewRounds = 100

// loop is a natural loop: all blocks from which its head can be reached without passing the head.
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

// add adds a block and its predecessors.
func (l *loop) add(b *ssa.BasicBlock) {
	if !l.blocks[b] {
		l.blocks[b] = true
		for _, before := range b.Preds {
			l.add(before)
		}
	}
}

// innermost returns the smallest loop that contains the block, or nil.
func innermost(loops []*loop, b *ssa.BasicBlock) *loop {
	var in *loop
	for _, l := range loops {
		if l.blocks[b] && (in == nil || len(l.blocks) < len(in.blocks)) {
			in = l
		}
	}
	return in
}

// isShort reports whether the loop certainly ends after few rounds: it counts to a small constant, or ranges over a
// slice that is a literal in the program.
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
		if !ok || compare.Op != token.LSS && compare.Op != token.LEQ {
			continue
		}
		from, counts := l.counts(compare.X)
		to, known := integer(compare.Y)
		if call, ok := compare.Y.(*ssa.Call); ok {
			b, ok := call.Call.Value.(*ssa.Builtin)
			known = ok && b.Name() == "len" && writtenOut(call.Call.Args[0])
		}
		if counts && known && to-from < fewRounds {
			return true
		}
	}
	return false
}

// counts returns the constant with which the integer x starts, if x grows in every round.
func (l *loop) counts(x ssa.Value) (from int64, ok bool) {
	if grown, ok := x.(*ssa.BinOp); ok && grown.Op == token.ADD {
		x = grown.X
	}
	phi, ok := x.(*ssa.Phi)
	if !ok || phi.Block() != l.head {
		return 0, false
	}
	for i, edge := range phi.Edges {
		if !l.blocks[l.head.Preds[i]] {
			from, ok = integer(edge)
		} else if next, grows := edge.(*ssa.BinOp); grows && next.Op == token.ADD && next.X == phi {
			var step int64
			step, ok = integer(next.Y)
			ok = ok && step > 0
		} else {
			ok = false
		}
		if !ok {
			return 0, false
		}
	}
	return from, true
}

// integer returns the value of an integer constant.
func integer(x ssa.Value) (n int64, ok bool) {
	c, ok := x.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	if t, ok := c.Type().Underlying().(*types.Basic); !ok || t.Info()&types.IsInteger == 0 {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

// writtenOut reports whether x is a composite literal or a table of the package.
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
