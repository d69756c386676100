package sorting

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sort"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// sort32 sorts rows of values of up to 32 bits: as pairs of a key, in the upper half, and a place.
func (s *sorting) sort32(from, to int) {
	size, n := s.dtype.Size(), s.length
	space := memory.TakeScratch(2*8*n + 2*((n*size+7)&^7))
	values, sorted := space.At(2*8*n), space.At(2*8*n+(n*size+7)&^7)
	for row := from; row < to; row++ {
		x := s.row(row, values)
		pairs, spare := memory.Room[int64](space, 0, n), memory.Room[int64](space, 8*n, n)
		if s.dtype != dtype.Float32 || !setFloatPairs(pairs, memory.Slice[int32](x, n), memory.Room[int32](space, 8*n, n), s.launch.Descending) {
			setPairs(pairs, x, s.dtype, s.launch.Descending)
		}
		s.storePairs(row, x, sorted, sort.SortPairs(pairs, spare)[:s.keep], lowPlace)
	}
	space.Recycle()
}

// Where the place is in a pair: in its lower half, or all of it.
const (
	lowPlace   = math.MaxUint32
	wholePlace = math.MaxInt64
)

// sort64 sorts rows of values of 64 bits.
func (s *sorting) sort64(from, to int) {
	n := s.length
	space := memory.TakeScratch(5 * 8 * n)
	keys, pairs, spare := memory.Room[int64](space, 0, n), memory.Room[int64](space, 8*n, n), memory.Room[int64](space, 2*8*n, n)
	values, sorted := space.At(3*8*n), space.At(4*8*n)
	for row := from; row < to; row++ {
		x := s.row(row, values)
		s.setKeys64(keys, x)
		s.storePairs(row, x, sorted, sort.Places(keys, pairs, spare)[:s.keep], wholePlace)
	}
	space.Recycle()
}

// setFloatPairs makes the pairs of 32-bit floats by way of signed keys, and reports whether that is right: no float is a
// not-a-number or -0.
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

// storePairs stores the values and the places of a row.
func (s *sorting) storePairs(row int, values, sorted unsafe.Pointer, pairs []int64, place int64) {
	if s.wanted[0] {
		permutePairs(sorted, values, s.dtype.Size(), pairs, place)
		strided.Convert(s.y[0].DType, s.y[0].At(row), s.step(0), s.dtype, sorted, 1, len(pairs))
	}
	if s.wanted[1] {
		s.storePlaces(row, pairs, place)
	}
}

// permutePairs writes the values in the order of the pairs.
func permutePairs(dst, src unsafe.Pointer, size int, pairs []int64, place int64) {
	switch size {
	case 1:
		permuteByPairs[uint8](dst, src, pairs, place)
	case 2:
		permuteByPairs[uint16](dst, src, pairs, place)
	case 4:
		permuteByPairs[uint32](dst, src, pairs, place)
	case 8:
		permuteByPairs[uint64](dst, src, pairs, place)
	case 16:
		permuteByPairs[[2]uint64](dst, src, pairs, place)
	}
}

func permuteByPairs[T any](dst, src unsafe.Pointer, pairs []int64, place int64) {
	z := memory.Slice[T](dst, len(pairs))
	var t T
	for i, p := range pairs {
		z[i] = *(*T)(unsafe.Add(src, int(p&place)*int(unsafe.Sizeof(t))))
	}
}

// storePlaces stores the places of pairs.
func (s *sorting) storePlaces(row int, pairs []int64, place int64) {
	y, step := &s.y[1], s.step(1)
	if y.DType == dtype.Int64 && step == 1 {
		places := memory.Slice[int64](y.At(row), len(pairs))
		for i, p := range pairs {
			places[i] = p & place
		}
		return
	}
	at := y.Offset(row)
	for i, p := range pairs {
		v := p & place
		dtype.Convert(y.DType, y.Element(at+i*step), 1, dtype.Int64, unsafe.Pointer(&v), 1, 1)
	}
}
