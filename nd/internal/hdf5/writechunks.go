package hdf5

import (
	"bytes"
	"compress/zlib"
	"runtime"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

const (
	// slabBytes is about the size of a chunk before it is deflated.
	slabBytes = 1 << 20

	// deflateLevel is h5py's.
	deflateLevel = 4

	// nodeEntries is the number of entries in a node of a tree of chunks, which libhdf5 expects by default.
	nodeEntries = 64
)

// slabs returns the shape of the chunks: whole rows, or if a row is too large, whole rows of the row, and so on. So the
// elements of a chunk are contiguous in the array. Before the given axis chunks have length 1, behind it they are whole.
func slabs(shape []int, size int) (chunk []int, axis int) {
	chunk = make([]int, len(shape))
	for axis := range chunk {
		chunk[axis] = 1
	}
	axis = len(shape) - 1
	for ; axis > 0 && size*shape[axis] <= slabBytes; axis-- {
		chunk[axis] = shape[axis]
		size *= shape[axis]
	}
	chunk[axis] = min(max(slabBytes/size, 1), shape[axis])
	return chunk, axis
}

// chunkKey returns the key of the chunk that begins at some indices.
func chunkKey(size int, first []int) []byte {
	const noMask = 0
	b := concat(u32(uint32(size)), u32(noMask))
	for _, n := range first {
		b = append(b, u64(uint64(n))...)
	}
	return append(b, u64(0)...)
}

// deflated writes the elements of a dataset in chunks, which several processors deflate.
func (f *Writer) deflated(o *object, h npy.Header, data []byte) {
	size := h.DType.Size()
	chunk, axis := slabs(h.Shape, size)
	whole := size * broadcast.Size(chunk)
	line := size * broadcast.Size(h.Shape[axis:]) // bytes at one index of the axes before
	perLine := (line + whole - 1) / whole         // chunks there
	count := len(data) / line * perLine

	var entries []child
	window := 4 * runtime.GOMAXPROCS(0)
	packed := make([]bytes.Buffer, min(window, count))
	for from := 0; from < count; from += len(packed) {
		n := min(len(packed), count-from)
		parallel(n, func() func(i int) {
			z, _ := zlib.NewWriterLevel(nil, deflateLevel)
			var padding []byte
			return func(i int) {
				k := from + i
				begin := k/perLine*line + k%perLine*whole
				part := data[begin:min(begin+whole, (k/perLine+1)*line)]
				if len(part) < whole { // the last of a line is filled up
					padding = append(append(padding[:0], part...), make([]byte, whole-len(part))...)
					part = padding
				}
				packed[i].Reset()
				z.Reset(&packed[i])
				z.Write(part) // a buffer takes everything
				z.Close()
			}
		})
		for i := range n {
			f.align()
			entries = append(entries, child{chunkKey(packed[i].Len(), firstOf(from+i, perLine, axis, h.Shape, chunk)), f.at})
			f.write(packed[i].Bytes())
		}
	}
	end := make([]int, len(chunk))
	for k := range end {
		end[k] = (h.Shape[k] + chunk[k] - 1) / chunk[k] * chunk[k]
	}
	tree := f.tree(entries, chunkKey(0, end))
	layout := concat([]byte{3, chunkedLayout, byte(len(chunk) + 1)}, u64(tree))
	for _, n := range append(chunk, size) {
		layout = append(layout, u32(uint32(n))...)
	}
	const stepwiseIfSet = 0x0b // space is allocated chunk by chunk
	filters := concat([]byte{2, 1}, u16(deflateFilter), u16(0), u16(1), u32(deflateLevel))
	o.messages = append(o.messages, headerMessage{fillMessage, []byte{3, stepwiseIfSet}}, headerMessage{filterMessage, filters}, headerMessage{layoutMessage, layout})
}

// firstOf returns the indices at which chunk k begins.
func firstOf(k, perLine, axis int, shape, chunk []int) []int {
	first := make([]int, len(shape))
	first[axis] = k % perLine * chunk[axis]
	k /= perLine
	for a := axis - 1; a >= 0; a-- {
		first[a] = k % shape[a]
		k /= shape[a]
	}
	return first
}

// tree writes a tree of version 1 over the chunks, and returns the address of its root.
func (f *Writer) tree(level []child, end []byte) uint64 {
	for depth := 0; ; depth++ {
		var above []child
		full := 24 + nodeEntries*(len(end)+8) + len(end)
		f.align()
		base := f.at
		nodes := (len(level) + nodeEntries - 1) / nodeEntries
		for i := range nodes {
			part := level[i*nodeEntries : min(len(level), (i+1)*nodeEntries)]
			left, right, last := uint64(undefined), uint64(undefined), end
			if i > 0 {
				left = base + uint64((i-1)*full)
			}
			if i+1 < nodes {
				right = base + uint64((i+1)*full)
				last = level[(i+1)*nodeEntries].key
			}
			const chunkTree = 1
			b := concat([]byte("TREE"), []byte{chunkTree, byte(depth)}, u16(len(part)), u64(left), u64(right))
			for _, e := range part {
				b = concat(b, e.key, u64(e.addr))
			}
			b = append(b, last...)
			above = append(above, child{part[0].key, f.at})
			f.write(append(b, make([]byte, full-len(b))...))
		}
		if len(above) == 1 {
			return above[0].addr
		}
		level = above
	}
}
