// Package gradcheck compares gradients with finite differences, both of the library's functions and of your own.
//
//	func TestSwishGradient(t *testing.T) {
//		x := nd.FromSlice([]float64{-3, -0.5, 0, 2}, 4)
//		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Swish(xs[0]) }, x)
//	}
//
// The check multiplies the result of the function by random weights and sums it. The derivative of this number along
// random directions must agree with its central difference. The arrays and the result must be float64 or complex128. No
// kink may lie within a step of the arrays.
package gradcheck

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Function is the type of the checked functions. A function must not change its arguments.
type Function = func(xs ...*nd.Array) *nd.Array

// Checker holds the settings of Check and CheckSecondOrder. Its zero value has the defaults.
type Checker struct {
	// Step is the length of the step to either side; the components of a step are Step times normally distributed
	// numbers. 0 means 1e-5.
	Step float64
	// Relative and Absolute are the tolerances. 0 means 1e-6 and 1e-8.
	Relative, Absolute float64
	// Directions is the number of random directions for each array. 0 means 3.
	Directions int
	// Together moves all arrays along a direction at once, instead of one after the other. This is faster for many
	// arrays, but does not tell which array has the wrong gradient.
	Together bool
	// Seed is the seed of the random numbers.
	Seed uint64
}

// Check reports an error if a gradient of f at xs differs from finite differences.
func Check(t testing.TB, f Function, xs ...*nd.Array) {
	t.Helper()
	Checker{}.Check(t, f, xs...)
}

// CheckSecondOrder reports an error if a derivative of the gradients of f differs from finite differences. It checks
// the derivatives with respect to xs and with respect to the gradient of the result.
func CheckSecondOrder(t testing.TB, f Function, xs ...*nd.Array) {
	t.Helper()
	Checker{}.CheckSecondOrder(t, f, xs...)
}

// Check is like the function [Check], with the settings of c.
func (c Checker) Check(t testing.TB, f Function, xs ...*nd.Array) {
	t.Helper()
	if !c.usable(t, xs) {
		return
	}
	random := c.random()
	y := f(xs...)
	if !isDouble(y) {
		t.Errorf("gradcheck: the result has dtype %s: want float64 or complex128", y.DType())
		return
	}
	weights := normal(random, y)
	_, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs...)} }, xs...)
	gradients := pull([]*nd.Array{weights})
	for i, g := range gradients {
		if x := xs[i]; g.DType() != x.DType() || !equalShapes(g, x) {
			t.Errorf("gradcheck: the gradient of array %d is %s%v, want %s%v as the array", i, g.DType(), g.Shape(), x.DType(), x.Shape())
			return
		}
	}
	if c.Together {
		c.compare(t, random, f, xs, 0, len(xs), weights, gradients)
		return
	}
	for i := range xs {
		c.compare(t, random, f, xs, i, i+1, weights, gradients)
	}
}

// compare compares the gradients of xs[from:to] with finite differences.
func (c Checker) compare(t testing.TB, random *rand.Rand, f Function, xs []*nd.Array, from, to int, weights *nd.Array, gradients []*nd.Array) {
	t.Helper()
	step := orDefault(c.Step, 1e-5)
	for range int(orDefault(float64(c.Directions), 3)) {
		directions := make([]*nd.Array, len(xs))
		got, scale := 0.0, 0.0
		for i := from; i < to; i++ {
			directions[i] = normal(random, xs[i])
			got += inner(gradients[i], directions[i])
			scale += norm(gradients[i]) * norm(directions[i])
		}
		at := func(h float64) float64 {
			moved := append([]*nd.Array{}, xs...)
			for i := from; i < to; i++ {
				moved[i] = ops.Add(xs[i], ops.Multiply(directions[i], h))
			}
			return inner(weights, f(moved...))
		}
		want := (at(step) - at(-step)) / (2 * step)
		tolerance := orDefault(c.Absolute, 1e-8) + orDefault(c.Relative, 1e-6)*math.Max(math.Abs(want), scale)
		if !(math.Abs(got-want) <= tolerance) {
			which := fmt.Sprintf("array %d", from)
			if to > from+1 {
				which = "all arrays"
			}
			t.Errorf("gradcheck: %s: the derivative along a random direction is %v, want %v by finite differences\ngradient\n%v\nof\n%v",
				which, got, want, gradients[from:to], xs[from:to])
			return
		}
	}
}

// CheckSecondOrder is like the function [CheckSecondOrder], with the settings of c.
func (c Checker) CheckSecondOrder(t testing.TB, f Function, xs ...*nd.Array) {
	t.Helper()
	if !c.usable(t, xs) {
		return
	}
	random := c.random()
	gy := normal(random, f(xs...))
	weights := make([]*nd.Array, len(xs))
	for i, x := range xs {
		weights[i] = normal(random, x)
	}
	gradients := func(in ...*nd.Array) *nd.Array {
		xs, gy := in[:len(in)-1], in[len(in)-1]
		_, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs...)} }, xs...)
		var sum *nd.Array
		for i, g := range pull([]*nd.Array{gy}) {
			term := ops.Real(ops.Sum(ops.Multiply(ops.Conj(weights[i]), g)))
			if sum == nil {
				sum = term
			} else {
				sum = ops.Add(sum, term)
			}
		}
		return sum
	}
	c.Check(t, gradients, append(append([]*nd.Array{}, xs...), gy)...)
}

func (c Checker) random() *rand.Rand { return rand.New(rand.NewPCG(c.Seed, 20)) }

func (c Checker) usable(t testing.TB, xs []*nd.Array) bool {
	t.Helper()
	for i, x := range xs {
		if !isDouble(x) {
			t.Errorf("gradcheck: array %d has dtype %s: want float64 or complex128", i, x.DType())
			return false
		}
	}
	return true
}

func isDouble(x *nd.Array) bool {
	return x.DType() == dtype.Float64 || x.DType() == dtype.Complex128
}

func equalShapes(x, y *nd.Array) bool {
	a, b := x.Shape(), y.Shape()
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

// normal returns normally distributed numbers with the shape, dtype and device of x.
func normal(random *rand.Rand, x *nd.Array) *nd.Array {
	if x.DType().IsComplex() {
		values := make([]complex128, x.Size())
		for i := range values {
			values[i] = complex(random.NormFloat64(), random.NormFloat64())
		}
		return nd.FromSlice(values, x.Shape()...).To(x.Device())
	}
	values := make([]float64, x.Size())
	for i := range values {
		values[i] = random.NormFloat64()
	}
	return nd.FromSlice(values, x.Shape()...).To(x.Device())
}

// inner returns Re Σ conj(a)·b.
func inner(a, b *nd.Array) float64 {
	return nd.Value[float64](ops.Real(ops.Sum(ops.Multiply(ops.Conj(a.Detach()), b.Detach()))))
}

func norm(x *nd.Array) float64 { return math.Sqrt(inner(x, x)) }

func orDefault(v, def float64) float64 {
	if v == 0 {
		return def
	}
	return v
}
