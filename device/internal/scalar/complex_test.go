package scalar

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

func identicalComplex(a, b complex128) bool {
	return identical(real(a), real(b)) && identical(imag(a), imag(b))
}

func closeComplex(a, b complex128, tolerance float64) bool {
	return cmplx.Abs(a-b) <= tolerance*(1+cmplx.Abs(b))
}

// sameZeros reports whether parts that are 0 in both numbers have the same signs.
func sameZeros(a, b complex128) bool { return sameZero(real(a), real(b)) && sameZero(imag(a), imag(b)) }

func sameZero(a, b float64) bool { return a != 0 || b != 0 || math.Signbit(a) == math.Signbit(b) }

// The special values of C99, annex G, which NumPy follows.
func TestComplexSpecialValues(t *testing.T) {
	const half, quarter = math.Pi / 2, math.Pi / 4
	tests := []struct {
		name     string
		function func(complex128) complex128
		points   [][2]complex128
	}{
		{"CExp", CExp, [][2]complex128{
			{0, 1}, {complex(0, negZero), complex(1, negZero)}, {complex(inf, 0), complex(inf, 0)}, {complex(-inf, inf), 0},
			{complex(inf, nan), complex(inf, nan)}, {complex(nan, 0), complex(nan, 0)}, {complex(1, inf), complexNaN}, {complex(inf, 2), complex(-inf, inf)},
		}},
		{"CLog", CLog, [][2]complex128{
			{0, complex(-inf, 0)}, {complex(negZero, 0), complex(-inf, math.Pi)}, {complex(-1, negZero), complex(0, -math.Pi)},
			{complex(inf, inf), complex(inf, quarter)}, {complex(nan, inf), complex(inf, nan)}, {complex(nan, 1), complexNaN},
		}},
		{"CSqrt", CSqrt, [][2]complex128{
			{-4, 2i}, {complex(-4, negZero), complex(0, -2)}, {complex(negZero, 0), 0}, {complex(1, inf), complex(inf, inf)},
			{complex(-inf, 1), complex(0, inf)}, {complex(inf, -1), complex(inf, negZero)}, {complex(-inf, nan), complex(nan, inf)}, {3 + 4i, 2 + 1i},
			{complex(3e300, 4e300), complex(2*math.Sqrt(1e300), math.Sqrt(1e300))},
		}},
		{"CSinh", CSinh, [][2]complex128{{complex(0, inf), complex(0, nan)}, {complex(inf, 0), complex(inf, 0)}, {complex(inf, inf), complex(inf, nan)}, {complex(inf, 1), complex(inf, inf)}}},
		{"CCosh", CCosh, [][2]complex128{{complex(0, inf), complex(nan, 0)}, {complex(-inf, 0), complex(inf, negZero)}, {complex(inf, inf), complex(inf, nan)}}},
		{"CTanh", CTanh, [][2]complex128{{complex(inf, 1), 1}, {complex(inf, 2), complex(1, negZero)}, {complex(-inf, -1), complex(-1, negZero)}, {complex(inf, inf), 1}, {complex(0, inf), complex(0, nan)}, {complex(1000, 1), 1}}},
		{"CSin", CSin, [][2]complex128{{complex(inf, 0), complex(nan, 0)}, {complex(0, inf), complex(0, inf)}}},
		{"CAsinh", CAsinh, [][2]complex128{{complex(1, inf), complex(inf, half)}, {complex(inf, inf), complex(inf, quarter)}, {complex(nan, 0), complex(nan, 0)}, {5e-324, 5e-324}}},
		{"CAcos", CAcos, [][2]complex128{{complex(0, inf), complex(half, -inf)}, {complex(-inf, 1), complex(math.Pi, -inf)}, {complex(0, nan), complex(half, nan)}, {complex(nan, inf), complex(nan, -inf)}}},
		{"CAcosh", CAcosh, [][2]complex128{{complex(0, inf), complex(inf, half)}, {complex(-inf, 1), complex(inf, math.Pi)}, {1, 0}}},
		{"CAtanh", CAtanh, [][2]complex128{{1, complex(inf, 0)}, {complex(inf, inf), complex(0, half)}, {complex(0, nan), complex(0, nan)}, {complex(nan, inf), complex(0, half)}, {complex(1e300, 1e300), complex(5e-301, half)}}},
		{"CSign", CSign, [][2]complex128{{0, 0}, {complex(inf, 5), 1}, {complex(0, -inf), complex(0, -1)}, {complex(inf, inf), complexNaN}, {complex(nan, 1), complexNaN}, {complex(3e-320, 4e-320), CSign(complex(3, 4))}}},
		{"CRint", CRint, [][2]complex128{{complex(0.5, 1.5), complex(0, 2)}, {complex(-2.5, nan), complex(-2, nan)}}},
		{"CReciprocal", CReciprocal, [][2]complex128{{2, complex(0.5, negZero)}, {1i, complex(0, -1)}, {complex(1e300, 1e300), complex(5e-301, -5e-301)}}},
		{"CExpm1", CExpm1, [][2]complex128{{1e-20, 1e-20}, {0, 0}}},
		{"CLog1p", CLog1p, [][2]complex128{{1e-20, 1e-20}, {-1, complex(-inf, 0)}}},
	}
	for _, test := range tests {
		for _, point := range test.points {
			got := test.function(point[0])
			if test.name == "CSign" && closeComplex(got, point[1], 1e-3) { // subnormal numbers have few digits
				continue
			}
			if !identicalComplex(got, point[1]) && !(IsFinite(real(point[1])) && IsFinite(imag(point[1])) && sameZeros(got, point[1]) && closeComplex(got, point[1], 1e-15)) {
				t.Errorf("%s(%v) = %v, want %v", test.name, point[0], got, point[1])
			}
		}
	}
}

func TestComplexArithmetic(t *testing.T) {
	if got := CMul(complex(1, 2), complex(3, -4)); got != complex(11, 2) {
		t.Errorf("CMul = %v", got)
	}
	if got := CSquare(complex(1, 2)); got != complex(-3, 4) {
		t.Errorf("CSquare = %v", got)
	}
	if got := CMul64(complex(1, 2), complex(3, -4)); got != complex(11, 2) {
		t.Errorf("CMul64 = %v", got)
	}
	for _, test := range []struct{ a, b, want complex128 }{
		{complex(1, 2), complex(3, -4), complex(-0.2, 0.4)},
		{complex(4, 2), complex(0, 2), complex(1, -2)},
		{complex(1e300, 1e300), complex(1e300, 1e300), 1},
		{complex(1, -1), 0, complex(inf, -inf)},
		{0, 0, complexNaN},
		{complex(1, 0), complex(0, negZero), complex(inf, nan)},
	} {
		if got := CDiv(test.a, test.b); !identicalComplex(got, test.want) && !closeComplex(got, test.want, 1e-15) {
			t.Errorf("CDiv(%v, %v) = %v, want %v", test.a, test.b, got, test.want)
		}
	}
	// Each step is rounded to float32: rounding the quotient once gives another result.
	if got := CDiv64(complex(-0.1, 0.7), complex(3, -0.3)); got != complex(-0.05610561, 0.22772278) {
		t.Errorf("CDiv64 = %v", got)
	}
	if got := CAbs(complex(3e300, -4e300)); got != 5e300 {
		t.Errorf("CAbs = %v", got)
	}
	if got := CArg(complex(-1, negZero)); got != -math.Pi {
		t.Errorf("CArg = %v", got)
	}
}

func TestComplexPower(t *testing.T) {
	for _, test := range []struct{ a, b, want complex128 }{
		{0, 0, 1},
		{0, 2, 0},
		{0, complex(1, 5), 0},
		{0, -1, complexNaN},
		{0, 1i, complexNaN},
		{complexNaN, 0, 1},
		{complex(1, 2), 1, complex(1, 2)},
		{complex(1, 2), 2, complex(-3, 4)},
		{complex(1, 1), 8, 16},
		{complex(1, 1), -4, complex(-0.25, 0)},
		{complex(1, 1), 99, cmplx.Pow(complex(1, 1), 99)},
		{2, 0.5, complex(math.Sqrt2, 0)},
		{1i, 1i, complex(math.Exp(-math.Pi/2), 0)},
		{complex(3, -2), complex(1.5, 120), cmplx.Pow(complex(3, -2), complex(1.5, 120))},
	} {
		got := CPow(test.a, test.b)
		if !identicalComplex(got, test.want) && !closeComplex(got, test.want, 1e-12) {
			t.Errorf("CPow(%v, %v) = %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func TestComplexOrder(t *testing.T) {
	a, b, c := complex(1, 5), complex(2, 0), complex(1, 6)
	withNaN, other := complex(nan, 0), complex(0, nan)
	if !CLess(a, b) || CLess(b, a) || !CLess(a, c) || CLess(a, a) || !CLessEqual(a, a) || CLess(withNaN, a) || CLess(a, complex(2, nan)) || CLessEqual(other, other) {
		t.Error("the order is not lexicographic")
	}
	for _, test := range []struct{ x, y, low, high, fLow, fHigh complex128 }{
		{a, b, a, b, a, b},
		{c, a, a, c, a, c},
		{withNaN, a, withNaN, withNaN, a, a},
		{a, other, other, other, a, a},
		{withNaN, other, withNaN, withNaN, withNaN, withNaN},
	} {
		got := [4]complex128{CMin(test.x, test.y), CMax(test.x, test.y), CFMin(test.x, test.y), CFMax(test.x, test.y)}
		for i, want := range [4]complex128{test.low, test.high, test.fLow, test.fHigh} {
			if !identicalComplex(got[i], want) {
				t.Errorf("extremum %d of %v and %v is %v, want %v", i, test.x, test.y, got[i], want)
			}
		}
	}
}

func TestComplexInverses(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	pairs := map[string][2]func(complex128) complex128{
		"exp log": {CExp, CLog}, "sin asin": {CSin, CAsin}, "cos acos": {CCos, CAcos}, "tan atan": {CTan, CAtan},
		"sinh asinh": {CSinh, CAsinh}, "cosh acosh": {CCosh, CAcosh}, "tanh atanh": {CTanh, CAtanh},
		"square sqrt": {CSquare, CSqrt}, "expm1 log1p": {CExpm1, CLog1p}, "reciprocal": {CReciprocal, CReciprocal},
	}
	for range 200 {
		z := complex(random.NormFloat64()*2, random.NormFloat64()*2)
		for name, pair := range pairs {
			if got := pair[0](pair[1](z)); !closeComplex(got, z, 2e-14) {
				t.Errorf("%s of %v is %v", name, z, got)
			}
		}
		if got := CExp2(CLog2(z)); !closeComplex(got, z, 2e-14) {
			t.Errorf("exp2 log2 of %v is %v", z, got)
		}
		if got, want := CLog10(z), cmplx.Log10(z); !closeComplex(got, want, 1e-14) {
			t.Errorf("log10 of %v is %v, want %v", z, got, want)
		}
	}
}

// The logarithm and similar functions keep their digits where they are small.
func TestComplexNearZeros(t *testing.T) {
	if got, want := real(CLog(complex(1, 1e-10))), 5e-21; math.Abs(got-want) > 1e-36 {
		t.Errorf("log|1+1e-10i| = %v, want %v", got, want)
	}
	if got, want := real(CLog1p(complex(1e-20, 1e-9))), 5.1e-19; math.Abs(got-want) > 1e-33 {
		t.Errorf("log|1+1e-20+1e-9i| = %v, want %v", got, want)
	}
	if got, want := CAcos(complex(1, 1e-20)), complex(1e-10, -1e-10); !closeComplex(got*1e10, want*1e10, 1e-14) {
		t.Errorf("CAcos(1+1e-20i) = %v, want %v", got, want)
	}
	if got, want := real(CAtanh(complex(1, 1e-300))), 345.7344; math.Abs(got-want) > 0.01 {
		t.Errorf("CAtanh(1+1e-300i) = %v, want %v", got, want)
	}
}
