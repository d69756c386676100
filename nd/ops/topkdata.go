package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// TopKDataOptions are the options of TopKData.
type TopKDataOptions struct {
	// Abs compares magnitudes.
	Abs bool
	// Reduce returns only the k elements, the largest first. False keeps the shape, with 0 for the other elements. Nil
	// means true.
	Reduce *bool
	// BaseAxis is the first axis of the elements of an example; negative axes count from the end. Nil means 1.
	BaseAxis *int
}

// TopKData returns the k largest elements of every example. The gradient goes to these elements.
//
// Shapes: x (M…, K…); the result (M…, k), or like x without Reduce.
// NNabla: top_k_data.
func TopKData(x *nd.Array, k int, opts ...TopKDataOptions) *nd.Array {
	const fn nd.Func = "ops.TopKData"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x)
	defer made.Release()
	fn.Check(x)
	base, size := exampleSize(fn, x, k, o.BaseAxis)
	examples := x.Reshape(broadcast.Size(x.Shape()[:base]), size)
	keys := examples.Detach()
	if o.Abs {
		keys = Absolute(keys)
	}
	if argument.ValueOr(o.Reduce, true) {
		_, positions := TopK(keys, k)
		y := TakeAlongAxis(examples, positions, Over(1))
		return made.Keep(y.Reshape(append(x.Shape()[:base:base], k)...))
	}
	return made.Keep(Where(TopKMask(keys, k).Reshape(x.Shape()...), x, 0))
}

// TopKGradOptions are the options of TopKGrad.
type TopKGradOptions struct {
	// Abs compares magnitudes.
	Abs bool
	// BaseAxis is the first axis of the elements of an example; negative axes count from the end. Nil means 1.
	BaseAxis *int
}

// TopKGrad returns x. Its gradient keeps the k largest elements of every example and sets the others to 0.
// NNabla: top_k_grad.
func TopKGrad(x *nd.Array, k int, opts ...TopKGradOptions) *nd.Array {
	const fn nd.Func = "ops.TopKGrad"
	o := options.Read(fn, opts)
	fn.Check(x)
	exampleSize(fn, x, k, o.BaseAxis)
	detached := x.Detach()
	y := release.Operands(Positive(detached), detached)
	fn.Record(topKGradOp{k: k, o: o}, []*nd.Array{x}, y)
	return fn.Made(y)
}

// topKGradOp passes on the largest elements of the gradient.
type topKGradOp struct {
	k int
	o TopKGradOptions
}

func (op topKGradOp) Claims() nd.Claims { return nd.Claims{} }

func (op topKGradOp) VJP(c *nd.Call) {
	gy := c.Gy(0)
	c.SetGx(0, TopKData(gy, op.k, TopKDataOptions{Abs: op.o.Abs, Reduce: new(false), BaseAxis: op.o.BaseAxis}))
}

// exampleSize checks k against the number of elements from the base axis on.
func exampleSize(fn nd.Func, x *nd.Array, k int, baseAxis *int) (base, size int) {
	base = argument.Axis(fn, x, baseAxis, 1)
	size = broadcast.Size(x.Shape()[base:])
	if k < 1 || k > size {
		panic(fn.Errorf([]*nd.Array{x}, "k = %d: want a number from 1 to the %d elements of an example", k, size))
	}
	return base, size
}
