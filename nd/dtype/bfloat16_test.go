package dtype_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/x448/float16"
)

func TestBFloat16RoundTrip(t *testing.T) {
	for bits := range 1 << 16 {
		b := dtype.BF16(bits)
		f := b.Float32()
		if math.Float32bits(f) != uint32(bits)<<16 {
			t.Fatalf("%#04x: float32 bits %#08x", bits, math.Float32bits(f))
		}
		if b.IsNaN() != (f != f) {
			t.Fatalf("%#04x: IsNaN is %v", bits, b.IsNaN())
		}
		narrow, single := dtype.BFloat16FromFloat32(f), dtype.BFloat16FromFloat64(float64(f))
		want := b
		if b.IsNaN() {
			want |= 0x40
		}
		if narrow != want || single != want {
			t.Fatalf("%#04x comes back as %#04x from float32, %#04x from float64", bits, uint16(narrow), uint16(single))
		}
	}
}

func TestFloat16RoundTrip(t *testing.T) {
	wide := make([]float32, 1)
	for bits := range 1 << 16 {
		h := []uint16{uint16(bits)}
		dtype.Convert(dtype.Float32, pointer(wide), 1, dtype.Float16, pointer(h), 1, 1)
		if want := float16.Float16(bits).Float32(); math.Float32bits(wide[0]) != math.Float32bits(want) {
			t.Fatalf("%#04x gives %v (%#08x), want %v", bits, wide[0], math.Float32bits(wide[0]), want)
		}
		back := dtype.Float16FromFloat64(float64(wide[0]))
		want := float16.Float16(bits)
		if want.IsNaN() {
			want |= 0x0200
		}
		if back != want {
			t.Fatalf("%#04x comes back as %#04x", bits, uint16(back))
		}
	}
}

func TestFloat16FromFloat32AgreesWithPackageFloat16(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	src, dst := make([]float32, 200_000), make([]float16.Float16, 200_000)
	for i := range src {
		bits := rng.Uint32()
		if i%2 == 0 { // exponents that float16 has
			bits = bits&0x807fffff | (100+rng.Uint32N(45))<<23
		}
		if i%8 == 0 { // ties
			bits = bits&^0x1fff | 0x1000
		}
		src[i] = math.Float32frombits(bits)
	}
	dtype.Convert(dtype.Float16, pointer(dst), 1, dtype.Float32, pointer(src), 1, len(src))
	for i, f := range src {
		if want := float16.Fromfloat32(f); dst[i] != want {
			t.Fatalf("%v (%#08x) gives %#04x, want %#04x", f, math.Float32bits(f), uint16(dst[i]), uint16(want))
		}
	}
}

// TestSingleRounding checks values for which a first rounding to float32 would give wrong results: it would turn a
// value just above or below a tie into the tie.
func TestSingleRounding(t *testing.T) {
	const hair = 1.0 / (1 << 40)
	for _, test := range []struct {
		f         float64
		half, via float16.Float16
	}{
		{1 + 1.0/2048 + hair, 0x3c01, 0x3c00},
		{1 + 3.0/2048 - hair, 0x3c01, 0x3c02},
		{-(1 + 1.0/2048 + hair), 0xbc01, 0xbc00},
		{math.Ldexp(1+hair, -25), 0x0001, 0x0000},
		{65520 - hair*1024, 0x7bff, 0x7c00},
	} {
		if got := dtype.Float16FromFloat64(test.f); got != test.half {
			t.Errorf("%v to float16: %#04x, want %#04x", test.f, uint16(got), uint16(test.half))
		}
		if got := float16.Fromfloat32(float32(test.f)); got != test.via {
			t.Errorf("%v tests nothing: by way of float32 it is %#04x", test.f, uint16(got))
		}
	}
	if got := dtype.BFloat16FromFloat64(1 + 1.0/256 + hair); got != 0x3f81 {
		t.Errorf("float64 to bfloat16: %#04x", uint16(got))
	}

	integers := []int64{1<<62 + 1<<54 + 1, -(1<<62 + 1<<54 + 1), 1<<62 + 3<<54 - 1}
	got := make([]dtype.BF16, len(integers))
	dtype.Convert(dtype.BFloat16, pointer(got), 1, dtype.Int64, pointer(integers), 1, len(got))
	for i, want := range []dtype.BF16{0x5e81, 0xde81, 0x5e81} {
		if got[i] != want {
			t.Errorf("%d to bfloat16: %#04x, want %#04x", integers[i], uint16(got[i]), uint16(want))
		}
	}
}

func TestNaNStaysNaN(t *testing.T) {
	for _, bits := range []uint32{0x7f800001, 0x7fc00000, 0xff800001, 0x7fffffff, 0xffffffff, 0x7f801000} {
		f := math.Float32frombits(bits)
		b := dtype.BFloat16FromFloat32(f)
		if !b.IsNaN() || b>>15 != dtype.BF16(bits>>31) {
			t.Errorf("%#08x to bfloat16: %#04x", bits, uint16(b))
		}
		h := make([]float16.Float16, 1)
		dtype.Convert(dtype.Float16, pointer(h), 1, dtype.Float32, pointer([]float32{f}), 1, 1)
		if !h[0].IsNaN() || h[0].Signbit() != (bits>>31 != 0) {
			t.Errorf("%#08x to float16: %#04x", bits, uint16(h[0]))
		}
	}
	nan := math.Float64frombits(0x7ff0000000000001)
	if !dtype.BFloat16FromFloat64(nan).IsNaN() || !dtype.Float16FromFloat64(nan).IsNaN() {
		t.Error("a float64 NaN with a small payload is lost")
	}
}

func TestBF16String(t *testing.T) {
	for text, b := range map[string]dtype.BF16{"1": 0x3f80, "-2": 0xc000, "+Inf": 0x7f80, "NaN": 0x7fc0, "3.140625": 0x4049} {
		if b.String() != text {
			t.Errorf("%#04x: %q, want %q", uint16(b), b.String(), text)
		}
	}
}
