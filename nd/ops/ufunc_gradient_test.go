package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// These are the domains of the functions below; no kink lies near them.
var (
	everywhere = []float64{-3.2, -1.7, -0.6, -0.04, 0.3, 0.9, 2.1, 4.4}
	positives  = []float64{0.03, 0.4, 0.97, 1.6, 3.3, 7.1}
	inside     = []float64{-0.93, -0.5, -0.02, 0.35, 0.6, 0.88}
	aboveOne   = []float64{1.2, 1.9, 3.3, 8.2}
	fractions  = []float64{0.04, 0.2, 0.45, 0.55, 0.8, 0.97}
)

var smooth = []struct {
	name   string
	f      unary
	domain []float64
}{
	{"Positive", ops.Positive, everywhere}, {"Negative", ops.Negative, everywhere}, {"Absolute", ops.Absolute, everywhere},
	{"Fabs", ops.Fabs, everywhere}, {"Sign", ops.Sign, everywhere}, {"Square", ops.Square, everywhere},
	{"Reciprocal", ops.Reciprocal, everywhere}, {"Exp", ops.Exp, everywhere}, {"Exp2", ops.Exp2, everywhere},
	{"Exp10", ops.Exp10, inside}, {"Expm1", ops.Expm1, everywhere}, {"Log", ops.Log, positives}, {"Log2", ops.Log2, positives},
	{"Log10", ops.Log10, positives}, {"Log1p", ops.Log1p, positives}, {"Sqrt", ops.Sqrt, positives},
	{"Rsqrt", ops.Rsqrt, positives}, {"Cbrt", ops.Cbrt, everywhere}, {"Sin", ops.Sin, everywhere}, {"Cos", ops.Cos, everywhere},
	{"Tan", ops.Tan, inside}, {"Arcsin", ops.Arcsin, inside}, {"Arccos", ops.Arccos, inside}, {"Arctan", ops.Arctan, everywhere},
	{"Sinh", ops.Sinh, everywhere}, {"Cosh", ops.Cosh, everywhere}, {"Tanh", ops.Tanh, everywhere},
	{"Arcsinh", ops.Arcsinh, everywhere}, {"Arccosh", ops.Arccosh, aboveOne}, {"Arctanh", ops.Arctanh, inside},
	{"Deg2Rad", ops.Deg2Rad, everywhere}, {"Rad2Deg", ops.Rad2Deg, everywhere}, {"Sinc", ops.Sinc, everywhere},
	{"UnnormalizedSinc", ops.UnnormalizedSinc, everywhere}, {"Floor", ops.Floor, everywhere}, {"Ceil", ops.Ceil, everywhere},
	{"Trunc", ops.Trunc, everywhere}, {"Rint", ops.Rint, everywhere}, {"Erf", ops.Erf, everywhere}, {"Erfc", ops.Erfc, everywhere},
	{"Erfinv", ops.Erfinv, inside}, {"Gamma", ops.Gamma, positives}, {"Ndtr", ops.Ndtr, everywhere},
	{"LogNdtr", ops.LogNdtr, everywhere}, {"Logit", ops.Logit, fractions}, {"Sigmoid", ops.Sigmoid, everywhere},
	{"LogSigmoid", ops.LogSigmoid, everywhere}, {"Softsign", ops.Softsign, everywhere}, {"Swish", ops.Swish, everywhere},
	{"Mish", ops.Mish, everywhere}, {"GELU", ops.GELU, everywhere}, {"GELUErf", ops.GELUErf, everywhere},
	{"TanhShrink", ops.TanhShrink, everywhere}, {"HardSigmoid", ops.HardSigmoid, everywhere},
	{"HardTanh", ops.HardTanh, everywhere}, {"ReLU", ops.ReLU, everywhere}, {"ReLU6", ops.ReLU6, everywhere},
	{"Lgamma", ops.Lgamma, positives}, {"Digamma", ops.Digamma, positives}, {"I0", func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array { return ops.I0(x) }, everywhere},
}

func TestGradients(t *testing.T) {
	for _, test := range smooth {
		t.Run(test.name, func(t *testing.T) {
			f := func(xs ...*nd.Array) *nd.Array { return test.f(xs[0]) }
			gradcheck.Check(t, f, opstest.Vector(test.domain...))
			gradcheck.CheckSecondOrder(t, f, opstest.Vector(test.domain...))
		})
	}
}

func TestGradientsOfTwo(t *testing.T) {
	a := nd.FromSlice([]float64{1.3, 0.4, 2.6, 0.9, 3.1, 1.7}, 3, 2)
	b := opstest.Vector(1.9, 0.7)
	signed := nd.FromSlice([]float64{-1.3, 0.4, 2.6, -0.9, 3.1, -1.7}, 3, 2)
	for _, test := range []struct {
		name string
		f    binary
		a, b *nd.Array
	}{
		{"Add", pair(ops.Add), signed, b}, {"Subtract", pair(ops.Subtract), signed, b}, {"Multiply", pair(ops.Multiply), signed, b},
		{"Divide", pair(ops.Divide), signed, b}, {"Power", pair(ops.Power), a, b}, {"FloatPower", pair(ops.FloatPower), a, b},
		{"Remainder", pair(ops.Remainder), signed, b}, {"Fmod", pair(ops.Fmod), signed, b}, {"Arctan2", pair(ops.Arctan2), signed, b},
		{"Hypot", pair(ops.Hypot), signed, b}, {"CopySign", pair(ops.CopySign), signed, b}, {"Maximum", pair(ops.Maximum), signed, b},
		{"Minimum", pair(ops.Minimum), signed, b}, {"FMax", pair(ops.FMax), signed, b}, {"FMin", pair(ops.FMin), signed, b},
		{"LogAddExp", pair(ops.LogAddExp), signed, b}, {"LogAddExp2", pair(ops.LogAddExp2), signed, b}, {"Heaviside", pair(ops.Heaviside), signed, b},
		{"SquaredError", loss.SquaredError, signed, b}, {"AbsoluteError", loss.AbsoluteError, signed, b},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := func(xs ...*nd.Array) *nd.Array { return test.f(xs[0], xs[1]) }
			gradcheck.Check(t, f, test.a, test.b)
			gradcheck.CheckSecondOrder(t, f, test.a, test.b)
		})
	}
}

func TestGradientsOfCompositions(t *testing.T) {
	x := nd.FromSlice([]float64{-1.3, 0.4, 2.6, -0.9, 3.1, -1.7}, 3, 2)
	low, high := opstest.Vector(-1.0, 0.25), opstest.Vector(1.0, 2)
	p := nd.FromSlice([]float64{0.1, 0.4, 0.6, 0.9, 0.3, 0.7}, 3, 2)
	for name, test := range map[string]struct {
		f  gradcheck.Function
		in []*nd.Array
	}{
		"Clip":              {func(xs ...*nd.Array) *nd.Array { return ops.Clip(xs[0], xs[1], xs[2]) }, []*nd.Array{x, low, high}},
		"Where":             {func(xs ...*nd.Array) *nd.Array { return ops.Where(opstest.Vector(true, false), xs[0], xs[1]) }, []*nd.Array{x, low}},
		"AddN":              {func(xs ...*nd.Array) *nd.Array { return ops.AddN(xs...) }, []*nd.Array{x, low, high}},
		"MulN":              {func(xs ...*nd.Array) *nd.Array { return ops.MulN(xs...) }, []*nd.Array{x, low, high}},
		"LinearInterpolate": {func(xs ...*nd.Array) *nd.Array { return ops.LinearInterpolate(xs[0], xs[1], xs[2]) }, []*nd.Array{p, x, low}},
		"Frexp":             {func(xs ...*nd.Array) *nd.Array { y, _ := ops.Frexp(xs[0]); return y }, []*nd.Array{x}},
		"Modf":              {func(xs ...*nd.Array) *nd.Array { y, _ := ops.Modf(xs[0]); return y }, []*nd.Array{x}},
		"DivMod":            {func(xs ...*nd.Array) *nd.Array { _, r := ops.DivMod(xs[0], xs[1]); return r }, []*nd.Array{x, high}},
		"Ldexp":             {func(xs ...*nd.Array) *nd.Array { return ops.Ldexp(xs[0], opstest.Vector[int8](3, -2)) }, []*nd.Array{x}},
		"NaNToNum":          {func(xs ...*nd.Array) *nd.Array { return ops.NaNToNum(xs[0]) }, []*nd.Array{x}},
		"PowScalar":         {func(xs ...*nd.Array) *nd.Array { return ops.Power(xs[0], 3) }, []*nd.Array{x}},
		"RPowScalar":        {func(xs ...*nd.Array) *nd.Array { return ops.Power(2.5, xs[0]) }, []*nd.Array{x}},
		"RDivScalar":        {func(xs ...*nd.Array) *nd.Array { return ops.Divide(2.5, xs[0]) }, []*nd.Array{x}},
		"in float32 between": {func(xs ...*nd.Array) *nd.Array {
			return ops.Multiply(xs[0], xs[1]) // broadcasts a column and a row
		}, []*nd.Array{nd.FromSlice([]float64{2, 3}, 2, 1), opstest.Vector(0.5, -1, 4)}},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.in...)
			gradcheck.CheckSecondOrder(t, test.f, test.in...)
		})
	}
}

func TestComplexGradients(t *testing.T) {
	z := opstest.Vector(0.7+0.4i, -1.1+0.3i, 0.2-0.9i, 1.5-0.1i)
	w := opstest.Vector(0.3+1.1i, 0.8-0.4i, 1.9+0.2i, -0.7+0.6i)
	for _, test := range smooth {
		switch test.name {
		case "Positive", "Negative", "Absolute", "Sign", "Square", "Reciprocal", "Exp", "Exp2", "Expm1", "Log", "Log2", "Log10",
			"Log1p", "Sqrt", "Sin", "Cos", "Tan", "Arcsin", "Arccos", "Arctan", "Sinh", "Cosh", "Tanh", "Arcsinh", "Arccosh", "Arctanh":
			t.Run(test.name, func(t *testing.T) {
				f := func(xs ...*nd.Array) *nd.Array { return test.f(xs[0]) }
				gradcheck.Check(t, f, z)
				gradcheck.CheckSecondOrder(t, f, z)
			})
		}
	}
	for name, f := range map[string]gradcheck.Function{
		"Add":      func(xs ...*nd.Array) *nd.Array { return ops.Add(xs[0], xs[1]) },
		"Multiply": func(xs ...*nd.Array) *nd.Array { return ops.Multiply(xs[0], xs[1]) },
		"Divide":   func(xs ...*nd.Array) *nd.Array { return ops.Divide(xs[0], xs[1]) },
		"Power":    func(xs ...*nd.Array) *nd.Array { return ops.Power(xs[0], xs[1]) },
		"Conj":     func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Conj(xs[0]), xs[1]) },
		"Real":     func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Real(xs[0]), xs[1]) },
		"Imag":     func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Imag(xs[0]), xs[1]) },
		"Angle":    func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Angle(xs[0]), xs[1]) },
		"NaNToNum": func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.NaNToNum(xs[0]), xs[1]) },
		"with a real": func(xs ...*nd.Array) *nd.Array {
			return ops.Multiply(xs[0], ops.Absolute(xs[1]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, f, z, w)
			gradcheck.CheckSecondOrder(t, f, z, w)
		})
	}
}

// gradientAt returns the gradient of f, weighted with 3, at the given points.
func gradientAt(f func(x *nd.Array) *nd.Array, values ...float64) *nd.Array {
	_, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs[0])} }, opstest.Vector(values...))
	return pull([]*nd.Array{nd.Full([]int{len(values)}, 3.0)})[0]
}

func TestGradientsAtKinks(t *testing.T) {
	for _, test := range []struct {
		name    string
		f       func(x *nd.Array) *nd.Array
		x, want []float64
	}{
		{"Absolute", func(x *nd.Array) *nd.Array { return ops.Absolute(x) }, []float64{0, -1, 1}, []float64{0, -3, 3}},
		{"Maximum, first", func(x *nd.Array) *nd.Array { return ops.Maximum(x, 1) }, []float64{1, 0, 2}, []float64{3, 0, 3}},
		{"Maximum, second", func(x *nd.Array) *nd.Array { return ops.Maximum(1, x) }, []float64{1, 0, 2}, []float64{0, 0, 3}},
		{"Minimum, first", func(x *nd.Array) *nd.Array { return ops.Minimum(x, 1) }, []float64{1, 0, 2}, []float64{3, 3, 0}},
		{"FMax of NaN", func(x *nd.Array) *nd.Array { return ops.FMax(x, nan) }, []float64{1, -1}, []float64{3, 3}},
		{"MaximumScalar", func(x *nd.Array) *nd.Array { return ops.Maximum(1, x) }, []float64{1, 0, 2}, []float64{0, 0, 3}},
		{"Clip", func(x *nd.Array) *nd.Array { return ops.Clip(x, -1, 1) },
			[]float64{-2, -1, 0, 1, 2}, []float64{0, 3, 3, 3, 0}},
		{"Power at 0", func(x *nd.Array) *nd.Array { return ops.Power(x, 2) }, []float64{0, 1}, []float64{0, 6}},
		{"Power to 0", func(x *nd.Array) *nd.Array { return ops.Power(x, 0) }, []float64{0, 1}, []float64{0, 0}},
		{"Hypot", func(x *nd.Array) *nd.Array { return ops.Hypot(x, 0) }, []float64{0, -2}, []float64{0, -3}},
		{"Floor", func(x *nd.Array) *nd.Array { return ops.Floor(x) }, []float64{1, 1.5}, []float64{0, 0}},
		{"FloorSTE", func(x *nd.Array) *nd.Array { return ops.FloorSTE(x) }, []float64{1, 1.5}, []float64{3, 3}},
		{"CeilSTE", func(x *nd.Array) *nd.Array { return ops.CeilSTE(x) }, []float64{1, 1.5}, []float64{3, 3}},
		{"RoundHalfAway", func(x *nd.Array) *nd.Array { return ops.RoundHalfAway(x) }, []float64{1, 1.5}, []float64{3, 3}},
		{"SignSTE", func(x *nd.Array) *nd.Array { return ops.SignSTE(x) }, []float64{0, -4}, []float64{3, 3}},
		{"ResetNaN", func(x *nd.Array) *nd.Array { return ops.ResetNaN(x) }, []float64{nan, 1}, []float64{0, 3}},
		{"ResetInf", func(x *nd.Array) *nd.Array { return ops.ResetInf(x) }, []float64{inf, 1}, []float64{0, 3}},
		{"ClipGradByValue", func(x *nd.Array) *nd.Array {
			return ops.ClipGradByValue(ops.Multiply(x, 1), opstest.Vector(-1.0, 3.5), opstest.Vector(2.0, 4))
		}, []float64{7, -7}, []float64{2, 3.5}},
		{"ClipGradByValue between bounds the wrong way round", func(x *nd.Array) *nd.Array {
			return ops.ClipGradByValue(ops.Multiply(x, 1), opstest.Vector(4.0, 5, nan), opstest.Vector(2.0, 3, 1))
		}, []float64{7, 7, 7}, []float64{2, 5, 1}},
		{"AbsoluteError", func(x *nd.Array) *nd.Array { return loss.AbsoluteError(x, nd.Scalar(1)) }, []float64{1, 2}, []float64{-3, 3}},
	} {
		opstest.Floats(t, test.name, gradientAt(test.f, test.x...), test.want...)
	}
}

// TestRecordedOutAndWhere checks that on a tape Out gets the result by assignment, and that elements excluded by Where
// keep their gradient.
func TestRecordedOutAndWhere(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(opstest.Vector(1.0, 2, 3))
	out := tape.Watch(opstest.Vector(10.0, 20, 30))
	mask := opstest.Vector(true, false, true)
	y := ops.Positive(out)
	ops.Multiply(x, x, ops.UfuncOptions{Out: y, Where: mask})
	wantValues(t, y, 1.0, 20, 9)
	g := tape.Gradient(y, x, out)
	wantValues(t, g[0], 2.0, 0, 6)
	wantValues(t, g[1], 0.0, 1, 0)
	z := ops.Negative(x, ops.UfuncOptions{Where: mask})
	wantValues(t, z, -1.0, 0, -3)
	wantValues(t, tape.Gradient(z, x)[0], -1.0, 0, -1)
}

func TestGradientsKeepNarrowTypes(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(opstest.Vector[float32](1, 2))
	y := ops.Multiply(x, opstest.Vector[int32](3, 4)) // computed in float64
	g := tape.Gradient(y, x)[0]
	wantValues[float32](t, g, 3, 4)
}
