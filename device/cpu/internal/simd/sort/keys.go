package sort

import (
	"math"
	"unsafe"
)

// Keys turns the bits of floats into integers of the same order, or back: of negative ones it flips all bits but the sign. The bits
// of before are flipped first, those of after last: keys of a descending order are flipped at last, and on the way back at first.
// special reports that there may be a not-a-number or a -0, which the integers order otherwise than floats compare.
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
