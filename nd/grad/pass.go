package grad

import (
	"cmp"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// pass is one way back through the record.
type pass struct {
	tape     *Tape
	recorded bool
	order    []*nd.Node // those between xs and ys, the latest first
	first    uint64     // the number of the tape's first node
	states   []state    // of the tape's nodes, in their order
	number   uint64     // of the pass: states of another are void
	touched  []*state
	found    []*nd.Node
	stack    []*nd.Node

	call   *nd.Call
	gy, gx []gradient
	arrays []*nd.Array // of gy, then of gx
	needs  []bool
	taken  map[any]bool // the blocks of gradients that are given out
	made   []bool       // whether a gradient is of the operation's own making, and met for the first time
}

// state is what a pass knows of a node.
type state struct {
	number              uint64
	seen, target, leads bool
	wanted              uint64     // its results whose gradients were asked for, a bit each; those from 63 on share the last
	one                 gradient   // of result 0
	more                []gradient // of the others
}

// gradient is what has arrived at a result.
type gradient struct {
	array *nd.Array
	// own says that the pass may release the header when the result is done: the pass made it. What a VJP passes on, such
	// as a gradient that the caller gave, it may not release.
	own bool
}

// newPass finds the operations through which ys depend on xs. With stop the search ends at xs: what lies before them
// does not count as a way from one to another.
func newPass(t *Tape, ys, xs []*nd.Array, recorded, stop bool) *pass {
	p := t.takePass()
	p.recorded = recorded
	for _, x := range xs {
		if n, out := x.Node(); n != nil {
			s := p.state(n)
			s.target = true
			s.wanted |= wantedBit(out)
		}
	}
	for _, y := range ys {
		n, _ := y.Node()
		p.push(n)
	}
	for len(p.stack) > 0 {
		n := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		p.found = append(p.found, n)
		if stop && p.state(n).target {
			continue
		}
		for i := range n.Inputs() {
			from, _ := n.Input(i)
			p.push(from)
		}
	}
	slices.SortFunc(p.found, func(a, b *nd.Node) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, n := range p.found { // the earliest first: whether a node leads to xs depends on earlier ones
		s := p.state(n)
		onward := false
		for i := range n.Inputs() {
			from, _ := n.Input(i)
			onward = onward || from != nil && p.state(from).leads
		}
		s.leads = s.target || onward
		if onward && !(stop && s.target) {
			p.order = append(p.order, n)
		}
	}
	slices.Reverse(p.order)
	return p
}

// takePass returns a pass that knows nothing.
func (t *Tape) takePass() *pass {
	if len(t.passes) == 0 {
		t.passes = append(t.passes, &pass{tape: t, call: new(nd.Call)})
	}
	p := t.passes[len(t.passes)-1]
	t.passes = t.passes[:len(t.passes)-1]
	p.number++
	p.first = t.seq + 1
	if len(t.nodes) > 0 {
		p.first = t.nodes[0].Seq
	}
	p.states = slices.Grow(p.states[:0], len(t.nodes))[:len(t.nodes)]
	return p
}

// recycle gives p back to the tape. It keeps no array alive.
func (p *pass) recycle() {
	for _, s := range p.touched {
		*s = state{}
	}
	p.touched, p.stack = p.touched[:0], p.stack[:0]
	clear(p.order)
	clear(p.found)
	clear(p.gy[:cap(p.gy)])
	clear(p.gx[:cap(p.gx)])
	clear(p.arrays[:cap(p.arrays)])
	p.order, p.found = p.order[:0], p.found[:0]
	p.tape.passes = append(p.tape.passes, p)
}

// state returns what is known of a node, which was there when the pass began.
func (p *pass) state(n *nd.Node) *state {
	s := &p.states[n.Seq-p.first]
	if s.number != p.number {
		*s = state{number: p.number}
		p.touched = append(p.touched, s)
	}
	return s
}

func (p *pass) push(n *nd.Node) {
	if n == nil {
		return
	}
	if s := p.state(n); !s.seen {
		s.seen = true
		p.stack = append(p.stack, n)
	}
}

func wantedBit(out int) uint64 { return 1 << min(out, 63) }

// at is the place of the gradient of one of a node's results.
func (s *state) at(out int) *gradient {
	if out == 0 {
		return &s.one
	}
	if len(s.more) < out {
		s.more = append(s.more, make([]gradient, out-len(s.more))...)
	}
	return &s.more[out-1]
}

// back carries the gradients from ys to xs. A gradient that is nil stands for ones.
func (p *pass) back(ys, gys, xs []*nd.Array) []*nd.Array {
	for i, y := range ys {
		n, out := y.Node()
		if n == nil {
			continue
		}
		if gys[i] != nil {
			p.add(p.state(n).at(out), gradient{array: gys[i]})
		} else {
			p.add(p.state(n).at(out), gradient{array: nd.OnesLike(y), own: true})
		}
	}
	for _, n := range p.order {
		p.step(n)
	}
	results := make([]*nd.Array, len(xs))
	for i, x := range xs {
		if n, out := x.Node(); n != nil {
			results[i] = p.state(n).at(out).array
		}
	}
	if !p.recorded {
		p.separate(results, gys)
	}
	return results
}

// separate gives gradients memory of their own, where they have that of another one, or of one that was given.
func (p *pass) separate(results, given []*nd.Array) {
	if p.taken == nil {
		p.taken = map[any]bool{}
	}
	for _, g := range given {
		if g != nil {
			p.taken[g.Block()] = true
		}
	}
	for i, g := range results {
		if g == nil {
			continue
		}
		if p.taken[g.Block()] {
			results[i] = g.Copy()
		}
		p.taken[results[i].Block()] = true
	}
	clear(p.taken)
}

// step takes the gradients of a node's results to its inputs.
func (p *pass) step(n *nd.Node) {
	s := p.state(n)
	p.gy = slices.Grow(p.gy[:0], n.Outputs())[:n.Outputs()]
	arrived := false
	for i := range p.gy {
		p.gy[i] = gradient{}
		if i <= len(s.more) {
			p.gy[i] = *s.at(i)
		}
		arrived = arrived || p.gy[i].array != nil
	}
	if !arrived {
		return
	}
	p.needs = slices.Grow(p.needs[:0], n.Inputs())[:n.Inputs()]
	for i := range p.needs {
		from, _ := n.Input(i)
		p.needs[i] = from != nil && p.state(from).leads
	}
	if !p.addPart(n) {
		p.differentiate(n)
		for i := range p.gx {
			if g := p.gx[i]; g.array != nil {
				from, out := n.Input(i)
				p.add(p.state(from).at(out), g)
			}
		}
	}
	for i := range p.gy {
		if p.gy[i].array == nil {
			continue
		}
		if s.wanted&wantedBit(i) != 0 {
			*s.at(i) = p.gy[i]
			continue
		}
		*s.at(i) = gradient{}
		p.release(p.gy[i])
	}
}

// addPart adds the gradient of a node that changes a part of its first input's gradient only in place: the parts of an
// array that is cut up make one gradient, not one each. It reports whether it could.
func (p *pass) addPart(n *nd.Node) bool {
	if p.recorded || len(p.gy) != 1 || !p.needs[0] || slices.Contains(p.needs[1:], true) {
		return false
	}
	from, out := n.Input(0)
	sum := p.state(from).at(out)
	if !p.mayOverwrite(sum) {
		return false
	}
	p.arrays = append(p.arrays[:0], p.gy[0].array)
	p.call.Begin(n, p.arrays, p.needs, false)
	mark := p.tape.arena.Mark()
	done := p.call.AddTo(sum.array)
	p.tape.arena.ReleaseSince(mark)
	return done
}

// mayOverwrite reports whether a gradient can be added to in place. A hook may have kept it.
func (p *pass) mayOverwrite(g *gradient) bool {
	return g.array != nil && g.own && !p.recorded && p.tape.OnGradient == nil && g.array.IsAlone()
}

// differentiate runs the VJP of n, from gy to gx. What it made on the way is released, but for the gradients, unless all
// is recorded.
func (p *pass) differentiate(n *nd.Node) {
	outputs, inputs := n.Outputs(), n.Inputs()
	p.arrays = slices.Grow(p.arrays[:0], outputs+inputs)[:outputs+inputs]
	gy, gx := p.arrays[:outputs:outputs], p.arrays[outputs:]
	for i := range gy {
		gy[i] = p.gy[i].array
	}
	clear(gx)
	p.gx = slices.Grow(p.gx[:0], inputs)[:inputs]
	clear(p.gx)
	p.call.Begin(n, gy, p.needs, p.recorded)
	if p.recorded {
		p.differentiateRecorded(gy, gx)
	} else {
		p.differentiateOnce(n, gx)
	}
	if p.tape.OnGradient != nil {
		p.tape.OnGradient(n, slices.Clone(gy), slices.Clone(gx))
	}
}

func (p *pass) differentiateRecorded(gy, gx []*nd.Array) {
	if in, out, ok := p.call.Composed(); ok {
		p.composed(in, out, gy, gx)
	} else {
		p.call.Run()
		for i := range gx {
			gx[i] = p.call.Gx(i)
		}
	}
	for i, g := range gx {
		if p.needs[i] {
			p.gx[i] = gradient{array: g}
		}
	}
}

func (p *pass) differentiateOnce(n *nd.Node, gx []*nd.Array) {
	arena := p.tape.arena
	mark := arena.Mark()
	p.call.Run()
	for i := range gx {
		if p.needs[i] {
			gx[i] = p.call.Gx(i)
		}
	}
	p.made = slices.Grow(p.made[:0], len(gx))[:len(gx)]
	arena.ReleaseSinceBut(mark, gx, p.made)
	for i, g := range gx {
		p.gx[i] = gradient{array: g, own: p.made[i]}
	}
	for i := range p.gx {
		p.handOn(i, gx, p.state(n).wanted)
	}
}

// handOn gives gradient i a header of its own where the VJP passed on what is a gradient already: of another input, or of
// a result, from which it may take it unless that is wanted.
func (p *pass) handOn(i int, gx []*nd.Array, wanted uint64) {
	g := &p.gx[i]
	if g.array == nil || g.own {
		return
	}
	for k := range p.gx[:i] {
		if gx[k] == g.array {
			*g = gradient{array: g.array.Detach(), own: true}
			gx[i] = g.array
			return
		}
	}
	for k := range p.gy {
		other := &p.gy[k]
		if other.array != g.array {
			continue
		}
		if other.own && wanted&wantedBit(k) == 0 {
			*g = *other
			other.own = false
		} else {
			*g = gradient{array: g.array.Detach(), own: true}
			gx[i] = g.array
		}
		return
	}
}

// composed differentiates an operation's definition in place of its fused kernels.
func (p *pass) composed(in, out, gy, gx []*nd.Array) {
	var ys, seeds, xs []*nd.Array
	for i, y := range out {
		if gy[i] != nil {
			ys, seeds = append(ys, y), append(seeds, gy[i])
		}
	}
	for i := range in {
		if p.needs[i] {
			xs = append(xs, in[i])
		}
	}
	inner := newPass(p.tape, ys, xs, true, true)
	defer inner.recycle()
	found := inner.back(ys, seeds, xs)
	for i, k := 0, 0; i < len(in); i++ {
		if p.needs[i] {
			gx[i] = found[k]
			k++
		}
	}
}

// add accumulates a gradient.
func (p *pass) add(at *gradient, g gradient) {
	if at.array == nil {
		*at = g
		return
	}
	switch {
	case p.mayOverwrite(at):
		ops.Add(at.array, g.array, ops.UfuncOptions{Out: at.array})
		p.release(g)
	case p.mayOverwrite(&g):
		ops.Add(at.array, g.array, ops.UfuncOptions{Out: g.array})
		p.release(*at)
		*at = g
	default:
		sum := gradient{array: ops.Add(at.array, g.array), own: true}
		p.release(*at)
		p.release(g)
		*at = sum
	}
}

// release gives up a gradient that stands for a place no more.
func (p *pass) release(g gradient) {
	if g.own && !p.recorded {
		g.array.Release()
	}
}
