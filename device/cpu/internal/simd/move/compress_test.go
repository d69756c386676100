package move

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestCompress(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(17, 18))
		for n := range 301 {
			checkCompress(t, rng, n)
		}
		checkCompress(t, rng, 3000)
		checkCompress(t, rng, 100_001)
	})
}

func checkCompress(t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	mask := make([]bool, n)
	var positions []int64
	for i, often := 0, rng.IntN(11); i < n; i++ {
		if mask[i] = rng.IntN(10) < often; mask[i] {
			positions = append(positions, int64(i+7))
		}
	}
	count := CountTrue(mask)
	if count != len(positions) {
		t.Fatalf("%d of %d are true, want %d", len(positions), n, count)
	}
	found := make([]int64, count)
	if Positions(found, mask, 7); !slices.Equal(found, positions) {
		t.Fatalf("positions in %d are wrong", n)
	}
	for _, size := range []int{1, 2, 4, 8, 16} {
		src, dst := randomBytes(rng, n*size+1), randomBytes(rng, count*size+100)
		want := slices.Clone(dst)
		for i, at := range positions {
			copy(want[i*size:], src[int(at-7)*size:][:size])
		}
		if Compress(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), mask, count, size); !slices.Equal(dst, want) {
			t.Fatalf("%d of %d elements of %d bytes are wrong", count, n, size)
		}
	}
}
