package move

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestInterleave(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(21, 22))
		for _, size := range []int{4, 8} {
			for rows := 1; rows <= MostRows; rows++ {
				for _, n := range []int{0, 1, 15, 16, 17, 100, 40_001} {
					checkInterleave(t, rng, rows, n, size, 0)
					checkInterleave(t, rng, rows, n, size, n*size+8)
				}
			}
		}
	})
}

func checkInterleave(t *testing.T, rng *rand.Rand, rows, n, size, distance int) {
	t.Helper()
	src, dst := randomBytes(rng, rows*(n*size+8)), randomBytes(rng, rows*n*size+8)
	want := slices.Clone(dst)
	for i := range n * rows {
		copy(want[i*size:], src[i%rows*distance+i/rows*size:][:size])
	}
	var from Rows
	for row := range rows {
		from[row] = unsafe.Pointer(&src[row*distance])
	}
	if Interleave(unsafe.Pointer(&dst[0]), &from, rows, n, size); !slices.Equal(dst, want) {
		t.Fatalf("%d rows of %d elements of %d bytes are wrong", rows, n, size)
	}
}
