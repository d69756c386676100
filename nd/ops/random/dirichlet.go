package random

import (
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
	full := append(append([]int{}, shape...), k)
	d := derive(fn, rng, full, floatOptions(fn, opts), &alpha)
	defer d.made.Release()
	// The first share is a beta number; the next is a share of the rest in the same way. So no sum of small numbers underflows.
	rest := ops.CumSum(alpha.Flip(0), ops.Over(0)).Flip(0)
	d.shape = append(append([]int{}, shape...), k-1)
	first, others := alpha.Index(nd.Until(k-1)), rest.Index(nd.From(1))
	share := d.of(device.DistributionBeta, first, others)
	left := ops.CumProd(ops.Subtract(1, share), ops.Over(-1))
	before := ops.Concatenate([]*nd.Array{d.made.Own(nd.Ones(append(append([]int{}, shape...), 1), d.wide)), left}, ops.JoinOptions{Axis: ops.Over(-1)})
	all := ops.Concatenate([]*nd.Array{share, d.made.Own(nd.Ones(append(append([]int{}, shape...), 1), d.wide))}, ops.JoinOptions{Axis: ops.Over(-1)})
	return d.end(ops.Multiply(before, all))
}
