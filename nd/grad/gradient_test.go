package grad_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

func vector(v ...float64) *nd.Array { return nd.FromSlice(v) }

// near compares elements with a tolerance relative to 1.
func near(t *testing.T, what string, got *nd.Array, want ...float64) {
	t.Helper()
	if got == nil {
		t.Fatalf("%s: no gradient", what)
	}
	values := nd.ToSlice[float64](got)
	if len(values) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(values), len(want))
	}
	for i, v := range values {
		if !(math.Abs(v-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, v, want[i])
		}
	}
}

func TestGradientOfProductAndSum(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	a, b := tape.Watch(vector(1, 2, 3)), tape.Watch(vector(4, 5, 6))
	gs := tape.Gradient(ops.Sum(ops.Multiply(a, b)), a, b)
	near(t, "d/da", gs[0], 4, 5, 6)
	near(t, "d/db", gs[1], 1, 2, 3)
}

func TestGradientAddsUpOverUses(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(2, 3))
	y := ops.Add(ops.Multiply(x, x), x) // x² + x
	near(t, "d(x²+x)", tape.Gradient(y, x)[0], 5, 7)
	near(t, "asked again", tape.Gradient(y, x)[0], 5, 7)
}

func TestGradientOfBroadcastOperandIsSummed(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	m := tape.Watch(nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3))
	row, one := tape.Watch(vector(1, 10, 100)), tape.Watch(vector(2))
	y := ops.Multiply(ops.Multiply(m, row), one)
	gs := tape.Gradient(y, m, row, one)
	near(t, "matrix", gs[0], 2, 20, 200, 2, 20, 200)
	near(t, "row", gs[1], 10, 14, 18)
	near(t, "one", gs[2], 1+20+300+4+50+600)
}

func TestGradientIsNilWithoutDependence(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x, y := tape.Watch(vector(1)), tape.Watch(vector(2))
	if g := tape.Gradient(ops.Exp(x), y)[0]; g != nil {
		t.Fatalf("got %v, want none", g)
	}
	if g := tape.Gradient(ops.Exp(grad.StopGradient(x)), x)[0]; g != nil {
		t.Fatalf("got %v through StopGradient, want none", g)
	}
}

func TestOrdersOfGradient(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(0.5, 2))
	y := ops.Power(x, 4.0)
	want := []func(v float64) float64{
		func(v float64) float64 { return 4 * v * v * v }, func(v float64) float64 { return 12 * v * v },
		func(v float64) float64 { return 24 * v }, func(v float64) float64 { return 24 },
	}
	for order, f := range want {
		y = tape.GradientRecorded(y, x)[0]
		near(t, "order "+string(rune('1'+order)), y, f(0.5), f(2))
	}
}

// TestSecondOrderThroughEveryKind compares Hessian-vector products with central differences of gradients, through
// views, reductions, matrix products, and fused functions.
func TestSecondOrderThroughEveryKind(t *testing.T) {
	labels := nd.FromSlice([]int64{1, 0}, 2, 1)
	functions := map[string]func(x *nd.Array) *nd.Array{
		"views": func(x *nd.Array) *nd.Array {
			y := x.Index(nd.All().By(-1), nd.From(1)).T().Reshape(-1).ExpandDims(0)
			return ops.Exp(ops.Multiply(y, y))
		},
		"broadcast": func(x *nd.Array) *nd.Array { return ops.Exp(ops.Multiply(x, x.Index(nd.At(0)))) },
		"advanced": func(x *nd.Array) *nd.Array {
			return ops.Exp(x.Index(nd.Pick(nd.FromSlice([]int64{0, 1, 0})), nd.At(1)))
		},
		"diagonal": func(x *nd.Array) *nd.Array { return ops.Exp(x.Diagonal(0, 0, 1)) },
		"mean": func(x *nd.Array) *nd.Array {
			return ops.Square(ops.Mean(ops.Exp(x), ops.Over(0)))
		},
		"max":           func(x *nd.Array) *nd.Array { return ops.Exp(ops.Max(ops.Square(x), ops.Over(1))) },
		"cumsum":        func(x *nd.Array) *nd.Array { return ops.Exp(ops.CumSum(x)) },
		"cumprod":       func(x *nd.Array) *nd.Array { return ops.CumProd(x, ops.Over(1)) },
		"matmul":        func(x *nd.Array) *nd.Array { return ops.Square(ops.MatMul(x, x.T())) },
		"softmax":       func(x *nd.Array) *nd.Array { return ops.Square(ops.Softmax(x)) },
		"log-softmax":   func(x *nd.Array) *nd.Array { return ops.Square(ops.LogSoftmax(x, ops.Over(0))) },
		"cross entropy": func(x *nd.Array) *nd.Array { return ops.Square(loss.SoftmaxCrossEntropy(x, labels)) },
		"assignment":    func(x *nd.Array) *nd.Array { return ops.Exp(x.With(ops.Square(x.Index(nd.At(1))), nd.At(0))) },
		"checkpoint": func(x *nd.Array) *nd.Array {
			return grad.Checkpoint(func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Exp(ops.Square(in[0]))} }, x)[0]
		},
	}
	x := nd.FromSlice([]float64{0.3, -0.2, 0.7, 0.5, 0.4, -0.6}, 2, 3)
	v := nd.FromSlice([]float64{1, -2, 0.5, 0.25, 1.5, -1}, 2, 3)
	for name, f := range functions {
		t.Run(name, func(t *testing.T) {
			const h = 1e-5
			gradient := func(step float64) *nd.Array {
				_, gs := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })(ops.Add(x, ops.Multiply(v, step)))
				return gs[0]
			}
			want := nd.ToSlice[float64](ops.Divide(ops.Subtract(gradient(h), gradient(-h)), 2*h))
			got := nd.ToSlice[float64](grad.HVP(f, x, v))
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-6*(1+math.Abs(want[i])) {
					t.Fatalf("element %d: %v, central differences %v", i, got[i], want[i])
				}
			}
		})
	}
}

func TestComplexGradient(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	z := tape.Watch(nd.FromSlice([]complex128{3 + 4i, -1 + 2i}))
	y := ops.Sum(ops.Square(ops.Absolute(z))) // |z|²: the gradient is 2z
	got := nd.ToSlice[complex128](tape.Gradient(y, z)[0])
	for i, want := range []complex128{6 + 8i, -2 + 4i} {
		if d := got[i] - want; math.Hypot(real(d), imag(d)) > 1e-12 {
			t.Errorf("element %d: %v, want %v", i, got[i], want)
		}
	}
}

func TestGradientKeepsDType(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	half := tape.Watch(vector(1, 2).AsType(nd.FromSlice([]float32{0}).DType()))
	y := ops.Multiply(half, vector(3, 4)) // float64
	if g := tape.Gradient(y, half)[0]; g.DType() != half.DType() {
		t.Fatalf("gradient is %s, want %s", g.DType(), half.DType())
	}
}

// TestGradientsHaveMemoryOfTheirOwn changes, in place, gradients that a sum has passed on.
func TestGradientsHaveMemoryOfTheirOwn(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	a, b := tape.Watch(vector(1, 2)), tape.Watch(vector(3, 4))
	middle := ops.Add(a, b)
	seed := vector(5, 6)
	gs := tape.VJP([]*nd.Array{middle}, []*nd.Array{seed}, a, middle, b)
	for i, g := range gs {
		g.Assign(nd.Scalar(i))
	}
	near(t, "the gradient that was given", seed, 5, 6)
	near(t, "a", gs[0], 0, 0)
	near(t, "the middle itself", gs[1], 1, 1)
	near(t, "b", gs[2], 2, 2)
	y := ops.Exp(middle)
	gs = tape.Gradient(y, a, middle, b)
	gs[0].Release()
	gs[2].Assign(nd.Scalar(0))
	near(t, "the middle", gs[1], math.Exp(4), math.Exp(6))
	again := tape.Gradient(y, b)[0]
	near(t, "asked again", again, math.Exp(4), math.Exp(6))
}

func TestGradientOfManyResults(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.Arange(0, 6, 1))
	parts := ops.Split(x, 6)
	y := ops.Add(ops.Square(parts[5]), ops.Multiply(parts[1], 7))
	near(t, "of parts 1 and 5", tape.Gradient(y, x)[0], 0, 7, 0, 0, 0, 10)
	near(t, "of part 5", tape.Gradient(y, parts[5])[0], 10)
}

// TestNodesAreNotUsedAgainWhileSeen keeps recorded arrays across resets of their tape.
func TestNodesAreNotUsedAgainWhileSeen(t *testing.T) {
	tape := grad.NewTape()
	var kept []*nd.Array
	for i := range 50 {
		x := tape.Watch(vector(float64(i)))
		y := ops.Square(x)
		if i%3 == 0 {
			kept = append(kept, tape.Keep(y))
		}
		near(t, "2x", tape.Gradient(y, x)[0], 2*float64(i))
		tape.Reset()
		for k, y := range kept {
			if n, _ := y.Node(); n != nil {
				t.Fatalf("kept array %d is recorded in round %d", k, i)
			}
			near(t, "kept", y, float64(9*k*k))
		}
	}
}

// TestGradientsOfPartsAddUp: the gradients of parts of one array are added in place, also if one of them is a broadcast
// view.
func TestGradientsOfPartsAddUp(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.Arange(0, 4, 1))
	rows := nd.FromSlice([]int64{0, 0, 3})
	y := ops.Sum(x)
	for i := range 4 {
		y = ops.Add(y, ops.Square(x.Index(nd.At(i))))
	}
	y = ops.Add(y, ops.Sum(ops.Multiply(x.Index(nd.Pick(rows)), vector(10, 20, 30))))
	y = ops.Add(y, ops.Sum(x.Flip().Index(nd.Until(2))))
	near(t, "all parts", tape.Gradient(y, x)[0], 1+30, 1+2, 1+4+1, 1+6+30+1)
	near(t, "asked again", tape.Gradient(y, x)[0], 31, 3, 6, 38)
	near(t, "recorded", tape.GradientRecorded(y, x)[0], 31, 3, 6, 38)
}

// TestArgumentsOfDefinitionsAreIndependent: the definition of an operation is differentiated with respect to each
// argument separately, also if one argument was computed from another.
func TestArgumentsOfDefinitionsAreIndependent(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2))
	y := grad.Checkpoint(func(in []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.Multiply(in[0], in[1])}
	}, x, ops.Square(x))[0]
	g := tape.GradientRecorded(y, x)[0]
	near(t, "d(x·x²)", g, 3, 12)
	near(t, "and again", tape.Gradient(g, x)[0], 6, 12)
}
