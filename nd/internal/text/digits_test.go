package text

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The digits of every 16-bit float read back as the same number, and fewer digits do not.
func TestDigitsOfAll16BitFloats(t *testing.T) {
	for _, format := range []struct {
		d     dtype.DType
		width floatWidth
		value func(bits uint16) float64
		read  func(x float64) float64
	}{
		{dtype.Float16, float16Width, valueOfHalf,
			func(x float64) float64 { return float64(dtype.Float16FromFloat64(x).Float32()) }},
		{dtype.BFloat16, bfloat16Width, func(bits uint16) float64 { return float64(dtype.BF16(bits).Float32()) },
			func(x float64) float64 { return float64(dtype.BFloat16FromFloat64(x).Float32()) }},
	} {
		for bits := range uint16(0x8000) {
			x := format.value(bits)
			if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
				continue
			}
			d := exactDigits(x, format.width, digitLimits{unique: true, most: none, least: none})
			if got := format.read(numberOf(t, d)); got != x {
				t.Fatalf("%v %v: the digits %v read as %v", format.d, x, d, got)
			}
			if n := len(d.digits); n > 1 && format.read(numberOf(t, roundedDigits(x, false, n-1))) == x {
				t.Fatalf("%v %v: %v has a digit too many", format.d, x, d)
			}
		}
	}
}

func valueOfHalf(bits uint16) float64 {
	exponent, fraction := int(bits>>10), float64(bits&0x3ff)
	switch exponent {
	case 0:
		return math.Ldexp(fraction, -24)
	case 31:
		return math.Inf(1)
	}
	return math.Ldexp(1024+fraction, exponent-25)
}

func numberOf(t *testing.T, d decimal) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(d.digits+"e"+strconv.Itoa(d.exponent-len(d.digits)+1), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// quickDigits and exactDigits agree, up to zeros at the end.
func TestQuickDigitsAreTheExactDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x, w := anyFloat(r)
		limits := digitLimits{unique: r.IntN(3) > 0, fractional: r.IntN(2) == 0, most: r.IntN(25) - 1, least: none}
		if !limits.unique && limits.most == none {
			limits.most = 8
		}
		if !limits.fractional && limits.most == 0 {
			limits.most = 1
		}
		if limits.unique && r.IntN(2) == 0 {
			limits.least = r.IntN(25)
		}
		quick, exact := quickDigits(x, w, limits), exactDigits(x, w, limits)
		if trimmed(quick) != trimmed(exact) {
			t.Fatalf("%v (%d bits) %+v: quick %v, exact %v", x, w.bits, limits, quick, exact)
		}
	}
}

func anyFloat(r *rand.Rand) (float64, floatWidth) {
	for {
		x, w := math.Float64frombits(r.Uint64()>>1), float64Width
		switch r.IntN(4) {
		case 0:
			x, w = float64(math.Float32frombits(r.Uint32()>>1)), float32Width
		case 1:
			x = math.Trunc(r.Float64()*1e6) / 1e4
		case 2:
			x = r.Float64() * 1000
		}
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, w
		}
	}
}

func trimmed(d decimal) decimal {
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return zero
	}
	return d
}

// If the limits require digits beyond the unique ones, these are the digits of the exact value.
func TestLeastDigitsContinueTheExactValue(t *testing.T) {
	x := float64(float32(0.1))
	got := exactDigits(x, float32Width, digitLimits{unique: true, fractional: true, most: none, least: 12})
	if want := (decimal{"100000001490", -1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Raised nines leave no zeros; digits that are zero stay.
func TestZerosAtTheEnd(t *testing.T) {
	limits := digitLimits{unique: true, fractional: true, most: 3, least: none}
	if got, want := exactDigits(0.0996, float64Width, limits), (decimal{"1", -1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := exactDigits(0.1004, float64Width, limits), (decimal{"100", -1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
