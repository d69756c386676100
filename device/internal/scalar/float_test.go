package scalar

import (
	"math"
	"testing"
)

func TestRounding(t *testing.T) {
	tests := []struct{ x, floor, ceil, trunc, rint, halfAway float64 }{
		{0.5, 0, 1, 0, 0, 1},
		{-0.5, -1, negZero, negZero, negZero, -1},
		{1.5, 1, 2, 1, 2, 2},
		{2.5, 2, 3, 2, 2, 3},
		{-2.5, -3, -2, -2, -2, -3},
		{0.49999999999999994, 0, 1, 0, 0, 0},
		{negZero, negZero, negZero, negZero, negZero, negZero},
		{0x1p52 + 1, 0x1p52 + 1, 0x1p52 + 1, 0x1p52 + 1, 0x1p52 + 1, 0x1p52 + 1},
		{inf, inf, inf, inf, inf, inf},
		{nan, nan, nan, nan, nan, nan},
	}
	for _, test := range tests {
		got := [5]float64{Floor(test.x), Ceil(test.x), Trunc(test.x), Rint(test.x), RoundHalfAway(test.x)}
		want := [5]float64{test.floor, test.ceil, test.trunc, test.rint, test.halfAway}
		for i := range got {
			if !identical(got[i], want[i]) {
				t.Errorf("%v: rounded to %v, want %v", test.x, got, want)
			}
		}
	}
}

func TestExtrema(t *testing.T) {
	tests := []struct{ a, b, low, high, fLow, fHigh float64 }{
		{1, 2, 1, 2, 1, 2},
		{2, 1, 1, 2, 1, 2},
		{nan, 1, nan, nan, 1, 1},
		{1, nan, nan, nan, 1, 1},
		{nan, nan, nan, nan, nan, nan},
		{-inf, inf, -inf, inf, -inf, inf},
		{0, negZero, 0, 0, 0, 0},
		{negZero, 0, negZero, negZero, negZero, negZero},
	}
	for _, test := range tests {
		got := [4]float64{Min(test.a, test.b), Max(test.a, test.b), FMin(test.a, test.b), FMax(test.a, test.b)}
		want := [4]float64{test.low, test.high, test.fLow, test.fHigh}
		for i := range got {
			if !identical(got[i], want[i]) {
				t.Errorf("extrema of %v, %v: %v, want %v", test.a, test.b, got, want)
				break
			}
		}
	}
}

func TestSigns(t *testing.T) {
	for x, want := range map[float64]float64{3: 1, -3: -1, inf: 1, -inf: -1, 5e-324: 1} {
		if got := Sign(x); got != want {
			t.Errorf("Sign(%v) = %v", x, got)
		}
	}
	if got := Sign(negZero); !identical(got, 0) {
		t.Errorf("Sign(-0) = %v, want 0", got)
	}
	if got := Sign(nan); got == got {
		t.Errorf("Sign(NaN) = %v", got)
	}
	if !SignBit(negZero) || SignBit(0.0) || !SignBit(float32(-1)) {
		t.Error("SignBit is wrong")
	}
	if got := CopySign(float32(3), float32(negZero)); got != -3 {
		t.Errorf("CopySign(3, -0) = %v", got)
	}
	if got := Abs(negZero); !identical(got, 0) {
		t.Errorf("Abs(-0) = %v", got)
	}
	for _, x := range []float64{nan, inf, -inf, 1} {
		if IsNaN(x) != math.IsNaN(x) || IsInf(x) != math.IsInf(x, 0) || IsFinite(x) != (x == 1) {
			t.Errorf("classification of %v is wrong", x)
		}
	}
	for x, want := range map[float64]float64{-2: 0, 2: 1, 0: 0.25, negZero: 0.25, inf: 1} {
		if got := Heaviside(x, 0.25); got != want {
			t.Errorf("Heaviside(%v) = %v", x, got)
		}
	}
	if got := Heaviside(nan, 0.25); got == got {
		t.Errorf("Heaviside(NaN) = %v", got)
	}
}

type celsius float32

func TestNeighboursByWidth(t *testing.T) {
	if got := NextAfter[float32](1, 2); got != 1+0x1p-23 {
		t.Errorf("NextAfter(1, 2) = %v in float32", got)
	}
	if got := NextAfter[celsius](1, 2); got != 1+0x1p-23 {
		t.Errorf("NextAfter(1, 2) = %v in a named float32", got)
	}
	if got := NextAfter(1.0, 0); got != 1-0x1p-53 {
		t.Errorf("NextAfter(1, 0) = %v", got)
	}
	if got := NextAfter(negZero, 0); !identical(got, 0) {
		t.Errorf("NextAfter(-0, 0) = %v", got)
	}
	if got := NextAfter(0.0, -1); got != -5e-324 {
		t.Errorf("NextAfter(0, -1) = %v", got)
	}
	if got := NextAfter(math.MaxFloat64, inf); got != inf {
		t.Errorf("NextAfter(MaxFloat64, Inf) = %v", got)
	}
	if got := NextAfter(1, nan); got == got {
		t.Errorf("NextAfter(1, NaN) = %v", got)
	}
	for x, want := range map[float64]float64{1: 0x1p-52, -1: -0x1p-52, negZero: 5e-324, math.MaxFloat64: inf} {
		if got := Spacing(x); got != want {
			t.Errorf("Spacing(%v) = %v, want %v", x, got, want)
		}
	}
	if got := Spacing[float32](1); got != 0x1p-23 {
		t.Errorf("Spacing(1) = %v in float32", got)
	}
	if got := Spacing(inf); got == got {
		t.Errorf("Spacing(Inf) = %v", got)
	}
}

func TestParts(t *testing.T) {
	tests := []struct {
		x, fraction float64
		exponent    int32
		rest, whole float64
	}{
		{0, 0, 0, 0, 0},
		{negZero, negZero, 0, negZero, negZero},
		{8.5, 0.53125, 4, 0.5, 8},
		{-0.75, -0.75, 0, -0.75, negZero},
		{-4, -0.5, 3, negZero, -4},
		{5e-324, 0.5, -1073, 5e-324, 0},
		{inf, inf, 0, 0, inf},
		{-inf, -inf, 0, negZero, -inf},
		{nan, nan, 0, nan, nan},
	}
	for _, test := range tests {
		fraction, exponent := Frexp(test.x)
		if !identical(fraction, test.fraction) || exponent != test.exponent {
			t.Errorf("Frexp(%v) = %v, %v", test.x, fraction, exponent)
		}
		rest, whole := Modf(test.x)
		if !identical(rest, test.rest) || !identical(whole, test.whole) {
			t.Errorf("Modf(%v) = %v, %v", test.x, rest, whole)
		}
		if got := Ldexp(fraction, int64(exponent)); !identical(got, test.x) {
			t.Errorf("Ldexp(%v, %v) = %v", fraction, exponent, got)
		}
	}
	for _, exponent := range []int64{math.MaxInt64, 1 << 40} {
		if Ldexp(5e-324, exponent) != inf || Ldexp(-math.MaxFloat64, -exponent) != 0 {
			t.Errorf("Ldexp does not saturate at %v", exponent)
		}
	}
	if got := Ldexp[float32](3, -150); got != 0x1p-148 {
		t.Errorf("Ldexp(3, -150) = %v in float32, want the tie to round to even", got)
	}
}
