package onnx

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

// TestCodesSurviveRounding rounds every number of every format to the format.
func TestCodesSurviveRounding(t *testing.T) {
	for typ, f := range floatFormats {
		round := f.rounder(true)
		if f.unsigned {
			round = f.powerOfTwo(conversion{})
		}
		for code := range 1 << f.bits {
			v := float64(f.decode(code))
			got := round(v)
			if math.IsInf(v, 0) || got == v || math.IsNaN(v) && math.IsNaN(got) {
				continue
			}
			t.Errorf("%s: code %#x is %v, and rounds to %v", typ, code, v, got)
		}
	}
}

func TestNarrowFloats(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		typ                ElementType
		v, saturated, free float64
	}{
		{Float8E4M3FN, 448, 448, 448}, {Float8E4M3FN, 460, 448, 448}, {Float8E4M3FN, 464, 448, 448}, {Float8E4M3FN, 465, 448, nan},
		{Float8E4M3FN, inf, 448, nan}, {Float8E4M3FN, -1e9, -448, nan}, {Float8E4M3FN, 1.0 / 1024, 0, 0}, {Float8E4M3FN, 3.0 / 1024, 2.0 / 512, 2.0 / 512},
		{Float8E4M3FNUZ, 240, 240, 240}, {Float8E4M3FNUZ, 1e4, 240, nan}, {Float8E5M2, 57344, 57344, 57344}, {Float8E5M2, 61440, 57344, inf},
		{Float8E5M2, inf, 57344, inf}, {Float8E5M2, 1e9, 57344, inf}, {Float8E5M2FNUZ, 1e9, 57344, nan},
		{Float4E2M1, 5, 4, 4}, {Float4E2M1, 100, 6, 6}, {Float4E2M1, -0.75, -1, -1}, {Float6E3M2, 1e3, 28, 28}, {Float6E2M3, 7.5, 7.5, 7.5},
	} {
		f := floatFormats[test.typ]
		for saturate, want := range map[bool]float64{true: test.saturated, false: test.free} {
			if got := f.rounder(saturate)(test.v); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s, saturate %v: %v rounds to %v, want %v", test.typ, saturate, test.v, got, want)
			}
		}
	}
}

func TestPowersOfTwo(t *testing.T) {
	f := floatFormats[Float8E8M0]
	for _, test := range []struct {
		round   string
		v, want float64
	}{{"up", 3, 4}, {"down", 3, 2}, {"nearest", 3, 4}, {"nearest", 2.9, 2}, {"up", 4, 4}, {"up", 0, math.Ldexp(1, -127)}, {"up", math.Inf(1), math.Ldexp(1, 127)}} {
		if got := f.powerOfTwo(conversion{round: test.round})(test.v); got != test.want {
			t.Errorf("%v rounds %s to %v, want %v", test.v, test.round, got, test.want)
		}
	}
}

func TestNarrowIntegersWrapAround(t *testing.T) {
	for typ, want := range map[ElementType][]float64{Int4: {-8, 7, -1, 0}, Uint4: {8, 7, 15, 0}, Int2: {0, -1, -1, 0}, Uint2: {0, 3, 3, 0}} {
		got := numbers(conversion{}.narrow(nd.FromSlice([]int64{8, 7, -1, 16}), typ).Array)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", typ, got, want)
				break
			}
		}
	}
}
