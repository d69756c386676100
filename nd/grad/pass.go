package grad

import (
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
)

// pass is one backward pass: search finds the operations that take part, back propagates gradients through them.
type pass struct {
	tape     *Tape
	recorded bool       // whether the gradients themselves are recorded
	order    []*nd.Node // the operations between xs and ys, the latest first
	notes    notes      // of the tape's nodes

	// State of the operation that is being differentiated:
	call   *nd.Call
	gy, gx []*nd.Array // gradients of its results and of its inputs; nil if missing
	needs  []bool      // which of gx are needed
}

// back propagates gradients from ys to xs. A nil element of gys stands for ones.
func (p *pass) back(ys, gys, xs []*nd.Array) []*nd.Array {
	for i, g := range p.seeds(ys, gys) {
		if n, out := ys[i].Node(); n != nil {
			p.add(n, out, g)
		}
	}
	finals := p.newFinals(xs)
	for k, n := range p.order {
		if p.gather(n) {
			p.step(n)
		}
		if finals != nil {
			finals.after(p, k)
		}
	}
	results := make([]*nd.Array, len(xs))
	for i, x := range xs {
		n, out := x.Node()
		results[i] = *p.notes.of(n).at(out)
	}
	if !p.recorded {
		copyShared(results, gys)
	}
	return results
}

// gather collects the gradients of n's results, and which of its inputs need one. It reports whether any gradient has
// arrived.
func (p *pass) gather(n *nd.Node) bool {
	p.gy, p.needs = p.gy[:0], p.needs[:0]
	for out := range n.Outputs() {
		p.gy = append(p.gy, *p.notes.of(n).at(out))
	}
	for i := range n.Inputs() {
		p.needs = append(p.needs, p.leads(n, i))
	}
	return slices.ContainsFunc(p.gy, func(g *nd.Array) bool { return g != nil })
}

// step propagates the gradients of n's results to its inputs.
func (p *pass) step(n *nd.Node) {
	if p.tape.OnBack != nil {
		p.tape.OnBack(n, slices.Clone(p.gy))
	}
	if p.tape.Timer != nil {
		defer p.tape.timeBack(n, time.Now())
	}
	mark := p.tape.arena.Mark()
	p.call.Begin(n, p.gy, p.needs, p.recorded)
	if !p.addInPlace(n) && !p.throughDefinition() {
		p.call.Run()
	}
	p.gx = p.gx[:0]
	for i, wanted := range p.needs {
		var g *nd.Array
		if wanted {
			g = p.call.Gx(i)
		}
		p.gx = append(p.gx, g)
	}
	if p.tape.Debug {
		p.tape.checkGradients(n, p.gy, p.gx)
	}
	p.settle(n, mark)
	for i, g := range p.gx {
		if g != nil {
			from, out := n.Input(i)
			p.add(from, out, g)
		}
	}
}

// addInPlace differentiates an operation that picks a part of an array by adding to the array's gradient in place, so
// that the parts of a split array share one gradient. It reports whether this was possible; gx are nil then.
func (p *pass) addInPlace(n *nd.Node) bool {
	if len(p.gy) != 1 || !p.needs[0] || slices.Contains(p.needs[1:], true) {
		return false
	}
	from, out := n.Input(0)
	sum := *p.notes.of(from).at(out)
	return sum != nil && p.mayOverwrite(sum) && p.call.AddTo(sum)
}
