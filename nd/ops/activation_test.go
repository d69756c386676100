package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestActivationLimits checks that no activation returns NaN for an infinity, and that all return NaN for NaN.
func TestActivationLimits(t *testing.T) {
	for _, test := range []struct {
		name            string
		f               unary
		atLeast, atMost float64 // at -Inf and +Inf
	}{
		{"ReLU", ops.ReLU, 0, inf}, {"ReLU6", ops.ReLU6, 0, 6}, {"Sigmoid", ops.Sigmoid, 0, 1}, {"LogSigmoid", ops.LogSigmoid, -inf, negative},
		{"Softsign", ops.Softsign, -1, 1}, {"Swish", ops.Swish, negative, inf}, {"Mish", ops.Mish, negative, inf},
		{"GELU", ops.GELU, negative, inf}, {"GELUErf", ops.GELUErf, negative, inf}, {"HardSigmoid", ops.HardSigmoid, 0, 1},
		{"HardTanh", ops.HardTanh, -1, 1}, {"TanhShrink", ops.TanhShrink, -inf, inf},
		{"ELU", func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array { return ops.ELU(x) }, -1, inf},
		{"Softplus", func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array { return ops.Softplus(x) }, 0, inf},
		{"LeakyReLU", func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array { return ops.LeakyReLU(x) }, -inf, inf},
		{"ClippedReLU", func(x *nd.Array, _ ...ops.UfuncOption) *nd.Array { return ops.ClippedReLU(x) }, 0, 20},
	} {
		opstest.Floats(t, test.name, test.f(opstest.Vector(-inf, inf, nan)), test.atLeast, test.atMost, nan)
		narrow := test.f(opstest.Vector(float32(-inf), float32(inf), float32(nan)))
		opstest.Floats(t, test.name+" of float32", narrow, test.atLeast, test.atMost, nan)
	}
}

// TestActivationGradientsStayFinite checks that far from 0 a gradient is its limit, not 0 times infinity.
func TestActivationGradientsStayFinite(t *testing.T) {
	for _, test := range smooth {
		switch test.name {
		case "Sigmoid", "LogSigmoid", "Softsign", "Swish", "Mish", "GELU", "GELUErf", "TanhShrink", "HardSigmoid", "HardTanh", "ReLU", "ReLU6":
			g := gradientAt(func(x *nd.Array) *nd.Array { return test.f(x) }, -1e300, -1e4, -800, 0, 800, 1e4, 1e300)
			if nd.Value[bool](ops.Any(ops.LogicalNot(ops.IsFinite(g)))) {
				t.Errorf("%s: gradient %v", test.name, g)
			}
		}
	}
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"ELU":  func(x *nd.Array) *nd.Array { return ops.ELU(x) },
		"SELU": func(x *nd.Array) *nd.Array { return ops.SELU(x, ops.SELUOptions{Scale: new(2.0), Alpha: new(0.5)}) },
	} {
		scale := map[string]float64{"ELU": 3, "SELU": 6}[name]
		opstest.Floats(t, name, gradientAt(f, -1e4, 800, 1e300), 0, scale, scale)
	}
}

func TestActivationsAtKinks(t *testing.T) {
	for _, test := range []struct {
		name         string
		f            func(x *nd.Array) *nd.Array
		x, y, thrice []float64 // three times the gradient
	}{
		{"ReLU", func(x *nd.Array) *nd.Array { return ops.ReLU(x) }, []float64{-1, 0, 2}, []float64{0, 0, 2}, []float64{0, 0, 3}},
		{"ReLU6", func(x *nd.Array) *nd.Array { return ops.ReLU6(x) }, []float64{0, 2, 6, 7}, []float64{0, 2, 6, 6}, []float64{0, 3, 0, 0}},
		{"ClippedReLU", func(x *nd.Array) *nd.Array { return ops.ClippedReLU(x, ops.ClippedReLUOptions{Z: new(1.0)}) },
			[]float64{0, 0.5, 1, 2}, []float64{0, 0.5, 1, 1}, []float64{0, 3, 0, 0}},
		{"LeakyReLU", func(x *nd.Array) *nd.Array { return ops.LeakyReLU(x, ops.LeakyReLUOptions{Alpha: new(0.5)}) },
			[]float64{-2, 0, 2}, []float64{-1, 0, 2}, []float64{1.5, 1.5, 3}},
		{"ELU", func(x *nd.Array) *nd.Array { return ops.ELU(x, ops.ELUOptions{Alpha: new(2.0)}) },
			[]float64{0, 1}, []float64{0, 1}, []float64{3, 3}},
		{"HardTanh", func(x *nd.Array) *nd.Array { return ops.HardTanh(x) },
			[]float64{-2, -1, 0, 1, 2}, []float64{-1, -1, 0, 1, 1}, []float64{0, 3, 3, 3, 0}},
		{"BinarySigmoid", func(x *nd.Array) *nd.Array { return ops.BinarySigmoid(x) },
			[]float64{-1, -0.5, 0, 0.5, 1}, []float64{0, 0, 0, 1, 1}, []float64{0, 1.5, 1.5, 1.5, 0}},
		{"BinaryTanh", func(x *nd.Array) *nd.Array { return ops.BinaryTanh(x) },
			[]float64{-1, -0.5, 0, 0.5, 1}, []float64{-1, -1, -1, 1, 1}, []float64{0, 3, 3, 3, 0}},
	} {
		opstest.Floats(t, test.name, test.f(opstest.Vector(test.x...)), test.y...)
		opstest.Floats(t, test.name+"'s gradient", gradientAt(test.f, test.x...), test.thrice...)
	}
}

func TestActivationGradients(t *testing.T) {
	x := nd.FromSlice([]float64{-2.3, 0.4, 1.6, -0.9, 3.1, -1.7, 0.2, -0.3, 5.5, -4, 1, 2}, 2, 3, 2)
	w := opstest.Vector(0.25, -0.5, 1.5)
	for name, f := range map[string]gradcheck.Function{
		"LeakyReLU":   func(xs ...*nd.Array) *nd.Array { return ops.LeakyReLU(xs[0]) },
		"ClippedReLU": func(xs ...*nd.Array) *nd.Array { return ops.ClippedReLU(xs[0], ops.ClippedReLUOptions{Z: new(2.5)}) },
		"PReLU":       func(xs ...*nd.Array) *nd.Array { return ops.PReLU(xs[0], xs[1]) },
		"ELU":         func(xs ...*nd.Array) *nd.Array { return ops.ELU(xs[0], ops.ELUOptions{Alpha: new(1.5)}) },
		"SELU":        func(xs ...*nd.Array) *nd.Array { return ops.SELU(xs[0]) },
		"CELU":        func(xs ...*nd.Array) *nd.Array { return ops.CELU(xs[0], ops.Over(-1)) },
		"CReLU":       func(xs ...*nd.Array) *nd.Array { return ops.CReLU(xs[0]) },
		"Softplus":    func(xs ...*nd.Array) *nd.Array { return ops.Softplus(xs[0], ops.SoftplusOptions{Beta: new(2.0)}) },
		"Maxout":      func(xs ...*nd.Array) *nd.Array { return ops.Maxout(xs[0], 3) },
		"RReLU":       func(xs ...*nd.Array) *nd.Array { return ops.RReLU(xs[0], ops.RReLUOptions{Rand: nd.NewRand(1)}) },
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, f, x, w)
			gradcheck.CheckSecondOrder(t, f, x, w)
		})
	}
}

func TestPReLU(t *testing.T) {
	x := nd.FromSlice([]float64{-1, -2, -3, 4, -5, -6}, 3, 2)
	opstest.Floats(t, "one slope", ops.PReLU(x, opstest.Vector(2.0)), -2, -4, -6, 4, -10, -12)
	opstest.Floats(t, "slopes of axis 1", ops.PReLU(x, opstest.Vector(1.0, 10)), -1, -20, -3, 4, -5, -60)
	opstest.Floats(t, "slopes of axis 0", ops.PReLU(x, opstest.Vector(1.0, 10, 100), ops.PReLUOptions{BaseAxis: new(0)}), -1, -2, -30, 4, -500, -600)
	batch := nd.Full([]int{1, 2, 2, 3}, -1.0)
	slopes := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if got := ops.PReLU(batch, slopes); nd.Value[float64](got, 0, 1, 0, 2) != -3 {
		t.Errorf("slopes of two axes: %v", got)
	}
	opstest.Refused(t, "slopes of another length", func() { ops.PReLU(x, opstest.Vector(1.0, 2, 3)) })
	opstest.Refused(t, "slopes of more axes", func() { ops.PReLU(x, slopes) })
}

func TestConcatenatedActivations(t *testing.T) {
	x := nd.FromSlice([]float64{-1, 2}, 1, 2)
	wantValues(t, ops.CReLU(x), 0.0, 2, 1, 0)
	if got := ops.CReLU(x, ops.Over(0)).Shape(); !slices.Equal(got, []int{2, 2}) {
		t.Errorf("CReLU along axis 0: %v", got)
	}
	opstest.Floats(t, "CELU", ops.CELU(x), math.Expm1(-1), 2, 1, math.Expm1(-2))
	opstest.Refused(t, "an axis out of range", func() { ops.CELU(x, ops.Over(2)) })
}

func TestRReLU(t *testing.T) {
	x := nd.Full([]int{200}, -1.0)
	opstest.Floats(t, "in inference", ops.RReLU(opstest.Vector(-1.0, 2), ops.RReLUOptions{LowerBound: new(0.25), UpperBound: new(0.75)}), -0.5, 2)
	y := ops.RReLU(x, ops.RReLUOptions{Rand: nd.NewRand(3)})
	lowest, highest := nd.Value[float64](ops.Min(y)), nd.Value[float64](ops.Max(y))
	if lowest < -0.334 || lowest > -0.32 || highest > -0.125 || highest < -0.14 {
		t.Errorf("slopes from %v to %v", -highest, -lowest)
	}
	opstest.Refused(t, "crossed bounds", func() { ops.RReLU(x, ops.RReLUOptions{LowerBound: new(0.5)}) })
}

func TestMaxout(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 2, 4, 3, 3, -1, -2, -3, 0, 7, nan}, 2, 6)
	opstest.Floats(t, "Maxout", ops.Maxout(x, 2), 5, 4, 3, -1, 0, nan)
	opstest.Floats(t, "Maxout along axis 0", ops.Maxout(x, 2, ops.Over(0)), 1, 5, 2, 4, 7, nan)
	opstest.Refused(t, "a pool size that does not divide", func() { ops.Maxout(x, 4) })
	opstest.Refused(t, "a pool size of 0", func() { ops.Maxout(x, 0) })
}

// TestActivationAccuracy compares float32 results with rounded float64 results.
func TestActivationAccuracy(t *testing.T) {
	values := make([]float32, 0, 4000)
	for k := -2100; k < 1900; k++ {
		values = append(values, float32(k)/19)
	}
	for _, test := range smooth {
		ulps := 2
		switch test.name {
		case "TanhShrink", "Sinc":
			ulps = 4
		case "Sigmoid", "LogSigmoid", "Softsign", "Swish", "Mish", "GELU", "GELUErf", "HardSigmoid", "Tanh":
		default:
			continue
		}
		narrow := nd.ToSlice[float32](test.f(opstest.Vector(values...)))
		wide := nd.ToSlice[float32](test.f(opstest.Vector(values...).AsType(dtype.Float64)).AsType(dtype.Float32))
		for i, got := range narrow {
			if d := int(math.Float32bits(got)) - int(math.Float32bits(wide[i])); d < -ulps || d > ulps {
				t.Errorf("%s(%v) = %v, %d ulp from %v", test.name, values[i], got, d, wide[i])
				break
			}
		}
	}
}

// TestKnownActivations compares float64 results with values computed to 60 digits: the tails, and where terms cancel.
func TestKnownActivations(t *testing.T) {
	for _, test := range []struct {
		name string
		f    unary
		x, y float64
	}{
		{"TanhShrink", ops.TanhShrink, 1e-5, 3.333333333200001e-16},
		{"TanhShrink", ops.TanhShrink, 0.5, 0.03788284273999024},
		{"TanhShrink", ops.TanhShrink, 0.9, 0.18370212980097558},
		{"Mish", ops.Mish, -30, -2.807286890651921e-12},
		{"Mish", ops.Mish, -0.7, -0.267870234795501},
		{"Mish", ops.Mish, 3, 2.9865350049679575},
		{"Swish", ops.Swish, -740, -3.09967e-319},
		{"Swish", ops.Swish, -712, -4.313292185103229e-307},
		{"Swish", ops.Swish, -3, -0.14227761953270035},
		{"Swish", ops.Swish, 2.5, 2.310354549946891},
		{"GELU", ops.GELU, -20.5, -1.3502940601643467e-280},
		{"GELU", ops.GELU, -15, -1.5584769937274055e-114},
		{"GELU", ops.GELU, -3, -0.003637392081773019},
		{"GELU", ops.GELU, 2.5, 2.484915733910001},
		{"GELUErf", ops.GELUErf, -37.9, -4.87685527557e-313},
		{"GELUErf", ops.GELUErf, -20, -5.507248237212468e-88},
		{"GELUErf", ops.GELUErf, -5, -1.4332578593959695e-06},
		{"Sinc", ops.Sinc, 0.3, 0.8583936913341398},
		{"Sinc", ops.Sinc, 1.75, -0.1286166165938723},
		{"Sinc", ops.Sinc, -46.9, 0.0020972956142504893},
	} {
		got := nd.Value[float64](test.f(opstest.Vector(test.x)), 0)
		if d := int64(math.Float64bits(got)) - int64(math.Float64bits(test.y)); d < -4 || d > 4 {
			t.Errorf("%s(%v) = %v, %d ulp from %v", test.name, test.x, got, d, test.y)
		}
	}
}

// TestGatesAtTheirCorners checks values and gradients where the pieces of functions meet, and far away.
func TestGatesAtTheirCorners(t *testing.T) {
	inf := math.Inf(1)
	x := opstest.Vector(-inf, -3, 3, 1e308)
	y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.HardSwish(x) }, x)
	opstest.Floats(t, "HardSwish", y, 0, 0, 3, 1e308)
	opstest.Floats(t, "its gradient", g, 0, 0, 1, 1)
	half := opstest.Vector(-0.5, 0.5, math.Nextafter(0.5, 1), -inf)
	_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.HardShrink(x) }, half)
	opstest.Floats(t, "gradient of HardShrink", g, 0, 0, 1, 1)
	y, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.SoftShrink(x) }, half)
	opstest.Floats(t, "SoftShrink", y, 0, 0, 0x1p-53, -inf)
	opstest.Floats(t, "its gradient", g, 0, 0, 1, 1)
	opstest.Refuses(t, "into halves", func() { ops.GLU(opstest.Vector(1.0, 2, 3)) })
	opstest.Refuses(t, "at least 0", func() { ops.HardShrink(x, ops.ShrinkOptions{Lambda: new(-1.0)}) })
}
