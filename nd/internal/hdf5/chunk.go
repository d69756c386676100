package hdf5

import (
	"cmp"
	"math"
	"slices"
)

// The indexes of chunks.
const (
	treeIndex1        = 0
	singleIndex       = 1
	implicitIndex     = 2
	fixedArrayIndex   = 3
	growingArrayIndex = 4
	treeIndex2        = 5
)

// chunk is a part of a dataset that stands in one piece.
type chunk struct {
	at   int // its number in the grid, in row-major order
	addr uint64
	size int
	mask uint32 // bits of the filters that were left out
}

// chunks describes the chunks of a dataset, and collects those that hold the rows.
type chunks struct {
	*dataset
	shape   []int // of a chunk
	grid    []int // chunks along each axis
	bytes   int   // of a chunk before its filters
	filters []filter
	rawEdge bool // chunks beyond the end of an axis have no filters

	index      int
	addr       uint64 // of the index
	single     *chunk // the only one
	limits     []int  // chunks along each axis, as far as the axis may ever grow; -1 without a limit
	cell       []int  // of the grid
	found      []chunk
	foundBytes int64
}

// chunkedLayout reads the description of the chunks.
func (d *dataset) chunkedLayout(c *cursor, version, rank int) *chunks {
	k := &chunks{dataset: d, filters: d.filters()}
	width, flags := 4, 0
	switch version {
	case 1, 2:
		k.addr = c.addr()
	case 3:
		rank = c.u8()
		k.addr = c.addr()
	default:
		flags = c.u8()
		rank, width = c.u8(), c.u8()
		k.rawEdge = flags&1 != 0
	}
	axes := d.value.Header.Shape
	if rank-1 != len(axes) || rank < 2 {
		fail("chunks of %d axes of a dataset of %d", rank-1, len(axes))
	}
	k.bytes = d.value.element.size
	for axis, n := range axes {
		length := c.size(width)
		if length == 0 || k.bytes > math.MaxInt>>2/length {
			fail("chunks of length %d", length)
		}
		k.bytes *= length
		k.shape = append(k.shape, length)
		k.grid = append(k.grid, (n-1)/length+1)
		most := -1
		if limit := d.value.limits[axis]; limit >= 0 {
			most = max((limit-1)/length+1, k.grid[axis])
		}
		k.limits = append(k.limits, most)
	}
	k.cell = make([]int, len(axes))
	if size := c.size(width); size != d.value.element.size {
		fail("chunks of elements of %d bytes, want %d", size, d.value.element.size)
	}
	if version >= 4 {
		k.readIndex(c, flags)
	}
	return k
}

// readIndex reads the parameters of the index of a layout of version 4.
func (k *chunks) readIndex(c *cursor, flags int) {
	const filtered = 2
	k.index = c.u8()
	switch k.index {
	case singleIndex:
		k.single = &chunk{size: k.bytes}
		if flags&filtered != 0 {
			k.single.size, k.single.mask = c.size(8), c.u32()
		}
	case implicitIndex:
	case fixedArrayIndex:
		c.skip(1)
	case growingArrayIndex:
		c.skip(5)
	case treeIndex2:
		c.skip(6)
	default:
		fail("index %d of chunks", k.index)
	}
	k.addr = c.addr()
}

// collect finds the chunks that hold the rows.
func (k *chunks) collect() {
	if k.addr == undefined {
		return
	}
	switch k.index {
	case treeIndex1:
		k.tree1(k.addr, 0)
	case singleIndex:
		k.single.addr = k.addr
		k.add(*k.single)
	case implicitIndex:
		n := k.extent()
		if n > math.MaxInt>>1/k.bytes {
			fail("%d chunks of %d bytes", n, k.bytes)
		}
		k.r.f.locate(k.addr, n*k.bytes)
		for i := range n {
			k.addNumber(i, chunk{addr: k.addr + uint64(i*k.bytes), size: k.bytes})
		}
	case fixedArrayIndex:
		k.fixedArray()
	case growingArrayIndex:
		k.growingArray()
	case treeIndex2:
		k.tree2()
	}
	slices.SortFunc(k.found, func(a, b chunk) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(k.found); i++ {
		if k.found[i].at == k.found[i-1].at {
			fail("two chunks hold the same elements")
		}
	}
	if k.foundBytes > k.r.f.size {
		fail("chunks of %d bytes together, more than the file has", k.foundBytes)
	}
}

// add notes a chunk if it holds any of the rows.
func (k *chunks) add(c chunk) {
	row := 1
	for _, n := range k.grid[1:] {
		row *= n
	}
	first := c.at / row * k.shape[0]
	if first >= k.from+k.dataset.shape[0] || k.from-first >= k.shape[0] || c.addr == undefined {
		return
	}
	k.r.f.locate(c.addr, c.size)
	k.found = append(k.found, c)
	k.foundBytes = min(k.foundBytes+int64(c.size), math.MaxInt64>>1)
}

// addCell notes the chunk of the cell of the grid, unless the cell lies beyond the end of an axis.
func (k *chunks) addCell(c chunk) {
	for axis, n := range k.grid {
		if k.cell[axis] >= n {
			return
		}
		c.at = c.at*n + k.cell[axis]
	}
	k.add(c)
}

// tree1 reads a node of a tree of version 1.
func (k *chunks) tree1(addr uint64, depth int) {
	if depth > deepest {
		fail("a tree has more than %d levels", deepest)
	}
	level := k.r.at(addr, 6).b[5]
	for _, child := range k.r.node1(addr, 1, 8*len(k.grid)+16) {
		if level > 0 {
			k.tree1(child.addr, depth+1)
			continue
		}
		c := &cursor{b: child.key}
		found := chunk{size: c.size(4), mask: c.u32(), addr: child.addr}
		for axis, n := range k.shape {
			at := c.size(8)
			if at%n != 0 {
				fail("a chunk at index %d of an axis, no multiple of %d", at, n)
			}
			k.cell[axis] = at / n
		}
		k.addCell(found)
	}
}

// tree2 reads a tree of version 2.
func (k *chunks) tree2() {
	k.r.records(k.addr, func(c *cursor) {
		found := chunk{addr: c.addr(), size: k.bytes}
		if len(k.filters) > 0 {
			found.size, found.mask = c.size(c.rest()-4-8*len(k.grid)), c.u32()
		}
		for axis := range k.cell {
			k.cell[axis] = c.size(8)
		}
		k.addCell(found)
	})
}

// extent returns the number of chunks that a dataset of limited axes may ever have.
func (k *chunks) extent() int {
	n := 1
	for _, m := range k.limits {
		if m < 0 || n > math.MaxInt>>1/max(m, 1) {
			fail("an index without limits of a dataset of shape %v", k.value.Header.Shape)
		}
		n *= m
	}
	return n
}

// addNumber notes a chunk by its number: in row-major order of a grid that is as large as it may ever become, and whose
// axis without a limit comes first.
func (k *chunks) addNumber(n int, c chunk) {
	for axis := len(k.limits) - 1; axis >= 0; axis-- {
		if m := k.limits[axis]; m >= 0 {
			k.cell[axis] = n % m
			n /= m
		}
	}
	if axis := slices.Index(k.limits, -1); axis >= 0 {
		k.cell[axis] = n
	} else if n > 0 {
		return
	}
	if n >= 0 {
		k.addCell(c)
	}
}

// addElement notes the chunk that an element of an array of so many bytes describes.
func (k *chunks) addElement(c *cursor, n, width int) {
	found := chunk{addr: c.addr(), size: k.bytes}
	if width > 8 {
		found.size, found.mask = c.size(width-12), c.u32()
	}
	if found.addr != undefined {
		k.addNumber(n, found)
	}
}
