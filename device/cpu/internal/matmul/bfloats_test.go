package matmul_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// bfloats returns n numbers with exponents, as they are stored, from least to least + 31, some of them 0 of either sign.
func bfloats(rng *rand.Rand, n int, least uint16) []dtype.BF16 {
	x := make([]dtype.BF16, n)
	for i := range x {
		v := uint16(rng.Uint32())
		if x[i] = dtype.BF16(v&0x807f | min(least+v>>7&31, 254)<<7); rng.IntN(50) == 0 {
			x[i] &= 0x8000
		}
	}
	return x
}

// testBFloats compares the products of pairs with those of float32. layout says which factors are transposed, whether columns of a
// are left out, whether the result is transposed, and whether a matrix is added.
func testBFloats(t *testing.T, rng *rand.Rand, batch, m, n, k int, layout uint8, a, b []dtype.BF16) {
	t.Helper()
	aStrides, bStrides, cStrides := []int{m * k, k, 0, 1}, []int{k * n, 0, 1, n}, []int{m * n, n, 1, 0}
	if layout&1 > 0 {
		aStrides = []int{m * k, 1, 0, m}
	}
	if layout&2 > 0 {
		bStrides = []int{k * n, 0, k, 1}
	}
	if layout&4 > 0 {
		cStrides = []int{m * n, 1, m, 0}
	}
	if layout&8 > 0 {
		bStrides[0] = 0
	}
	c, d := make([]dtype.BF16, batch*m*n), bfloats(rng, n, 120)
	operands := []launchtest.Array{
		launchtest.NewStrided(c, 0, cStrides), launchtest.NewStrided(a, 0, aStrides), launchtest.NewStrided(b, 0, bStrides),
	}
	if layout&16 > 0 {
		operands = append(operands, launchtest.NewStrided(d, 0, []int{0, 0, 1, 0}))
	}
	multiplied := func() []dtype.BF16 {
		clear(c)
		l := launchtest.Launch([]int{batch, m, n, k}, operands...)
		matmul.MatMul(l)
		l.Recycle()
		return slices.Clone(c)
	}
	got := multiplied()
	defer isa.UseBF16(isa.UseBF16(false))
	for i, want := range multiplied() {
		if got[i] != want {
			t.Fatalf("%dx%dx%dx%d, layout %d: element %d is %04x, want %04x", batch, m, n, k, layout, i, uint16(got[i]), uint16(want))
		}
	}
}

func TestBFloats(t *testing.T) {
	if !gemm.MultipliesBFloats() {
		t.Skip("the processor has no products of bfloat16")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for layout, s := range [][4]int{
		{1, 17, 33, 18}, {1, 64, 64, 64}, {2, 40, 100, 101}, {1, 100, 320, 50}, {1, 170, 300, 1100}, {1, 200, 257, 1031}, {3, 30, 17, 75},
		{1, 300, 40, 2050}, {2, 97, 129, 65}, {1, 513, 300, 130}, {1, 70, 1000, 700},
	} {
		for _, count := range []int{1, 3} {
			workers.With(count, func() {
				for i := range uint8(3) {
					a, b := bfloats(rng, s[0]*s[1]*s[3], 110), bfloats(rng, s[0]*s[2]*s[3], 110)
					testBFloats(t, rng, s[0], s[1], s[2], s[3], uint8(layout)*11+13*i, a, b)
				}
			})
		}
	}
}

// TestTinyAndHugeBFloats multiplies numbers whose products lie at the ends of the range, and infinities, NaN and subnormal numbers.
func TestTinyAndHugeBFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const m, n, k = 20, 40, 30
	for least := uint16(0); least < 255; least += 3 {
		for _, sum := range []uint16{140, 141, 142, 143, 250, 317, 318, 319, 320} { // of the least exponents
			if sum < least || sum-least > 254 {
				continue
			}
			testBFloats(t, rng, 1, m, n, k, 0, bfloats(rng, m*k, least), bfloats(rng, n*k, sum-least))
		}
	}
	for _, special := range []dtype.BF16{1, 0x8001, 0x7f, 0x80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x7f7f} {
		for _, small := range []bool{false, true} {
			a, b := bfloats(rng, m*k, 115), bfloats(rng, n*k, 115)
			if a[rng.IntN(len(a))] = special; small {
				a, b = bfloats(rng, m*k, 115), bfloats(rng, n*k, 115)
				b[rng.IntN(len(b))] = special
			}
			testBFloats(t, rng, 1, m, n, k, 0, a, b)
		}
	}
	zeros := make([]dtype.BF16, m*k)
	testBFloats(t, rng, 1, m, n, k, 0, zeros, bfloats(rng, n*k, 1))
}

// TestPostOfBFloats: products of bfloat16 have sums of float32, and tiles of their own.
func TestPostOfBFloats(t *testing.T) {
	const n = 64
	rng := rand.New(rand.NewPCG(7, 8))
	a, b, c := bfloats(rng, n*n, 110), bfloats(rng, n*n, 110), make([]float32, n*n)
	l := launchtest.Launch([]int{n, n, n}, launchtest.NewStrided(c, 0, []int{n, 1, 0}), launchtest.NewStrided(a, 0, []int{n, 0, 1}),
		launchtest.NewStrided(b, 0, []int{0, 1, n}))
	defer l.Recycle()
	l.Post = launchtest.Compile(t, dtype.Float32, "T x", "T y", "y = max(0, x)")
	matmul.MatMul(l)
	if least, most := slices.Min(c), slices.Max(c); least != 0 || most <= 0 {
		t.Errorf("numbers from %v to %v", least, most)
	}
}

func FuzzBFloats(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(40), uint16(30), uint8(0), uint8(110), uint8(120), uint16(0), uint16(1))
	f.Add(uint64(2), uint8(90), uint8(255), uint16(700), uint8(31), uint8(10), uint8(132), uint16(0x7f80), uint16(5000))
	f.Fuzz(func(t *testing.T, seed uint64, m, n uint8, k uint16, layout, leastA, leastB uint8, special, at uint16) {
		rng := rand.New(rand.NewPCG(seed, 0))
		batch, steps := 1+int(seed%3), 1+int(k%1500)
		a, b := bfloats(rng, batch*int(m)*steps+1, uint16(leastA)), bfloats(rng, batch*int(n)*steps+1, uint16(leastB))
		if at > 0 {
			a[int(at)%len(a)] = dtype.BF16(special)
		}
		testBFloats(t, rng, batch, int(m), int(n), steps, layout, a, b)
	})
}
