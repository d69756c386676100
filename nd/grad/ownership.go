package grad

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Ownership of the gradients that wait at nodes. Recorded gradients belong to the record; they are neither released nor
// overwritten. For all other gradients these rules hold:
//
//   - each is a separate header that the tape's arena owns: neither the caller, nor a VJP, nor another node has the
//     same header, though their headers may share its memory;
//   - so it is released after it was propagated to the inputs of its node, unless the node's gradients were requested;
//   - and another gradient is added to it in place, if no other header shares its memory and no hook can have kept it.

// own replaces arrays, in place, by headers that follow these rules. It releases what was computed since the mark,
// except the arrays, and the gradients in spent. If a spent gradient is among the arrays, because a VJP passed it on,
// it is kept.
func (p *pass) own(mark int, spent, arrays []*nd.Array) {
	if !p.recorded {
		p.tape.arena.ReleaseSince(mark, spent, arrays)
	}
}

// seeds returns the initial gradients: the given ones, and ones instead of nil.
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

// settle completes a step that began at the mark: the pass now owns the gradients of n's inputs, and those of its
// results are spent.
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
	p.own(p.tape.arena.Mark(), spent, nil) // a new mark, so that what the hook has computed is not released
}

// add adds a gradient to the one that waits for a result of n.
func (p *pass) add(n *nd.Node, out int, g *nd.Array) {
	at := p.notes.of(n).at(out)
	old := *at
	switch {
	case old == nil:
		*at = g
	case p.mayOverwrite(old) && !old.IsDeferred(): // a deferred sum takes fewer passes than a sum in place
		ops.Add(old, g, ops.Into(old))
		g.Release()
	case p.mayOverwrite(g) && !g.IsDeferred():
		*at = ops.Add(old, g, ops.Into(g))
		old.Release()
	default:
		*at = ops.Add(old, g)
		if !p.recorded {
			old.Release()
			g.Release()
		}
	}
}

// mayOverwrite reports whether another gradient can be added to g in place.
func (p *pass) mayOverwrite(g *nd.Array) bool {
	return !p.recorded && p.tape.OnGradient == nil && !p.tape.Debug && g.IsExclusive()
}

// copyShared gives every result of a pass its own memory: it copies a result that shares memory with another result, or
// with a gradient that the caller passed.
func copyShared(results, given []*nd.Array) {
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
