package gemm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// testGroups compares groups with the elements that they contain.
func testGroups[T Group](t *testing.T, rng *rand.Rand, size int) {
	each := 4 / size
	for n := 1; n < 140; n++ {
		rows := 1 + rng.IntN(4*each)
		line, steps := (n+rng.IntN(3))*size, (rows+each-1)/each
		src := make([]byte, rows*line+8)
		for i := range src {
			src[i] = byte(rng.Uint32())
		}
		element := func(at int, flipped bool) uint32 {
			v, sign := uint32(src[at]), uint32(0x80)
			if size == 2 {
				v, sign = v|uint32(src[at+1])<<8, 0x8000
			}
			if flipped {
				v ^= sign
			}
			return v
		}
		flipped := !Reorders[T]() && rng.IntN(2) == 0
		position := func(i int) int { // in a group
			if Reorders[T]() {
				i = each - 1 - i
			}
			return 8 * size * i
		}
		dst := make([]T, steps*(n+1))
		for i := range dst {
			dst[i] = guard
		}
		Interleave[T](unsafe.Pointer(&dst[0]), 4*(n+1), unsafe.Pointer(&src[0]), line, n, rows, flipped)
		for j, got := range dst {
			want, step := T(guard), j/(n+1)
			if j%(n+1) < n {
				want = 0
				for i := range min(each, rows-step*each) {
					want |= T(element((step*each+i)*line+j%(n+1)*size, flipped)) << position(i)
				}
			}
			if got != want {
				t.Fatalf("%T, %d columns of %d rows: group %d is %x, want %x", got, n, rows, j, got, want)
			}
		}
		groups := (n + each - 1) / each
		dst = make([]T, groups)
		CopyGroups(dst, unsafe.Pointer(&src[0]), n, flipped)
		for j, got := range dst[:groups] {
			var want T
			for i := range min(each, n-j*each) {
				want |= T(element((j*each+i)*size, flipped)) << position(i)
			}
			if got != want {
				t.Fatalf("%T, %d elements: group %d is %x, want %x", got, n, j, got, want)
			}
		}
	}
}

func TestGroups(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		testGroups[Pairs](t, rng, 2)
		testGroups[Quads](t, rng, 1)
	})
}

func testOnes[T Pairs | Quads](t *testing.T, size int) {
	for n := 1; n < 20; n++ {
		ones := make([]T, (n*size+3)/4)
		Ones(ones, n)
		for i := range len(ones) * 4 / size {
			want := T(0)
			if i < n {
				want = 1
			}
			if got := ones[i*size/4] >> (8 * (i * size % 4)) & (1<<(8*size) - 1); got != want {
				t.Errorf("%T, %d ones: element %d is %d", got, n, i, got)
			}
		}
	}
}

func TestOnes(t *testing.T) {
	testOnes[Pairs](t, 2)
	testOnes[Quads](t, 1)
}
