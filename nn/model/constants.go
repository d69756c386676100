package model

import (
	"sync"

	"github.com/ndgrad/ndgrad/nd"
)

// constants are the values that no input and no parameter changes, as far as other operations or the outputs need them. All
// views of a model share them.
type constants struct {
	ids    []int
	once   sync.Once
	values map[int]Value
	refuse *nd.Error // the error of the operation that refused its inputs
}

// findConstants marks the steps that are computed once.
func (m *Model) findConstants() {
	m.known = &constants{}
	for i := range m.order {
		s := &m.order[i]
		s.constant = s.Constant
		for _, id := range s.in {
			s.constant = s.constant && (id < 0 || m.isConstant(id))
		}
	}
	needed := map[int]bool{}
	for i := range m.order {
		if m.order[i].constant {
			continue
		}
		for _, id := range m.order[i].in {
			if id >= 0 && m.isConstant(id) {
				needed[id] = true
			}
		}
	}
	for _, name := range m.def.Outputs {
		if id, ok := m.ids[name]; ok && m.isConstant(id) {
			needed[id] = true
		}
	}
	for id := range m.values {
		if needed[id] {
			m.known.ids = append(m.known.ids, id)
		}
	}
}

// isConstant reports whether a constant step computes the value.
func (m *Model) isConstant(id int) bool {
	at := m.values[id].step
	return at >= 0 && m.order[at].constant
}

// compute returns the constant values. The first call computes them.
func (c *constants) compute(m *Model, fn nd.Func) map[int]Value {
	if len(c.ids) == 0 {
		return nil
	}
	c.once.Do(func() {
		err := nd.Catch(func() {
			uses, steps := m.uses(c.ids, nil)
			r := &run{model: m, fn: fn, values: make([]Value, len(m.values)), uses: uses, owners: map[*nd.Array]int{}}
			for i, needed := range steps {
				if needed {
					r.step(&m.order[i])
				}
			}
			c.values = make(map[int]Value, len(c.ids))
			for _, id := range c.ids {
				c.values[id] = r.values[id]
			}
		})
		if err != nil {
			c.refuse = err.(*nd.Error)
		}
	})
	if c.refuse != nil {
		panic(c.refuse)
	}
	return c.values
}
