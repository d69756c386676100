package move

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestTranspose(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		lengths := []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 31, 32, 33, 48, 63, 64, 130, 513, 600}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, size := range []int{1, 2, 4, 8, 16} {
			for _, rows := range lengths {
				for _, columns := range lengths {
					if rows*columns > 6_000 {
						continue
					}
					checkTranspose(t, rng, rows, columns, size, rng.IntN(5), rng.IntN(5), rng.IntN(3))
				}
			}
			checkTranspose(t, rng, 64, 64, size, 0, 0, 0)
		}
	})
}

// checkTranspose transposes between matrices whose rows have gaps, with and without the caches, and checks the gaps
// too.
func checkTranspose(t *testing.T, rng *rand.Rand, rows, columns, size, dstGap, srcGap, offset int) {
	t.Helper()
	dstRow, srcRow := rows+dstGap, columns+srcGap
	src := randomBytes(rng, (rows*srcRow+offset)*size)
	for _, f := range []func(unsafe.Pointer, int, unsafe.Pointer, int, int, int, int){Transpose, TransposeStreaming} {
		dst := randomBytes(rng, (columns*dstRow+2*offset+1)*size)
		want := slices.Clone(dst)
		for i := range rows {
			for j := range columns {
				copy(want[(j*dstRow+i+offset)*size:][:size], src[(i*srcRow+j+offset)*size:])
			}
		}
		f(unsafe.Pointer(&dst[offset*size]), dstRow, unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), offset*size), srcRow, rows, columns, size)
		if !slices.Equal(dst, want) {
			t.Fatalf("%d rows of %d columns of %d bytes at offset %d are wrong", rows, columns, size, offset)
		}
	}
}

// randomBytes returns random bytes, aligned to 64.
func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n+64)
	b = b[-uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64:][:n]
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func BenchmarkTranspose(b *testing.B) {
	for _, c := range []struct{ rows, columns, size int }{{4096, 4096, 4}, {64, 3136, 4}, {1024, 1024, 4}, {256, 256, 4}, {2000, 2000, 4}, {1000, 1000, 4}, {3136, 64, 4}, {64, 64, 4}, {2048, 2048, 8}, {1024, 1024, 2}, {1024, 1024, 1}, {1024, 1024, 16}, {3136, 3, 4}, {3, 3136, 4}, {512, 4, 4}, {4, 512, 4}} {
		x, y := make([]uint64, c.rows*c.columns*c.size/8), make([]uint64, c.rows*c.columns*c.size/8)
		for _, stream := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dx%dx%d/%v", c.rows, c.columns, c.size, stream), func(b *testing.B) {
				b.SetBytes(int64(c.rows * c.columns * c.size))
				for b.Loop() {
					transpose(matrix{unsafe.Pointer(&y[0]), c.rows, unsafe.Pointer(&x[0]), c.columns, c.rows, c.columns, c.size}, stream)
				}
			})
		}
	}
}
