package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestSecondOrderOfRealAndComplex differentiates the gradient of a real operand, which is the real part of a complex
// number whose derivative needs both parts.
func TestSecondOrderOfRealAndComplex(t *testing.T) {
	x := nd.FromSlice([]float64{1.5, -0.5})
	z := nd.FromSlice([]complex128{1.2 + 0.8i, -0.3 + 1i})
	for name, f := range map[string]func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array{"divide": pair(ops.Divide), "multiply": pair(ops.Multiply)} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0], xs[1]) }, x, z)
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return f(xs[1], xs[0]) }, x, z)
		})
	}
}

// TestSecondOrderOfPowersOfZero checks that the logarithm of a base of 0 does not reach the result.
func TestSecondOrderOfPowersOfZero(t *testing.T) {
	zero := nd.FromSlice([]float64{0, 0})
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Power(zero, xs[0]) }, nd.FromSlice([]float64{2, 0.5}))
}
