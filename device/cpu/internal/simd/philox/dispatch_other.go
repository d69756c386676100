//go:build !(amd64 || arm64) || purego

package philox

// Words draws random 64-bit words.
func Words(y []uint64, counter uint64, keys *Keys) { plainWords(y, counter, keys) }

// Coins draws 1 if the first 24 bits of a word are at least least, else 0.
func Coins(y []uint8, counter uint64, keys *Keys, least uint32) { plainCoins(y, counter, keys, least) }

// Uniforms32 draws from [0, 1), with up to 24 random bits.
func Uniforms32(y []float32, counter uint64, keys *Keys, bits int) {
	plainUniforms32(y, counter, keys, bits)
}

// Uniforms64 draws from [0, 1), with 53 random bits.
func Uniforms64(y []float64, counter uint64, keys *Keys) { plainUniforms64(y, counter, keys) }

// Normals32 draws from the normal distribution.
func Normals32(y []float32, counter uint64, keys *Keys) { plainNormals(y, counter, keys) }

// Normals64 draws from the normal distribution.
func Normals64(y []float64, counter uint64, keys *Keys) { plainNormals(y, counter, keys) }
