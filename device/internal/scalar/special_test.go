package scalar

import (
	"math"
	"testing"
)

var (
	inf     = math.Inf(1)
	nan     = math.NaN()
	negZero = math.Copysign(0, -1)
)

// identical also distinguishes zeros of different sign.
func identical(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func TestSpecialValues(t *testing.T) {
	const half, quarter = math.Pi / 2, math.Pi / 4
	tests := []struct {
		name     string
		function func(float64) float64
		points   [][2]float64
	}{
		{"Exp", Exp, [][2]float64{{0, 1}, {negZero, 1}, {inf, inf}, {-inf, 0}, {710, inf}, {-746, 0}, {1e308, inf}, {-745.1, 5e-324}}},
		{"Exp2", Exp2, [][2]float64{{0, 1}, {10, 1024}, {-1074, 5e-324}, {1023, 0x1p1023}, {1024, inf}, {-1076, 0}, {inf, inf}, {-inf, 0}}},
		{"Exp10", Exp10, [][2]float64{{0, 1}, {5, 1e5}, {22, 1e22}, {309, inf}, {inf, inf}, {-inf, 0}}},
		{"Expm1", Expm1, [][2]float64{{0, 0}, {negZero, negZero}, {inf, inf}, {-inf, -1}, {-100, -1}, {5e-324, 5e-324}, {710, inf}}},
		{"Log", Log, [][2]float64{{1, 0}, {0, -inf}, {negZero, -inf}, {-1, nan}, {-inf, nan}, {inf, inf}}},
		{"Log2", Log2, [][2]float64{{1, 0}, {8, 3}, {0.125, -3}, {5e-324, -1074}, {0, -inf}, {-1, nan}, {inf, inf}}},
		{"Log10", Log10, [][2]float64{{1, 0}, {1000, 3}, {1e22, 22}, {0, -inf}, {-1, nan}, {inf, inf}}},
		{"Log1p", Log1p, [][2]float64{{0, 0}, {negZero, negZero}, {-1, -inf}, {-2, nan}, {inf, inf}, {-inf, nan}, {1e-300, 1e-300}}},
		{"Sin", Sin, [][2]float64{{0, 0}, {negZero, negZero}, {inf, nan}, {-inf, nan}}},
		{"Cos", Cos, [][2]float64{{0, 1}, {negZero, 1}, {inf, nan}, {-inf, nan}}},
		{"Tan", Tan, [][2]float64{{0, 0}, {negZero, negZero}, {inf, nan}}},
		{"Asin", Asin, [][2]float64{{0, 0}, {negZero, negZero}, {1, half}, {-1, -half}, {1.5, nan}, {inf, nan}}},
		{"Acos", Acos, [][2]float64{{1, 0}, {0, half}, {-1, math.Pi}, {1.5, nan}, {-inf, nan}}},
		{"Atan", Atan, [][2]float64{{0, 0}, {negZero, negZero}, {1, quarter}, {inf, half}, {-inf, -half}}},
		{"Sinh", Sinh, [][2]float64{{0, 0}, {negZero, negZero}, {inf, inf}, {-inf, -inf}, {711, inf}}},
		{"Cosh", Cosh, [][2]float64{{0, 1}, {inf, inf}, {-inf, inf}, {711, inf}}},
		{"Tanh", Tanh, [][2]float64{{0, 0}, {negZero, negZero}, {inf, 1}, {-inf, -1}, {30, 1}}},
		{"Asinh", Asinh, [][2]float64{{0, 0}, {negZero, negZero}, {inf, inf}, {-inf, -inf}}},
		{"Acosh", Acosh, [][2]float64{{1, 0}, {0.5, nan}, {-1, nan}, {inf, inf}}},
		{"Atanh", Atanh, [][2]float64{{0, 0}, {negZero, negZero}, {1, inf}, {-1, -inf}, {2, nan}}},
		{"Sqrt", Sqrt, [][2]float64{{4, 2}, {negZero, negZero}, {-1, nan}, {inf, inf}}},
		{"Rsqrt", Rsqrt, [][2]float64{{4, 0.5}, {0, inf}, {negZero, -inf}, {-1, nan}, {inf, 0}, {0x1p-1074, 0x1p537}}},
		{"Cbrt", Cbrt, [][2]float64{{27, 3}, {-1e15, -1e5}, {0, 0}, {negZero, negZero}, {inf, inf}, {-inf, -inf}, {0x1p-1074, 0x1p-358}}},
		{"Erf", Erf, [][2]float64{{0, 0}, {negZero, negZero}, {inf, 1}, {-inf, -1}, {10, 1}}},
		{"Erfc", Erfc, [][2]float64{{0, 1}, {inf, 0}, {-inf, 2}, {28, 0}}},
		{"Erfinv", Erfinv, [][2]float64{{0, 0}, {negZero, negZero}, {1, inf}, {-1, -inf}, {1.1, nan}}},
		{"Gamma", Gamma, [][2]float64{{1, 1}, {5, 24}, {23, 1124000727777607680000}, {0, inf}, {negZero, -inf}, {-1, nan}, {172, inf}, {inf, inf}, {-inf, nan}, {-200.5, negZero}}},
		{"Lgamma", Lgamma, [][2]float64{{1, 0}, {2, 0}, {0, inf}, {-3, inf}, {inf, inf}, {-inf, inf}, {1e306, inf}}},
		{"Digamma", Digamma, [][2]float64{{0, -inf}, {negZero, inf}, {-2, nan}, {inf, inf}, {-inf, nan}}},
		{"Sigmoid", Sigmoid, [][2]float64{{0, 0.5}, {inf, 1}, {-inf, 0}, {-746, 0}}},
		{"LogSigmoid", LogSigmoid, [][2]float64{{inf, negZero}, {-inf, -inf}, {-1000, -1000}}},
		{"Softplus", Softplus, [][2]float64{{inf, inf}, {-inf, 0}, {1000, 1000}}},
		{"Softsign", Softsign, [][2]float64{{0, 0}, {1, 0.5}, {inf, 1}, {-inf, -1}}},
		{"Silu", Silu, [][2]float64{{0, 0}, {inf, inf}, {-inf, negZero}, {-math.MaxFloat64, negZero}}},
		{"Mish", Mish, [][2]float64{{0, 0}, {inf, inf}, {-inf, negZero}, {-math.MaxFloat64, negZero}}},
		{"Elu", Elu, [][2]float64{{2, 2}, {negZero, negZero}, {-inf, -1}, {inf, inf}}},
		{"Selu", Selu, [][2]float64{{0, 0}, {inf, inf}, {math.MaxFloat64, inf}}},
		{"GeluErf", GeluErf, [][2]float64{{0, 0}, {inf, inf}, {-inf, negZero}, {-1e300, negZero}}},
		{"GeluTanh", GeluTanh, [][2]float64{{0, 0}, {inf, inf}, {-inf, negZero}, {-1e300, negZero}}},
		{"Ndtr", Ndtr, [][2]float64{{0, 0.5}, {inf, 1}, {-inf, 0}, {-40, 0}}},
		{"LogNdtr", LogNdtr, [][2]float64{{inf, negZero}, {-inf, -inf}, {-1e200, -inf}}},
		{"Logit", Logit, [][2]float64{{0, -inf}, {negZero, -inf}, {0.5, 0}, {1, inf}, {-0.1, nan}, {1.1, nan}, {inf, nan}}},
		{"Sinc", Sinc, [][2]float64{{0, 1}, {negZero, 1}, {inf, 0}, {-inf, 0}}},
		{"SincPi", SincPi, [][2]float64{{0, 1}, {1, 0}, {1e300, 0}, {inf, 0}}},
		{"Trigamma", Trigamma, [][2]float64{{0, inf}, {negZero, inf}, {-3, nan}, {inf, 0}, {-inf, nan}, {1e300, 1e-300}, {1e-300, inf}}},
		{"I1", I1, [][2]float64{{0, 0}, {negZero, negZero}, {inf, inf}, {-inf, -inf}, {-1000, -inf}}},
		{"I0", I0, [][2]float64{{0, 1}, {inf, inf}, {-inf, inf}, {1000, inf}}},
		{"Erfcx", Erfcx, [][2]float64{{0, 1}, {inf, 0}, {-inf, inf}, {-30, inf}}},
		{"Ndtri", Ndtri, [][2]float64{{0, -inf}, {1, inf}, {0.5, 0}, {-0.1, nan}, {1.1, nan}}},
		{"DegToRad", DegToRad, [][2]float64{{180, math.Pi}, {inf, inf}}},
		{"RadToDeg", RadToDeg, [][2]float64{{math.Pi, 180}, {-inf, -inf}}},
	}
	for _, test := range tests {
		for _, point := range append(test.points, [2]float64{nan, nan}) {
			if got := test.function(point[0]); !identical(got, point[1]) {
				t.Errorf("%s(%v) = %v, want %v", test.name, point[0], got, point[1])
			}
		}
	}
}

func TestSpecialValuesOfTwoArguments(t *testing.T) {
	tests := []struct {
		name     string
		function func(x, y float64) float64
		points   [][3]float64
	}{
		{"Pow", Pow, [][3]float64{
			{nan, 0, 1}, {1, nan, 1}, {1, inf, 1}, {-1, inf, 1}, {2, inf, inf}, {2, -inf, 0}, {0.5, inf, 0}, {-0.5, -inf, inf},
			{0, 3, 0}, {negZero, 3, negZero}, {negZero, 2, 0}, {0, -1, inf}, {negZero, -1, -inf}, {negZero, -2, inf}, {0, inf, 0}, {0, -inf, inf},
			{inf, 2, inf}, {inf, -2, 0}, {-inf, 3, -inf}, {-inf, 2, inf}, {-inf, -3, negZero}, {-inf, 0.5, inf},
			{-8, 1.0 / 3, nan}, {-2, 3, -8}, {-2, -2, 0.25}, {nan, 1, nan}, {2, nan, nan}, {2, 1024, inf}, {-2, 1025, -inf}, {2, -1074, 5e-324}, {2, -1080, 0},
			{-1, 0x1p53, 1}, {-1, 0x1p53 - 1, -1}, {1.0000000000000002, 1e300, inf}, {1e308, 1e308, inf}, {3, 30, 205891132094649}, {10, 22, 1e22},
		}},
		{"Atan2", Atan2, [][3]float64{
			{0, 1, 0}, {negZero, 1, negZero}, {0, -1, math.Pi}, {negZero, -1, -math.Pi}, {0, 0, 0}, {0, negZero, math.Pi}, {negZero, negZero, -math.Pi},
			{1, 0, math.Pi / 2}, {-1, negZero, -math.Pi / 2}, {inf, inf, math.Pi / 4}, {inf, -inf, 3 * math.Pi / 4}, {-inf, -inf, -3 * math.Pi / 4},
			{1, inf, 0}, {-1, inf, negZero}, {1, -inf, math.Pi}, {inf, 1, math.Pi / 2}, {nan, 1, nan}, {1, nan, nan}, {5e-324, 5e-324, math.Pi / 4}, {1e300, 1e-300, math.Pi / 2},
			{5e-324, 1, 5e-324}, {1e-300, 1e300, 0},
		}},
		{"Hypot", Hypot, [][3]float64{{3, 4, 5}, {inf, nan, inf}, {nan, -inf, inf}, {nan, 1, nan}, {0, negZero, 0}, {3e300, 4e300, 5e300}, {3 * 0x1p-1070, 4 * 0x1p-1070, 5 * 0x1p-1070}, {1.5e308, 1.5e308, inf}}},
		{"LogAddExp", LogAddExp, [][3]float64{{-inf, -inf, -inf}, {inf, -inf, inf}, {inf, inf, inf}, {-inf, 3, 3}, {nan, 1, nan}, {-inf, nan, nan}, {1e308, -1e308, 1e308}, {0, 0, math.Ln2}}},
		{"Polygamma", Polygamma, [][3]float64{{1, 0, inf}, {1, -3, inf}, {2, 0, -inf}, {2, -3, -inf}, {2, inf, negZero}, {3, inf, 0}, {2.5, 1, nan}, {-1, 1, nan}, {2, nan, nan}, {4, 1e-300, -inf}}},
		{"Zeta", Zeta, [][3]float64{{1, 2, inf}, {0.5, 2, nan}, {3, 0, inf}, {3, -2, inf}, {2.5, -0.5, nan}, {3, inf, 0}, {inf, 2, 0}, {inf, 1, 1}, {inf, 0.5, inf}, {inf, -2, inf}, {inf, -0.5, nan}, {2, nan, nan}}},
		{"BesselI", BesselI, [][3]float64{{2, 0, 0}, {3, negZero, negZero}, {2, inf, inf}, {3, -inf, -inf}, {0.5, 1, nan}, {1001, 1, nan}, {2, nan, nan}}},
		{"BesselIE", BesselIE, [][3]float64{{0, 0, 1}, {1, 0, 0}, {0, inf, 0}, {1, -inf, negZero}}},
		{"BesselJ", BesselJ, [][3]float64{{0, 0, 1}, {1, 0, 0}, {0, inf, 0}, {2, 1e300, 7.860673062724093e-151}, {0, nan, nan}, {0.5, 1, nan}}},
		{"BesselY", BesselY, [][3]float64{{0, 0, -inf}, {1, 0, -inf}, {-1, 0, inf}, {0, -1, nan}, {0, inf, 0}, {3, 1e-200, -inf}}},
		{"BesselK", BesselK, [][3]float64{{0, 0, inf}, {1, 0, inf}, {0, -1, nan}, {0, inf, 0}, {0, 800, 0}, {3, 1e-200, inf}}},
		{"BesselKE", BesselKE, [][3]float64{{0, 0, inf}, {0, inf, 0}, {1, -1, nan}}},
		{"Gammainc", Gammainc, [][3]float64{{1, 0, 0}, {1, inf, 1}, {0, 1, 1}, {0, 0, nan}, {inf, 1, 0}, {inf, inf, nan}, {-1, 1, nan}, {1, -1, nan}, {1e300, 1e300, 0.5}}},
		{"Gammaincc", Gammaincc, [][3]float64{{1, 0, 1}, {1, inf, 0}, {0, 1, 0}, {inf, 1, 1}, {1e5, 1e3, 1}, {1e-300, 800, 0}}},
		{"GammaDensity", GammaDensity, [][3]float64{{1, 0, 1}, {2, 0, 0}, {0.5, 0, inf}, {-0.5, 0, -inf}, {0, 1, 0}, {-2, 1, 0}, {2, inf, 0}, {2, -1, nan}, {nan, 1, nan}}},
		{"LogAddExp2", LogAddExp2, [][3]float64{{-inf, -inf, -inf}, {3, 3, 4}, {1000, 0, 1000}, {1, nan, nan}, {-1e308, -1e308, -1e308}}},
	}
	for _, test := range tests {
		for _, point := range test.points {
			if got := test.function(point[0], point[1]); !identical(got, point[2]) {
				t.Errorf("%s(%v, %v) = %v, want %v", test.name, point[0], point[1], got, point[2])
			}
		}
	}
}

func TestOddFunctions(t *testing.T) {
	functions := map[string]func(float64) float64{
		"Sin": Sin, "Tan": Tan, "Asin": Asin, "Atan": Atan, "Sinh": Sinh, "Tanh": Tanh, "Asinh": Asinh, "Atanh": Atanh,
		"Cbrt": Cbrt, "Erf": Erf, "Erfinv": Erfinv,
	}
	for name, function := range functions {
		for x := 1e-310; x < 1; x = x*3.7 + 1e-3*x {
			if function(-x) != -function(x) {
				t.Errorf("%s is not odd at %v", name, x)
			}
		}
	}
}

// At the boundary between two methods the function must not step back.
func TestMonotonicAtSeams(t *testing.T) {
	tests := []struct {
		name     string
		function func(float64) float64
		seams    []float64
	}{
		{"Exp", Exp, []float64{-700, -0.5, 0x1p-8, math.Ln2 / 128, 1, 500}},
		{"Expm1", Expm1, []float64{0x1p-54, 0x1p-8, -0x1p-8, 1}},
		{"Log", Log, []float64{0.70703125, 1, 1 + 0x1p-7, 2, 0x1p-1022}},
		{"Log1p", Log1p, []float64{0x1p-54, 0x1p-8, -0x1p-8}},
		{"Sin", Sin, []float64{0x1p-27, math.Pi / 4, -math.Pi / 4}},
		{"Atan", Atan, []float64{0x1p-27, 1.0 / 64, 1, 0x1p60}},
		{"Asin", Asin, []float64{0x1p-27, 0.5, math.Sqrt2 / 2}},
		{"Sinh", Sinh, []float64{0x1p-27, 40}},
		{"Tanh", Tanh, []float64{0x1p-27, 2}},
		{"Asinh", Asinh, []float64{0x1p-27, 0x1p30}},
		{"Acosh", Acosh, []float64{1 + 0x1p-9, 0x1p30}},
		{"Cbrt", Cbrt, []float64{1, 8, 0.125}},
	}
	for _, test := range tests {
		for _, seam := range test.seams {
			x := seam
			for range 50 {
				x = math.Nextafter(x, -inf)
			}
			for range 100 {
				next := math.Nextafter(x, inf)
				if test.function(next) < test.function(x) {
					t.Errorf("%s falls from %v to the next number", test.name, x)
				}
				x = next
			}
		}
	}
}

func TestInverses(t *testing.T) {
	for x := 0.01; x < 0.99; x += 0.013 {
		for name, got := range map[string]float64{
			"log exp": Log(Exp(x)), "exp log": Exp(Log(x)), "sin asin": Sin(Asin(x)), "cos acos": Cos(Acos(x)),
			"tan atan": Tan(Atan(x)), "tanh atanh": Tanh(Atanh(x)), "erf erfinv": Erf(Erfinv(x)), "sigmoid logit": Sigmoid(Logit(x)),
			"atan2": Tan(Atan2(x, 1)), "log2 exp2": Log2(Exp2(x)), "expm1 log1p": Expm1(Log1p(x)),
		} {
			if math.Abs(got-x) > 5e-15 {
				t.Errorf("%s of %v is %v", name, x, got)
			}
		}
	}
}

// TestLogAddExp2OfEqualNumbers: 2·2**x is a power of 2 too, whose logarithm is exact.
func TestLogAddExp2OfEqualNumbers(t *testing.T) {
	for _, x := range []float64{-1, math.Copysign(0, -1), 0, 5e-324, 0.1, -0.3, 1.0 / 3, -1.5, 52.25, -1074, 1e300, math.Inf(1), math.Inf(-1)} {
		if got := LogAddExp2(x, x); got != x+1 || math.Signbit(got) != math.Signbit(x+1) {
			t.Errorf("LogAddExp2(%v, %v) = %v, want %v", x, x, got, x+1)
		}
	}
}
