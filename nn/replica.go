package nn

import (
	"maps"

	"github.com/ndgrad/ndgrad/nd"
)

// Replica returns a scope that shares the trained parameters of s and has copies of the others, such as running
// statistics. Goroutines that train the same parameters, each on a part of the batch, need one replica each, so that
// they do not share statistics. The first goroutine may use s itself, and its statistics remain. optim.Mean combines
// their gradients.
//
// All parameters must exist, and functions must have decided which of them are trained: call the model once before, as
// in an evaluation. A replica accepts no new parameters.
func (s *Scope) Replica() *Scope {
	const fn nd.Func = "Scope.Replica"
	for _, p := range s.All() {
		if p.flag.Load() == open {
			panic(fn.Errorf([]*nd.Array{p.value}, "it is undecided whether %q is trained: call the model once before, which decides it", p.path))
		}
	}
	r := &Scope{owner: &owner{like: s.owner.like, seed: s.owner.seed, closed: maps.Clone(s.owner.closed)}, node: s.node.replica(), path: s.path}
	r.close("the parameters of the scope that this is a replica of")
	return r
}

func (n *node) replica() *node {
	r := &node{name: n.name, param: n.param}
	if p := n.param; p != nil && !p.NeedGrad() {
		r.param = &Param{path: p.path, value: p.value.Copy()}
		r.param.SetNeedGrad(false)
	}
	for _, child := range n.children {
		r.add(child.replica())
	}
	return r
}
