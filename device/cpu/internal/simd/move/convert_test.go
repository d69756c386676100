package move

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestConvert compares with package dtype, bit for bit.
func TestConvert(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for from := dtype.Bool; from < dtype.Count; from++ {
			for to := dtype.Bool; to < dtype.Count; to++ {
				for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 100, 300} {
					checkConvert(t, to, from, convertible(rng, from, n))
				}
			}
		}
		halves := make([]byte, 1<<17)
		for i := range 1 << 16 {
			binary.LittleEndian.PutUint16(halves[2*i:], uint16(i))
		}
		for _, from := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
			for _, to := range []dtype.DType{dtype.Float32, dtype.Float64} {
				checkConvert(t, to, from, halves)
			}
		}
	})
}

func checkConvert(t *testing.T, to, from dtype.DType, src []byte) {
	t.Helper()
	n := len(src) / from.Size()
	got, want := make([]byte, n*to.Size()+8), make([]byte, n*to.Size()+8)
	x := unsafe.Pointer(unsafe.SliceData(src))
	Convert(to, unsafe.Pointer(&got[0]), from, x, n)
	dtype.Convert(to, unsafe.Pointer(&want[0]), 1, from, x, 1, n)
	if !slices.Equal(got, want) {
		i := 0
		for got[i] == want[i] {
			i++
		}
		i /= to.Size()
		t.Fatalf("%d elements of %s to %s: element %d, % x, becomes % x, want % x", n, from, to, i, src[i*from.Size():][:from.Size()],
			got[i*to.Size():][:to.Size()], want[i*to.Size():][:to.Size()])
	}
}

// convertible returns elements with random bits. Floats include numbers around the limits of other types.
func convertible(rng *rand.Rand, t dtype.DType, n int) []byte {
	b := randomBytes(rng, n*t.Size())
	for i := range n {
		x := math.Ldexp(rng.Float64()*2-1, []int{-160, -130, -20, 0, 3, 8, 9, 31, 32, 33, 53, 63, 64, 65, 127, 300}[rng.IntN(16)])
		switch rng.IntN(12) {
		case 0:
			x = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 255, 256, 255.5, -0.5, -1, math.MaxInt32, math.MinInt32,
				math.MaxInt32 + 1, math.MinInt32 - 1, math.MaxInt64, math.MinInt64, 65504, 65520, 1e-45}[rng.IntN(19)]
		case 1, 2:
			continue // the bits stay random
		}
		switch t {
		case dtype.Bool:
			b[i] &= 1
		case dtype.Float32:
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(x)))
		case dtype.Float64:
			binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(x))
		}
	}
	if t.IsBool() {
		for i := range b {
			b[i] &= 1
		}
	}
	return b
}
