package grad

import (
	"cmp"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Gradient returns the gradients of Σy with respect to each of xs; nil for one that y does not depend on. For complex
// arrays it is ∂L/∂Re + i·∂L/∂Im of the real part L of Σy. The record stays: gradients can be asked for again.
func (t *Tape) Gradient(y *nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.VJP([]*nd.Array{y}, nil, xs...)
}

// GradientRecorded is Gradient with results that are recorded themselves, so that they can be differentiated again, to
// any order.
func (t *Tape) GradientRecorded(y *nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.VJPRecorded([]*nd.Array{y}, nil, xs...)
}

// VJP returns the gradients of Σ⟨gy, y⟩ over several results. A nil gy, or a nil element, stands for ones.
func (t *Tape) VJP(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.VJP", ys, gys, xs, false)
}

// VJPRecorded is VJP with results that are recorded themselves. They depend on gys too, where these are recorded.
func (t *Tape) VJPRecorded(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.VJPRecorded", ys, gys, xs, true)
}

func (t *Tape) run(fn string, ys, gys, xs []*nd.Array, recorded bool) []*nd.Array {
	if gys == nil {
		gys = make([]*nd.Array, len(ys))
	}
	t.check(fn, ys, gys, xs)
	seeds := make([]*nd.Array, len(ys))
	for i, y := range ys {
		if seeds[i] = gys[i]; seeds[i] == nil {
			seeds[i] = nd.OnesLike(y.Detach())
		}
	}
	p := newPass(t, ys, xs, recorded, false)
	return p.back(ys, seeds, xs)
}

// check refuses arrays that are not recorded here and gradients of another shape.
func (t *Tape) check(fn string, ys, gys, xs []*nd.Array) {
	nd.Check(fn, xs...)
	nd.Check(fn, ys...)
	if len(gys) != len(ys) {
		panic(nd.Errorf(fn, ys, "%d gradients for %d results", len(gys), len(ys)))
	}
	for i, y := range ys {
		if n, _ := y.Node(); n != nil && n.Tape != nd.Recorder(t) {
			panic(nd.Errorf(fn, []*nd.Array{y}, "result %d is recorded on another tape", i))
		}
		if g := gys[i]; g != nil && !broadcast.Equal(g.Shape(), y.Shape()) {
			panic(nd.Errorf(fn, []*nd.Array{y, g}, "the gradient of result %d has another shape", i))
		}
	}
	for i, x := range xs {
		if n, _ := x.Node(); n == nil || n.Tape != nd.Recorder(t) {
			panic(nd.Errorf(fn, []*nd.Array{x}, "array %d is not recorded here: differentiate with respect to what Watch returned, or was computed from it", i))
		}
	}
}

// place is one result of a node.
type place struct {
	node *nd.Node
	out  int
}

func placeOf(x *nd.Array) place {
	n, out := x.Node()
	return place{n, out}
}

// pass is one way back through the record.
type pass struct {
	tape     *Tape
	recorded bool
	order    []*nd.Node // those between xs and ys, the latest first
	leads    map[*nd.Node]bool
	grads    map[place]*nd.Array
	uses     map[*nd.Array]int // of gradients made in this pass: for how many places they stand
}

// newPass finds the operations through which ys depend on xs. With stop the search ends at xs: what lies before them
// does not count as a way from one to another.
func newPass(t *Tape, ys, xs []*nd.Array, recorded, stop bool) *pass {
	p := &pass{tape: t, recorded: recorded, leads: map[*nd.Node]bool{}, grads: map[place]*nd.Array{}, uses: map[*nd.Array]int{}}
	targets := map[*nd.Node]bool{}
	for _, x := range xs {
		if n, _ := x.Node(); n != nil {
			targets[n] = true
		}
	}
	seen := map[*nd.Node]bool{}
	var stack, found []*nd.Node
	push := func(n *nd.Node) {
		if n != nil && !seen[n] {
			seen[n] = true
			stack = append(stack, n)
		}
	}
	for _, y := range ys {
		n, _ := y.Node()
		push(n)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		found = append(found, n)
		if stop && targets[n] {
			continue
		}
		for i := range n.Inputs() {
			from, _ := n.Input(i)
			push(from)
		}
	}
	slices.SortFunc(found, func(a, b *nd.Node) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, n := range found { // the earliest first: whether a node leads to xs depends on earlier ones
		leads := targets[n]
		onward := false
		for i := range n.Inputs() {
			from, _ := n.Input(i)
			onward = onward || p.leads[from]
		}
		if leads || onward {
			p.leads[n] = true
		}
		if onward && !(stop && targets[n]) {
			p.order = append(p.order, n)
		}
	}
	slices.Reverse(p.order)
	return p
}

// back carries the gradients from ys to xs.
func (p *pass) back(ys, seeds, xs []*nd.Array) []*nd.Array {
	for i, y := range ys {
		p.add(placeOf(y), seeds[i])
	}
	wanted := map[place]bool{}
	for _, x := range xs {
		wanted[placeOf(x)] = true
	}
	for _, n := range p.order {
		p.step(n, wanted)
	}
	out := make([]*nd.Array, len(xs))
	for i, x := range xs {
		out[i] = p.grads[placeOf(x)]
	}
	return out
}

// step takes the gradients of a node's results to its inputs.
func (p *pass) step(n *nd.Node, wanted map[place]bool) {
	gy := make([]*nd.Array, n.Outputs())
	arrived := false
	for i := range gy {
		gy[i] = p.grads[place{n, i}]
		arrived = arrived || gy[i] != nil
	}
	if !arrived {
		return
	}
	needs := make([]bool, n.Inputs())
	for i := range needs {
		from, _ := n.Input(i)
		needs[i] = p.leads[from]
	}
	c := nd.NewCall(n, gy, needs, p.recorded)
	gx := p.call(c, gy, needs)
	if p.tape.OnGradient != nil {
		p.tape.OnGradient(n, gy, gx)
	}
	for i, g := range gx {
		if g != nil && needs[i] {
			from, out := n.Input(i)
			p.add(place{from, out}, g)
		}
	}
	for i, g := range gy {
		if g != nil && !wanted[place{n, i}] {
			delete(p.grads, place{n, i})
			p.drop(g)
		}
	}
}

// call runs the VJP. What it made on the way is released, but for the gradients, unless all is recorded.
func (p *pass) call(c *nd.Call, gy []*nd.Array, needs []bool) []*nd.Array {
	gx := make([]*nd.Array, c.Inputs())
	if p.recorded {
		if in, out, ok := c.Composed(); ok {
			return p.composed(in, out, gy, needs)
		}
		c.Run()
		for i := range gx {
			gx[i] = c.Gx(i)
		}
		return gx
	}
	mark := p.tape.arena.Mark()
	c.Run()
	for i := range gx {
		// What the VJP made may be released when all its places are done. What it passes on, such as a gradient that the
		// caller gave, may not.
		if gx[i] = c.Gx(i); gx[i] != nil && p.tape.arena.OwnsSince(mark, gx[i]) {
			p.uses[gx[i]] += 0
		}
	}
	p.tape.arena.ReleaseSince(mark, gx...)
	return gx
}

// composed differentiates an operation's definition in place of its fused kernels.
func (p *pass) composed(in, out, gy []*nd.Array, needs []bool) []*nd.Array {
	var ys, seeds, xs []*nd.Array
	for i, y := range out {
		if gy[i] != nil {
			ys, seeds = append(ys, y), append(seeds, gy[i])
		}
	}
	gx := make([]*nd.Array, len(in))
	for i := range in {
		if needs[i] {
			xs = append(xs, in[i])
		}
	}
	found := newPass(p.tape, ys, xs, true, true).back(ys, seeds, xs)
	for i, k := 0, 0; i < len(in); i++ {
		if needs[i] {
			gx[i] = found[k]
			k++
		}
	}
	return gx
}

// add accumulates a gradient.
func (p *pass) add(at place, g *nd.Array) {
	if old := p.grads[at]; old != nil {
		sum := ops.Add(old, g)
		p.drop(old)
		p.drop(g)
		g = sum
		p.uses[g] = 0
	}
	p.grads[at] = g
	if n, ok := p.uses[g]; ok {
		p.uses[g] = n + 1
	}
}

// drop says that a gradient no longer stands for one place; one made in this pass is released with its last.
func (p *pass) drop(g *nd.Array) {
	n, ok := p.uses[g]
	if !ok || p.recorded {
		return
	}
	if p.uses[g] = n - 1; n <= 1 {
		delete(p.uses, g)
		g.Release()
	}
}
