package model

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd"
)

// A call computes again only what its inputs change. Two caches hold the rest: the values that depend on constants alone, and
// those that depend on constants and parameters, which serve while no tape tracks the parameters and nobody writes to them.
// Steps that depend on shapes keep what they computed last (shapes.go).

// caches are the caches of a model and all its views.
type caches struct{ constants, settled cache }

// known are values that a call need not compute.
type known struct {
	ids    []int
	values []Value // by the index of the id
	whole  *plan   // of a call that computes the model's outputs
}

// cache holds values that other operations or the outputs need.
type cache struct {
	ids    []int // of the values
	params []int // of the parameters that they depend on

	mu      sync.Mutex
	known   *known
	sources []*nd.Array // the parameters, and their versions
	version []uint32
}

// findConstants marks the steps that depend on no input, and those that depend on no parameter either.
func (m *Model) findConstants() {
	m.known = &caches{}
	for i := range m.order {
		s := &m.order[i]
		s.constant, s.settled, s.ofShapes = s.Constant, s.Constant, s.Constant
		for _, id := range s.in {
			if id < 0 {
				continue
			}
			s.constant = s.constant && m.stepOf(id) != nil && m.stepOf(id).constant
			s.settled = s.settled && (m.values[id].path != "" || m.stepOf(id) != nil && m.stepOf(id).settled)
			s.ofShapes = s.ofShapes && m.stepOf(id) != nil && (m.stepOf(id).constant || m.stepOf(id).ofShapes)
		}
		s.ofShapes = (s.ofShapes || s.OfShapes) && !s.constant
		if s.ofShapes {
			s.last = &atomic.Pointer[turn]{}
		}
	}
	m.known.constants.ids = m.frontier(func(s *step) bool { return s.constant })
	m.known.settled.ids = m.frontier(func(s *step) bool { return s.settled })
	for i := range m.order {
		if s := &m.order[i]; s.settled && !s.constant {
			for _, id := range s.in {
				if id >= 0 && m.values[id].path != "" && !slices.Contains(m.known.settled.params, id) {
					m.known.settled.params = append(m.known.settled.params, id)
				}
			}
		}
	}
}

// stepOf returns the step that computes a value, nil if there is none.
func (m *Model) stepOf(id int) *step {
	if at := m.values[id].step; at >= 0 {
		return &m.order[at]
	}
	return nil
}

// frontier returns the values of some steps that other steps or the outputs need.
func (m *Model) frontier(of func(*step) bool) (ids []int) {
	needed := make([]bool, len(m.values))
	for i := range m.order {
		if of(&m.order[i]) {
			continue
		}
		for _, id := range m.order[i].in {
			if id >= 0 && m.stepOf(id) != nil && of(m.stepOf(id)) {
				needed[id] = true
			}
		}
	}
	for _, name := range m.def.Outputs {
		if id, ok := m.ids[name]; ok && m.stepOf(id) != nil && of(m.stepOf(id)) {
			needed[id] = true
		}
	}
	for id, want := range needed {
		if want {
			ids = append(ids, id)
		}
	}
	return ids
}

// cached returns the values that a call need not compute.
func (m *Model) cached(fn nd.Func) *known {
	c := &m.known.settled
	sources := make([]*nd.Array, len(c.params))
	for i, id := range c.params {
		sources[i] = m.scope.Get(m.values[id].path)
		if node, _ := sources[i].Node(); node != nil {
			return m.known.constants.get(m, fn, nil)
		}
	}
	return c.get(m, fn, sources)
}

// get returns the values, computed anew if a source has changed.
func (c *cache) get(m *Model, fn nd.Func, sources []*nd.Array) *known {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known != nil && c.isCurrent(sources) {
		return c.known
	}
	c.sources, c.version = sources, make([]uint32, len(sources))
	for i, x := range sources {
		c.version[i] = x.Version()
	}
	r := m.start(fn, m.plan(c.ids, nil))
	r.set(nil)
	r.all()
	// A new one: calls that run still read the old one.
	c.known = &known{ids: c.ids, values: make([]Value, len(c.ids)), whole: m.plan(m.wanted(fn, m.def.Outputs), c.ids)}
	for i, id := range c.ids {
		c.known.values[i] = r.values[id]
	}
	return c.known
}

func (c *cache) isCurrent(sources []*nd.Array) bool {
	for i, x := range sources {
		if x != c.sources[i] || x.Version() != c.version[i] {
			return false
		}
	}
	return true
}
