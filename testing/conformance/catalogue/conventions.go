package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// If a function has no derivative at a kink or at a tie, a document's system may use another subgradient than package
// ops.

// isZero returns a mask of the elements that are 0.
func isZero(x *nd.Array) *nd.Array { return ops.Equal(x.Detach(), 0) }

// absNNabla has slope 1 at 0.
func absNNabla(x *nd.Array) *nd.Array {
	return ops.Where(isZero(x), ops.Add(x, 0), ops.Absolute(x)) // -0 becomes 0
}

// preluFromZero has slope 1 at 0, in Chainer and in NNabla.
func preluFromZero(x, w *nd.Array, baseAxis int) *nd.Array {
	return ops.Where(isZero(x), x, ops.PReLU(x, w, ops.PReLUOptions{BaseAxis: &baseAxis}))
}

// hardSigmoidChainer has slope 0 at -2.5 and 2.5.
func hardSigmoidChainer(x *nd.Array) *nd.Array {
	corner := ops.Equal(ops.Absolute(x.Detach()), 2.5)
	return whereOnce(corner, ops.HardSigmoid(x.Detach()), ops.HardSigmoid(x))
}

// whereOnce is ops.Where, and releases a and b.
func whereOnce(condition, a, b *nd.Array) *nd.Array {
	defer a.Release()
	defer b.Release()
	return ops.Where(condition, a, b)
}

// meanAbsoluteErrorChainer has a gradient of 0 at equal elements.
func meanAbsoluteErrorChainer(a, b *nd.Array) *nd.Array {
	return ops.Mean(ops.Absolute(ops.Subtract(a, b)))
}

// tiesNote is the note of rows that use toAllTied.
const tiesNote = "at a tie, the gradient goes to all elements equal to the result"

// toAllTied returns a function whose results are elements of x. Its gradient goes to all elements that equal the
// result. spread broadcasts a result to the elements of x from which it was chosen.
func toAllTied(name string, x *nd.Array, f, spread func(*nd.Array) *nd.Array) *nd.Array {
	chosen := &grad.Function{
		Name:    name,
		Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{f(in[0])} },
		Backward: func(c *nd.Call) {
			tied := ops.Equal(c.In(0).Detach(), spread(c.Out(0).Detach()))
			c.SetGx(0, ops.Where(tied, spread(c.Gy(0)), 0))
		},
	}
	return chosen.Call(x)[0]
}

// extremeChainer returns Chainer's max or min.
func extremeChainer(name string, extreme func(*nd.Array, ...ops.ReduceOption) *nd.Array) func(x *nd.Array, axis []int, keepDims bool) *nd.Array {
	return func(x *nd.Array, axis []int, keepDims bool) *nd.Array {
		along := func(x *nd.Array) *nd.Array { return extreme(x, ops.ReduceOptions{Axes: axis, KeepDims: keepDims}) }
		spread := func(y *nd.Array) *nd.Array {
			axes := broadcast.AllAxes(x.Rank())
			if axis != nil {
				axes, _ = broadcast.Axes(axis, x.Rank()) // the axes of the reduction
			}
			return y.Reshape(broadcast.ReduceShape(x.Shape(), axes, true)...)
		}
		return toAllTied(name, x, along, spread)
	}
}

func maxoutChainer(x *nd.Array, poolSize, axis int) *nd.Array {
	spread := func(y *nd.Array) *nd.Array { return ops.Repeat(y, poolSize, ops.Over(axis)) }
	return toAllTied("maxout", x, func(x *nd.Array) *nd.Array {
		return ops.Maxout(x, poolSize, ops.Over(axis))
	}, spread)
}
