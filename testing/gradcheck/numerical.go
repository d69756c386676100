package gradcheck

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Numerical returns the gradients of Σ⟨gys, f(xs)⟩ with respect to each of xs by central differences, element by
// element: half the change between a step of eps to either side, divided by eps. A nil gy means that no gradient
// arrives at that result. The arrays xs must be floats; float64 has enough digits for an eps of 1e-3 to 1e-5. f is
// called twice for each element, with copies of xs.
//
// [Check] compares gradients with differences along a few directions, which is faster.
// Chainer: gradient_check.numerical_grad.
func Numerical(f func(xs []*nd.Array) []*nd.Array, xs, gys []*nd.Array, eps float64) []*nd.Array {
	const fn nd.Func = "gradcheck.Numerical"
	fn.Check(xs...)
	for i, x := range xs {
		fn.Expect(x.DType().IsFloat(), []*nd.Array{x}, "array %d: want floats", i)
	}
	fn.Expect(eps > 0, xs, "eps %v: want a positive step", eps)
	gradients := make([]*nd.Array, len(xs))
	for i, x := range xs {
		moved := append([]*nd.Array{}, xs...)
		at := func(element int, step float64) float64 {
			flat := x.Detach().Copy().Reshape(-1)
			flat.Assign(ops.Add(flat.Index(nd.At(element)), step), nd.At(element))
			moved[i] = flat.Reshape(x.Shape()...)
			return weighted(fn, f(moved), gys)
		}
		slopes := make([]float64, x.Size())
		for k := range slopes {
			slopes[k] = (at(k, eps) - at(k, -eps)) / (2 * eps)
		}
		gradients[i] = nd.FromSliceOn(x.Device(), slopes).Reshape(x.Shape()...).AsType(x.DType())
	}
	return gradients
}

// weighted returns Σ⟨gys, ys⟩ in float64.
func weighted(fn nd.Func, ys, gys []*nd.Array) float64 {
	fn.Expect(len(ys) == len(gys), ys, "%d gradients for %d results", len(gys), len(ys))
	sum := 0.0
	for i, y := range ys {
		if gys[i] != nil {
			product := ops.Multiply(y.Detach().AsType(dtype.Float64), gys[i].AsType(dtype.Float64))
			sum += nd.Value[float64](ops.Sum(product))
		}
	}
	return sum
}
