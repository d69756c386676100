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
	// The first share is a beta number; the next is a share of the rest in the same way. So no sum of small numbers underflows.
	rest := ops.CumSum(alpha.Flip(0), ops.Over(0)).Flip(0)
	d.shape = slices.Concat(shape, []int{k - 1})
	first, others := alpha.Index(nd.Until(k-1)), rest.Index(nd.From(1))
	share := d.of(device.DistributionBeta, first, others)
	left := ops.CumProd(ops.Subtract(1, share), ops.Over(-1))
	one := d.made.Own(nd.Ones(slices.Concat(shape, []int{1}), d.wide))
	before := ops.Concatenate([]*nd.Array{one, left}, ops.Over(-1))
	all := ops.Concatenate([]*nd.Array{share, one}, ops.Over(-1))
	return d.end(ops.Multiply(before, all))
}
