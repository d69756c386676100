package loss

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// SigmoidCrossEntropyOptions are the options of SigmoidCrossEntropy.
type SigmoidCrossEntropyOptions struct {
	// PosWeight, which broadcasts, is the factor of the term t·log(p); nil means 1.
	PosWeight *nd.Array
	// Ignore is the target to ignore: its loss and gradient are 0, whatever x is; nil means none.
	Ignore *int
	// Reduction says how the losses are combined; the default is NoReduction. MeanReduction and CountMeanReduction divide
	// the sum by the number of targets that are not ignored; if there are none, they are NaN and 0.
	Reduction Reduction
}

var (
	sigmoidCrossEntropy = ufunc.Definition{Fn: "loss.SigmoidCrossEntropy", In: "T x, T t", Loop: ufunc.RealFloat,
		Body:     "r = x > 0 ? 1 - t : -t; y = (r == 0 ? T(0) : r * x) + softplus(-abs(x))",
		Gradient: "gx = gy * (sigmoid(x) - t)"}
	ignoringSigmoidCrossEntropy = ufunc.Definition{Fn: "loss.SigmoidCrossEntropy", In: "T x, T t", Scalars: "T ignore", Loop: ufunc.RealFloat,
		Body:     "r = x > 0 ? 1 - t : -t; y = t == ignore ? T(0) : (r == 0 ? T(0) : r * x) + softplus(-abs(x))",
		Gradient: "gx = t == ignore ? T(0) : gy * (sigmoid(x) - t)"}
	weightedSigmoidCrossEntropy = ufunc.Definition{Fn: "loss.SigmoidCrossEntropy", In: "T x, T t, T w", Scalars: "T ignore", Loop: ufunc.RealFloat,
		Body: "u = 1 - t; v = w * t; " +
			"y = t == ignore ? T(0) : (u == 0 ? T(0) : u * softplus(x)) + (v == 0 ? T(0) : v * softplus(-x))",
		Gradient: "gx = t == ignore ? T(0) : gy * ((1 - t) * sigmoid(x) - w * t * sigmoid(-x))"}
)

// SigmoidCrossEntropy returns -(t·log(p) + (1-t)·log(1-p)) with p = Sigmoid(x), element by element; a factor of 0
// makes its term 0. t, of any real dtype, has no gradient. Chainer's sigmoid_cross_entropy ignores -1, and has the default CountMeanReduction; without
// its normalize it has BatchMeanReduction.
//
// Shapes: x and t, which broadcast; the result has their common shape, or () with a Reduction.
// PyTorch: nn.functional.binary_cross_entropy_with_logits. NNabla: sigmoid_cross_entropy. Chainer:
// sigmoid_cross_entropy.
func SigmoidCrossEntropy(x, t *nd.Array, opts ...SigmoidCrossEntropyOptions) *nd.Array {
	const fn nd.Func = "loss.SigmoidCrossEntropy"
	in := []*nd.Array{x, t}
	fn.Check(in...)
	if t.DType().IsComplex() {
		panic(fn.Errorf(in, "want real targets"))
	}
	o := options.Read(fn, opts)
	if o.PosWeight != nil {
		fn.Check(append(in, o.PosWeight)...)
	}
	o.Reduction.check(fn, in)
	if o.Ignore == nil && !o.Reduction.reduces() {
		return o.losses(x, t)
	}
	made := fn.Temporaries(&x, &t, &o.PosWeight)
	defer made.Release()
	losses := o.losses(x, t)
	var counts *nd.Array
	if o.Ignore != nil && o.Reduction.reduces() {
		counts = ops.NotEqual(t, *o.Ignore).BroadcastTo(losses.Shape()...)
	}
	return made.Keep(o.Reduction.of(losses, counts, nil))
}

// losses returns the losses of the elements. Targets do not influence the dtype.
func (o SigmoidCrossEntropyOptions) losses(x, t *nd.Array) *nd.Array {
	d, in, floats := &sigmoidCrossEntropy, []*nd.Array{x, t}, []*nd.Array{x}
	ignore := math.NaN() // which equals no target
	if o.Ignore != nil {
		d, ignore = &ignoringSigmoidCrossEntropy, float64(*o.Ignore)
	}
	if o.PosWeight != nil {
		d, in, floats = &weightedSigmoidCrossEntropy, append(in, o.PosWeight), append(floats, o.PosWeight)
	}
	lt := d.LoopType(ufunc.Options{}, floats)
	var scalars []device.Scalar
	if d.Scalars != "" {
		scalars = []device.Scalar{device.ScalarOf(ignore, dtype.ComputeType(lt))}
	}
	return ufunc.Run(d.Fn, d.Program(lt), scalars, ufunc.Options{}, in)
}
