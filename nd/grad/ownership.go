package grad

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Who owns the gradients that wait at nodes. Those that are recorded belong to the record, and are neither released nor
// overwritten. Of all others it holds that
//
//   - each is a header of its own, which the tape's arena owns: neither the caller, nor a VJP, nor another node has the
//     same, though headers of theirs may look at the same memory;
//   - so it is released when it was taken on to the inputs of its node, except where the node's gradients were asked for;
//   - and another one is added to it in place, if no other header looks at its memory, and no hook can have kept it.

// own makes headers by these rules of arrays, in place. What was computed since the mark is released, except these, and so
// are gradients that are spent: if one of these stands in arrays, because a VJP passed it on, it is not released but kept.
func (p *pass) own(mark int, spent, arrays []*nd.Array) {
	if !p.recorded {
		p.tape.arena.ReleaseSince(mark, spent, arrays)
	}
}

// seeds returns the gradients to begin with: those that were given, and ones in place of nil.
func (p *pass) seeds(ys, gys []*nd.Array) []*nd.Array {
	mark := p.tape.arena.Mark()
	p.gy = append(p.gy[:0], gys...)
	for i, y := range ys {
		if n, _ := y.Node(); n == nil {
			p.gy[i] = nil
		} else if gys[i] == nil {
			p.gy[i] = p.tape.arena.Own(nd.OnesLike(y))
		}
	}
	p.own(mark, nil, p.gy)
	return p.gy
}

// settle ends what a step has begun at the mark: the gradients of n's inputs are the pass's now, and those of its results
// are spent.
func (p *pass) settle(n *nd.Node, mark int) {
	spent := p.gy
	if s := p.notes.of(n); s.target {
		spent = nil
	} else {
		s.forget()
	}
	hook := p.tape.OnGradient
	if hook == nil {
		p.own(mark, spent, p.gx)
		return
	}
	p.own(mark, nil, p.gx)
	hook(n, slices.Clone(p.gy), slices.Clone(p.gx))
	p.own(p.tape.arena.Mark(), spent, nil) // the mark is new: what the hook has computed is not released
}

// add adds a gradient to what waits for a result of n.
func (p *pass) add(n *nd.Node, out int, g *nd.Array) {
	at := p.notes.of(n).at(out)
	old := *at
	switch {
	case old == nil:
		*at = g
	case p.mayOverwrite(old):
		ops.Add(old, g, ops.UfuncOptions{Out: old})
		g.Release()
	case p.mayOverwrite(g):
		*at = ops.Add(old, g, ops.UfuncOptions{Out: g})
		old.Release()
	default:
		*at = ops.Add(old, g)
		if !p.recorded {
			old.Release()
			g.Release()
		}
	}
}

// mayOverwrite reports whether a gradient can be added to in place.
func (p *pass) mayOverwrite(g *nd.Array) bool {
	return !p.recorded && p.tape.OnGradient == nil && !p.tape.Debug && g.IsAlone()
}

// separate gives every result of a pass memory of its own: a copy, where another result, or a gradient that the caller
// gave, has the same.
func separate(results, given []*nd.Array) {
	taken := map[any]bool{}
	for _, g := range given {
		if g != nil {
			taken[g.Block()] = true
		}
	}
	for i, g := range results {
		if g == nil {
			continue
		}
		if taken[g.Block()] {
			results[i] = g.Copy()
		}
		taken[results[i].Block()] = true
	}
}
