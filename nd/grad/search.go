package grad

import (
	"cmp"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// search puts the operations through which ys depend on xs into p.order, the latest first: among all operations that ys
// depend on, those that lead to xs.
func (p *pass) search(ys, xs []*nd.Array, isolated bool) {
	for _, x := range xs {
		n, _ := x.Node()
		p.notes.of(n).target = true
	}
	for _, y := range ys {
		n, _ := y.Node()
		p.find(n)
	}
	for i := 0; i < len(p.order); i++ { // find extends it
		n := p.order[i]
		if isolated && p.notes.of(n).target {
			continue
		}
		for k := range n.Inputs() {
			from, _ := n.Input(k)
			p.find(from)
		}
	}
	slices.SortFunc(p.order, func(a, b *nd.Node) int { return cmp.Compare(a.Seq, b.Seq) })
	p.order = slices.DeleteFunc(p.order, func(n *nd.Node) bool { // the earliest first: later operations lead to xs through earlier ones
		s, onward := p.notes.of(n), false
		for k := range n.Inputs() {
			onward = onward || p.leads(n, k)
		}
		s.leadsToTarget = s.target || onward
		return !onward || isolated && s.target
	})
	slices.Reverse(p.order)
}

// find appends a node to the list of those that ys depend on, once. The node of an unrecorded array is nil.
func (p *pass) find(n *nd.Node) {
	if n == nil {
		return
	}
	if s := p.notes.of(n); !s.found {
		s.found = true
		p.order = append(p.order, n)
	}
}

// leads reports whether input i of a node leads to xs.
func (p *pass) leads(n *nd.Node, i int) bool {
	from, _ := n.Input(i)
	return from != nil && p.notes.of(from).leadsToTarget
}
