package random

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Dirichlet draws shares that add up to 1 from the Dirichlet distribution. Its density is Π x[i]^(alpha[i]-1) up to a factor. The axes of
// shape come before the axis of the shares; alpha has this axis alone. No gradient flows.
//
// Shapes: alpha (k) gives (shape…, k).
// NumPy: random.dirichlet.
func Dirichlet(rng *nd.Rand, alpha *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Dirichlet"
	fn.Check(alpha)
	if alpha.Rank() != 1 || alpha.Dim(0) == 0 {
		panic(fn.Errorf([]*nd.Array{alpha}, "want one axis of exponents"))
	}
	wantPositives(fn, "an exponent", alpha)
	k := alpha.Dim(0)
	d := derive(fn, rng, slices.Concat(shape, []int{k}), floatOptions(fn, opts), &alpha)
	defer d.made.Release()
	// The shares are those of gamma numbers g(a) = g(a+1)·u^(1/a), by their logarithms: a small exponent makes them underflow.
	if d.wide.Device != nil {
		alpha = d.made.Own(alpha.To(d.wide.Device))
	}
	logarithms := ops.Log(d.of(device.DistributionGamma, ops.Add(alpha, 1), nd.Scalar(1.0)))
	below := ops.Divide(ops.Log1p(ops.Negative(d.uniform())), alpha)
	return d.end(ops.Softmax(ops.Add(logarithms, below)))
}
