package hdf5

import (
	"cmp"
	"slices"
	"strings"
)

// attributes returns the attributes of the object at an address.
func (r *reader) attributes(addr uint64) []Attribute {
	type ordered struct {
		Attribute
		order int
	}
	var all []ordered
	tracked := false
	header := r.header(addr)
	for _, m := range header {
		switch m.kind {
		case attributeMessage:
			data := m.data
			if m.shared {
				data = r.shared(m.kind, data)
			}
			all = append(all, ordered{r.attribute(data), m.order})
		case attributeInfoMessage:
			c := &cursor{b: m.data}
			c.skip(1)
			flags := c.u8()
			if flags&1 != 0 {
				c.skip(2)
			}
			tracked = tracked || flags&1 != 0
			heap, names := c.addr(), c.addr()
			if heap == undefined {
				continue
			}
			h := r.heap(heap)
			r.records(names, func(c *cursor) {
				data := h.get(c.take(8))
				if c.u8()&2 != 0 {
					data = r.shared(attributeMessage, data)
				}
				all = append(all, ordered{r.attribute(data), int(c.u32())})
			})
		}
	}
	slices.SortStableFunc(all, func(a, b ordered) int {
		if tracked {
			return cmp.Compare(a.order, b.order)
		}
		return strings.Compare(a.Name, b.Name)
	})
	plain := make([]Attribute, len(all))
	for i, a := range all {
		plain[i] = a.Attribute
	}
	return plain
}

// attribute reads an attribute message.
func (r *reader) attribute(data []byte) (a Attribute) {
	c := &cursor{b: data}
	version, flags := c.u8(), c.u8()
	if version < 1 || version > 3 {
		fail("version %d of an attribute", version)
	}
	nameBytes, typeBytes, spaceBytes := c.u16(), c.u16(), c.u16()
	if version == 3 {
		c.skip(1) // ASCII or UTF-8
	}
	part := func(n int) []byte {
		b := c.take(n)
		if version == 1 {
			c.skip(-n & 7)
		}
		return b
	}
	a.Name, _, _ = strings.Cut(string(part(nameBytes)), "\x00")
	datatype, space := part(typeBytes), part(spaceBytes)
	r.charge(objectCosts + len(a.Name))
	a.Err = func() (err error) {
		defer catch(&err)
		if version > 1 && flags&1 != 0 {
			datatype = r.shared(typeMessage, datatype)
		}
		if version > 1 && flags&2 != 0 {
			space = r.shared(spaceMessage, space)
		}
		a.Value = r.value(datatype, space)
		if a.Kind != Null {
			a.data = c.take(a.count() * a.element.size)
		}
		return nil
	}()
	if a.Err != nil {
		a.Value = Value{}
	}
	return a
}
