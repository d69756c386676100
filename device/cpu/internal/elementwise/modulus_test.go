package elementwise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestModulus compares the modulus at every level with that of package scalar, which is exact to the last place, for numbers of all sizes.
func TestModulus(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	inf, nan := math.Inf(1), math.NaN()
	numbers := []complex128{0, 1, complex(3, 4), complex(inf, nan), complex(nan, 1), complex(-inf, 2), complex(2, -inf), complex(nan, -inf),
		complex(math.MaxFloat64, math.MaxFloat64), complex(5e-324, 5e-324), complex(3e300, -4e300), complex(0x1p-1000, 0x1p900), complex(0x1p-450, 0x1p-451)}
	for range 100_000 {
		re := math.Float64frombits(rng.Uint64())
		numbers = append(numbers, complex(re, math.Float64frombits(rng.Uint64())), complex(re, re*rng.NormFloat64()), complex(1, math.Ldexp(rng.Float64(), -rng.IntN(60))))
	}
	for _, v := range []float32{math.MaxFloat32, 1e-45, 3} {
		numbers = append(numbers, complex(float64(v), float64(v)))
	}
	for range 100_000 {
		re := math.Float32frombits(rng.Uint32())
		numbers = append(numbers, complex128(complex(re, math.Float32frombits(rng.Uint32()))), complex128(complex(re, re*float32(rng.NormFloat64()))))
	}
	checkModuli(t, numbers)
}

// FuzzModulus looks for numbers whose moduli are not equal at all levels.
func FuzzModulus(f *testing.F) {
	f.Add(3.0, -4.0)
	f.Fuzz(func(t *testing.T, re, im float64) {
		checkModuli(t, slices.Repeat([]complex128{complex(re, im), complex(im, re), complex(re, re*im)}, 7))
	})
}

// checkModuli compares the moduli of numbers in double and single precision.
func checkModuli(t *testing.T, numbers []complex128) {
	t.Helper()
	singles := make([]complex64, len(numbers))
	for i, v := range numbers {
		singles[i] = complex64(v)
	}
	doubleModuli, singleModuli := make([]float64, len(numbers)), make([]float32, len(numbers))
	var first, firstSingle []uint64
	for level := isa.Generic; level <= isa.Best; level++ {
		old := isa.Use(level)
		eachBlock(len(numbers), func(at, n int) {
			LoopOf(device.OpAbs, dtype.Complex128)(unsafe.Pointer(&doubleModuli[at]), unsafe.Pointer(&numbers[at]), nil, nil, n)
			LoopOf(device.OpAbs, dtype.Complex64)(unsafe.Pointer(&singleModuli[at]), unsafe.Pointer(&singles[at]), nil, nil, n)
		})
		isa.Use(old)
		for i, got := range doubleModuli {
			want := scalar.CAbs(numbers[i])
			if got != want && !(math.Abs(got-want) <= 0x1p-52*want || math.Abs(got-want) <= 5e-324) && (got == got || want == want) {
				t.Fatalf("%v: the modulus of %v is %v, want %v", level, numbers[i], got, want)
			}
		}
		for i, got := range singleModuli {
			want := float32(scalar.CAbs(complex128(singles[i])))
			if got != want && got != math.Nextafter32(want, 0) && got != math.Nextafter32(want, float32(math.Inf(1))) && (got == got || want == want) {
				t.Fatalf("%v: the modulus of %v is %v, want %v", level, singles[i], got, want)
			}
		}
		bits, singleBits := make([]uint64, len(numbers)), make([]uint64, len(numbers))
		for i, v := range doubleModuli {
			if bits[i] = math.Float64bits(v); v != v {
				bits[i] = 1
			}
			if singleBits[i] = uint64(math.Float32bits(singleModuli[i])); singleModuli[i] != singleModuli[i] {
				singleBits[i] = 1
			}
			if first != nil && (first[i] != bits[i] || firstSingle[i] != singleBits[i]) {
				t.Fatalf("%v: the moduli of %v and %v differ from those in plain Go", level, numbers[i], singles[i])
			}
		}
		first, firstSingle = bits, singleBits
	}
}

// eachBlock calls f for blocks of different lengths.
func eachBlock(n int, f func(at, n int)) {
	for at, length := 0, 1; at < n; at, length = at+length, length%1000+1 {
		f(at, min(length, n-at))
	}
}
