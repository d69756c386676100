package ref_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
	neg = math.Copysign(0, -1)
)

// binary evaluates an expression of a and b at each pair of values.
func binary[T, R dtype.Element](t *testing.T, text string, a, b []T, want string) {
	t.Helper()
	d := ref.New()
	shape := []int{len(a)}
	l := launch(shape, dense(shape, out[R](d, len(a)), in(d, a...), in(d, b...))...)
	l.Program = compile(t, device.Source{Name: text, Inputs: "T a, T b", Outputs: "R y", Body: "y = " + text},
		map[byte]dtype.DType{'T': dtype.Of[T](), 'R': dtype.Of[R]()})
	d.Elementwise(l)
	expect(t, dtype.Of[T]().String()+" "+text, elements[R](d, l.Operands[0]), want)
}

func TestBools(t *testing.T) {
	a, b := []bool{false, false, true, true}, []bool{false, true, false, true}
	for text, want := range map[string]string{
		"add(a, b)": "false true true true", "mul(a, b)": "false false false true", "a && b": "false false false true",
		"a || b": "false true true true", "a ^ b": "false true true false", "!a": "true true false false",
		"a == b": "true false false true", "a != b": "false true true false", "a < b": "false true false false",
		"a <= b": "true true false true", "a > b": "false false true false", "a >= b": "true false true true",
		"max(a, b)": "false true true true", "min(a, b)": "false false false true", "fmax(a, b)": "false true true true",
		"abs(a)": "false false true true", "isnan(a)": "false false false false", "isfinite(a)": "true true true true",
		"a ? b : !b": "true false false true",
	} {
		binary[bool, bool](t, text, a, b, want)
	}
}

func TestSignedIntegers(t *testing.T) {
	a, b := []int8{7, -7, 7, -7, -128, 5, 100, -128}, []int8{2, 2, -2, -2, -1, 0, 100, 127}
	for text, want := range map[string]string{
		"a + b": "9 -5 5 -9 127 5 -56 -1", "a - b": "5 -9 9 -5 -127 5 0 1", "a * b": "14 -14 -14 14 -128 0 16 -128",
		"a / b": "3 -3 -3 3 -128 0 1 -1", "floordiv(a, b)": "3 -4 -4 3 -128 0 1 -2",
		"a % b": "1 -1 1 -1 0 0 0 -1", "mod(a, b)": "1 1 -1 -1 0 0 0 126", "fmod(a, b)": "1 -1 1 -1 0 0 0 -1",
		"pow(a, b)": "49 49 0 0 0 1 0 0", "min(a, b)": "2 -7 -2 -7 -128 0 100 -128", "max(a, b)": "7 2 7 -2 -1 5 100 127",
		"gcd(a, b)": "1 1 1 1 1 5 100 1", "lcm(a, b)": "14 14 14 14 -128 0 100 -128",
		"a & b": "2 0 6 -8 -128 0 100 0", "a | b": "7 -5 -1 -1 -1 5 100 -1", "a ^ b": "5 -5 -7 7 127 5 0 -1",
		"a << b": "28 -28 0 0 0 5 0 0", "a >> b": "1 -2 0 -1 -1 5 0 -1", "~a": "-8 6 -8 6 127 -6 -101 127",
		"-a": "-7 7 -7 7 -128 -5 -100 -128", "abs(a)": "7 7 7 7 -128 5 100 -128", "sign(a)": "1 -1 1 -1 -1 1 1 -1",
		"floor(a)": "7 -7 7 -7 -128 5 100 -128",
	} {
		binary[int8, int8](t, text, a, b, want)
	}
	binary[int8, bool](t, "a < b", a, b, "false true false true true false false true")
	binary[int8, bool](t, "a >= b", a, b, "true false true false false true true false")
}

func TestUnsignedIntegers(t *testing.T) {
	a, b := []uint64{1 << 63, 5, math.MaxUint64, 0}, []uint64{3, 7, 2, 0}
	for text, want := range map[string]string{
		"a / b": "3074457345618258602 0 9223372036854775807 0", "a % b": "2 5 1 0", "a - b": "9223372036854775805 18446744073709551614 18446744073709551613 0",
		"max(a, b)": "9223372036854775808 7 18446744073709551615 0", "a >> b": "1152921504606846976 0 4611686018427387903 0",
		"-a": "9223372036854775808 18446744073709551611 1 0", "sign(a)": "1 1 1 0",
	} {
		binary[uint64, uint64](t, text, a, b, want)
	}
	binary[uint64, bool](t, "a > b", a, b, "true false true false")
	binary[uint64, float64](t, "a", a, b, "9.223372036854776e+18 5 1.8446744073709552e+19 0")
	binary[uint8, uint8](t, "a * b", []uint8{200, 16}, []uint8{2, 16}, "144 0")
}

func TestFloats(t *testing.T) {
	a, b := []float64{7.5, -7.5, 0, neg, nan, inf, 1}, []float64{2, 2, neg, 1, 1, inf, nan}
	for text, want := range map[string]string{
		"a + b": "9.5 -5.5 0 1 NaN +Inf NaN", "a - b": "5.5 -9.5 0 -1 NaN NaN NaN", "a * b": "15 -15 -0 -0 NaN +Inf NaN",
		"a / b": "3.75 -3.75 NaN -0 NaN NaN NaN", "floordiv(a, b)": "3 -4 NaN -0 NaN NaN NaN",
		"mod(a, b)": "1.5 0.5 NaN 0 NaN NaN NaN", "fmod(a, b)": "1.5 -1.5 NaN -0 NaN NaN NaN", "a % b": "1.5 -1.5 NaN -0 NaN NaN NaN",
		"min(a, b)": "2 -7.5 0 -0 NaN +Inf NaN", "max(a, b)": "7.5 2 0 1 NaN +Inf NaN",
		"fmin(a, b)": "2 -7.5 0 -0 1 +Inf 1", "fmax(a, b)": "7.5 2 0 1 1 +Inf 1",
		"copysign(a, b)": "7.5 7.5 -0 0 NaN +Inf 1", "-a": "-7.5 7.5 -0 0 NaN -Inf -1", "abs(a)": "7.5 7.5 0 0 NaN +Inf 1",
		"sign(a)": "1 -1 0 0 NaN 1 1", "floor(a)": "7 -8 0 -0 NaN +Inf 1", "ceil(a)": "8 -7 0 -0 NaN +Inf 1",
		"trunc(a)": "7 -7 0 -0 NaN +Inf 1", "rint(a)": "8 -8 0 -0 NaN +Inf 1", "round(a)": "8 -8 0 -0 NaN +Inf 1",
		"ldexp(a, 3)": "60 -60 0 -0 NaN +Inf 8", "hypot(a, inf)": "+Inf +Inf +Inf +Inf +Inf +Inf +Inf",
		"rint(a - 5)": "2 -12 -5 -5 NaN +Inf -4", "round(a - 5)": "3 -13 -5 -5 NaN +Inf -4",
	} {
		binary[float64, float64](t, text, a, b, want)
	}
	for text, want := range map[string]string{
		"a < b": "false true false true false false false", "a <= b": "false true true true false true false",
		"a == b": "false false true false false true false", "a != b": "true true false true true false true",
		"isnan(a)": "false false false false true false false", "isinf(a)": "false false false false false true false",
		"isfinite(a)": "true true true true false false true", "signbit(a)": "false true false true false false false",
		"a && b": "true true false false true true true",
	} {
		binary[float64, bool](t, text, a, b, want)
	}
}

// TestFloat32RoundsEveryStep: neither 2^24+1 nor the exact square of 1+2^-12 is a float32.
func TestFloat32RoundsEveryStep(t *testing.T) {
	binary[float32, float32](t, "a + b - a", []float32{1 << 24}, []float32{1}, "0")
	binary[float32, float32](t, "a*a - b", []float32{1 + 0x1p-12}, []float32{1 + 0x1p-11}, "0")
	binary[float32, float64](t, "double(a)*a - b", []float32{1 + 0x1p-12}, []float32{1 + 0x1p-11}, "5.960464477539063e-08")
	binary[float32, float32](t, "exp(a)", []float32{1, 89, -104, 0}, []float32{0, 0, 0, 0}, "2.7182817 +Inf 0 1")
	binary[float32, float32](t, "nextafter(a, b)", []float32{1, 0}, []float32{2, -1}, "1.0000001 -1e-45")
}

// TestFunctions checks with identities and known values that each name calls its function.
func TestFunctions(t *testing.T) {
	for text, want := range map[string]float64{
		"sqrt(a)": 1.5, "rsqrt(a)": 1 / 1.5, "cbrt(a)": 1.3103706971044482, "exp(a)": 9.487735836358526, "exp2(a)": 4.756828460010884,
		"exp10(a)": 177.82794100389228, "expm1(a)": 8.487735836358526, "log(a)": 0.8109302162163288, "log2(a)": 1.1699250014423124,
		"log10(a)": 0.3521825181113625, "log1p(a)": 1.1786549963416462, "sin(a)": 0.7780731968879212, "cos(a)": -0.6281736227227391,
		"tan(a)": -1.2386276162240966, "asin(b)": 0.5235987755982989, "acos(b)": 1.0471975511965979, "atan(a)": 1.1525719972156676,
		"sinh(a)": 4.691168305898331, "cosh(a)": 4.796567530460195, "tanh(a)": 0.9780261147388136, "asinh(a)": 1.5501579568690622,
		"acosh(a)": 1.4505745138225803, "atanh(b)": 0.5493061443340549, "sigmoid(a)": 0.9046505351008906, "softplus(a)": 2.350206558916747,
		"erf(a)": 0.9985372834133188, "erfc(a)": 0.0014627165866811518, "erfinv(b)": 0.4769362762044699, "gamma(a)": 1.1330030963193474,
		"lgamma(a)": 0.1248717148923966, "digamma(a)": 0.5725464666237346, "ndtr(a)": 0.9877755273449553, "log_ndtr(a)": -0.01229980609144941,
		"sinc(a)": 0.3458103097279650, "pow(a, b)": 1.5, "atan2(a, b)": 1.3521273809209546, "hypot(a, b)": 2.3048861143232218,
		"logaddexp(a, b)": 2.4102241504380872, "logaddexp2(a, b)": 2.6255141188067475,
	} {
		d := ref.New()
		l := launch(nil, out[float64](d, 1), in(d, 2.25), in(d, 0.5))
		l.Program = compile(t, device.Source{Name: text, Inputs: "double a, double b", Outputs: "double y", Body: text}, nil)
		d.Elementwise(l)
		var got [1]float64
		d.CopyOut(bytesOf(got[:]), l.Operands[0].Memory, 0)
		if math.Abs(got[0]-want) > 1e-15*math.Abs(want) {
			t.Errorf("%s of 2.25 and 0.5 is %v, want %v", text, got[0], want)
		}
	}
}

func TestComplex(t *testing.T) {
	a := []complex128{3 + 4i, -1, complex(nan, 1), complex(inf, 0), 1 - 2i}
	b := []complex128{1 - 2i, 2i, 1, 1, 1 + 3i}
	for text, want := range map[string]string{
		"a + b": "(4+2i) (-1+2i) (NaN+1i) (+Inf+0i) (2+1i)", "a - b": "(2+6i) (-1-2i) (NaN+1i) (+Inf+0i) (0-5i)",
		"conj(a)": "(3-4i) (-1-0i) (NaN-1i) (+Inf-0i) (1+2i)", "-a": "(-3-4i) (1-0i) (NaN-1i) (-Inf-0i) (-1+2i)",
		"max(a, b)": "(3+4i) (0+2i) (NaN+1i) (+Inf+0i) (1+3i)", "fmax(a, b)": "(3+4i) (0+2i) (1+0i) (+Inf+0i) (1+3i)",
		"min(a, b)": "(1-2i) (-1+0i) (NaN+1i) (1+0i) (1-2i)",
	} {
		binary[complex128, complex128](t, text, a, b, want)
	}
	binary[complex128, complex128](t, "a * b", a[:2], b[:2], "(11-2i) (-0-2i)")
	binary[complex128, complex128](t, "a / b", a[:2], b[:2], "(-1+2i) (0+0.5i)")
	binary[complex128, complex128](t, "sqrt(a)", a[:2], b[:2], "(2+1i) (0+1i)")
	binary[complex128, float64](t, "abs(a)", a, b, "5 1 NaN +Inf 2.23606797749979")
	binary[complex128, float64](t, "real(a)", a, b, "3 -1 NaN +Inf 1")
	binary[complex128, float64](t, "imag(a)", a, b, "4 0 1 0 -2")
	binary[complex128, bool](t, "a < b", a, b, "false true false false true")
	binary[complex128, bool](t, "a >= b", a, b, "true false false true false")
	binary[complex128, bool](t, "isnan(a)", a, b, "false false true false false")
	binary[complex128, bool](t, "isinf(a)", a, b, "false false false true false")
	binary[complex128, bool](t, "bool(a)", []complex128{0, 1i, 1, complex(neg, 0)}, make([]complex128, 4), "false true true false")
	binary[float64, complex128](t, "complex(a, b)", []float64{1, nan}, []float64{2, 3}, "(1+2i) (NaN+3i)")
	binary[float32, complex64](t, "complex(a, b)", []float32{0.1}, []float32{2}, "(0.1+2i)")
}

func TestCasts(t *testing.T) {
	wild := []float64{-1.9, 300.7, nan, inf, -inf, 1e20}
	binary[float64, uint8](t, "uint8(a)", wild, wild, "0 255 0 255 0 255")
	binary[float64, int64](t, "int64(a)", wild, wild, "-1 300 0 9223372036854775807 -9223372036854775808 9223372036854775807")
	binary[float64, bool](t, "bool(a)", []float64{0, neg, nan, 0.1}, make([]float64, 4), "false false true true")
	binary[int32, int8](t, "int8(a)", []int32{200, -200, 65}, make([]int32, 3), "-56 56 65")
	binary[complex128, float32](t, "float32(a)", []complex128{1.5 + 2i}, make([]complex128, 1), "1.5")
}
