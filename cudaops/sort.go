package cudaops

import (
	"fmt"
	"math/bits"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// keySize returns the size in bytes of the sort keys for elements of a type, as kernels/order.cuh makes them.
func keySize(t dtype.DType) int { return max(4, t.Size()) }

// mostShort returns the largest length of rows that a block sorts in its shared memory.
func mostShort(keySize int) int {
	if keySize == 16 {
		return 2048
	}
	return 4096
}

// The kernels, by the size of a key in bytes.
var (
	shortSorts  = [...]string{4: "sort_short_4", 8: "sort_short_8", 16: "sort_short_16"}
	keyMakers   = [...]string{4: "make_keys_4", 8: "make_keys_8", 16: "make_keys_16"}
	digitCounts = [...]string{4: "count_digits_4", 8: "count_digits_8"}
	digitMoves  = [...]string{4: "move_digits_4", 8: "move_digits_8"}
	searches    = [...]string{4: "search_4", 8: "search_8", 16: "search_16"}
)

// tileKeys is the number of keys that a block processes at a time: tile_keys in kernels/digits.cuh.
const tileKeys = 2048

// tilesOf returns how many tiles a row of n keys has.
func tilesOf(n int) int { return (n + tileKeys - 1) / tileKeys }

// Sort sorts along the last axis, stably.
func (d *Device) Sort(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	inPieces(l, l.Rank-1, 0, func(l *device.Launch, _ int) { d.sort(l) })
}

func (d *Device) sort(l *device.Launch) {
	last := l.Rank - 1
	s := sorting{device: d, l: l, n: l.Shape[last], rows: broadcast.Size(l.Shape[:last]), keySize: keySize(l.Operands[2].DType)}
	s.keep = s.n
	if l.Keep > 0 && !l.Partition {
		s.from, s.keep = l.From, min(l.Keep, s.n-l.From)
	}
	for k := range 3 {
		s.operands[k] = walkedOf(&l.Operands[k])
	}
	if s.from == 0 && s.n <= mostShort(s.keySize) {
		s.short()
	} else {
		s.long()
	}
}

// sorting describes a sort of rows of n elements, of which only some are stored.
type sorting struct {
	device              *Device
	l                   *device.Launch
	operands            [3]walked
	rows, n, from, keep int
	keySize             int
	high                bool
	keys, indices       scratch
	raw                 scratch
}

func (s *sorting) run(name string, blocks, threads, padded, together, tiles, shared int) {
	l, last := s.l, s.l.Rank-1
	a := newArguments(limitOf(l.Rank))
	for _, v := range []int{s.n, s.keep, s.rows, tiles, int(l.Operands[2].DType), s.operands[2].size, int(l.Operands[0].DType), int(l.Operands[1].DType)} {
		a.int(v)
	}
	a.bool(l.Descending)
	a.bool(s.high)
	a.int(padded)
	a.int(together)
	a.word(s.keys.address)
	a.word(s.indices.address)
	a.word(s.raw.address)
	for _, o := range s.operands {
		a.int(o.size * o.strides[last])
	}
	a.walk(l, last, 3, s.operands[:]...)
	s.device.run(l.Func, entry{file: "sort", name: name}, blocks, threads, shared, a)
}

// short lets blocks sort rows; each block sorts several if there are many.
func (s *sorting) short() {
	padded := 1 << bits.Len(uint(s.n-1))
	together := max(1, min(mostShort(s.keySize)/2/padded, s.rows/512))
	keys := padded * together
	threads := min((keys/4+31)/32*32+32, 512) // whole warps
	s.run(shortSorts[s.keySize], min((s.rows+together-1)/together, maxBlocks), threads, padded, together, 1, keys*(s.keySize+2))
}

// long sorts rows by the digits of their keys; complex128 by those of the lower halves first.
func (s *sorting) long() {
	d, x := s.device, &s.l.Operands[2]
	size := min(s.keySize, 8)
	total := s.rows * s.n
	if s.l.Operands[0].Memory.Handle == x.Memory.Handle || s.l.Operands[1].Memory.Handle == x.Memory.Handle {
		s.raw = d.scratch(s.l.Func, total*x.DType.Size())
		defer s.raw.free()
	}
	tiles := tilesOf(s.n)
	for half := size; half <= s.keySize; half += 8 {
		s.high = half > 8
		s.keys = d.scratch(s.l.Func, size*total)
		s.run(keyMakers[s.keySize], min(s.rows*tiles, maxBlocks), threads, 0, 0, tiles, 0)
		s.keys, s.indices = d.sortKeys(s.l.Func, s.keys, s.indices, size, 8*min(x.DType.Size(), size), s.rows, s.n)
		s.keys.free()
	}
	tiles = tilesOf(s.keep)
	s.indices.address += uint64(4 * s.from)
	s.run("put_sorted", min(s.rows*tiles, maxBlocks), threads, 0, 0, tiles, 0)
	s.indices.free()
}

// sortKeys sorts rows of n keys of 4 or 8 bytes stably, by the given number of bits, and permutes their indices with
// them. If indices is empty, the indices are 0, 1, 2 and so on. It frees the memory that it does not return.
func (d *Device) sortKeys(fn string, keys, indices scratch, size, bits, rows, n int) (sortedKeys, sortedIndices scratch) {
	if n > 1<<32-1 {
		panic(&device.Fault{Func: fn, Err: fmt.Errorf("cudaops: a sort of %d elements: want at most 2³²-1", n)})
	}
	const digit, digits = 8, 1 << 8
	tiles := tilesOf(n)
	otherKeys, otherIndices := d.scratch(fn, size*rows*n), d.scratch(fn, 4*rows*n)
	counts, totals := d.scratch(fn, 4*rows*tiles*digits), d.scratch(fn, 4*rows*digits)
	for shift := 0; shift < bits; shift += digit {
		step := func(name string, blocks int) {
			a := newArguments(narrow)
			for _, v := range []int{n, rows, tiles, shift} {
				a.int(v)
			}
			for _, s := range []scratch{keys, indices, otherKeys, otherIndices, counts, totals} {
				a.word(s.address)
			}
			d.run(fn, entry{file: "sort", name: name}, min(blocks, maxBlocks), threads, 0, a)
		}
		step(digitCounts[size], rows*tiles)
		if tiles <= 32 {
			step("sum_digits", rows) // one thread per digit
		} else {
			step("sum_digits", rows*digits)
		}
		step(digitMoves[size], rows*tiles)
		keys, otherKeys = otherKeys, keys
		indices, otherIndices = otherIndices, indices
		if otherIndices.device == nil {
			otherIndices = d.scratch(fn, 4*rows*n)
		}
	}
	for _, s := range []scratch{otherKeys, otherIndices, counts, totals} {
		s.free()
	}
	return keys, indices
}

// SearchSorted counts the elements of a sorted row that are less than x.
func (d *Device) SearchSorted(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	inPieces(l, l.Rank, 0, func(l *device.Launch, _ int) {
		x := &l.Operands[2]
		a := newArguments(limitOf(l.Rank))
		a.int(int(x.DType))
		a.int(int(l.Operands[0].DType))
		a.int(l.Axes[0].Stride * x.DType.Size())
		a.int(l.Axes[0].Size)
		a.bool(l.Right)
		a.walk(l, l.Rank, 3, walkedOf(&l.Operands[0]), walkedOf(&l.Operands[1]), walkedOf(x))
		d.run(l.Func, entry{file: "sort", name: searches[keySize(x.DType)]}, over(l.Size()), threads, 0, a)
	})
}
