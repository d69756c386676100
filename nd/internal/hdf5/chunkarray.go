package hdf5

import "math/bits"

// Arrays of chunks have one element per chunk: its address, and its size and filter mask if it has filters.

// blockHead is the size of what stands before the contents of a block of an array.
const blockHead = 4 + 1 + 1 + 8

// elements notes the chunks of n elements with a checksum behind them, the first of which has the number first.
func (k *chunks) elements(c *cursor, first, n, width int) {
	for i := range n {
		k.addElement(c, first+i, width)
	}
}

// page reads a page of elements.
func (k *chunks) page(addr uint64, first, n, width int) {
	c := k.r.at(addr, n*width+4)
	c.verify(n * width)
	k.elements(c, first, n, width)
}

// isSet reports whether a bit is set. The bits begin with the most significant one of the first byte.
func isSet(b []byte, i int) bool { return b[i/8]>>(7-i%8)&1 != 0 }

// checkWidth refuses elements of an impossible size, and pages that are too large.
func (k *chunks) checkWidth(width, pageBits int) {
	if width < 8 || width > 8 && width < 13 || pageBits > 30 {
		fail("an index of chunks with elements of %d bytes, 2^%d on a page", width, pageBits)
	}
}

// fixedArray reads the index of a dataset whose axes are limited.
func (k *chunks) fixedArray() {
	c := k.r.signed(k.addr, 24, "FAHD")
	c.skip(1)
	width, pageBits, n := c.u8(), c.u8(), c.size(8)
	k.checkWidth(width, pageBits)
	block := c.addr()
	if block == undefined {
		return
	}
	if int64(n) > k.r.f.size/8 {
		fail("an index of %d chunks", n)
	}
	page := 1 << pageBits
	if n <= page {
		b := k.r.signed(block, blockHead+n*width, "FADB")
		b.skip(1 + 8)
		k.elements(b, 0, n, width)
		return
	}
	pages := (n + page - 1) / page
	size := blockHead + (pages+7)/8
	b := k.r.signed(block, size, "FADB")
	b.skip(1 + 8)
	written := b.take((pages + 7) / 8)
	at := block + uint64(size+4)
	for i := range pages {
		if isSet(written, i) {
			k.page(at, i*page, min(page, n-i*page), width)
		}
		at += uint64(page*width + 4)
	}
}

// growingArray is the index of a dataset with one axis without a limit: an extensible array.
type growingArray struct {
	*chunks
	width, offset int // bytes of an element, and of the offset of a block
	page          int // elements
	next          int // number of the next element
}

// growingArray reads an extensible array. Its first elements stand in the index block. The others stand in data blocks:
// super block s has 2^(s/2) of them, with least·2^((s+1)/2) elements each. The addresses of the first data blocks stand
// in the index block, too.
func (k *chunks) growingArray() {
	c := k.r.signed(k.addr, 68, "EAHD")
	c.skip(1)
	width, mostBits, first, least, pointers, pageBits := c.u8(), c.u8(), c.u8(), c.u8(), c.u8(), c.u8()
	k.checkWidth(width, pageBits)
	c.skip(6 * 8)
	index := c.addr()
	if index == undefined {
		return
	}
	log2 := func(n int) int { return bits.Len(uint(n)) - 1 }
	direct := 2 * log2(pointers) // super blocks without a block of their own
	supers := 1 + mostBits - log2(least) - direct
	if least < 1 || pointers < 1 || mostBits > 48 || supers < 0 {
		fail("an impossible index of chunks")
	}
	g := &growingArray{chunks: k, width: width, offset: (mostBits + 7) / 8, page: 1 << pageBits}
	blocks := 2 * (pointers - 1)
	size := blockHead + first*width + 8*blocks + 8*supers
	b := k.r.signed(index, size, "EAIB")
	b.skip(1 + 8)
	k.elements(b, 0, first, width)
	g.next = first
	for s := range direct + supers {
		count, each := 1<<(s/2), least<<((s+1)/2)
		switch {
		case s < direct:
			for range count {
				g.dataBlock(b.addr(), each, func(int) bool { return true })
			}
		default:
			g.superBlock(b.addr(), count, each)
		}
	}
}

func (g *growingArray) superBlock(addr uint64, count, each int) {
	if addr == undefined {
		g.next += count * each
		return
	}
	if int64(count) > g.r.f.size/8 {
		fail("an index of chunks with %d blocks", count)
	}
	bitmap := 0 // bytes; each data block has its share, but the bits follow each other without gaps
	if each > g.page {
		bitmap = count * ((each/g.page + 7) / 8)
	}
	size := blockHead + g.offset + bitmap + 8*count
	b := g.r.signed(addr, size, "EASB")
	b.skip(1 + 8 + g.offset)
	written := b.take(bitmap)
	for i := range count {
		g.dataBlock(b.addr(), each, func(page int) bool { return isSet(written, i*(each/g.page)+page) })
	}
}

// dataBlock reads n elements. Of a block of several pages it reads those that were written.
func (g *growingArray) dataBlock(addr uint64, n int, written func(page int) bool) {
	first := g.next
	g.next += n
	if addr == undefined {
		return
	}
	if int64(n) > g.r.f.size {
		fail("an index of chunks with blocks of %d elements", n)
	}
	head := blockHead + g.offset
	if n <= g.page {
		b := g.r.signed(addr, head+n*g.width, "EADB")
		b.skip(1 + 8 + g.offset)
		g.elements(b, first, n, g.width)
		return
	}
	g.r.signed(addr, head, "EADB")
	at := addr + uint64(head+4)
	for i := range n / g.page {
		if written(i) {
			g.chunks.page(at, first+i*g.page, g.page, g.width)
		}
		at += uint64(g.page*g.width + 4)
	}
}
