package sort

import (
	"math"
	"unsafe"
)

// Keys converts the bits of floats to integers with the same order, or back: it flips all bits except the sign of
// negative ones. Before that it XORs the bits with before, after that with after. For a descending order, the keys are
// flipped last in the conversion to integers and first in the conversion back. special reports that there may be a NaN or a -0, whose
// integers are ordered differently than floats compare.
func Keys[K Key](dst, src []K, before, after K) (special bool) {
	done, special := keys(dst, src, before, after)
	return plainKeys(dst[done:], src[done:], before, after) || special
}

func plainKeys[K Key](dst, src []K, before, after K) (special bool) {
	bits := 8 * unsafe.Sizeof(before)
	infinity, sign := K(0x7f800000), K(1)<<(bits-1)
	if bits == 64 {
		exponent := int64(math.MaxInt64 >> 52 << 52)
		infinity = K(exponent)
	}
	for i, x := range src {
		if x == sign || x&^sign > infinity {
			special = true
		}
		x ^= before
		if x < 0 {
			x ^= ^sign
		}
		dst[i] = x ^ after
	}
	return special
}
