package hdf5

import (
	"math"
	"math/bits"
	"slices"
)

// heap is a fractal heap: the links or the attributes of an object that has many.
type heap struct {
	r                   *reader
	idBytes             int
	offsetBytes, nBytes int // of the fields of an id
	width               int // blocks in a row
	start, mostDirect   int // bytes of the first blocks, and of the largest that hold objects themselves
	root                uint64
	rows                int // of the root; 0 if the root holds objects itself
	summed              bool
	large               uint64            // a tree of the objects that have blocks of their own
	blocks              map[uint64][]byte // those that were read
}

func (r *reader) heap(addr uint64) *heap {
	c := r.signed(addr, 142, "FRHP")
	h := &heap{r: r, idBytes: c.u16(), blocks: map[uint64][]byte{}}
	if c.u16() != 0 {
		fail("a heap with filters")
	}
	h.summed = c.u8()&2 != 0
	mostManaged := c.size(4)
	c.skip(8)
	h.large = c.addr()
	c.skip(10 * 8)
	h.width, h.start, h.mostDirect = c.u16(), c.size(8), c.size(8)
	h.offsetBytes = (c.u16() + 7) / 8
	c.skip(2)
	h.root, h.rows = c.addr(), c.u16()
	h.nBytes = bytesFor(uint64(min(h.mostDirect, mostManaged)))
	if h.start <= 0 || h.width <= 0 || h.idBytes < 1 {
		fail("a heap without blocks")
	}
	return h
}

// bytesFor returns the number of bytes of a field for numbers up to v.
func bytesFor(v uint64) int { return (bits.Len64(v) + 7) / 8 }

// get returns the object with an id.
func (h *heap) get(id []byte) []byte {
	c := &cursor{b: id}
	head := c.u8()
	switch head >> 4 & 3 {
	case 0:
		at, n := c.size(h.offsetBytes), c.size(h.nBytes)
		if h.rows == 0 {
			return h.inBlock(h.root, h.start, at, n)
		}
		return h.below(h.root, h.rows, 0, at, n, 0)
	case 1:
		var found []byte
		key := c.uint(c.rest())
		h.r.records(h.large, func(c *cursor) {
			if addr, n := c.addr(), c.size(8); c.addr() == key {
				found = h.r.at(addr, n).b
			}
		})
		if found == nil {
			fail("an object of a heap is missing")
		}
		return found
	case 2:
		return c.take(head&15 + 1)
	}
	fail("an id of a heap of an unknown kind")
	return nil
}

// inBlock returns an object in a block that holds objects.
func (h *heap) inBlock(addr uint64, size, at, n int) []byte {
	b := h.blocks[addr]
	if b == nil {
		c := h.r.at(addr, size)
		b = c.b
		c.sign("FHDB", 0)
		if h.summed { // as if the checksum itself were zero
			c.skip(8 + h.offsetBytes)
			zeroed := slices.Clone(b)
			clear(zeroed[c.i:][:len(c.take(4))])
			c.sum(c.i-4, lookup3(zeroed))
		}
		h.blocks[addr] = b
	}
	if at > len(b) || n > len(b)-at {
		fail("an object of a heap ends beyond its block")
	}
	return b[at : at+n]
}

// rowBytes returns the size of the blocks in a row.
func (h *heap) rowBytes(row int) int {
	const most = math.MaxInt >> 20
	double := max(row-1, 0)
	if h.start > most>>double {
		fail("a heap has blocks of more than %d bytes", most)
	}
	return h.start << double
}

// below finds an object in a block that holds the addresses of blocks, of which the first begins at offset base.
func (h *heap) below(addr uint64, rows, base, at, n, depth int) []byte {
	if depth > deepest || rows > 64 {
		fail("a heap has too many levels")
	}
	size := 4 + 1 + 8 + h.offsetBytes + 8*rows*h.width
	c := h.r.signed(addr, size, "FHIB")
	c.skip(8 + h.offsetBytes)
	for row := range rows {
		size := h.rowBytes(row)
		for range h.width {
			child := c.addr()
			if at >= base && at-base < size {
				if size <= h.mostDirect {
					return h.inBlock(child, size, at-base, n)
				}
				levels := bits.Len(uint(size)) - bits.Len(uint(h.start*h.width)) + 1
				return h.below(child, max(levels, 0), base, at, n, depth+1)
			}
			base += size
		}
	}
	fail("an object of a heap lies beyond all blocks")
	return nil
}

// collection holds the texts of a block of the global heap, by their numbers.
type collection map[int]string

// globalText returns a text of n bytes, which stands at an address under a number.
func (r *reader) globalText(n int, addr uint64, number int) string {
	if n == 0 {
		return ""
	}
	all, ok := r.texts[addr]
	if !ok {
		all = r.collection(addr)
		r.texts[addr] = all
	}
	s, ok := all[number]
	if !ok || n > len(s) {
		fail("a text of %d bytes is missing", n)
	}
	return s[:n]
}

func (r *reader) collection(addr uint64) collection {
	head := r.at(addr, 16)
	head.sign("GCOL", 1)
	head.skip(3)
	c := r.at(addr, head.size(8))
	c.skip(16)
	all := collection{}
	for c.rest() >= 16 {
		number := c.u16()
		c.skip(6)
		n := c.size(8)
		if number == 0 { // the free space at the end
			break
		}
		r.charge(linkCosts + n)
		all[number] = string(c.take(n))
		c.skip(min(-n&7, c.rest()))
	}
	return all
}
