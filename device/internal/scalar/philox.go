package scalar

import (
	"math"
	"math/bits"
)

// Philox's multipliers and Weyl increments (Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", 2011).
const (
	philoxMultiplier0 = 0xD2511F53
	philoxMultiplier1 = 0xCD9E8D57
	philoxIncrement0  = 0x9E3779B9
	philoxIncrement1  = 0xBB67AE85
	philoxRounds      = 10
)

// Philox4x32 returns the four random words that the counter-based generator Philox 4x32-10 computes from a counter and
// a key.
func Philox4x32(counter [4]uint32, key [2]uint32) [4]uint32 {
	c0, c1, c2, c3 := counter[0], counter[1], counter[2], counter[3]
	k0, k1 := key[0], key[1]
	for range philoxRounds {
		hi0, lo0 := bits.Mul32(philoxMultiplier0, c0)
		hi1, lo1 := bits.Mul32(philoxMultiplier1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += philoxIncrement0
		k1 += philoxIncrement1
	}
	return [4]uint32{c0, c1, c2, c3}
}

// UniformBits returns the number in [0, 1) that the upper bits of u represent. With as many bits as a type's
// significand has, it is exact in that type, and cannot be rounded up to 1.
func UniformBits(u uint32, bits int) float32 {
	return float32(u>>(32-bits)) / float32(uint32(1)<<bits)
}

// Uniform32 returns a float32 in [0, 1) from the upper 24 bits of u.
func Uniform32(u uint32) float32 { return UniformBits(u, 24) }

// Uniform64 maps two random words to [0, 1) by the upper 53 of their 64 bits.
func Uniform64(hi, lo uint32) float64 {
	return float64((uint64(hi)<<32|uint64(lo))>>11) * 0x1p-53
}

// Normal2 computes two independent standard normal numbers from two uniform numbers in [0, 1) (Box and Muller). It uses
// 1-u1, so that u1 = 0 is safe; u1 = 1, which does not occur, would give an infinity.
func Normal2(u1, u2 float64) (z1, z2 float64) {
	radius := math.Sqrt(float64(-2 * Log1p(-u1)))
	sin, cos := SinCos(float64(2 * math.Pi * u2))
	return float64(radius * cos), float64(radius * sin)
}
