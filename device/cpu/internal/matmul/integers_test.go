package matmul_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// testBytes multiplies matrices of bytes, of which the left one is also transposed, with one worker and with several, and compares all
// elements with plain sums.
func testBytes[A, B int8 | uint8](t *testing.T, m, n, k int) {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(n*k)))
	a, b, c, want := make([]A, m*k), make([]B, k*n), make([]int32, m*n), make([]int32, m*n)
	for i := range a {
		a[i] = A(rng.Uint32())
	}
	for i := range b {
		b[i] = B(rng.Uint32())
	}
	for i := range m {
		row := want[i*n:][:n]
		for l := range k {
			v := int32(a[i*k+l])
			for j, w := range b[l*n:][:n] {
				row[j] += v * int32(w)
			}
		}
	}
	transposed := make([]A, m*k)
	for i := range a {
		transposed[i%k*m+i/k] = a[i]
	}
	left := []launchtest.Array{launchtest.NewStrided(a, 0, []int{k, 0, 1}), launchtest.NewStrided(transposed, 0, []int{1, 0, m})}
	for i := range 4 {
		count := 1 + 2*(i%2)
		workers.With(count, func() {
			l := launchtest.Launch([]int{m, n, k}, launchtest.NewStrided(c, 0, []int{n, 1, 0}), left[i/2], launchtest.NewStrided(b, 0, []int{0, 1, n}))
			matmul.MatMul(l)
			l.Recycle()
		})
		for i, v := range c {
			if v != want[i] {
				t.Fatalf("%v times %v, %d workers: element %d is %d, want %d", dtype.Of[A](), dtype.Of[B](), count, i, v, want[i])
			}
		}
		clear(c)
	}
}

// TestProductsOfBytes multiplies matrices of whose left factors workers make copies, as a whole or in parts, and others.
func TestProductsOfBytes(t *testing.T) {
	shapes := [][3]int{{50, 300, 72}, {30, 40, 64}, {200, 3, 64}, {40, 70, 2200}, {170, 300, 260}, {170, 260, 75}}
	if testing.Short() {
		shapes = shapes[:4]
	}
	test := func(t *testing.T) {
		for _, s := range shapes {
			t.Run(fmt.Sprint(s), func(t *testing.T) {
				testBytes[int8, int8](t, s[0], s[1], s[2])
				testBytes[int8, uint8](t, s[0], s[1], s[2])
				testBytes[uint8, int8](t, s[0], s[1], s[2])
				testBytes[uint8, uint8](t, s[0], s[1], s[2])
			})
		}
	}
	twin.Levels(t, test)
	defer isa.UseAMX(isa.UseAMX(false))
	t.Run("without AMX", test)
}
