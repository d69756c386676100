package matmul

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// testRightFactor multiplies by a copied factor, in two ranges of columns, and compares with sums in float64.
func testRightFactor[T gemm.Float](t *testing.T, m, n, k int, transposed, adds bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(m*n), uint64(k)))
	random := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.Float64() - 0.5)
		}
		return x
	}
	const guard = 54321
	size := int(unsafe.Sizeof(*new(T)))
	a, b, d, c := random(m*k), random(k*n), random(m*n), make([]T, m*(n+1))
	for i := range c {
		c[i] = guard
	}
	matrix := func(x []T, line, depth int) ByteMatrix {
		return ByteMatrix{unsafe.Pointer(&x[0]), line * size, depth * size}
	}
	right, at := matrix(b, 1, n), func(l, j int) float64 { return float64(b[l*n+j]) }
	if transposed {
		right, at = matrix(b, k, 1), func(l, j int) float64 { return float64(b[j*k+l]) }
	}
	var addend ByteMatrix
	if adds {
		addend = matrix(d, n, 1)
	}
	f := PackRightFactor[T](right, n, k)
	half := min(n, gemm.Columns[T]())
	f.Multiply(matrix(a, k, 1), matrix(c, n+1, 1), addend, m, 0, half)
	if half < n {
		f.Multiply(matrix(a, k, 1), matrix(c, n+1, 1), addend, m, half, n)
	}
	f.Recycle()
	tolerance := 1e-6
	if size == 8 {
		tolerance = 1e-15
	}
	for i := range m {
		for j := range n {
			var want, magnitude float64
			if adds {
				want = float64(d[i*n+j])
			}
			for l := range k {
				v := float64(a[i*k+l]) * at(l, j)
				want += v
				magnitude += math.Abs(v)
			}
			if got := float64(c[i*(n+1)+j]); math.Abs(got-want) > tolerance*(magnitude+1) {
				t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
			}
		}
		if c[i*(n+1)+n] != guard {
			t.Fatalf("the memory after row %d is overwritten", i)
		}
	}
}

func TestRightFactor(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, s := range [][3]int{{1, 1, 1}, {32, 100, 70}, {5, 33, 600}, {13, 31, 1100}} {
			for i := range 4 {
				t.Run(fmt.Sprint(s, i), func(t *testing.T) {
					testRightFactor[float32](t, s[0], s[1], s[2], i&1 > 0, i&2 > 0)
					testRightFactor[float64](t, s[0], s[1], s[2], i&1 > 0, i&2 > 0)
				})
			}
		}
	})
}
