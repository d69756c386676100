package move

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestReverse(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(19, 20))
		for _, n := range []int{0, 1, 2, 31, 32, 33, 64, 100, 300, 150_001} {
			for _, size := range []int{1, 2, 4, 8, 16} {
				checkReverse(t, rng, n, size)
			}
		}
	})
}

func checkReverse(t *testing.T, rng *rand.Rand, n, size int) {
	t.Helper()
	src, dst := randomBytes(rng, n*size+1), randomBytes(rng, n*size+1)
	want := slices.Clone(dst)
	for i := range n {
		copy(want[i*size:], src[(n-1-i)*size:][:size])
	}
	if Reverse(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), n, size); !slices.Equal(dst, want) {
		t.Fatalf("%d elements of %d bytes are wrong", n, size)
	}
}
