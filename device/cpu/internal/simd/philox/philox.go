package philox

import "github.com/ndgrad/ndgrad/device/internal/scalar"

// Keys are the keys of Philox's ten rounds, two per round.
type Keys [20]uint64

// NewKeys returns the keys of all rounds, derived from the first round's key.
func NewKeys(key [2]uint32) *Keys {
	keys := new(Keys)
	for i := range len(keys) / 2 {
		keys[2*i], keys[2*i+1] = uint64(key[0]), uint64(key[1])
		key[0] += 0x9E3779B9
		key[1] += 0xBB67AE85
	}
	return keys
}

// block returns the words of a counter.
func (k *Keys) block(counter uint64) [4]uint32 {
	return scalar.Philox4x32([4]uint32{uint32(counter), uint32(counter >> 32)}, [2]uint32{uint32(k[0]), uint32(k[1])})
}

// All functions draw element i from the block of counter+i. If a routine rounds differently than the plain Go
// reference, all elements come from the routine, so that no element depends on how many are drawn.

// plainWords draws 64-bit words: the second word of a block is the high half, the first the low half.
func plainWords(y []uint64, counter uint64, keys *Keys) {
	for i := range y {
		w := keys.block(counter + uint64(i))
		y[i] = uint64(w[1])<<32 | uint64(w[0])
	}
}

// plainCoins draws 1 if the first 24 bits of the first word are at least least, else 0.
func plainCoins(y []uint8, counter uint64, keys *Keys, least uint32) {
	for i := range y {
		y[i] = 0
		if keys.block(counter + uint64(i))[0]>>8 >= least {
			y[i] = 1
		}
	}
}

// plainUniforms32 draws from [0, 1), with the given number of bits of the first word.
func plainUniforms32(y []float32, counter uint64, keys *Keys, bits int) {
	for i := range y {
		y[i] = scalar.UniformBits(keys.block(counter + uint64(i))[0], bits)
	}
}

// plainUniforms64 draws from [0, 1), with 53 bits of the first two words.
func plainUniforms64(y []float64, counter uint64, keys *Keys) {
	for i := range y {
		w := keys.block(counter + uint64(i))
		y[i] = scalar.Uniform64(w[1], w[0])
	}
}

// plainNormals draws from the normal distribution, with all four words.
func plainNormals[T float32 | float64](y []T, counter uint64, keys *Keys) {
	for i := range y {
		w := keys.block(counter + uint64(i))
		z, _ := scalar.Normal2(scalar.Uniform64(w[1], w[0]), scalar.Uniform64(w[3], w[2]))
		y[i] = T(z)
	}
}
