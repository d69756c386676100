package quant

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// INQ is the state of the incremental quantisation of one layer between training steps: the number of the step, and the
// weights that are fixed. Fixed weights keep their values, whatever an optimizer writes to them. Like an optimizer, an
// INQ belongs to a training and is kept beside the parameters. The layer writes to W in training, so that replicas of a
// scope cannot train it in several goroutines.
type INQ struct {
	state *quantize.INQ
}

// NewINQ returns the state of a layer before its first step; see quantize.NewINQ. Each step that Iterations names fixes
// half of the weights that still learn, and the last of these steps fixes all. Without Iterations no weight is ever
// fixed.
func NewINQ(opts ...quantize.INQOptions) *INQ {
	const fn nd.Func = "quant.NewINQ"
	return &INQ{quantize.NewINQ(options.Read(fn, opts))}
}

// Steps returns the number of training steps so far.
func (q *INQ) Steps() int { return q.state.Steps() }

// Release releases the memory of the state. The next step starts without any fixed weights.
func (q *INQ) Release() { q.state.Release() }

// Archive saves or restores the state: the number of steps, the fixed weights, and the stream of the random choice of
// weights.
func (q *INQ) Archive(a *archive.Archive) {
	steps, w, isFixed := q.state.State()
	now := a.Immediate()
	now.Int("steps", &steps)
	now.NewArray("w", &w)
	now.NewArray("fixed", &isFixed)
	if rng := q.state.Rand(); rng != nil {
		a.Object("rng", archive.Stream(rng))
	}
	if !a.Loading() {
		return
	}
	scratch := quantize.NewINQ()
	if err := nd.Catch(func() { scratch.Restore(steps, w, isFixed) }); err != nil {
		a.Fail(err)
	}
	scratch.Release()
	a.AfterLoad(func() { q.state.Restore(steps, w, isFixed) })
}

// INQAffineOptions are the options of [INQAffine].
type INQAffineOptions struct {
	nn.AffineOptions
	// IInit makes the initial I, which is 1 for weights that are fixed from the beginning; nil means zeros.
	IInit initializer.Initializer
}

// INQAffine is [nn.Affine] whose weights become powers of two, or 0, step by step during training; see quantize.INQ.
// Its parameters are "inq_affine/W", "inq_affine/I" and "inq_affine/b". Each call in training is a step of the state.
// It overwrites W with the weights that it computes with, and writes 1 to the untrained I for fixed weights. Evaluation
// uses the fixed weights as the last step left them, and writes nothing. Gradients flow to all weights, but updates of
// a fixed weight have no effect. NNabla's arguments num_bits, inq_iterations, selection_algorithm and seed are options
// of the state.
// NNabla: parametric_functions.inq_affine.
func INQAffine(scope *nn.Scope, x *nd.Array, outputs int, state *INQ, opts ...INQAffineOptions) *nd.Array {
	const fn nd.Func = "quant.INQAffine"
	o := options.Read(fn, opts)
	s, affine := scope.Sub("inq_affine").Precise(), layer.AffineOptions(o.AffineOptions)
	base, out := affine.Shapes(fn, x, outputs)
	shape := append([]int{broadcast.Size(x.Shape()[base:])}, out...)
	return layer.Affine(fn, s, x, outputs, affine, state.weights(fn, s, x, shape, o.IInit))
}

// INQConvolutionOptions are the options of [INQConvolution].
type INQConvolutionOptions struct {
	nn.ConvolutionOptions
	// IInit makes the initial I, which is 1 for weights that are fixed from the beginning; nil means zeros.
	IInit initializer.Initializer
}

// INQConvolution is [nn.Convolution] whose weights become powers of two, or 0, as in [INQAffine]. Its parameters are
// "inq_conv/W", "inq_conv/I" and "inq_conv/b".
// NNabla: parametric_functions.inq_convolution.
func INQConvolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int, state *INQ, opts ...INQConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.INQConvolution"
	o := options.Read(fn, opts)
	s, conv := scope.Sub("inq_conv").Precise(), layer.ConvolutionOptions(o.ConvolutionOptions)
	g := conv.Geometry(fn, x, outmaps, kernel)
	shape := g.Windows(outmaps, g.Channels/g.Group)
	return layer.Convolution(fn, s, x, outmaps, kernel, conv, state.weights(fn, s, x, shape, o.IInit))
}

// weights is the derivation of a layer of s with weights of the given shape, which the state fixes as I says.
func (q *INQ) weights(fn nd.Func, s *nn.Scope, x *nd.Array, shape []int, fixed initializer.Initializer) *layer.Derivation {
	if q == nil {
		panic(fn.Errorf([]*nd.Array{x}, "no state: give the layer an INQ of its own, from quant.NewINQ"))
	}
	if _, w, _ := q.state.State(); w != nil && !broadcast.Equal(w.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x}, "the weights have shape %s and had shape %s before: an INQ is of one layer",
			broadcast.FormatShape(shape), broadcast.FormatShape(w.Shape())))
	}
	return &layer.Derivation{
		Create: func(name string, p *nd.Array, _ initializer.Initializer) {
			if name == "W" {
				s.Parameter("I", p.Shape(), fixed, false)
			}
		},
		Make: func(name string, p *nd.Array) *nd.Array {
			if name != "W" {
				return p
			}
			marks := ops.Trunc(s.Param("I").Value()) // 1 for fixed weights
			defer marks.Release()
			fixed := ops.Equal(marks, 1)
			defer fixed.Release()
			if !s.Training() {
				return q.state.Weights(p, fixed)
			}
			w, isFixed := q.state.Step(p, fixed)
			marks.Assign(nd.Scalar(1), nd.Pick(isFixed))
			record(s, "W", w)
			record(s, "I", marks)
			return w
		},
	}
}
