package grad

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// note is the state that a pass keeps for a node.
type note struct {
	listed        bool // it is on the list of notes to clear
	found         bool // ys depend on it
	target        bool // one of xs is its result
	leadsToTarget bool // it is a target, or depends on one

	first *nd.Array   // the gradient of its result 0 that has arrived so far
	rest  []*nd.Array // the gradients of its other results
}

// at returns the slot for the gradient of a result.
func (s *note) at(out int) **nd.Array {
	if out == 0 {
		return &s.first
	}
	if len(s.rest) < out {
		s.rest = append(s.rest, make([]*nd.Array, out-len(s.rest))...)
	}
	return &s.rest[out-1]
}

// forget resets the note to the state before any gradient arrived.
func (s *note) forget() {
	s.first = nil
	clear(s.rest)
}

// notes are the notes of all nodes of a tape, in their order. After a pass only the used notes are cleared, so that a
// pass over a few nodes of a long record takes time for these few nodes only.
type notes struct {
	all    []note
	base   uint64 // the number of the tape's first node
	listed []*note
}

func (ns *notes) begin(nodes []*nd.Node) {
	if len(nodes) > 0 {
		ns.base = nodes[0].Seq
	}
	ns.all = slices.Grow(ns.all[:0], len(nodes))[:len(nodes)]
}

// of returns the note of a node, which existed when the pass began.
func (ns *notes) of(n *nd.Node) *note {
	s := &ns.all[n.Seq-ns.base]
	if !s.listed {
		s.listed = true
		ns.listed = append(ns.listed, s)
	}
	return s
}

func (ns *notes) clear() {
	for _, s := range ns.listed {
		*s = note{}
	}
	ns.listed = ns.listed[:0]
}
