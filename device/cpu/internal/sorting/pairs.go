package sorting

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sort"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// sortPairs32 sorts rows of values with up to 32 bits, as pairs of a key, in the upper half, and an index.
func (s *sorter) sortPairs32(from, to int) {
	size, n := s.dtype.Size(), s.length
	space := memory.TakeScratch(2*8*n + 2*((n*size+7)&^7))
	values, sorted := space.At(2*8*n), space.At(2*8*n+(n*size+7)&^7)
	for row := from; row < to; row++ {
		x := s.row(row, values)
		pairs, spare := memory.Room[int64](space, 0, n), memory.Room[int64](space, 8*n, n)
		if s.dtype != dtype.Float32 || !setFloatPairs(pairs, memory.Slice[int32](x, n), memory.Room[int32](space, 8*n, n), s.launch.Descending) {
			setPairs(pairs, x, s.dtype, s.launch.Descending)
		}
		if s.launch.Partition {
			sort.Partition(pairs, spare, pairs, s.launch.From)
		} else {
			pairs = sort.SortPairs(pairs, spare)
		}
		s.storePairs(row, x, sorted, s.kept(pairs), lowIndex)
	}
	space.Recycle()
}

// The bits of a pair that hold the index: its lower half, or all of it.
const (
	lowIndex   = math.MaxUint32
	wholeIndex = math.MaxInt64
)

// sortPairs64 sorts rows of values with 64 bits.
func (s *sorter) sortPairs64(from, to int) {
	n := s.length
	rooms := 5
	if !s.wanted[0] && s.x.DType == s.dtype && s.step(2) == 1 {
		rooms = 3 // no values are converted or stored: a scratch of long rows is then small enough to be kept
	}
	space := memory.TakeScratch(rooms * 8 * n)
	keys, pairs, spare := memory.Room[int64](space, 0, n), memory.Room[int64](space, 8*n, n), memory.Room[int64](space, 2*8*n, n)
	var values, sorted unsafe.Pointer
	if rooms == 5 {
		values, sorted = space.At(3*8*n), space.At(4*8*n)
	}
	for row := from; row < to; row++ {
		x := s.row(row, values)
		s.setKeys64(keys, x)
		var indices []int64
		if s.launch.Partition {
			indices = sort.PartitionIndices(keys, pairs, spare, s.launch.From)
		} else {
			indices = sort.Indices(keys, pairs, spare)
		}
		s.storePairs(row, x, sorted, s.kept(indices), wholeIndex)
	}
	space.Recycle()
}

// kept returns those of the sorted pairs that are stored.
func (s *sorter) kept(pairs []int64) []int64 { return pairs[s.from : s.from+s.keep] }

// setFloatPairs computes the pairs of 32-bit floats from signed keys, and reports whether they are valid: no float may
// be NaN or -0.
func setFloatPairs(pairs []int64, x, keys []int32, descending bool) bool {
	flip := int32(0)
	if descending {
		flip = -1
	}
	if sort.Keys(keys, x, 0, flip) {
		return false
	}
	for i, k := range keys {
		pairs[i] = int64(k)<<32 | int64(i)
	}
	return true
}

// storePairs stores the values of a row and their indices.
func (s *sorter) storePairs(row int, values, sorted unsafe.Pointer, pairs []int64, mask int64) {
	if s.wanted[0] {
		permute(sorted, values, s.dtype.Size(), pairs, mask)
		strided.Convert(s.y[0].DType, s.y[0].At(row), s.step(0), s.dtype, sorted, 1, len(pairs))
	}
	if s.wanted[1] {
		s.storeIndices(row, pairs, mask)
	}
}

// permute writes the values in the order of the pairs.
func permute(dst, src unsafe.Pointer, size int, pairs []int64, mask int64) {
	switch size {
	case 1:
		permuteElements[uint8](dst, src, pairs, mask)
	case 2:
		permuteElements[uint16](dst, src, pairs, mask)
	case 4:
		permuteElements[uint32](dst, src, pairs, mask)
	case 8:
		permuteElements[uint64](dst, src, pairs, mask)
	case 16:
		permuteElements[[2]uint64](dst, src, pairs, mask)
	}
}

func permuteElements[T any](dst, src unsafe.Pointer, pairs []int64, mask int64) {
	z := memory.Slice[T](dst, len(pairs))
	var t T
	for i, p := range pairs {
		z[i] = *(*T)(unsafe.Add(src, int(p&mask)*int(unsafe.Sizeof(t))))
	}
}

// storeIndices stores the indices of pairs.
func (s *sorter) storeIndices(row int, pairs []int64, mask int64) {
	y, step := &s.y[1], s.step(1)
	if y.DType == dtype.Int64 && step == 1 {
		indices := memory.Slice[int64](y.At(row), len(pairs))
		for i, p := range pairs {
			indices[i] = p & mask
		}
		return
	}
	at := y.Offset(row)
	for i, p := range pairs {
		v := p & mask
		dtype.Convert(y.DType, y.Element(at+i*step), 1, dtype.Int64, unsafe.Pointer(&v), 1, 1)
	}
}
