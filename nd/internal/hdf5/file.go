package hdf5

import (
	"io"
	"math"
)

const signature = "\x89HDF\r\n\x1a\n"

// File describes an open file. It does not change; many goroutines may read at once.
type File struct {
	Objects []*Object // in the order of the walk: the root group, and below it each group before its members

	r    io.ReaderAt
	size int64
	base uint64 // of all addresses
	root uint64
}

// Open reads the headers of a file of the given size.
func Open(r io.ReaderAt, size int64) (f *File, err error) {
	defer catch(&err)
	f = &File{r: r, size: size}
	f.superblock()
	f.walk()
	return f, nil
}

// superblock finds the first block, which lies at byte 0, or behind a user block of 512, 1024, 2048, … bytes.
func (f *File) superblock() {
	r := f.reader()
	start := uint64(0)
	var c *cursor
	for {
		if start > math.MaxInt64>>2 || int64(start)+int64(len(signature)) > f.size {
			fail("not an HDF5 file: it has no signature %q", signature)
		}
		if c = r.upTo(start, 128); string(c.take(len(signature))) == signature {
			break
		}
		start = max(512, 2*start)
	}
	sizes := func() {
		if o, l := c.u8(), c.u8(); o != 8 || l != 8 {
			fail("the file has addresses of %d bytes and lengths of %d bytes: only those of 8 bytes are read", o, l)
		}
	}
	switch v := c.u8(); v {
	case 0, 1:
		c.skip(4)
		sizes()
		c.skip(1 + 2 + 2 + 4)
		if v == 1 {
			c.skip(4)
		}
		c.skip(4*8 + 8)
		f.root = c.addr()
	case 2, 3:
		sizes()
		c.skip(1)
		c.skip(3 * 8)
		f.root = c.addr()
		c.verify(c.i)
	default:
		fail("version %d of the superblock: 0 to 3 are read", v)
	}
	f.base = start // whatever the superblock says: a user block may have been added or removed
}

// reader reads blocks of a file until its budget is spent. Each call of an exported function has its own.
type reader struct {
	f      *File
	budget int64
	page   []byte // the bytes from address from of the file, of which small blocks are parts
	from   int64
	groups map[uint64]*group     // by their addresses
	texts  map[uint64]collection // likewise
	depth  int                   // of messages that refer to others
}

const (
	pageBytes  = 512
	blockCosts = 32 // beside the size of a block

	// What a reader may cost: so many times the size of the file, and some bytes more.
	costTimes   = 12
	budgetBytes = 1 << 19  // to read of blocks, and to keep of what stands in them
	spareBytes  = 16 << 20 // of elements that the file does not hold, and of memory to undo filters
)

// spare returns how much memory elements may need beside what the file holds.
func (f *File) spare() int64 { return spareBytes + costTimes*f.size }

func (f *File) reader() *reader {
	return &reader{f: f, budget: budgetBytes + costTimes*f.size, groups: map[uint64]*group{}, texts: map[uint64]collection{}}
}

// charge takes n bytes off the budget.
func (r *reader) charge(n int) {
	if r.budget -= int64(n); r.budget < 0 || n < 0 {
		fail("the file makes readers read more than a file of %d bytes can need", r.f.size)
	}
}

// locate returns the offset in the file of n bytes at an address, which must lie in the file.
func (f *File) locate(addr uint64, n int) int64 {
	p := addr + f.base
	if addr == undefined || p < addr || p > uint64(f.size) || n < 0 || uint64(n) > uint64(f.size)-p {
		fail("%d bytes at address %d, beyond the end of the file", n, addr)
	}
	return int64(p)
}

// at returns a cursor over the n bytes at an address.
func (r *reader) at(addr uint64, n int) *cursor {
	p := r.f.locate(addr, n)
	r.charge(n + blockCosts)
	if n > pageBytes {
		b := make([]byte, n)
		r.f.readAt(b, p)
		return &cursor{b: b}
	}
	if p < r.from || p+int64(n) > r.from+int64(len(r.page)) {
		r.from, r.page = p, make([]byte, min(pageBytes, r.f.size-p))
		r.charge(len(r.page))
		r.f.readAt(r.page, p)
	}
	i := int(p - r.from)
	return &cursor{b: r.page[i : i+n : i+n]}
}

// signed returns a cursor over the block of n bytes at an address, behind its signature and its version, which is 0. A
// checksum follows the block.
func (r *reader) signed(addr uint64, n int, name string) *cursor {
	c := r.at(addr, n+4)
	c.verify(n)
	c.sign(name, 0)
	return c
}

// upTo returns a cursor over the n bytes at an address, or those before the end of the file.
func (r *reader) upTo(addr uint64, n int) *cursor {
	return r.at(addr, int(min(int64(n), r.f.size-r.f.locate(addr, 0))))
}

// readAt fills b with the bytes at an offset of the file.
func (f *File) readAt(b []byte, p int64) {
	if n, err := f.r.ReadAt(b, p); n < len(b) {
		fail("reading %d bytes at byte %d: %w", len(b), p, err)
	}
}
