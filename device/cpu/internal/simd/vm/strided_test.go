package vm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestGather(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, step := range []int{2, -2, 3, 1, 0, -7} {
			for n := range 100 {
				gathers[uint8](t, step, n)
				gathers[uint16](t, step, n)
				gathers[uint32](t, step, n)
				gathers[uint64](t, step, n)
				gathers[[2]uint64](t, step, n)
			}
		}
	})
}

func gathers[T comparable](t *testing.T, step, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	var zero T
	size := int(unsafe.Sizeof(zero))
	bytes := make([]byte, (7*n+1)*size)
	for i := range bytes {
		bytes[i] = byte(rng.Uint32())
	}
	src := unsafe.Slice((*T)(unsafe.Pointer(&bytes[0])), 7*n+1)
	first := 0
	if step < 0 && n > 0 {
		first = -step * (n - 1)
	} else if step > 0 && n > 0 { // so that the last element ends the block
		src = src[7*n-step*(n-1):]
	}
	dst := make([]T, n+2)
	Gather(unsafe.Pointer(&dst[1]), unsafe.Pointer(&src[first]), step, n, size)
	for i := range dst {
		want := zero
		if i > 0 && i <= n {
			want = src[first+(i-1)*step]
		}
		if dst[i] != want {
			t.Fatalf("step %d, element %d of %d is wrong", step, i-1, n)
		}
	}
}
