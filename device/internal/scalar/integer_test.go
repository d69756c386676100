package scalar

import (
	"math"
	"math/bits"
	"testing"
)

// All pairs of int8 values, compared with the definitions in a wider type.
func TestInt8Exhaustively(t *testing.T) {
	for a := -128; a < 128; a++ {
		for b := -128; b < 128; b++ {
			x, y := int8(a), int8(b)
			check := func(name string, got int8, want int) {
				if got != int8(want) {
					t.Errorf("%s(%d, %d) = %d, want %d", name, a, b, got, int8(want))
				}
			}
			var floorDiv, mod, truncDiv, fmod int
			if b != 0 {
				floorDiv = int(math.Floor(float64(a) / float64(b)))
				mod = a - floorDiv*b
				truncDiv, fmod = a/b, a%b
			}
			check("FloorDivInt", FloorDivInt(x, y), floorDiv)
			check("ModInt", ModInt(x, y), mod)
			check("TruncDivInt", TruncDivInt(x, y), truncDiv)
			check("FmodInt", FmodInt(x, y), fmod)
			shl, shr := 0, 0
			if a < 0 {
				shr = -1
			}
			if b >= 0 && b < 8 {
				shl, shr = a<<b, a>>b
			}
			check("Shl", Shl(x, y), shl)
			check("Shr", Shr(x, y), shr)
			check("Gcd", Gcd(x, y), slowGcd(a, b))
			lcm := 0
			if a != 0 && b != 0 {
				lcm = max(a, -a) / slowGcd(a, b) * max(b, -b)
			}
			if slowGcd(a, b) < 128 { // the divisor itself wraps for -128, -128
				check("Lcm", Lcm(x, y), lcm)
			}
			power := int8(1)
			for range b {
				power *= x
			}
			if b >= 0 {
				check("PowInt", PowInt(x, y), int(power))
			}
		}
	}
}

func slowGcd(a, b int) int {
	a, b = max(a, -a), max(b, -b)
	for divisor := max(a, b); divisor > 0; divisor-- {
		if a%divisor == 0 && b%divisor == 0 {
			return divisor
		}
	}
	return 0
}

func TestUint8Exhaustively(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			x, y := uint8(a), uint8(b)
			var quotient, remainder, shl, shr int
			if b != 0 {
				quotient, remainder = a/b, a%b
			}
			if b < 8 {
				shl, shr = a<<b, a>>b
			}
			got := [6]uint8{FloorDivInt(x, y), ModInt(x, y), TruncDivInt(x, y), FmodInt(x, y), Shl(x, y), Shr(x, y)}
			want := [6]uint8{uint8(quotient), uint8(remainder), uint8(quotient), uint8(remainder), uint8(shl), uint8(shr)}
			if got != want {
				t.Errorf("%d, %d: got %v, want %v", a, b, got, want)
			}
		}
	}
}

func TestIntegerEdges(t *testing.T) {
	const least = math.MinInt64
	tests := []struct {
		name      string
		got, want int64
	}{
		{"FloorDivInt(MIN, -1)", FloorDivInt[int64](least, -1), least},
		{"TruncDivInt(MIN, -1)", TruncDivInt[int64](least, -1), least},
		{"ModInt(MIN, -1)", ModInt[int64](least, -1), 0},
		{"AbsInt(MIN)", AbsInt[int64](least), least},
		{"Gcd(MIN, 0)", Gcd[int64](least, 0), least},
		{"Gcd(MIN, 6)", Gcd[int64](least, 6), 2},
		{"Gcd(0, 0)", Gcd[int64](0, 0), 0},
		{"Lcm(-4, 6)", Lcm[int64](-4, 6), 12},
		{"PowInt wraps", PowInt[int64](3, 41), -420491770248316829},
		{"PowInt(-1, -3)", PowInt[int64](-1, -3), -1},
		{"PowInt(-1, -4)", PowInt[int64](-1, -4), 1},
		{"PowInt(1, -4)", PowInt[int64](1, -4), 1},
		{"PowInt(2, -1)", PowInt[int64](2, -1), 0},
		{"PowInt(0, 0)", PowInt[int64](0, 0), 1},
		{"Shl by 63", Shl[int64](1, 63), least},
		{"Shl by 64", Shl[int64](1, 64), 0},
		{"Shl by -1", Shl[int64](1, -1), 0},
		{"Shr of -8 by 64", Shr[int64](-8, 64), -1},
		{"Shr of -8 by -1", Shr[int64](-8, -1), -1},
		{"Shr of 8 by -1", Shr[int64](8, -1), 0},
		{"SignInt(MIN)", SignInt[int64](least), -1},
		{"SignInt(0)", SignInt[int64](0), 0},
		{"SignInt(7)", SignInt[int64](7), 1},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s = %d, want %d", test.name, test.got, test.want)
		}
	}
	if got := SignInt[uint64](math.MaxUint64); got != 1 {
		t.Errorf("SignInt(MaxUint64) = %d", got)
	}
	if got := Shl[uint64](1, math.MaxUint64); got != 0 {
		t.Errorf("Shl by MaxUint64 = %d", got)
	}
	if got := PowInt[uint64](math.MaxUint64, 3); got != math.MaxUint64 {
		t.Errorf("PowInt(MaxUint64, 3) = %d", got)
	}
	if got := Lcm[uint64](1<<32, 3<<31); bits.TrailingZeros64(got) != 32 || got != 3<<32 {
		t.Errorf("Lcm(2**32, 3*2**31) = %d", got)
	}
}
