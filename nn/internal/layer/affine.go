package layer

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// AffineOptions are nn.AffineOptions.
type AffineOptions struct {
	BaseAxis     *int
	WithBias     *bool
	WInit, BInit initializer.Initializer
	OutShape     []int
}

// Affine is a layer with the parameters W and b of s, or with values that derive computes from them.
func Affine(fn nd.Func, s Scope, x *nd.Array, outputs int, o AffineOptions, derive *Derivation) *nd.Array {
	base, out := o.Shapes(fn, x, outputs)
	inputs := broadcast.Size(x.Shape()[base:])
	if o.WInit == nil {
		o.WInit = initializer.UniformGlorot(inputs, outputs)
	}
	derive.check(fn, s)
	p := Weights{WInit: o.WInit, BInit: o.BInit, NoBias: !IsOn(o.WithBias), Derive: derive}
	w, b := p.Create(s, append([]int{inputs}, out...), out)
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(Product{W: derive.of("W", w), B: derive.of("b", b), BaseAxis: &base}.Of(x))
}

// Product is x·W + b, or x·Wᵀ + b if W has the outputs first, with the parameters W and b of a layer.
type Product struct {
	W, B         *nd.Array // B is nil for no bias
	OutputsFirst bool
	BaseAxis     *int // of x, as in ops.Affine; nil means 1
}

// Of returns the product with x in the parameters' dtype.
func (p Product) Of(x *nd.Array) *nd.Array {
	w := p.W
	if p.OutputsFirst {
		w = w.T()
	}
	return ops.Affine(InDType(x, p.W), w, ops.AffineOptions{Bias: p.B, BaseAxis: p.BaseAxis})
}

// Shapes checks the arguments of a layer of x. It returns the base axis and the shape of an example's outputs.
func (o *AffineOptions) Shapes(fn nd.Func, x *nd.Array, outputs int) (base int, out []int) {
	fn.Check(x)
	out = o.OutShape
	if out == nil {
		out = []int{outputs}
	}
	if err := broadcast.CheckShape(out); err != nil || broadcast.Size(out) != outputs {
		panic(fn.Errorf([]*nd.Array{x}, "%d outputs, OutShape %s: want a shape of that many elements", outputs,
			broadcast.FormatShape(out)))
	}
	return BaseAxis(fn, x, o.BaseAxis, x.Rank()), out
}

// BaseAxis returns the axis that an option names, counted from the front: one of 0 to last. A nil option means 1.
func BaseAxis(fn nd.Func, x *nd.Array, option *int, last int) int {
	given := 1
	if option != nil {
		given = *option
	}
	base := given
	if base < 0 {
		base += x.Rank()
	}
	if base < 0 || base > last {
		panic(fn.Errorf([]*nd.Array{x}, "BaseAxis %d: want one of 0 to %d", given, last))
	}
	return base
}
