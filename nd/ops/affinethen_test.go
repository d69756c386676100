package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestAffineThen: a kernel that is part of a product gives the bits that it gives after it, in every layout and dtype.
func TestAffineThen(t *testing.T) {
	for _, c := range []struct{ examples, inputs, outputs int }{{1, 1, 1}, {7, 33, 5}, {40, 70, 90}, {170, 520, 100}, {3, 0, 4}, {0, 3, 4}, {200, 64, 3}} {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16, dtype.Int32, dtype.Complex64} {
			bodies := []string{"max(0, x)", "min(max(x, -1), 3)", "x < 0 ? 2*x : x"}
			switch {
			case dt.IsFloat():
				bodies = append(bodies, "0.5*x*(1 + erf(x*0.7071067811865476))", "x*sigmoid(x)", "tanh(x)")
			case dt.IsComplex():
				bodies = []string{"x*x"}
			}
			x := ops.Multiply(opstest.Normal(1, dtype.Float64, c.examples, c.inputs), 5).AsType(dt)
			w := ops.Multiply(opstest.Normal(2, dtype.Float64, c.outputs, c.inputs), 5).AsType(dt).T()
			for _, w := range []*nd.Array{w, w.Copy(), w.Flip(0)} {
				for _, bias := range []*nd.Array{nil, opstest.Normal(3, dtype.Float64, 2*c.outputs).AsType(dt).Reshape(-1, 2).Index(nd.All(), nd.At(1))} {
					plain := ops.Affine(x, w, ops.AffineOptions{Bias: bias})
					for _, body := range bodies {
						k := ops.MustKernel("T x", "T y", body)
						sameBits(t, ops.Affine(x, w, ops.AffineOptions{Bias: bias, Then: k}), k.Call(plain))
					}
				}
			}
		}
	}
	ones := nd.Ones([]int{2, 3, 4}, dtype.Float32)
	widened := ops.MustKernel("T x", "float64 y", "x + 1")
	y := ops.Affine(ones, nd.Ones([]int{4, 2, 5}, dtype.Float32), ops.AffineOptions{Bias: nd.Ones([]int{2, 5}), BaseAxis: new(-1), Then: widened})
	if want := nd.Full([]int{2, 3, 2, 5}, 6.0); !ops.ArrayEqual(y, want) || y.DType() != dtype.Float64 {
		t.Errorf("a kernel with another dtype: %v", y)
	}
	opstest.Refuses(t, "ops.Affine: Then: want a kernel of one input", func() {
		ops.Affine(ones, nd.Ones([]int{12, 1}), ops.AffineOptions{Then: ops.MustKernel("T x, T y", "T z", "x + y")})
	})
}

// TestAffineThenGradients: with a tape, the kernel follows the product.
func TestAffineThenGradients(t *testing.T) {
	k := ops.MustKernel("T x", "T y", "x*sigmoid(x)")
	f := func(xs ...*nd.Array) *nd.Array {
		return ops.Affine(xs[0], xs[1], ops.AffineOptions{Bias: xs[2], Then: k})
	}
	x, w, b := opstest.Normal(1, dtype.Float64, 3, 4), opstest.Normal(2, dtype.Float64, 4, 2), opstest.Normal(3, dtype.Float64, 2)
	gradcheck.Check(t, f, x, w, b)
	gradcheck.CheckSecondOrder(t, f, x, w, b)
	tape := grad.NewTape()
	sameBits(t, ops.Affine(x, w, ops.AffineOptions{Bias: tape.Watch(b), Then: k}), // the bias alone is recorded
		k.Call(ops.Affine(x, w, ops.AffineOptions{Bias: b})))
}
