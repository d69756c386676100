package linalg_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// TestGradientsOfOneTriangleAreHermitian puts NaN into the triangle that is not read. The gradient still has both
// triangles, and agrees with differences along every symmetric or Hermitian direction.
func TestGradientsOfOneTriangleAreHermitian(t *testing.T) {
	functions := []struct {
		name string
		f    func(a *nd.Array, upper bool) *nd.Array
	}{
		{"EigvalsH", func(a *nd.Array, upper bool) *nd.Array { return linalg.EigvalsH(a, triangleOf(upper)) }},
		{"Eigh", func(a *nd.Array, upper bool) *nd.Array { w, _ := linalg.Eigh(a, triangleOf(upper)); return w }},
		{"Eigh vectors", func(a *nd.Array, upper bool) *nd.Array {
			_, v := linalg.Eigh(a, triangleOf(upper))
			return signed(v, v)
		}},
		{"Cholesky", func(a *nd.Array, upper bool) *nd.Array {
			return linalg.Cholesky(a, linalg.CholeskyOptions{Upper: upper})
		}},
	}
	for _, f := range functions {
		for _, x := range []*nd.Array{normal(2, 4, 4), complexNormal(3, 3), complexNormal(1, 1)} {
			for _, upper := range []bool{false, true} {
				a, direction := hermitianOf(ops.MatMul(x, ops.Conj(transposed(x)))), hermitianOf(x)
				half := func(a *nd.Array) *nd.Array { return oneTriangle(a, upper) }
				y := f.f(half(a), upper)
				weights := normal(append([]int{y.Size()}, 1)...).Reshape(y.Shape()...)
				loss := func(a *nd.Array) *nd.Array { return ops.Sum(ops.Real(ops.Multiply(f.f(a, upper), weights))) }
				_, gs := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return loss(xs[0]) })(half(a))
				g := gs[0]
				if !ops.AllClose(g, ops.Conj(transposed(g)), ops.IsCloseOptions{RTol: nd.Scalar(1e-12), ATol: nd.Scalar(1e-12)}) {
					t.Errorf("%s of %v, upper %v: the gradient is %v", f.name, x.DType(), upper, g)
				}
				const step = 1e-6
				at := func(by float64) float64 {
					return nd.Value[float64](loss(half(ops.Add(a, ops.Multiply(direction, by)))))
				}
				want := (at(step) - at(-step)) / (2 * step)
				got := nd.Value[float64](ops.Real(ops.Sum(ops.Multiply(ops.Conj(g), direction))))
				if !(math.Abs(got-want) < 1e-6*(1+math.Abs(want))) {
					t.Errorf("%s of %v, upper %v: %v along a Hermitian direction, want %v", f.name, x.DType(), upper, got, want)
				}
			}
		}
	}
}

func triangleOf(upper bool) linalg.EighOptions {
	if upper {
		return linalg.EighOptions{UPLO: "U"}
	}
	return linalg.EighOptions{UPLO: "L"}
}

func hermitianOf(x *nd.Array) *nd.Array { return ops.Add(x, ops.Conj(transposed(x))) }

// oneTriangle has NaN in the other triangle.
func oneTriangle(a *nd.Array, upper bool) *nd.Array {
	kept := ops.Tril(nd.Ones([]int{a.Dim(-1), a.Dim(-1)}), 0)
	if upper {
		kept = kept.Transpose()
	}
	return ops.Where(ops.NotEqual(kept, 0), a, math.NaN())
}
