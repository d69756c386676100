package ops_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

type (
	unary  = func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array
	binary = func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array
)

// pair has Go infer the type arguments of a function of two operands.
func pair(f binary) binary { return f }

// operandTypes are the columns of the rules below.
const operandTypes = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16"

// These are the rules: the dtype of the result for each of operandTypes, or - if the function panics.
const (
	asItIs       = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16"
	asRealPart   = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 f4 f8"
	noBool       = "-  i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16"
	boolToInt    = "i1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16"
	realOnly     = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 -  -"
	realNumbers  = "i1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 -  -"
	toDistance   = "i1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 f4 f8"
	toFloat      = "f2 f2 f4 f8 f8 f2 f4 f8 f8 f2 bf f4 f8 c8 c16"
	toRealFloat  = "f2 f2 f4 f8 f8 f2 f4 f8 f8 f2 bf f4 f8 -  -"
	toDouble     = "f8 f8 f8 f8 f8 f8 f8 f8 f8 f2 bf f4 f8 c8 c16"
	toRealDouble = "f8 f8 f8 f8 f8 f8 f8 f8 f8 f2 bf f4 f8 -  -"
	doubleOnly   = "f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c16 c16"
	bits         = "b1 i1 i2 i4 i8 u1 u2 u4 u8 -  -  -  -  -  -"
	integers     = "-  i1 i2 i4 i8 u1 u2 u4 u8 -  -  -  -  -  -"
	whole        = "i1 i1 i2 i4 i8 u1 u2 u4 u8 -  -  -  -  -  -"
	truth        = "b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1"
	truthOfReal  = "b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 b1 -  -"
)

var unaryRules = []struct {
	rule  string
	funcs map[string]unary
}{
	{asRealPart, map[string]unary{"Absolute": ops.Absolute}},
	{noBool, map[string]unary{"Positive": ops.Positive, "Negative": ops.Negative, "Sign": ops.Sign}},
	{boolToInt, map[string]unary{"Square": ops.Square, "Reciprocal": ops.Reciprocal}},
	{realOnly, map[string]unary{"Floor": ops.Floor, "Ceil": ops.Ceil, "Trunc": ops.Trunc}},
	{realNumbers, map[string]unary{"ReLU": ops.ReLU, "ReLU6": ops.ReLU6}},
	{toFloat, map[string]unary{"Exp": ops.Exp, "Exp2": ops.Exp2, "Expm1": ops.Expm1, "Log": ops.Log, "Log2": ops.Log2,
		"Log10": ops.Log10, "Log1p": ops.Log1p, "Sqrt": ops.Sqrt, "Rint": ops.Rint, "Sin": ops.Sin, "Cos": ops.Cos,
		"Tan": ops.Tan, "Arcsin": ops.Arcsin, "Arccos": ops.Arccos, "Arctan": ops.Arctan, "Sinh": ops.Sinh, "Cosh": ops.Cosh,
		"Tanh": ops.Tanh, "Arcsinh": ops.Arcsinh, "Arccosh": ops.Arccosh, "Arctanh": ops.Arctanh,
		"Sigmoid": ops.Sigmoid, "Softsign": ops.Softsign, "Swish": ops.Swish, "Rsqrt": ops.Rsqrt}},
	{toRealFloat, map[string]unary{"Fabs": ops.Fabs, "Cbrt": ops.Cbrt, "Exp10": ops.Exp10,
		"Deg2Rad": ops.Deg2Rad, "Rad2Deg": ops.Rad2Deg, "UnnormalizedSinc": ops.UnnormalizedSinc,
		"Spacing": ops.Spacing, "RoundHalfAway": ops.RoundHalfAway, "FloorSTE": ops.FloorSTE, "CeilSTE": ops.CeilSTE,
		"LogSigmoid": ops.LogSigmoid, "Mish": ops.Mish,
		"GELU": ops.GELU, "GELUErf": ops.GELUErf, "TanhShrink": ops.TanhShrink, "HardSigmoid": ops.HardSigmoid,
		"HardTanh": ops.HardTanh, "BinarySigmoid": ops.BinarySigmoid, "BinaryTanh": ops.BinaryTanh, "Erf": ops.Erf,
		"Erfc": ops.Erfc, "Erfinv": ops.Erfinv, "Gamma": ops.Gamma, "Lgamma": ops.Lgamma, "Digamma": ops.Digamma,
		"Ndtr": ops.Ndtr, "LogNdtr": ops.LogNdtr, "Logit": ops.Logit}},
	{toDouble, map[string]unary{"Sinc": ops.Sinc}},
	{toRealDouble, map[string]unary{"I0": ops.I0}},
	{bits, map[string]unary{"Invert": ops.Invert}},
	{truth, map[string]unary{"LogicalNot": ops.LogicalNot, "IsNaN": ops.IsNaN, "IsInf": ops.IsInf, "IsFinite": ops.IsFinite}},
	{truthOfReal, map[string]unary{"SignBit": ops.SignBit}},
}

var binaryRules = []struct {
	rule  string
	funcs map[string]binary
}{
	{asItIs, map[string]binary{"Add": pair(ops.Add), "Multiply": pair(ops.Multiply), "Maximum": pair(ops.Maximum), "Minimum": pair(ops.Minimum),
		"FMax": pair(ops.FMax), "FMin": pair(ops.FMin)}},
	{noBool, map[string]binary{"Subtract": pair(ops.Subtract)}},
	{boolToInt, map[string]binary{"Power": pair(ops.Power)}},
	{realNumbers, map[string]binary{"FloorDivide": pair(ops.FloorDivide), "Remainder": pair(ops.Remainder), "Fmod": pair(ops.Fmod),
		"SquaredError": loss.SquaredError}},
	{toDouble, map[string]binary{"Divide": pair(ops.Divide)}},
	{toFloat, map[string]binary{"LogAddExp": pair(ops.LogAddExp)}},
	{toDistance, map[string]binary{"AbsoluteError": loss.AbsoluteError}},
	{doubleOnly, map[string]binary{"FloatPower": pair(ops.FloatPower)}},
	{toRealFloat, map[string]binary{"Arctan2": pair(ops.Arctan2), "Hypot": pair(ops.Hypot), "CopySign": pair(ops.CopySign),
		"NextAfter": pair(ops.NextAfter), "Heaviside": pair(ops.Heaviside), "LogAddExp2": pair(ops.LogAddExp2)}},
	{bits, map[string]binary{"BitwiseAnd": pair(ops.BitwiseAnd), "BitwiseOr": pair(ops.BitwiseOr), "BitwiseXor": pair(ops.BitwiseXor)}},
	{whole, map[string]binary{"LeftShift": pair(ops.LeftShift), "RightShift": pair(ops.RightShift)}},
	{integers, map[string]binary{"Gcd": pair(ops.Gcd), "Lcm": pair(ops.Lcm)}},
	{truth, map[string]binary{"LogicalAnd": pair(ops.LogicalAnd), "LogicalOr": pair(ops.LogicalOr), "LogicalXor": pair(ops.LogicalXor),
		"Equal": pair(ops.Equal), "NotEqual": pair(ops.NotEqual), "Less": pair(ops.Less), "LessEqual": pair(ops.LessEqual), "Greater": pair(ops.Greater),
		"GreaterEqual": pair(ops.GreaterEqual)}},
}

func parseType(t *testing.T, code string) dtype.DType {
	t.Helper()
	if code == "bf" {
		return dtype.BFloat16
	}
	d, err := dtype.Parse(code)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkRule calls f with ones of each type, and compares the dtypes of its results.
func checkRule(t *testing.T, name, rule string, f func(x *nd.Array) *nd.Array) {
	t.Helper()
	results := strings.Fields(rule)
	for i, code := range strings.Fields(operandTypes) {
		x := nd.Ones([]int{2}, parseType(t, code))
		var y *nd.Array
		err := nd.Catch(func() { y = f(x) })
		switch {
		case results[i] == "-":
			if err == nil {
				t.Errorf("%s of %s: %s, want a refusal", name, code, y.DType())
			}
		case err != nil:
			t.Errorf("%s of %s: %v", name, code, err)
		case y.DType() != parseType(t, results[i]):
			t.Errorf("%s of %s: %s, want %s", name, code, y.DType(), results[i])
		}
	}
}

func TestResultTypes(t *testing.T) {
	for _, group := range unaryRules {
		for name, f := range group.funcs {
			checkRule(t, name, group.rule, func(x *nd.Array) *nd.Array { return f(x) })
		}
	}
	for _, group := range binaryRules {
		for name, f := range group.funcs {
			checkRule(t, name, group.rule, func(x *nd.Array) *nd.Array { return f(x, x) })
		}
	}
	checkRule(t, "Clip", asItIs, func(x *nd.Array) *nd.Array { return ops.Clip(x, x, x) })
	checkRule(t, "Where", asItIs, func(x *nd.Array) *nd.Array { return ops.Where(x, x, x) })
	checkRule(t, "Conj", boolToInt, ops.Conj)
	checkRule(t, "Real", asRealPart, ops.Real)
	checkRule(t, "Imag", asRealPart, ops.Imag)
	checkRule(t, "Angle", "f8 f2 f4 f8 f8 f2 f4 f8 f8 f2 bf f4 f8 f4 f8", func(x *nd.Array) *nd.Array { return ops.Angle(x) })
	checkRule(t, "Round", "f2 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16", func(x *nd.Array) *nd.Array { return ops.Round(x) })
	checkRule(t, "NaNToNum", asItIs, func(x *nd.Array) *nd.Array { return ops.NaNToNum(x) })
	checkRule(t, "Frexp", toRealFloat, func(x *nd.Array) *nd.Array { y, _ := ops.Frexp(x); return y })
	checkRule(t, "Frexp's exponent", strings.ReplaceAll(strings.ReplaceAll(truthOfReal, "b1", "i4"), "c", "-"),
		func(x *nd.Array) *nd.Array { _, k := ops.Frexp(x); return k })
	checkRule(t, "Modf", toRealFloat, func(x *nd.Array) *nd.Array { _, w := ops.Modf(x); return w })
	checkRule(t, "DivMod", realNumbers, func(x *nd.Array) *nd.Array { q, _ := ops.DivMod(x, x); return q })
}

// TestMixedOperandTypes compares the choice of a loop for two operands with NumPy's: the first loop to which both
// convert safely.
func TestMixedOperandTypes(t *testing.T) {
	anyOf := func(code string) *nd.Array {
		switch code {
		case "int":
			return nd.Scalar(1)
		case "float":
			return nd.Scalar(1.5)
		case "complex":
			return nd.Scalar(1i)
		case "bool":
			return nd.Scalar(true)
		case "300":
			return nd.Scalar(300)
		case "-1":
			return nd.Scalar(-1)
		}
		return nd.Ones([]int{2}, parseType(t, code))
	}
	for _, test := range []struct {
		name string
		f    binary
		want string // of a b c: c for operands a and b
	}{
		{"Add", pair(ops.Add), "b1 int i8, b1 float f8, i1 int i1, i1 float f8, u1 300 -, u1 -1 -, i1 300 -, f2 float f2, f2 300 f2, " +
			"f4 complex c8, i8 u8 f8, i1 u1 i2, u4 i4 i8, bf f2 f4, bf int bf, int int i8, int float f8"},
		{"Divide", pair(ops.Divide), "i1 i1 f8, b1 b1 f8, f2 i1 f2, f2 i2 f4, i1 int f8, u1 300 f8"},
		{"Arctan2", pair(ops.Arctan2), "u2 i2 f4, u1 i1 f2, b1 int f8, b1 bool f2, i1 int f2, i1 300 f2, u4 i1 f8, f2 i2 f4, f4 complex -"},
		{"Maximum", pair(ops.Maximum), "u1 -1 -, i1 300 -, b1 -1 i8, u8 i1 f8, f2 300 f2"},
		{"LeftShift", pair(ops.LeftShift), "b1 bool i1, b1 int i8, int i1 i1, u8 i1 -, i1 u1 i2, i4 float -, u1 300 -"},
		{"BitwiseAnd", pair(ops.BitwiseAnd), "b1 bool b1, b1 int i8, i1 -1 i1, u1 -1 -, u8 i8 -"},
		{"Equal", pair(ops.Equal), "u1 300 b1, u1 -1 b1, i1 float b1, u8 i8 b1, f4 complex b1"},
		{"LogicalAnd", pair(ops.LogicalAnd), "i1 300 b1, c8 u1 b1, u8 -1 b1"},
		{"Ldexp", pair(ops.Ldexp), "f2 i8 f2, i2 u4 f4, b1 bool f2, f4 u8 -, f4 f4 -, f8 float -, c8 int -, i4 int f8"},
		{"FloatPower", pair(ops.FloatPower), "f4 int f8, c8 f4 c16, i1 -1 f8"},
		{"FloorDivide", pair(ops.FloorDivide), "b1 bool i1, int u1 u1, i1 u8 f8, f2 complex -"},
	} {
		for _, part := range strings.Split(test.want, ", ") {
			codes := strings.Fields(part)
			var y *nd.Array
			err := nd.Catch(func() { y = test.f(anyOf(codes[0]), anyOf(codes[1])) })
			switch {
			case codes[2] == "-" && err == nil:
				t.Errorf("%s of %s and %s: %s, want a refusal", test.name, codes[0], codes[1], y.DType())
			case codes[2] == "-":
			case err != nil:
				t.Errorf("%s of %s and %s: %v", test.name, codes[0], codes[1], err)
			case y.DType() != parseType(t, codes[2]):
				t.Errorf("%s of %s and %s: %s, want %s", test.name, codes[0], codes[1], y.DType(), codes[2])
			}
		}
	}
}
