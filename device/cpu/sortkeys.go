package cpu

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// key is an unsigned number that is ordered as the values are; of complex numbers there are two. Equal values have equal
// keys, and not-a-numbers have the highest, also when descending.
type key interface{ uint32 | uint64 | [2]uint64 }

// place is where in its row a value was.
type place interface{ uint32 | int }

// entry is a key and the place it came from.
type entry[K key, P place] struct {
	key   K
	place P
}

// setKeys32 makes the entries of values of a type of up to 32 bits.
func setKeys32(entries []entry[uint32, uint32], values unsafe.Pointer, t dtype.DType, descending bool) {
	switch t {
	case dtype.Bool, dtype.Uint8:
		integerKeys[uint8](entries, values, descending)
	case dtype.Uint16:
		integerKeys[uint16](entries, values, descending)
	case dtype.Uint32:
		integerKeys[uint32](entries, values, descending)
	case dtype.Int8:
		integerKeys[int8](entries, values, descending)
	case dtype.Int16:
		integerKeys[int16](entries, values, descending)
	case dtype.Int32:
		integerKeys[int32](entries, values, descending)
	case dtype.Float32:
		x := elements[float32](values, len(entries))
		for i := range entries {
			entries[i] = entry[uint32, uint32]{floatKey32(x[i], descending), uint32(i)}
		}
	}
}

// setKeys64 makes the entries of values of a type of 64 bits.
func setKeys64(entries []entry[uint64, int], values unsafe.Pointer, t dtype.DType, descending bool) {
	switch t {
	case dtype.Uint64:
		integerKeys[uint64](entries, values, descending)
	case dtype.Int64:
		integerKeys[int64](entries, values, descending)
	case dtype.Float64:
		x := elements[float64](values, len(entries))
		for i := range entries {
			entries[i] = entry[uint64, int]{floatKey64(x[i], descending), i}
		}
	}
}

// integerKeys makes keys of integers: the lowest one of a signed type becomes 0.
func integerKeys[T scalar.Integer, K uint32 | uint64, P place](entries []entry[K, P], values unsafe.Pointer, descending bool) {
	var zero T
	var offset, flip K
	if zero-1 < 0 {
		offset = 1 << (8*unsafe.Sizeof(flip) - 1)
	}
	if descending {
		flip = ^flip
	}
	x := elements[T](values, len(entries))
	for i := range entries {
		entries[i] = entry[K, P]{(K(x[i]) + offset) ^ flip, P(i)}
	}
}

// floatKey32 uses that the bits of positive floats are ordered as they are, and those of negative ones the other way
// round. The keys of infinities leave room for not-a-numbers above, in both directions.
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

// setKeyPairs makes the entries of complex numbers; those with a not-a-number are all equal.
func setKeyPairs(entries []entry[[2]uint64, int], values unsafe.Pointer, t dtype.DType, descending bool) {
	for i := range entries {
		var z complex128
		if t == dtype.Complex64 {
			z = complex128(elements[complex64](values, len(entries))[i])
		} else {
			z = elements[complex128](values, len(entries))[i]
		}
		k := [2]uint64{math.MaxUint64, math.MaxUint64}
		if !scalar.CIsNaN(z) {
			k = [2]uint64{floatKey64(real(z), descending), floatKey64(imag(z), descending)}
		}
		entries[i] = entry[[2]uint64, int]{k, i}
	}
}
