package gradcheck_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// verdict replaces a test and records whether it failed.
type verdict struct {
	testing.TB
	failed bool
}

func (v *verdict) Helper()               {}
func (v *verdict) Errorf(string, ...any) { v.failed = true }

func passes(check func(testing.TB, gradcheck.Function, ...*nd.Array), f gradcheck.Function, xs ...*nd.Array) bool {
	var v verdict
	check(&v, f, xs...)
	return !v.failed
}

// scaledGradient is tanh with its gradient multiplied by factor. If frozen is set, the gradient treats the result as a
// constant, so that the derivative of the gradient is wrong.
func scaledGradient(factor float64, frozen bool) gradcheck.Function {
	f := &grad.Function{
		Name:    "tanh",
		Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Tanh(in[0])} },
		Backward: func(c *nd.Call) {
			y := c.Out(0)
			if frozen {
				y = y.Detach()
			}
			slope := ops.Subtract(1.0, ops.Square(y))
			c.SetGx(0, ops.Multiply(ops.Multiply(c.Gy(0), slope), factor))
		},
	}
	return func(xs ...*nd.Array) *nd.Array { return f.Call(xs...)[0] }
}

func TestCheckTellsRightFromWrong(t *testing.T) {
	x := nd.FromSlice([]float64{-1.5, -0.25, 0.5, 2, 0.125, 1}, 2, 3)
	for _, test := range []struct {
		name          string
		f             gradcheck.Function
		first, second bool
	}{
		{"right", scaledGradient(1, false), true, true},
		{"scaled", scaledGradient(1.0001, false), false, false},
		{"negated", scaledGradient(-1, false), false, false},
		{"frozen", scaledGradient(1, true), true, false},
	} {
		if got := passes(gradcheck.Check, test.f, x); got != test.first {
			t.Errorf("%s: Check passes: %v", test.name, got)
		}
		if got := passes(gradcheck.CheckSecondOrder, test.f, x); got != test.second {
			t.Errorf("%s: CheckSecondOrder passes: %v", test.name, got)
		}
	}
}

func TestCheckComplex(t *testing.T) {
	z := nd.FromSlice([]complex128{1 + 2i, -0.5 + 0.25i, 3 - 1i, 0.125i}, 4)
	w := nd.FromSlice([]complex128{2 - 1i, 1 + 1i, -0.5i, 0.75}, 4)
	x := nd.FromSlice([]float64{0.5, -1, 2, 1.5}, 4)
	for name, f := range map[string]gradcheck.Function{
		"holomorphic":     func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Exp(xs[0]), xs[1]) },
		"not holomorphic": func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Conj(xs[0]), xs[1]) },
		"to real":         func(xs ...*nd.Array) *nd.Array { return ops.Absolute(ops.Multiply(xs[0], xs[1])) },
		"also from real":  func(xs ...*nd.Array) *nd.Array { return ops.Divide(xs[0], ops.Add(xs[1], xs[2])) },
	} {
		if !passes(gradcheck.Check, f, z, w, x) || !passes(gradcheck.CheckSecondOrder, f, z, w, x) {
			t.Errorf("%s: a correct gradient fails", name)
		}
	}
}

func TestCheckOfNoDependence(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2}, 2)
	constant := func(xs ...*nd.Array) *nd.Array { return nd.Ones([]int{3}) }
	if !passes(gradcheck.Check, constant, x) {
		t.Error("the zero gradient of a constant fails")
	}
}

func TestCheckRefusesNarrowTypes(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2}, 2)
	f := func(xs ...*nd.Array) *nd.Array { return ops.Exp(xs[0]) }
	if passes(gradcheck.Check, f, x) || passes(gradcheck.CheckSecondOrder, f, x) {
		t.Error("float32 passes: want an error, since its differences are too coarse")
	}
}

func TestCheckerTolerances(t *testing.T) {
	x := nd.FromSlice([]float64{-1.5, 0.5}, 2)
	loose := gradcheck.Checker{Relative: 0.1, Absolute: 0.1, Step: 1e-4, Directions: 5, Seed: 7}
	if !passes(loose.Check, scaledGradient(1.0001, false), x) {
		t.Error("a gradient within the tolerances fails")
	}
}

func TestCheckTogether(t *testing.T) {
	x, y := nd.FromSlice([]float64{-1.5, -0.25, 0.5}), nd.FromSlice([]float64{2, 0.125, 1})
	together := gradcheck.Checker{Together: true}
	for _, faulty := range []int{-1, 0, 1} { // the array whose gradient, or whose derivative of the gradient, is wrong
		for _, frozen := range []bool{false, true} {
			f := func(xs ...*nd.Array) *nd.Array {
				var sum [2]*nd.Array
				for i, x := range xs {
					factor := 1.0
					if i == faulty && !frozen {
						factor = 1.001
					}
					sum[i] = scaledGradient(factor, i == faulty && frozen)(x)
				}
				return ops.Add(sum[0], sum[1])
			}
			if got, want := passes(together.Check, f, x, y), faulty < 0 || frozen; got != want {
				t.Errorf("array %d, frozen %t: Check passes: %t", faulty, frozen, got)
			}
			if got, want := passes(together.CheckSecondOrder, f, x, y), faulty < 0; got != want {
				t.Errorf("array %d, frozen %t: CheckSecondOrder passes: %t", faulty, frozen, got)
			}
		}
	}
	if !passes(together.Check, func(xs ...*nd.Array) *nd.Array { return nd.Ones([]int{2}) }) {
		t.Error("a call without arrays fails")
	}
}
