package hdf5

// The kinds of messages in the header of an object.
const (
	spaceMessage         = 0x1
	linkInfoMessage      = 0x2
	typeMessage          = 0x3
	oldFillMessage       = 0x4
	fillMessage          = 0x5
	linkMessage          = 0x6
	externalMessage      = 0x7
	layoutMessage        = 0x8
	groupInfoMessage     = 0xA
	filterMessage        = 0xB
	attributeMessage     = 0xC
	continuationMessage  = 0x10
	symbolTableMessage   = 0x11
	attributeInfoMessage = 0x15
)

// message is a part of an object's header.
type message struct {
	kind   int
	shared bool // the data say in which other object they are
	order  int  // of creation
	data   []byte
}

// messageCosts are the bytes of a message beside its data.
const messageCosts = 48

// header returns the messages of the object at an address.
func (r *reader) header(addr uint64) (all []message) {
	type span struct {
		addr uint64
		n    int
	}
	var more []span // continuations that are still to read
	add := func(kind, flags, order int, data []byte) {
		switch kind {
		case 0: // unused
		case continuationMessage:
			c := &cursor{b: data}
			r.charge(messageCosts)
			more = append(more, span{c.addr(), c.size(8)})
		default:
			r.charge(messageCosts)
			all = append(all, message{kind, flags&2 != 0, order, data})
		}
	}
	c := r.upTo(addr, 34)
	if string(c.b[:min(4, len(c.b))]) != "OHDR" {
		if v := c.u8(); v != 1 {
			fail("version %d of the header of an object", v)
		}
		c.skip(7)
		n := c.size(4)
		old := func(c *cursor) {
			for c.rest() >= 8 {
				kind, n, flags := c.u16(), c.u16(), c.u8()
				c.skip(3)
				add(kind, flags, 0, c.take(n))
			}
		}
		old(r.at(addr+16, n))
		for k := 0; k < len(more); k++ {
			old(r.at(more[k].addr, more[k].n))
		}
		return all
	}
	c.sign("OHDR", 2)
	flags := c.u8()
	if flags&0x20 != 0 {
		c.skip(4 * 4) // times
	}
	if flags&0x10 != 0 {
		c.skip(2 * 2) // limits of compact attributes
	}
	n := c.size(1 << (flags & 3))
	parse := func(c *cursor) {
		ordered := flags&4 != 0
		for c.rest() >= 4 && (!ordered || c.rest() >= 6) {
			kind, n, flags := c.u8(), c.u16(), c.u8()
			order := 0
			if ordered {
				order = c.u16()
			}
			add(kind, flags, order, c.take(n))
		}
	}
	first := c.i
	whole := r.at(addr, first+n+4)
	whole.verify(first + n)
	parse(&cursor{b: whole.b[first : first+n]})
	for k := 0; k < len(more); k++ {
		c := r.at(more[k].addr, more[k].n)
		c.verify(len(c.b) - 4)
		if string(c.take(4)) != "OCHK" {
			fail("%q where a block OCHK is expected", c.b[:4])
		}
		parse(&cursor{b: c.b[4 : len(c.b)-4]})
	}
	return all
}

// find returns the data of the first message of a kind, nil if there is none.
func (r *reader) find(all []message, kind int) []byte {
	for _, m := range all {
		if m.kind == kind {
			if m.shared {
				return r.shared(kind, m.data)
			}
			return m.data
		}
	}
	return nil
}

// need is find for a message that must exist.
func (r *reader) need(all []message, kind int, what string) []byte {
	data := r.find(all, kind)
	if data == nil {
		fail("a dataset without %s", what)
	}
	return data
}

// shared returns the data of a message that stands in another object, such as a committed datatype.
func (r *reader) shared(kind int, data []byte) []byte {
	c := &cursor{b: data}
	version, where := c.u8(), c.u8()
	switch {
	case version == 1:
		c.skip(6 + 8)
	case version > 3:
		fail("version %d of a shared message", version)
	case version == 3 && where == 1:
		fail("a message in the table of shared messages")
	}
	if r.depth++; r.depth > 8 {
		fail("shared messages refer to each other")
	}
	defer func() { r.depth-- }()
	found := r.find(r.header(c.addr()), kind)
	if found == nil {
		fail("a shared message is missing")
	}
	return found
}
