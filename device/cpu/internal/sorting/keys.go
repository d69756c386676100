package sorting

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sort"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Keys are integers that are ordered as the values are; a complex number has two. Equal values have equal keys, and
// NaNs have the highest keys, also in descending order.

// entry is the key of a complex number and its index in the row.
type entry struct {
	key   [2]uint64
	index int
}

func (e entry) less(f entry) bool { return keyLess(e.key, f.key) }

func keyLess(a, b [2]uint64) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// setPairs computes the pairs of values of a type with up to 32 bits.
func setPairs(pairs []int64, values unsafe.Pointer, t dtype.DType, descending bool) {
	switch t {
	case dtype.Bool, dtype.Uint8:
		integerPairs[uint8](pairs, values, descending)
	case dtype.Uint16:
		integerPairs[uint16](pairs, values, descending)
	case dtype.Uint32:
		integerPairs[uint32](pairs, values, descending)
	case dtype.Int8:
		integerPairs[int8](pairs, values, descending)
	case dtype.Int16:
		integerPairs[int16](pairs, values, descending)
	case dtype.Int32:
		integerPairs[int32](pairs, values, descending)
	case dtype.Float32:
		for i, x := range memory.Slice[float32](values, len(pairs)) {
			pairs[i] = pair(floatKey32(x, descending), i)
		}
	}
}

// pair combines a key and an index in one number, which is ordered by key and then by index.
func pair(key uint32, index int) int64 { return int64(int32(key^1<<31))<<32 | int64(index) }

func integerPairs[T scalar.Integer](pairs []int64, values unsafe.Pointer, descending bool) {
	for i, x := range memory.Slice[T](values, len(pairs)) {
		pairs[i] = pair(integerKey(x, descending), i)
	}
}

// setKeys64 computes the keys of values of a 64-bit type.
func (s *sorter) setKeys64(keys []int64, values unsafe.Pointer) {
	x := memory.Slice[int64](values, len(keys))
	before, after, float := s.flips(64)
	if !float {
		for i, v := range x {
			keys[i] = v ^ before ^ after
		}
		return
	}
	if !sort.Keys(keys, x, 0, after) {
		return
	}
	for i, v := range memory.Slice[float64](values, len(keys)) {
		keys[i] = int64(floatKey64(v, s.launch.Descending) ^ 1<<63)
	}
}

// integerKey returns the key of an integer: the smallest integer of a signed type becomes 0.
func integerKey[T scalar.Integer](x T, descending bool) uint32 {
	var zero T
	var offset, flip uint32
	if zero-1 < 0 {
		offset = 1 << 31
	}
	if descending {
		flip = ^flip
	}
	return (uint32(x) + offset) ^ flip
}

// floatKey32 relies on the order of the bits of floats: positive floats are ordered like their bits, negative ones in
// reverse. The keys of infinities leave room for NaNs above them, in both directions.
func floatKey32(x float32, descending bool) uint32 {
	if x != x {
		return math.MaxUint32
	}
	bits := math.Float32bits(x)
	switch {
	case x == 0: // both zeros are equal
		bits = 1 << 31
	case bits>>31 != 0:
		bits = ^bits
	default:
		bits |= 1 << 31
	}
	if descending {
		bits = ^bits
	}
	return bits
}

func floatKey64(x float64, descending bool) uint64 {
	if x != x {
		return math.MaxUint64
	}
	bits := math.Float64bits(x)
	switch {
	case x == 0:
		bits = 1 << 63
	case bits>>63 != 0:
		bits = ^bits
	default:
		bits |= 1 << 63
	}
	if descending {
		bits = ^bits
	}
	return bits
}

// setEntries computes the entries of complex numbers.
func setEntries(entries []entry, values unsafe.Pointer, t dtype.DType, descending bool) {
	for i := range entries {
		var z complex128
		if t == dtype.Complex64 {
			z = complex128(memory.Slice[complex64](values, len(entries))[i])
		} else {
			z = memory.Slice[complex128](values, len(entries))[i]
		}
		entries[i] = entry{complexKey(z, descending), i}
	}
}

// complexKey gives NaNs three kinds of keys above the keys of all real parts: with a real part, with an imaginary part,
// with neither.
func complexKey(z complex128, descending bool) [2]uint64 {
	re, im := floatKey64(real(z), descending), floatKey64(imag(z), descending)
	switch {
	case re == math.MaxUint64 && im == math.MaxUint64:
		return [2]uint64{math.MaxUint64, 0}
	case re == math.MaxUint64:
		return [2]uint64{math.MaxUint64 - 1, im}
	case im == math.MaxUint64:
		return [2]uint64{math.MaxUint64 - 2, re}
	}
	return [2]uint64{re, im}
}
