package hdf5

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// link is a member of a group.
type link struct {
	name  string
	kind  int
	order uint64 // of creation
	addr  uint64 // of a hard link
	path  string // of a soft link
}

// The kinds of links.
const (
	hardLink     = 0
	softLink     = 1
	externalLink = 64
)

// group lists the members of a group.
type group struct {
	links  []link
	byName map[string]int
}

// linkCosts are the bytes of a link beside its texts.
const linkCosts = 128

// group returns the members of the group at an address: in the order of their creation if the file tracks it, else by
// name.
func (r *reader) group(addr uint64) *group {
	if g := r.groups[addr]; g != nil {
		return g
	}
	l := &linkReader{r: r}
	header := r.header(addr)
	if data := r.find(header, symbolTableMessage); data != nil {
		l.symbolTable(data)
	}
	for _, m := range header {
		switch m.kind {
		case linkMessage:
			l.link(m.data)
		case linkInfoMessage:
			l.info(m.data)
		}
	}
	byName := func(a, b link) int { return strings.Compare(a.name, b.name) }
	slices.SortStableFunc(l.links, func(a, b link) int {
		if l.tracked {
			return cmp.Compare(a.order, b.order)
		}
		return byName(a, b)
	})
	g := &group{l.links, map[string]int{}}
	for i, l := range g.links {
		if _, twice := g.byName[l.name]; twice || l.name == "" || l.name == "." || strings.Contains(l.name, "/") {
			fail("a group has no proper member %q, or two of them", l.name)
		}
		g.byName[l.name] = i
	}
	r.groups[addr] = g
	return g
}

// linkReader collects the links of a group.
type linkReader struct {
	r       *reader
	links   []link
	tracked bool
}

func (l *linkReader) add(k link) {
	l.r.charge(linkCosts + len(k.name) + len(k.path))
	l.links = append(l.links, k)
}

// info reads the links that stand in a fractal heap, beside which a tree lists them.
func (l *linkReader) info(data []byte) {
	c := &cursor{b: data}
	c.skip(1)
	if c.u8()&1 != 0 {
		c.skip(8)
	}
	if heap, names := c.addr(), c.addr(); heap != undefined {
		h := l.r.heap(heap)
		l.r.records(names, func(c *cursor) {
			c.skip(4)
			l.link(h.get(c.take(h.idBytes)))
		})
	}
}

// link reads a link message.
func (l *linkReader) link(data []byte) {
	c := &cursor{b: data}
	if v := c.u8(); v != 1 {
		fail("version %d of a link", v)
	}
	flags := c.u8()
	var k link
	if flags&8 != 0 {
		k.kind = c.u8()
	}
	if flags&4 != 0 {
		k.order = c.addr()
		l.tracked = true
	}
	if flags&16 != 0 {
		c.skip(1) // ASCII or UTF-8
	}
	k.name = string(c.take(c.size(1 << (flags & 3))))
	switch k.kind {
	case hardLink:
		k.addr = c.addr()
	case softLink:
		k.path = string(c.take(c.u16()))
	}
	l.add(k)
}

// symbolTable reads the links of a group of the oldest form: a tree, and a heap of names.
func (l *linkReader) symbolTable(data []byte) {
	c := &cursor{b: data}
	tree := c.addr()
	h := l.r.at(c.addr(), 32)
	h.sign("HEAP", 0)
	h.skip(3)
	n := h.size(8)
	h.skip(8)
	l.symbols(tree, l.r.at(h.addr(), n).b, 0)
}

// deepest is the number of levels that a tree of version 1 may have.
const deepest = 32

func (l *linkReader) symbols(addr uint64, names []byte, depth int) {
	if depth > deepest {
		fail("a tree has more than %d levels", deepest)
	}
	text := func(at int) string {
		if at > len(names) {
			fail("a name at byte %d of a heap of %d bytes", at, len(names))
		}
		n := bytes.IndexByte(names[at:], 0)
		if n < 0 {
			n = len(names) - at
		}
		l.r.charge(n)
		return string(names[at : at+n])
	}
	head := l.r.at(addr, 8)
	if string(head.b[:4]) != "SNOD" {
		for _, child := range l.r.node1(addr, 0, 8) {
			l.symbols(child.addr, names, depth+1)
		}
		return
	}
	head.sign("SNOD", 1)
	head.skip(1)
	n := head.u16()
	c := l.r.at(addr+8, n*40)
	for range n {
		k := link{name: text(c.size(8)), addr: c.addr()}
		cached := c.u32()
		c.skip(4)
		if at := int(c.u32()); cached == 2 {
			k.kind, k.path = softLink, text(at)
		}
		c.skip(12)
		l.add(k)
	}
}

// child is an entry of a node of a tree of version 1.
type child struct {
	key  []byte // before it
	addr uint64
}

// node1 returns the entries of a node of a tree of version 1 of the given kind, whose keys have so many bytes.
func (r *reader) node1(addr uint64, kind, key int) []child {
	head := r.at(addr, 24)
	if string(head.take(4)) != "TREE" {
		fail("%q where a block TREE is expected", head.b[:4])
	}
	if k := head.u8(); k != kind {
		fail("a tree of kind %d where one of kind %d is expected", k, kind)
	}
	head.skip(1)
	n := head.u16()
	r.charge(n * messageCosts)
	c := r.at(addr+24, n*(key+8))
	all := make([]child, n)
	for i := range all {
		all[i] = child{c.take(key), c.addr()}
	}
	return all
}
