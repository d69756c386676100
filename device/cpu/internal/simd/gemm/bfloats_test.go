package gemm

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestMultiplyBFloats(t *testing.T) {
	test := func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for m := 1; m <= 26; m += 1 + m/13 {
			for i, n := range []int{1, 3, 8, 15, 16, 17, 31, 32, 33, 65} {
				if way := integerWays[(m+i)%len(integerWays)]; way != "lines" { // for which BFloats have no routine
					testIntegers[BFloats](t, rng, m, n, 1+rng.IntN(20), way, rng.IntN(2) == 0)
				}
			}
		}
	}
	if MultipliesBFloats() {
		t.Run("bf16", test)
	}
	defer isa.Use(isa.Use(isa.Generic))
	t.Run("generic", test)
}

// TestAgreement says when a processor has the instruction but other sums, so that the products use float32.
func TestAgreement(t *testing.T) {
	if isa.BF16() && !bfloatsAgree() {
		t.Skip("the processor's products of bfloat16 differ from plain sums")
	}
}

func TestBFloatGroups(t *testing.T) {
	twin.Levels(t, func(t *testing.T) { testGroups[BFloats](t, rand.New(rand.NewPCG(5, 6)), 2) })
}

func TestMagnitudes(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for n := range 200 {
			x := make([]uint16, n+1)
			least, most := uint16(math.MaxUint16), uint16(0)
			for i := range n {
				if x[i] = uint16(rng.Uint32()); rng.IntN(3) == 0 {
					x[i] &= 0x8000
				}
				if v := x[i] & 0x7fff; v > 0 {
					least, most = min(least, v), max(most, v)
				}
			}
			var m, rest Magnitudes
			m.Bound(unsafe.Pointer(&x[0]), n/2)
			rest.Bound(unsafe.Pointer(&x[n/2]), n-n/2)
			m.Join(&rest)
			low, high := m.exponents()
			if most == 0 && low != 512 || most > 0 && low != int(least>>7) || high != int(most>>7) {
				t.Fatalf("%d elements: exponents from %d to %d, want %d to %d", n, low, high, least>>7, most>>7)
			}
		}
	})
}

func TestExact(t *testing.T) {
	of := func(low, high uint16) *Magnitudes {
		var m Magnitudes
		x := []uint16{0x8000, max(low<<7, 1), 0, high<<7 | 0x807f}
		m.Bound(unsafe.Pointer(&x[0]), len(x))
		return &m
	}
	for _, c := range []struct {
		a, b *Magnitudes
		want bool
	}{
		{of(100, 150), of(42, 230), true},
		{of(100, 150), of(41, 230), false},
		{of(100, 150), of(42, 231), false},
		{of(1, 100), of(200, 254), true},
		{of(0, 100), of(200, 254), false},
		{of(100, 100), of(100, 255), false},
		{&Magnitudes{}, of(1, 254), true},
		{&Magnitudes{}, &Magnitudes{}, true},
	} {
		if got := Exact(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %t, want %t", *c.a, *c.b, got, c.want)
		}
		if got := Exact(c.b, c.a); got != c.want {
			t.Errorf("%v and %v: %t, want %t", *c.b, *c.a, got, c.want)
		}
	}
}
