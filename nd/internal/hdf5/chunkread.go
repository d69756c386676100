package hdf5

import (
	"io"
	"runtime"
)

// chunked reads elements that stand in chunks, on several processors.
func (d *dataset) chunked(k *chunks) {
	k.collect()
	held := 0
	for _, c := range k.found {
		held = min(held+k.most(c), d.bytes)
	}
	d.begin(held)
	if len(k.found) < k.wanted() {
		d.fill()
	}
	workers := runtime.GOMAXPROCS(0)
	if n := int64(k.scratch()); n > 0 && len(k.found) > 0 {
		if n > d.r.f.spare() {
			fail("chunks of %d bytes in a file of %d", k.bytes, d.r.f.size)
		}
		workers = int(min(int64(workers), d.r.f.spare()/n))
	}
	parallelOn(workers, len(k.found), func() func(i int) {
		z := &decoder{k: k}
		return func(i int) { z.read(k.found[i]) }
	})
}

// wanted returns the number of cells of the grid that have any of the rows.
func (k *chunks) wanted() int {
	n := (k.from+k.dataset.shape[0]-1)/k.shape[0] - k.from/k.shape[0] + 1
	for _, m := range k.grid[1:] {
		n *= m
	}
	return n
}

// cellOf returns the first index of a chunk along each axis.
func (k *chunks) cellOf(c chunk) []int {
	first := make([]int, len(k.grid))
	n := c.at
	for axis := len(first) - 1; axis >= 0; axis-- {
		first[axis] = n % k.grid[axis] * k.shape[axis]
		n /= k.grid[axis]
	}
	return first
}

// isEdge reports whether a chunk reaches beyond the end of an axis.
func (k *chunks) isEdge(c chunk) bool {
	for axis, first := range k.cellOf(c) {
		if first+k.shape[axis] > k.value.Header.Shape[axis] {
			return true
		}
	}
	return false
}

// read reads a chunk and copies its elements to where they belong.
func (z *decoder) read(c chunk) {
	k := z.k
	var from, to []int // the indices of the chunk whose elements are wanted
	first := k.cellOf(c)
	first[0] -= k.from
	for axis, n := range k.dataset.shape {
		from = append(from, max(0, -first[axis]))
		to = append(to, min(k.shape[axis], n-first[axis]))
	}
	// A run is a piece that is contiguous in the chunk and among the rows: indices of one axis, with all of the axes behind.
	run, unit := len(first)-1, k.value.element.size
	for ; run > 0 && from[run] == 0 && to[run] == k.shape[run] && k.shape[run] == k.dataset.shape[run]; run-- {
		unit *= k.shape[run]
	}
	length := (to[run] - from[run]) * unit
	offsets := func(index []int) (src, dst int) {
		for axis := range run {
			src = src*k.shape[axis] + index[axis]
			dst = dst*k.dataset.shape[axis] + first[axis] + index[axis]
		}
		return (src*k.shape[run] + from[run]) * unit, (dst*k.dataset.shape[run] + first[run] + from[run]) * unit
	}
	s := z.source(c, length)
	index := append([]int{}, from[:run]...)
	for {
		src, dst := offsets(index)
		s.read(src, k.dst[dst:dst+length])
		k.toHost(k.dst[dst : dst+length])
		axis := run - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < to[axis] {
				break
			}
			index[axis] = from[axis]
		}
		if axis < 0 {
			break
		}
	}
	s.end()
}

// source supplies parts of a chunk, in their order.
type source struct {
	z      *decoder
	plain  []byte
	stream io.Reader
	at     int   // bytes of the stream that were read
	file   int64 // offset of a chunk without filters that is read straight from the file
}

// source opens a chunk that is read in pieces of so many bytes.
func (z *decoder) source(c chunk, length int) *source {
	const direct = 1 << 15
	if steps, size := z.k.steps(c); len(steps) == 0 && c.size == size && (length >= direct || length == size) {
		return &source{z: z, file: z.k.r.f.locate(c.addr, c.size)}
	}
	plain, stream := z.data(c)
	return &source{z: z, plain: plain, stream: stream}
}

// read copies the bytes of the chunk from an offset on.
func (s *source) read(at int, dst []byte) {
	switch {
	case s.plain != nil:
		copy(dst, s.plain[at:])
	case s.stream != nil:
		s.skip(at - s.at)
		s.z.fill(dst, s.stream)
		s.at += len(dst)
	default:
		s.z.k.r.f.readAt(dst, s.file+int64(at))
	}
}

// skip reads n bytes that are not wanted.
func (s *source) skip(n int) {
	for s.at += n; n > 0; {
		b := s.z.buffer(1, min(n, 1<<16))
		s.z.fill(b, s.stream)
		n -= len(b)
	}
}

// end reads the rest of a stream.
func (s *source) end() {
	if s.stream != nil {
		s.skip(s.z.k.bytes - s.at)
		s.z.end(s.stream)
	}
}
