package scalar

import (
	"math"
	"testing"
)

// The known-answer vectors of Random123.
func TestPhiloxKnownAnswers(t *testing.T) {
	const ones = 0xffffffff
	tests := []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{ones, ones, ones, ones}, [2]uint32{ones, ones}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{
			[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
		},
	}
	for _, test := range tests {
		if got := Philox4x32(test.counter, test.key); got != test.want {
			t.Errorf("Philox4x32(%x, %x) = %x, want %x", test.counter, test.key, got, test.want)
		}
	}
}

func TestUniformRange(t *testing.T) {
	if got := Uniform32(0); got != 0 {
		t.Errorf("Uniform32(0) = %v", got)
	}
	if got := Uniform32(math.MaxUint32); got != 1-0x1p-24 {
		t.Errorf("Uniform32(max) = %v", got)
	}
	if got := Uniform64(0, 0); got != 0 {
		t.Errorf("Uniform64(0, 0) = %v", got)
	}
	if got := Uniform64(math.MaxUint32, math.MaxUint32); got != 1-0x1p-53 {
		t.Errorf("Uniform64(max, max) = %v", got)
	}
	if got := Uniform64(1<<31, 0); got != 0.5 {
		t.Errorf("Uniform64(2**31, 0) = %v", got)
	}
}

func TestNormalMoments(t *testing.T) {
	const draws = 20000
	var sum, squares, product float64
	for i := range uint32(draws) {
		words := Philox4x32([4]uint32{i}, [2]uint32{42, 43})
		a, b := Normal2(Uniform64(words[0], words[1]), Uniform64(words[2], words[3]))
		sum += a + b
		squares += a*a + b*b
		product += a * b
	}
	if mean := sum / (2 * draws); math.Abs(mean) > 0.02 {
		t.Errorf("mean %v", mean)
	}
	if variance := squares / (2 * draws); math.Abs(variance-1) > 0.03 {
		t.Errorf("variance %v", variance)
	}
	if covariance := product / draws; math.Abs(covariance) > 0.03 {
		t.Errorf("covariance %v", covariance)
	}
}

func TestNormalEdges(t *testing.T) {
	for _, u1 := range []float64{0, 1 - 0x1p-53} {
		for _, u2 := range []float64{0, 0.25, 1 - 0x1p-53} {
			a, b := Normal2(u1, u2)
			if !IsFinite(a) || !IsFinite(b) || math.Hypot(a, b) > 9 {
				t.Errorf("Normal2(%v, %v) = %v, %v", u1, u2, a, b)
			}
		}
	}
}
