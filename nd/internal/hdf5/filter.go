package hdf5

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// filter is a step of the writer of a chunk, which the reader undoes.
type filter struct {
	id    int
	width int // bytes of an element, for shuffle
}

// The filters.
const (
	deflateFilter  = 1
	shuffleFilter  = 2
	fletcherFilter = 3
)

// filterName names a filter that is not undone.
func filterName(id int, given string) string {
	switch {
	case id == 4:
		return "szip"
	case id == 5:
		return "nbit"
	case id == 6:
		return "scaleoffset"
	case given == "":
		return fmt.Sprint(id)
	}
	return fmt.Sprintf("%d (%s)", id, given)
}

// filters returns the filters of the chunks, in the order in which they were applied.
func (d *dataset) filters() (all []filter) {
	data := d.r.find(d.header, filterMessage)
	if data == nil {
		return nil
	}
	c := &cursor{b: data}
	version, n := c.u8(), c.u8()
	if version != 1 && version != 2 || n > 32 {
		fail("version %d of a list of %d filters", version, n)
	}
	if version == 1 {
		c.skip(6)
	}
	deflated := 0
	for range n {
		f := filter{id: c.u16(), width: 1}
		nameBytes := 0
		if version == 1 || f.id >= 256 {
			nameBytes = c.u16()
		}
		c.skip(2)
		values := c.u16()
		name := c.take(nameBytes)
		if version == 1 {
			c.skip(-nameBytes & 7)
		}
		for k := range values {
			if v := c.u32(); k == 0 && f.id == shuffleFilter {
				f.width = int(v & 0xffffff)
			}
		}
		if version == 1 && values%2 == 1 {
			c.skip(4)
		}
		switch f.id {
		case deflateFilter:
			deflated++
		case shuffleFilter, fletcherFilter:
		default:
			given, _, _ := bytes.Cut(name, []byte{0})
			fail("the filter %s: deflate, shuffle and fletcher32 are read", filterName(f.id, string(given)))
		}
		if f.width < 1 || deflated > 1 {
			fail("an impossible list of filters")
		}
		all = append(all, f)
	}
	return all
}

// step is a filter that was applied to a chunk, and the size of what it was applied to.
type step struct {
	filter
	bytes int
}

// steps returns the filters that were applied to a chunk, and the size of the result; -1 if deflate determines it.
func (k *chunks) steps(c chunk) (all []step, size int) {
	size = k.bytes
	if k.rawEdge && k.isEdge(c) {
		return nil, size
	}
	for i, f := range k.filters {
		if c.mask>>i&1 != 0 {
			continue
		}
		all = append(all, step{f, size})
		switch {
		case f.id == deflateFilter:
			size = -1
		case f.id == fletcherFilter && size >= 0:
			size += 4
		}
	}
	return all, size
}

// most returns an upper bound of the bytes that a chunk can hold: deflate makes data at most about 1,030 times smaller.
func (k *chunks) most(c chunk) int {
	if _, size := k.steps(c); size < 0 && c.size < k.bytes/1032 {
		return 1032 * (c.size + 64)
	}
	return k.bytes
}

// decoder reads chunks one after the other. It keeps its buffers.
type decoder struct {
	k     *chunks
	bufs  [3][]byte
	z     io.ReadCloser
	input bytes.Reader
}

// buffer returns one of the buffers, with room for n bytes.
func (z *decoder) buffer(i, n int) []byte {
	z.bufs[i] = slices.Grow(z.bufs[i][:0], n)[:n]
	return z.bufs[i]
}

// data returns the bytes of a chunk before its filters: as bytes, or as a stream.
func (z *decoder) data(c chunk) (plain []byte, stream io.Reader) {
	steps, size := z.k.steps(c)
	if size >= 0 && c.size != size {
		fail("a chunk of %d bytes, want %d", c.size, size)
	}
	b := z.buffer(0, c.size)
	z.k.r.f.readAt(b, z.k.r.f.locate(c.addr, c.size))
	for i := len(steps) - 1; i >= 0; i-- {
		switch s := steps[i]; s.id {
		case deflateFilter:
			stream := z.inflate(b)
			if i == 0 {
				return nil, stream
			}
			b = z.buffer(1, s.bytes)
			z.fill(b, stream)
			z.end(stream)
		case shuffleFilter:
			out := z.buffer(2, len(b))
			unshuffle(out, b, s.width)
			b = out
		case fletcherFilter:
			n := len(b) - 4
			if n < 0 {
				fail("a chunk without its checksum")
			}
			if binary.LittleEndian.Uint32(b[n:]) != fletcher32(b[:n]) {
				fail("the checksum of a chunk is wrong")
			}
			b = b[:n]
		}
	}
	return b, nil
}

// scratch returns the bytes that a decoder needs to undo filters.
func (k *chunks) scratch() int {
	if len(k.filters) > 1 || len(k.filters) == 1 && k.filters[0].id != deflateFilter {
		return 2 * k.bytes
	}
	return 0
}

func (z *decoder) inflate(b []byte) io.Reader {
	z.input.Reset(b)
	var err error
	if z.z == nil {
		z.z, err = zlib.NewReader(&z.input)
	} else {
		err = z.z.(zlib.Resetter).Reset(&z.input, nil)
	}
	if err != nil {
		fail("a chunk that is not deflated: %w", err)
	}
	return z.z
}

func (z *decoder) fill(b []byte, stream io.Reader) {
	if n, err := io.ReadFull(stream, b); err != nil {
		fail("a chunk ends %d bytes too early: %w", len(b)-n, err)
	}
}

// end checks that a stream ends, which also verifies its checksum.
func (z *decoder) end(stream io.Reader) {
	var more [1]byte
	switch n, err := io.ReadFull(stream, more[:]); {
	case n > 0:
		fail("a chunk swells to more than %d bytes", z.k.bytes)
	case err != io.EOF:
		fail("at the end of a chunk: %w", err)
	}
}

// unshuffle puts the bytes of each element side by side: src has first the first bytes of all elements, then the second
// ones. What is left at the end was not shuffled.
func unshuffle(dst, src []byte, width int) {
	n := len(src) / width
	for j := range width {
		column := src[j*n : (j+1)*n]
		for i, at := 0, j; i < len(column); i, at = i+1, at+width {
			dst[at] = column[i]
		}
	}
	copy(dst[n*width:], src[n*width:])
}

// fletcher32 is the checksum of a chunk: two sums modulo 65535 of its big-endian numbers of 16 bits.
func fletcher32(b []byte) uint32 {
	const block = 360 // whose sums do not overflow
	var s1, s2 uint32
	add := func(v uint32) {
		s1 += v
		s2 += s1
	}
	fold := func() { s1, s2 = s1&0xffff+s1>>16, s2&0xffff+s2>>16 }
	for len(b) > 1 {
		part := b[:min(len(b), 2*block)&^1]
		b = b[len(part):]
		for ; len(part) > 1; part = part[2:] {
			add(uint32(part[0])<<8 | uint32(part[1]))
		}
		fold()
	}
	if len(b) == 1 {
		add(uint32(b[0]) << 8)
		fold()
	}
	fold()
	return s2<<16 | s1
}
