package ops_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestComplexForms compares results for complex numbers with PyTorch's (except exponentials that overflow there), and
// checks the gradients of both orders by differences.
func TestComplexForms(t *testing.T) {
	x, b := nd.FromSlice([]complex128{1 + 2i, -3 + 0.5i, 0.1 - 0.2i}), nd.FromSlice([]complex128{0.5 - 1i, 2, 0.1})
	for name, c := range map[string]struct {
		f    func(xs ...*nd.Array) *nd.Array
		want string
	}{
		"Sigmoid":       {func(xs ...*nd.Array) *nd.Array { return ops.Sigmoid(xs[0]) }, "[(1.0214+0.4034i) (0.0424+0.0219i) (0.5252-0.0500i)]"},
		"Rsqrt":         {func(xs ...*nd.Array) *nd.Array { return ops.Rsqrt(xs[0]) }, "[(0.5689-0.3516i) (0.0473-0.5715i) (1.7989+1.1118i)]"},
		"Softsign":      {func(xs ...*nd.Array) *nd.Array { return ops.Softsign(xs[0]) }, "[(0.3090+0.6180i) (-0.7423+0.1237i) (0.0817-0.1635i)]"},
		"Swish":         {func(xs ...*nd.Array) *nd.Array { return ops.Swish(xs[0]) }, "[(0.2145+2.4463i) (-0.1380-0.0445i) (0.0425-0.1101i)]"},
		"Sinc":          {func(xs ...*nd.Array) *nd.Array { return ops.Sinc(xs[0]) }, "[(-34.0903-17.0452i) (-0.0396+0.2376i) (1.0488+0.0678i)]"},
		"LogSumExp":     {func(xs ...*nd.Array) *nd.Array { return ops.LogSumExp(xs[0]) }, "(0.8224+1.5727i)"},
		"LogAddExp":     {func(xs ...*nd.Array) *nd.Array { return ops.LogAddExp(xs[0], b) }, "[(0.1050+1.7890i) (2.0059+0.0032i) (0.7881-0.1000i)]"},
		"AbsoluteError": {func(xs ...*nd.Array) *nd.Array { return loss.AbsoluteError(xs[0], b) }, "[3.0414 5.0249 0.2000]"},
	} {
		if got := fmt.Sprintf("%.4f", c.f(x)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		gradcheck.CheckSecondOrder(t, c.f, x)
	}
	far := nd.FromSlice([]complex128{-800 + 1i, 800 - 1i})
	opstest.Close(t, ops.Sigmoid(far), nd.FromSlice([]complex128{0, 1}), 0)
	opstest.Close(t, ops.LogAddExp(far, far), nd.FromSlice([]complex128{-800 + 1i, 800 - 1i}), 0.7)
}
