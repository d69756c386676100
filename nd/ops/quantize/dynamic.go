package quantize

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// DynamicFullyConnectedOptions are the options of DynamicFullyConnected.
type DynamicFullyConnectedOptions struct {
	// Bias holds numbers that are added to every result; nil adds nothing.
	Bias *nd.Array
	// BaseAxis is the first axis of the features of x, as in FullyConnectedOptions.
	BaseAxis *int
}

// DynamicFullyConnected returns the numbers x·wᵀ + bias, multiplied in integers: x is rounded to int8 by Symmetric, in
// steps of its own largest absolute value (dynamic quantisation), and the products are summed in int32, as in
// FullyConnected. If x holds integers, they are multiplied as they are. The result has the dtype of x, or float32 for
// integers. No gradients flow.
//
// Shapes: x (M…, K…), w (N, K), bias (N); the result (M…, N).
// MXNet: intgemm_fully_connected.
func DynamicFullyConnected(x *nd.Array, w Array, opts ...DynamicFullyConnectedOptions) *nd.Array {
	const fn nd.Func = "quantize.DynamicFullyConnected"
	o := options.Read(fn, opts)
	fn.Check(x)
	w.check(fn)
	in := []*nd.Array{x, w.Values}
	if b := o.Bias; b != nil {
		in = append(in, b)
		if fn.Check(in...); b.DType().IsComplex() || w.Values.Rank() != 2 || !broadcast.Equal(b.Shape(), []int{w.Values.Dim(0)}) {
			panic(fn.Errorf(in, "want a real bias for each row of w"))
		}
	}
	result, data := dtype.Float32, Array{Values: x, Scale: 1}
	if !x.DType().IsInteger() {
		data = Symmetric(x)
		defer data.Values.Release()
		if x.DType().IsFloat() {
			result = x.DType()
		}
	}
	sums := FullyConnected(data, w, FullyConnectedOptions{BaseAxis: o.BaseAxis})
	defer sums.Values.Release()
	y := fn.NewLike(result, sums.Values.Shape(), sums.Values)
	fromSteps.Call(ufunc.Options{Out: y, DType: dtype.Float64, Casting: dtype.CastUnsafe}, []float64{sums.Scale, 0}, sums.Values)
	if o.Bias != nil {
		bias := o.Bias.Detach()
		defer bias.Release()
		ops.Add(y, bias, ops.Into(y))
	}
	return y
}
