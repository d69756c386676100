package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

var (
	inf      = math.Inf(1)
	nan      = math.NaN()
	negative = math.Copysign(0, -1) // negative zero
)

func TestSpecialValues(t *testing.T) {
	for _, test := range []struct {
		name    string
		f       func(x *nd.Array) *nd.Array
		x, want []float64
	}{
		{"Floor", func(x *nd.Array) *nd.Array { return ops.Floor(x) },
			[]float64{-0.5, negative, 0.5, -inf, nan, 1e300}, []float64{-1, negative, 0, -inf, nan, 1e300}},
		{"Ceil", func(x *nd.Array) *nd.Array { return ops.Ceil(x) },
			[]float64{-0.5, negative, 0.5, inf, nan}, []float64{negative, negative, 1, inf, nan}},
		{"Trunc", func(x *nd.Array) *nd.Array { return ops.Trunc(x) },
			[]float64{-0.5, 1.9, -1.9, inf}, []float64{negative, 1, -1, inf}},
		{"Rint", func(x *nd.Array) *nd.Array { return ops.Rint(x) },
			[]float64{0.5, 1.5, 2.5, -0.5, nan}, []float64{0, 2, 2, negative, nan}},
		{"RoundHalfAway", func(x *nd.Array) *nd.Array { return ops.RoundHalfAway(x) },
			[]float64{0.5, 1.5, 2.5, -0.5, 0.49999999999999994}, []float64{1, 2, 3, -1, 0}},
		{"Sign", func(x *nd.Array) *nd.Array { return ops.Sign(x) },
			[]float64{-3, negative, 0, 5, inf, nan}, []float64{-1, 0, 0, 1, 1, nan}},
		{"SignSTE", func(x *nd.Array) *nd.Array { return ops.SignSTE(x) }, []float64{-3, negative, 0, 5, nan}, []float64{-1, 1, 1, 1, nan}},
		{"Sqrt", func(x *nd.Array) *nd.Array { return ops.Sqrt(x) },
			[]float64{4, negative, -1, inf, nan}, []float64{2, negative, nan, inf, nan}},
		{"Cbrt", func(x *nd.Array) *nd.Array { return ops.Cbrt(x) }, []float64{-27, negative, -inf}, []float64{-3, negative, -inf}},
		{"Log", func(x *nd.Array) *nd.Array { return ops.Log(x) },
			[]float64{0, negative, 1, -1, inf}, []float64{-inf, -inf, 0, nan, inf}},
		{"Exp", func(x *nd.Array) *nd.Array { return ops.Exp(x) }, []float64{-inf, 0, inf, 1000, nan}, []float64{0, 1, inf, inf, nan}},
		{"Reciprocal", func(x *nd.Array) *nd.Array { return ops.Reciprocal(x) },
			[]float64{0, negative, inf, 4}, []float64{inf, -inf, 0, 0.25}},
		{"Sinc", func(x *nd.Array) *nd.Array { return ops.Sinc(x) },
			[]float64{0, negative, 0.5, -0.5, inf, nan}, []float64{1, 1, 2 / math.Pi, 2 / math.Pi, nan, nan}},
		{"UnnormalizedSinc", func(x *nd.Array) *nd.Array { return ops.UnnormalizedSinc(x) },
			[]float64{0, negative, nan}, []float64{1, 1, nan}},
		{"Fabs", func(x *nd.Array) *nd.Array { return ops.Fabs(x) }, []float64{negative, -inf, nan}, []float64{0, inf, nan}},
		{"NaNToNum", func(x *nd.Array) *nd.Array { return ops.NaNToNum(x) },
			[]float64{nan, inf, -inf, 3}, []float64{0, math.MaxFloat64, -math.MaxFloat64, 3}},
		{"NaNToNum with values", func(x *nd.Array) *nd.Array {
			return ops.NaNToNum(x, ops.NaNToNumOptions{NaN: nd.Scalar(9), PosInf: nd.Scalar(1), NegInf: nd.Scalar(0)})
		}, []float64{nan, inf, -inf, 3}, []float64{9, 1, 0, 3}},
		{"Spacing", func(x *nd.Array) *nd.Array { return ops.Spacing(x) },
			[]float64{1, -1, 0, inf, nan, 3}, []float64{0x1p-52, -0x1p-52, 5e-324, nan, nan, 0x1p-51}},
		{"I0", func(x *nd.Array) *nd.Array { return ops.I0(x) }, []float64{0, 1}, []float64{1, 1.2660658777520084}},
		{"Logit", func(x *nd.Array) *nd.Array { return ops.Logit(x) },
			[]float64{0, 0.5, 1, 2, -1}, []float64{-inf, 0, inf, nan, nan}},
		{"ResetNaN", func(x *nd.Array) *nd.Array { return ops.ResetNaN(x, ops.ResetOptions{Val: 2}) },
			[]float64{nan, -inf, 1}, []float64{2, -inf, 1}},
		{"ResetInf", func(x *nd.Array) *nd.Array { return ops.ResetInf(x) }, []float64{nan, -inf, inf, 1}, []float64{nan, 0, 0, 1}},
	} {
		opstest.Floats(t, test.name, test.f(opstest.Vector(test.x...)), test.want...)
	}
}

func TestSpecialValuesOfTwo(t *testing.T) {
	for _, test := range []struct {
		name       string
		f          binary
		a, b, want []float64
	}{
		{"Maximum", pair(ops.Maximum), []float64{1, nan, 1, -inf}, []float64{2, 1, nan, inf}, []float64{2, nan, nan, inf}},
		{"Minimum", pair(ops.Minimum), []float64{1, nan, 1}, []float64{2, 1, nan}, []float64{1, nan, nan}},
		{"FMax", pair(ops.FMax), []float64{1, nan, 1, nan}, []float64{2, 1, nan, nan}, []float64{2, 1, 1, nan}},
		{"FMin", pair(ops.FMin), []float64{1, nan, 1, nan}, []float64{2, 1, nan, nan}, []float64{1, 1, 1, nan}},
		{"FloorDivide", pair(ops.FloorDivide), []float64{7, -7, 7, 1, inf, 1}, []float64{2, 2, -2, 0.1, 1, inf},
			[]float64{3, -4, -4, 9, nan, 0}},
		{"Remainder", pair(ops.Remainder), []float64{7, -7, 7, -1, 5}, []float64{2, 2, -2, inf, 0}, []float64{1, 1, -1, inf, nan}},
		{"Fmod", pair(ops.Fmod), []float64{7, -7, 7, -1}, []float64{2, 2, -2, inf}, []float64{1, -1, 1, -1}},
		{"Power", pair(ops.Power), []float64{0, nan, 1, -8, 2, 0}, []float64{0, 0, nan, 1. / 3, -2, -1}, []float64{1, 1, 1, nan, 0.25, inf}},
		{"Arctan2", pair(ops.Arctan2), []float64{0, negative, 1, negative}, []float64{-1, -1, 0, 1},
			[]float64{math.Pi, -math.Pi, math.Pi / 2, negative}},
		{"Hypot", pair(ops.Hypot), []float64{3, inf, 1e300, 0}, []float64{4, nan, 1e300, 0}, []float64{5, inf, math.Hypot(1e300, 1e300), 0}},
		{"CopySign", pair(ops.CopySign), []float64{1, -1, nan}, []float64{negative, 0, -1}, []float64{-1, 1, nan}},
		{"NextAfter", pair(ops.NextAfter), []float64{1, 0, 0, inf, 1, nan}, []float64{2, -1, 1, 0, 1, 1},
			[]float64{1 + 0x1p-52, -5e-324, 5e-324, math.MaxFloat64, 1, nan}},
		{"Heaviside", pair(ops.Heaviside), []float64{-2, 0, negative, 3, nan}, []float64{9, 9, 0.5, 9, 9}, []float64{0, 9, 0.5, 1, nan}},
		{"LogAddExp", pair(ops.LogAddExp), []float64{-inf, inf, 1000, -inf}, []float64{-inf, -inf, 1000, 3},
			[]float64{-inf, inf, 1000.6931471805599, 3}},
		{"LogAddExp2", pair(ops.LogAddExp2), []float64{5, -inf}, []float64{5, 2}, []float64{6, 2}},
	} {
		opstest.Floats(t, test.name, test.f(opstest.Vector(test.a...), opstest.Vector(test.b...)), test.want...)
	}
}

func TestIntegerEdges(t *testing.T) {
	const least = math.MinInt32
	a := opstest.Vector[int32](7, -7, 7, least, 5, 0)
	b := opstest.Vector[int32](2, 2, -2, -1, 0, 0)
	wantValues[int32](t, ops.FloorDivide(a, b), 3, -4, -4, least, 0, 0)
	wantValues[int32](t, ops.Remainder(a, b), 1, 1, -1, 0, 0, 0)
	wantValues[int32](t, ops.Fmod(a, b), 1, -1, 1, 0, 0, 0)
	q, r := ops.DivMod(a, b)
	wantValues[int32](t, q, 3, -4, -4, least, 0, 0)
	wantValues[int32](t, r, 1, 1, -1, 0, 0, 0)
	wantValues[int32](t, ops.Absolute(opstest.Vector[int32](least, -3)), least, 3)
	wantValues[int32](t, ops.Negative(opstest.Vector[int32](least, -3)), least, 3)
	wantValues[uint8](t, ops.Negative(opstest.Vector[uint8](0, 1)), 0, 255)
	wantValues[int8](t, ops.Add(opstest.Vector[int8](127), opstest.Vector[int8](1)), -128)
	wantValues[int32](t, ops.Sign(opstest.Vector[int32](least, 0, 9)), -1, 0, 1)
	wantValues[int8](t, ops.LeftShift(opstest.Vector[int8](1, 1, 1, -1), opstest.Vector[int8](7, 8, -1, 1)), -128, 0, 0, -2)
	wantValues[int8](t, ops.RightShift(opstest.Vector[int8](-128, -1, 64, -5), opstest.Vector[int8](7, 9, 99, -1)), -1, -1, 0, -1)
	wantValues[int32](t, ops.Gcd(opstest.Vector[int32](12, -18, 0, 0), opstest.Vector[int32](-18, 12, 5, 0)), 6, 6, 5, 0)
	wantValues[int32](t, ops.Lcm(opstest.Vector[int32](4, -6, 0), opstest.Vector[int32](6, 4, 5)), 12, 12, 0)
	wantValues[int32](t, ops.Reciprocal(opstest.Vector[int32](1, -1, 2, 0)), 1, -1, 0, 0)
	wantValues[int32](t, ops.Power(opstest.Vector[int32](3, -2, 0), opstest.Vector[int32](4, 3, 0)), 81, -8, 1)
	wantValues[uint64](t, ops.Maximum(opstest.Vector[uint64](math.MaxUint64), opstest.Vector[uint64](1)), math.MaxUint64)
	opstest.Refused(t, "a negative power of integers", func() { ops.Power(a, -1) })
	opstest.Refused(t, "negative powers of integers", func() { ops.Power(a, b) })
}

// TestComparisonsAreExact checks that int64 and uint64 are not compared in float64, and that scalars out of range
// compare.
func TestComparisonsAreExact(t *testing.T) {
	signed := opstest.Vector[int64](math.MaxInt64, -1, 0)
	unsigned := opstest.Vector[uint64](1<<63, math.MaxUint64, 0)
	wantValues(t, ops.Less(signed, unsigned), true, true, false)
	wantValues(t, ops.Greater(unsigned, signed), true, true, false)
	wantValues(t, ops.Equal(signed, unsigned), false, false, true)
	small := opstest.Vector[uint8](0, 255)
	wantValues(t, ops.Less(small, 300), true, true)
	wantValues(t, ops.Greater(small, -1), true, true)
	wantValues(t, ops.Equal(small, 511), false, false)
}

func TestClip(t *testing.T) {
	x := opstest.Vector(-2.0, nan, 0.5, 9)
	opstest.Floats(t, "Clip", ops.Clip(x, -1, 1), -1, nan, 0.5, 1)
	opstest.Floats(t, "Clip below", ops.ClipMin(x, -1), -1, nan, 0.5, 9)
	opstest.Floats(t, "Clip above", ops.ClipMax(x, 1), -2, nan, 0.5, 1)
	opstest.Floats(t, "Clip of crossed bounds", ops.Clip(opstest.Vector(0.0, 5), 2, -2), -2, -2)
	opstest.Floats(t, "Clip with a NaN bound", ops.Clip(opstest.Vector(0.0, 5), nan, 1.0), nan, nan)
	small := opstest.Vector[uint8](0, 100, 255)
	wantValues[uint8](t, ops.Clip(small, -1, 300), 0, 100, 255)
	wantValues[uint8](t, ops.Clip(small, -1, 200), 0, 100, 200)
	opstest.Refused(t, "a lower bound above the range", func() { ops.ClipMin(small, 300) })
	opstest.Refused(t, "an upper bound below the range", func() { ops.ClipMax(small, -1) })
}

func TestFrexpAndModf(t *testing.T) {
	x := opstest.Vector(8, -0.75, 0, negative, 5e-324, math.MaxFloat64, math.Nextafter(1, 0), inf, -inf, nan)
	y, k := ops.Frexp(x)
	opstest.Floats(t, "Frexp", y, 0.5, -0.75, 0, negative, 0.5, math.Nextafter(1, 0), math.Nextafter(1, 0), inf, -inf, nan)
	wantValues[int32](t, k, 4, 0, 0, 0, -1073, 1024, 0, 0, 0, 0)
	opstest.Floats(t, "Ldexp of Frexp", ops.Ldexp(y, k), nd.ToSlice[float64](x)...)

	fraction, whole := ops.Modf(opstest.Vector(1.25, -1.25, negative, inf, -inf, nan))
	opstest.Floats(t, "Modf's fraction", fraction, 0.25, -0.25, negative, 0, negative, nan)
	opstest.Floats(t, "Modf's whole", whole, 1, -1, negative, inf, -inf, nan)
}

// TestNextAfterOfHalf steps through all float16 numbers: the next number has the next bit pattern.
func TestNextAfterOfHalf(t *testing.T) {
	for _, d := range []struct {
		dtype    dtype.DType
		infinity int
	}{{dtype.Float16, 0x7c00}, {dtype.BFloat16, 0x7f80}} {
		bits := nd.ArangeInt(0, d.infinity+1, 1, dtype.Int16)
		x := bits.View(d.dtype)
		up := ops.NextAfter(x.Index(nd.Until(d.infinity)), inf).View(dtype.Int16)
		if !nd.Value[bool](ops.All(ops.Equal(up, bits.Index(nd.From(1))))) {
			t.Errorf("%s: upwards", d.dtype)
		}
		down := ops.NextAfter(x.Index(nd.From(1)), -inf).View(dtype.Int16)
		if !nd.Value[bool](ops.All(ops.Equal(down, bits.Index(nd.Until(d.infinity))))) {
			t.Errorf("%s: downwards", d.dtype)
		}
		finite := x.Index(nd.Until(d.infinity - 1))
		gap := ops.Subtract(x.Index(nd.Span(1, d.infinity)).AsType(dtype.Float32), finite.AsType(dtype.Float32))
		if !nd.Value[bool](ops.All(ops.Equal(ops.Spacing(finite).AsType(dtype.Float32), gap))) {
			t.Errorf("%s: spacing", d.dtype)
		}
	}
}

func TestComplexParts(t *testing.T) {
	z := opstest.Vector(3+4i, complex(-1, negative), complex(nan, inf), 0)
	opstest.Floats(t, "Real", ops.Real(z), 3, -1, nan, 0)
	opstest.Floats(t, "Imag", ops.Imag(z), 4, negative, inf, 0)
	opstest.Floats(t, "Absolute", ops.Absolute(z), 5, 1, inf, 0)
	opstest.Floats(t, "Angle", ops.Angle(z), math.Atan2(4, 3), -math.Pi, nan, 0)
	opstest.Floats(t, "Angle in degrees", ops.Angle(opstest.Vector(1i, -1), ops.AngleOptions{Deg: true}), 90, 180)
	opstest.Floats(t, "Angle of reals", ops.Angle(opstest.Vector(-2, negative, 0, 3, nan)), math.Pi, math.Pi, 0, 0, nan)
	opstest.Floats(t, "Imag of reals", ops.Imag(opstest.Vector(1.0, 2)), 0, 0)
	cleaned := ops.NaNToNum(opstest.Vector(complex(nan, inf), complex(1, nan)))
	wantValues(t, cleaned, complex(0, math.MaxFloat64), complex(1, 0))
	wantValues(t, ops.IsNaN(z), false, false, true, false)
	wantValues(t, ops.LogicalNot(z), false, false, false, true)
}

func TestRound(t *testing.T) {
	opstest.Floats(t, "Round", ops.Round(opstest.Vector(0.5, 1.5, -2.5, nan)), 0, 2, -2, nan)
	opstest.Floats(t, "Round to 2 decimals", ops.Round(opstest.Vector(0.285, 2.675), ops.RoundOptions{Decimals: 2}), 0.28, 2.68)
	opstest.Floats(t, "Round to hundreds", ops.Round(opstest.Vector(149.0, 150, -250), ops.RoundOptions{Decimals: -2}), 100, 200, -200)
	wantValues[int32](t, ops.Round(opstest.Vector[int32](15, 25, -35), ops.RoundOptions{Decimals: -1}), 20, 20, -40)
	wantValues[int32](t, ops.Round(opstest.Vector[int32](15, 25), ops.RoundOptions{Decimals: 3}), 15, 25)
	wantValues(t, ops.Round(opstest.Vector(1.5+2.5i)), 2+2i)
	out := nd.Zeros([]int{2}, dtype.Float32)
	ops.Round(opstest.Vector(1.25, 2.5), ops.RoundOptions{Decimals: 1, Out: out})
	wantValues[float32](t, out, 1.2, 2.5)
}

func TestIsClose(t *testing.T) {
	a := opstest.Vector(1, 1, inf, inf, nan, 1e-9)
	b := opstest.Vector(1+1e-6, 1.1, inf, -inf, nan, 0)
	wantValues(t, ops.IsClose(a, b), true, false, true, false, false, true)
	wantValues(t, ops.IsClose(a, b, ops.IsCloseOptions{EqualNaN: true, RTol: nd.Scalar(0), ATol: nd.Scalar(0)}), false, false, true, false, true, false)
	if ops.AllClose(a, b) || !ops.AllClose(opstest.Vector[int32](3), opstest.Vector(3.00001)) {
		t.Error("AllClose")
	}
}

func TestScalarForms(t *testing.T) {
	x := opstest.Vector[int32](1, 2, 4)
	wantValues[int32](t, ops.Add(x, 3), 4, 5, 7)
	opstest.Floats(t, "AddScalar", ops.Add(x, 0.5), 1.5, 2.5, 4.5)
	wantValues[int32](t, ops.Multiply(x, -2), -2, -4, -8)
	wantValues[int32](t, ops.Subtract(x, 3), -2, -1, 1)
	opstest.Floats(t, "DivScalar", ops.Divide(x, 2), 0.5, 1, 2)
	wantValues[int32](t, ops.Power(x, 2), 1, 4, 16)
	wantValues[int32](t, ops.Subtract(10, x), 9, 8, 6)
	opstest.Floats(t, "RDivScalar", ops.Divide(2, x), 2, 1, 0.5)
	wantValues[int32](t, ops.Power(3, x), 3, 9, 81)
	wantValues[int32](t, ops.Maximum(2, x), 2, 2, 4)
	wantValues[int32](t, ops.Minimum(2, x), 1, 2, 2)
	wantValues(t, ops.Equal(x, 2), false, true, false)
	wantValues(t, ops.NotEqual(x, 2), true, false, true)
	wantValues(t, ops.Less(x, 2), true, false, false)
	wantValues(t, ops.LessEqual(x, 2), true, true, false)
	wantValues(t, ops.Greater(x, 2), false, false, true)
	wantValues(t, ops.GreaterEqual(x, 1.5), false, true, true)
	flags := opstest.Vector(true, false)
	wantValues(t, ops.LogicalAnd(flags, true), true, false)
	wantValues(t, ops.LogicalOr(flags, true), true, true)
	wantValues(t, ops.LogicalXor(flags, true), false, true)
	opstest.Refused(t, "a number out of range", func() { ops.Add(opstest.Vector[uint8](1), 300) })
}

func TestSumsAndProductsOfMany(t *testing.T) {
	a, b, c := opstest.Vector(1.0, 2), opstest.Vector(3.0), opstest.Vector(5.0, 7)
	wantValues(t, ops.AddN(a, b, c), 9.0, 12)
	wantValues(t, ops.MulN(a, b, c), 15.0, 42)
	alone := ops.AddN(a)
	if alone.SharesMemory(a) {
		t.Error("the sum of one array is a view")
	}
	wantValues(t, ops.LinearInterpolate(opstest.Vector(0.25), opstest.Vector(8.0), opstest.Vector(4.0)), 5.0)
}
