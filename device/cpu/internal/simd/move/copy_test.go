package move

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// lengths are 0 to 300, and some lengths near multiples of the routines' units.
var lengths = func() (n []int) {
	for k := range 301 {
		n = append(n, k)
	}
	return append(n, 511, 512, 513, 575, 1024, 4096, 16_384, 65_535, 65_536, 65_700, 100_000, 1<<20+77)
}()

func TestCopy(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		src := randomBytes(rng, 1<<20+200)
		dst := make([]byte, len(src))
		for _, n := range lengths {
			for _, stream := range []bool{false, true} {
				from, to := rng.IntN(70), rng.IntN(70)
				clear(dst[:min(n+200, len(dst))])
				Copy(unsafe.Pointer(&dst[to]), unsafe.Pointer(&src[from]), n, stream)
				if !slices.Equal(dst[to:to+n], src[from:from+n]) || !zero(dst[:to]) || !zero(dst[to+n:min(n+200, len(dst))]) {
					t.Fatalf("%d bytes from %d to %d are wrong", n, from, to)
				}
			}
		}
	})
}

func zero(b []byte) bool { return !slices.ContainsFunc(b, func(b byte) bool { return b != 0 }) }

func TestFill(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		dst := make([]byte, 1<<21)
		for _, size := range []int{1, 2, 4, 8, 16} {
			element := randomBytes(rng, size)
			for _, n := range lengths {
				n = min(n, (len(dst)-400)/size)
				for _, stream := range []bool{false, true} {
					at := 64 + rng.IntN(20)*min(size, 8)
					end := at + n*size
					clear(dst[:end+100])
					Fill(unsafe.Pointer(&dst[at]), unsafe.Pointer(&element[0]), size, n, stream)
					if !zero(dst[:at]) || !zero(dst[end:end+100]) || n > 0 && !slices.Equal(dst[at:at+size], element) || !slices.Equal(dst[at+size*min(n, 1):end], dst[at:max(at, end-size)]) {
						t.Fatalf("%d elements of %d bytes from %d on are wrong", n, size, at)
					}
				}
			}
		}
	})
}
