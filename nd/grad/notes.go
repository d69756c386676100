package grad

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// note is what a pass knows of a node.
type note struct {
	listed bool // it is among those that are to be cleared
	found  bool // ys were computed by it
	target bool // one of xs is its result
	leads  bool // it is a target, or computes with what one computed

	first *nd.Array   // the gradient of its result 0, as far as it has arrived
	rest  []*nd.Array // those of its other results
}

// at is the place of the gradient of a result.
func (s *note) at(out int) **nd.Array {
	if out == 0 {
		return &s.first
	}
	if len(s.rest) < out {
		s.rest = append(s.rest, make([]*nd.Array, out-len(s.rest))...)
	}
	return &s.rest[out-1]
}

// forget says that no gradient has arrived.
func (s *note) forget() {
	s.first = nil
	clear(s.rest)
}

// notes are those of all nodes of a tape, in their order. Only those that were asked for are cleared afterwards, so that a
// pass over a few nodes of a long record takes no longer than that.
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

// of returns the note of a node, which was there when the pass began.
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
