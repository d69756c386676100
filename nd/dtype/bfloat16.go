package dtype

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/x448/float16"
)

// BF16 is a bfloat16 number, the element of an array of type [BFloat16]: the
// upper half of a float32, with the same exponents and 8 significant bits.
type BF16 uint16

// Float32 returns the number as a float32, which holds it exactly.
func (b BF16) Float32() float32 { return math.Float32frombits(uint32(b) << 16) }

// IsNaN reports whether the number is NaN.
func (b BF16) IsNaN() bool { return b&0x7fff > 0x7f80 }

// String formats the number with the fewest digits that distinguish it from its neighbours in float32.
func (b BF16) String() string {
	return strconv.FormatFloat(float64(b.Float32()), 'g', -1, 32)
}

// BFloat16FromFloat32 rounds to the nearest bfloat16, ties to even. Numbers beyond the range become infinite. NaN stays
// NaN with its sign and the upper bits of its payload.
func BFloat16FromFloat32(f float32) BF16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 {
		// The quiet bit prevents a NaN whose payload is in the lower bits from becoming an infinity.
		return BF16(b>>16 | 0x40)
	}
	return BF16((b + 0x7fff + b>>16&1) >> 16)
}

// BFloat16FromFloat64 rounds to the nearest bfloat16, ties to even, in a single
// rounding.
func BFloat16FromFloat64(f float64) BF16 { return BFloat16FromFloat32(roundToOdd(f)) }

// Float16FromFloat64 rounds to the nearest float16, ties to even, in a single
// rounding.
func Float16FromFloat64(f float64) float16.Float16 { return halfFromFloat32(roundToOdd(f)) }

// halfFromFloat32 rounds to the nearest float16, ties to even. It returns the same bits as float16.Fromfloat32, which
// takes two to four times as long over an array: it branches on whether to round up, which no processor predicts.
func halfFromFloat32(f float32) float16.Float16 {
	const (
		smallestNormal = 0x38800000 // 2^-14
		overflow       = 0x47800000 // 2^16; a number that rounds up to it carries into the exponent
		infinity       = 0x7f800000
		rebias         = (127 - 15) << 23
	)
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b < smallestNormal:
		// In the sum with 1/2 the last bit of float32 weighs 2^-24, the unit of float16's subnormals, so the addition
		// rounds.
		sum := math.Float32bits(math.Float32frombits(b) + 0.5)
		return float16.Float16(sign | uint16(sum-0x3f000000))
	case b < overflow:
		b += b>>13&1 + 0xfff
		return float16.Float16(sign | uint16((b-rebias)>>13))
	case b <= infinity:
		return float16.Float16(sign | 0x7c00)
	default:
		return float16.Float16(sign | 0x7e00 | uint16(b>>13&0x3ff))
	}
}

// roundToOdd narrows to float32 so that a second rounding, to a type with at least two bits less, gives the same result
// as one rounding of f: of the two neighbours of an inexact value it takes the one whose last bit is set, which is
// neither a value nor a tie of the narrower type.
func roundToOdd(f float64) float32 {
	narrow := float32(f)
	wide := float64(narrow)
	if wide == f || f != f {
		return narrow
	}
	b := math.Float32bits(narrow)
	if b&1 != 0 {
		return narrow
	}
	if math.Abs(wide) > math.Abs(f) {
		b--
	} else {
		b++
	}
	return math.Float32frombits(b)
}

// roundIntegerToOdd does for an integer's magnitude what roundToOdd does for a
// float64.
func roundIntegerToOdd(magnitude uint64) float32 {
	return float32(oddBits(magnitude, 24))
}

// magnitudeToFloat32 rounds to the nearest float32 with float64 in between.
func magnitudeToFloat32(magnitude uint64) float32 {
	return float32(float64(oddBits(magnitude, 53)))
}

// oddBits keeps the leading bits of an integer and, if it drops others that are
// set, sets the last one kept.
func oddBits(magnitude uint64, keep int) uint64 {
	if dropped := bits.Len64(magnitude) - keep; dropped > 0 {
		low := uint64(1)<<dropped - 1
		if magnitude&low != 0 {
			return magnitude&^low | (low + 1)
		}
	}
	return magnitude
}
