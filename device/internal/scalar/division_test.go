package scalar

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestFloatDivision(t *testing.T) {
	tests := []struct{ a, b, floorDiv, mod, fmod float64 }{
		{7, 2, 3, 1, 1},
		{-7, 2, -4, 1, -1},
		{7, -2, -4, -1, 1},
		{-7, -2, 3, -1, -1},
		{6, 2, 3, 0, 0},
		{6, -2, -3, negZero, 0},
		{-6, 2, -3, 0, negZero},
		{-6, -2, 3, negZero, negZero},
		{1, 0.1, 9, 0.1 - 0x1p-54, 0.1 - 0x1p-54}, // a/b rounds to 10
		{-1, 0.1, -10, 0x1p-54, -(0.1 - 0x1p-54)},
		{0, 3, 0, 0, 0},
		{negZero, 3, negZero, 0, negZero},
		{0, -3, negZero, negZero, 0},
		{1, 0, inf, nan, nan},
		{-1, 0, -inf, nan, nan},
		{1, negZero, -inf, nan, nan},
		{0, 0, nan, nan, nan},
		{1, inf, 0, 1, 1},
		{-1, inf, -1, inf, -1},
		{1, -inf, -1, -inf, 1},
		{-1, -inf, 0, -1, -1},
		{inf, 2, nan, nan, nan},
		{inf, inf, nan, nan, nan},
		{nan, 1, nan, nan, nan},
		{1, nan, nan, nan, nan},
		{math.MaxFloat64, 5e-324, inf, 0, 0},
		{5e-324, math.MaxFloat64, 0, 5e-324, 5e-324},
	}
	for _, test := range tests {
		quotient, remainder := DivMod(test.a, test.b)
		if !identical(quotient, test.floorDiv) || !identical(FloorDiv(test.a, test.b), test.floorDiv) {
			t.Errorf("FloorDiv(%v, %v) = %v, want %v", test.a, test.b, quotient, test.floorDiv)
		}
		if !identical(remainder, test.mod) || !identical(Mod(test.a, test.b), test.mod) {
			t.Errorf("Mod(%v, %v) = %v, want %v", test.a, test.b, remainder, test.mod)
		}
		if got := Fmod(test.a, test.b); !identical(got, test.fmod) {
			t.Errorf("Fmod(%v, %v) = %v, want %v", test.a, test.b, got, test.fmod)
		}
	}
}

func TestFloorDivRoundsInItsOwnWidth(t *testing.T) {
	// 1/float32(0.1) rounds to 10 in float32, the remainder says 9.
	if got := FloorDiv[float32](1, 0.1); got != 9 {
		t.Errorf("FloorDiv(1, 0.1) = %v in float32, want 9", got)
	}
	if got, want := Mod[float32](1, 0.1), float32(0.099999985); got != want {
		t.Errorf("Mod(1, 0.1) = %v in float32, want %v", got, want)
	}
	// A remainder smaller than the divisor's last place is swallowed by it.
	if got := Mod[float32](-1e-20, 3); got != 3 {
		t.Errorf("Mod(-1e-20, 3) = %v in float32, want 3", got)
	}
}

func TestFmodIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		a := math.Ldexp(random.Float64()-0.5, random.IntN(400)-200)
		b := math.Ldexp(random.Float64()-0.5, random.IntN(400)-200)
		if random.IntN(2) == 0 {
			b = a / float64(1+random.IntN(1000)) // quotients next to whole numbers
		}
		if got, want := Fmod(a, b), math.Mod(a, b); !identical(got, want) {
			t.Fatalf("Fmod(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
	if got, want := Fmod(0x1.fffffffffffffp-1022, 3*0x1p-1074), math.Mod(0x1.fffffffffffffp-1022, 3*0x1p-1074); got != want {
		t.Errorf("Fmod of subnormal numbers = %v, want %v", got, want)
	}
}
