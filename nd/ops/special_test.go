package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// derivativeOf returns a higher derivative, computed with a tape.
func derivativeOf(f unary, x *nd.Array, order int) *nd.Array {
	tape := grad.NewTape()
	watched := tape.Watch(x)
	y := f(watched)
	for range order {
		y = tape.GradientRecorded(y, watched)[0]
	}
	return y.Detach()
}

// TestDerivativesOfEveryOrder checks that derivatives of Lgamma are polygamma functions, and that derivatives of Bessel
// functions are finite at 0.
func TestDerivativesOfEveryOrder(t *testing.T) {
	near := func(what string, y, want *nd.Array) {
		t.Helper()
		if !ops.AllClose(y, want, ops.IsCloseOptions{RTol: nd.Scalar(1e-12), ATol: nd.Scalar(1e-14)}) {
			t.Errorf("%s is %v, want %v", what, y, want)
		}
	}
	x := opstest.Vector(0.3, 1.4, 6)
	for n := range 5 {
		near("a derivative of Lgamma", derivativeOf(ops.Lgamma, x, n+1), ops.Polygamma(x, n))
	}
	near("the third derivative of Gamma at 1", derivativeOf(ops.Gamma, opstest.Vector(1.0), 3), opstest.Vector(-5.4448744564853177))
	for _, c := range []struct {
		f     unary
		order int
		want  float64
	}{{ops.I0, 2, 0.5}, {ops.I0, 4, 0.375}, {ops.I1, 1, 0.5}, {ops.I1, 3, 0.375}, {ops.J0, 2, -0.5}, {ops.J0, 4, 0.375}, {ops.J1, 1, 0.5}, {ops.J1, 3, -0.375}} {
		near("a derivative of a Bessel function at 0", derivativeOf(c.f, opstest.Vector(0.0), c.order), opstest.Vector(c.want))
	}
}

// TestSecondArgumentsGradients checks that Zeta and the incomplete gamma functions have gradients only for their second
// argument.
func TestSecondArgumentsGradients(t *testing.T) {
	a, x := nd.FromSlice([]float64{1.5, 3, 20}, 3, 1), opstest.Vector(0.4, 2.5, 17)
	for name, f := range map[string]binary{"Zeta": pair(ops.Zeta), "Gammainc": pair(ops.Gammainc), "Gammaincc": pair(ops.Gammaincc)} {
		t.Run(name, func(t *testing.T) {
			of := func(xs ...*nd.Array) *nd.Array { return f(a, xs[0]) }
			gradcheck.Check(t, of, x)
			gradcheck.CheckSecondOrder(t, of, x)
			tape := grad.NewTape()
			watched := tape.Watch(a)
			if y := f(watched, x); nd.Catch(func() { tape.Gradient(y, watched) }) == nil {
				t.Error("a gradient to the first argument is not refused")
			}
		})
	}
}

func TestMultigammaln(t *testing.T) {
	x := opstest.Vector(1.6, 2.5, 9)
	want := opstest.Vector(1.9528644798867396, 1.8809954616117743, 30.396126349885762) // values of PyTorch
	if y := ops.Multigammaln(x, 3); !ops.AllClose(y, want, ops.IsCloseOptions{RTol: nd.Scalar(1e-14)}) {
		t.Errorf("%v, want %v", y, want)
	}
	if y := ops.Multigammaln(x, 1); !ops.ArrayEqual(y, ops.Lgamma(x)) {
		t.Errorf("of one dimension: %v", y)
	}
	if nd.Catch(func() { ops.Multigammaln(x, 0) }) == nil || nd.Catch(func() { ops.Polygamma(x, -1) }) == nil {
		t.Error("no dimensions, or an order below 0, are not refused")
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Multigammaln(xs[0], 3) }, x)
}

// TestXlogyAtZero checks that 0 times anything except NaN is 0, and has PyTorch's gradients, except that to b where the
// logarithm is infinite: 0, where PyTorch has 0/0.
func TestXlogyAtZero(t *testing.T) {
	for name, f := range map[string]binary{"Xlogy": pair(ops.Xlogy), "Xlog1py": pair(ops.Xlog1py)} {
		shift := 0.0
		if name == "Xlog1py" {
			shift = -1
		}
		tape := grad.NewTape()
		a, b := tape.Watch(nd.Zeros([]int{4})), tape.Watch(opstest.Vector(shift, shift-1, shift+2, math.NaN()))
		y := f(a, b)
		g := tape.Gradient(y, a, b)
		if got := nd.ToSlice[float64](y.Detach()); got[0] != 0 || got[1] != 0 || got[2] != 0 || got[3] == got[3] {
			t.Errorf("%s is %v", name, got)
		}
		if got := nd.ToSlice[float64](g[0]); got[0] != 0 || got[1] != 0 || got[2] != math.Ln2 || got[3] == got[3] {
			t.Errorf("%s has the gradient %v to its first argument", name, got)
		}
		if got := nd.ToSlice[float64](g[1]); got[0] != 0 || got[1] != 0 || got[2] != 0 || got[3] == got[3] {
			t.Errorf("%s has the gradient %v to its second argument", name, got)
		}
	}
}
