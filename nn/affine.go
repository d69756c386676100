package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// AffineOptions are the options of [Affine].
type AffineOptions struct {
	// BaseAxis is the first axis of one example: those before it count examples, those from it on are flattened. Negative
	// ones count from the end; nil means 1.
	BaseAxis *int
	// WithBias says whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means UniformGlorot(inputs, outputs).
	WInit Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit Initializer
	// FixParameters uses the parameters as constants: no gradient flows to them from this call.
	FixParameters bool
	// OutShape gives the outputs several axes, whose product must be the number of outputs; nil means one.
	OutShape []int
}

// Affine returns x·W + b with the parameters "affine/W" and "affine/b" of the scope, which it creates on first use.
// nnabla.parametric_functions.affine.
//
// It computes in the parameters' dtype: a batch of another real dtype, such as float64 in a model of float32, is converted, as
// AsType does it. Else it would decide how the rest of the model computes, at twice the time and memory. Where batches are used
// many times it is faster to convert them once.
//
// Shapes: x (M0, …, D1, D2, …) with the examples' axes first; W (D1·D2·…, outputs), b (outputs); the result
// (M0, …, outputs). With OutShape it stands in place of outputs in all of them.
func Affine(scope *Scope, x *nd.Array, outputs int, opts ...AffineOptions) *nd.Array {
	const fn nd.Func = "nn.Affine"
	fn.Check(x)
	o := options.Read(fn, opts)
	out := o.OutShape
	if out == nil {
		out = []int{outputs}
	}
	if err := broadcast.CheckShape(out); err != nil || broadcast.Size(out) != outputs {
		panic(fn.Errorf([]*nd.Array{x}, "OutShape %s: want a shape of %d elements", broadcast.FormatShape(out), outputs))
	}
	base := 1
	if o.BaseAxis != nil {
		base = *o.BaseAxis
	}
	if base < 0 {
		base += x.Rank()
	}
	if base < 0 || base > x.Rank() {
		panic(fn.Errorf([]*nd.Array{x}, "BaseAxis %d: want one of x, or their number", base))
	}
	inputs := broadcast.Size(x.Shape()[base:])

	s := scope.Sub("affine")
	if o.WInit == nil {
		o.WInit = UniformGlorot(inputs, outputs)
	}
	w := o.use(s.Parameter("W", append([]int{inputs}, out...), o.WInit, true))
	var b *nd.Array
	if o.WithBias == nil || *o.WithBias {
		b = o.use(s.Parameter("b", out, o.BInit, true))
	}
	if given := x; x.DType() != w.DType() && !x.DType().IsComplex() {
		x = x.AsType(w.DType())
		if !given.IsScalar() {
			defer x.Release()
		}
	}
	y := ops.Affine(x, w, ops.AffineOptions{Bias: b, BaseAxis: &base})
	if o.FixParameters {
		w.Release() // headers that use made
		b.Release()
	}
	return y
}

// use returns a parameter as the options want it.
func (o *AffineOptions) use(p *nd.Array) *nd.Array {
	if o.FixParameters {
		return p.Detach()
	}
	return p
}
