package grad

import "github.com/ndgrad/ndgrad/nd"

// finals says when the gradients of a pass are final, for [Hook.OnFinal]. nil if there is no such hook.
type finals struct {
	xs   []*nd.Array
	at   map[*nd.Node][]int // the indices of the xs that a node made
	last map[*nd.Node]int   // the index, in the order of the pass, of the last operation that adds to a gradient of the node's results
}

// newFinals finds the last operation that adds to each gradient, and calls the hook for gradients to which no operation
// adds.
func (p *pass) newFinals(xs []*nd.Array) *finals {
	if p.tape.OnFinal == nil {
		return nil
	}
	f := &finals{xs: xs, at: map[*nd.Node][]int{}, last: map[*nd.Node]int{}}
	for i, x := range xs {
		n, _ := x.Node()
		f.at[n] = append(f.at[n], i)
	}
	for k, n := range p.order {
		for i := range n.Inputs() {
			if from, _ := n.Input(i); from != nil && f.at[from] != nil {
				f.last[from] = k
			}
		}
	}
	for i, x := range xs {
		n, _ := x.Node()
		if _, used := f.last[n]; !used {
			p.final(f, i)
		}
	}
	return f
}

// after calls the hook for the gradients that are final once operation k of the order has been differentiated.
func (f *finals) after(p *pass, k int) {
	n := p.order[k]
	for i := range n.Inputs() {
		from, _ := n.Input(i)
		if from == nil || f.at[from] == nil || f.last[from] != k {
			continue
		}
		for _, x := range f.at[from] {
			p.final(f, x)
		}
		f.at[from] = nil // it may be several inputs
	}
}

// final calls the hook for one of xs.
func (p *pass) final(f *finals, i int) {
	n, out := f.xs[i].Node()
	p.tape.OnFinal(f.xs[i], *p.notes.of(n).at(out))
}
