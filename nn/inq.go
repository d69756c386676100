package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn/archive"
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
	const fn nd.Func = "nn.NewINQ"
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
	now := a.AtOnce()
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
	a.Then(func() { q.state.Restore(steps, w, isFixed) })
}

// INQAffineOptions are the options of [INQAffine].
type INQAffineOptions struct {
	AffineOptions
	// IInit makes the initial I, which is 1 for weights that are fixed from the beginning; nil means zeros.
	IInit Initializer
}

// INQAffine is [Affine] whose weights become powers of two, or 0, step by step during training; see quantize.INQ. Its
// parameters are "inq_affine/W", "inq_affine/I" and "inq_affine/b". Each call in training is a step of the state. It
// overwrites W with the weights that it computes with, and writes 1 to the untrained I for fixed weights. Evaluation
// uses the fixed weights as the last step left them, and writes nothing. Gradients flow to all weights, but updates of
// a fixed weight have no effect. NNabla's arguments num_bits, inq_iterations, selection_algorithm and seed are options
// of the state.
// NNabla: parametric_functions.inq_affine.
func INQAffine(scope *Scope, x *nd.Array, outputs int, state *INQ, opts ...INQAffineOptions) *nd.Array {
	const fn nd.Func = "nn.INQAffine"
	o := options.Read(fn, opts)
	base, out := o.shapes(fn, x, outputs)
	shape := append([]int{broadcast.Size(x.Shape()[base:])}, out...)
	return affine(fn, scope.Sub("inq_affine"), x, outputs, o.AffineOptions, state.weights(fn, x, shape, o.IInit))
}

// INQConvolutionOptions are the options of [INQConvolution].
type INQConvolutionOptions struct {
	ConvolutionOptions
	// IInit makes the initial I, which is 1 for weights that are fixed from the beginning; nil means zeros.
	IInit Initializer
}

// INQConvolution is [Convolution] whose weights become powers of two, or 0, as in [INQAffine]. Its parameters are
// "inq_conv/W", "inq_conv/I" and "inq_conv/b".
// NNabla: parametric_functions.inq_convolution.
func INQConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, state *INQ, opts ...INQConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.INQConvolution"
	o := options.Read(fn, opts)
	g := o.geometry(fn, x, outmaps, kernel)
	shape := g.Windows(outmaps, g.Channels/g.Group)
	return convolution(fn, scope.Sub("inq_conv"), x, outmaps, kernel, o.ConvolutionOptions, state.weights(fn, x, shape, o.IInit))
}

// weights is the derivation of a layer with weights of the given shape, which the state fixes as I says.
func (q *INQ) weights(fn nd.Func, x *nd.Array, shape []int, fixed Initializer) *derivation {
	if q == nil {
		panic(fn.Errorf([]*nd.Array{x}, "no state: give the layer its own INQ, from nn.NewINQ"))
	}
	if _, w, _ := q.state.State(); w != nil && !broadcast.Equal(w.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x}, "the weights have shape %s and had shape %s before: an INQ is of one layer",
			broadcast.FormatShape(shape), broadcast.FormatShape(w.Shape())))
	}
	return &derivation{
		create: func(s *Scope, name string, p *nd.Array, _ Initializer) {
			if name == "W" {
				s.Parameter("I", p.Shape(), fixed, false)
			}
		},
		make: func(s *Scope, name string, p *nd.Array) *nd.Array {
			if name != "W" {
				return p
			}
			marks := ops.Trunc(s.Param("I").value) // 1 for fixed weights
			defer marks.Release()
			fixed := ops.Equal(marks, nd.Scalar(1))
			defer fixed.Release()
			if !s.Training() {
				return q.state.Weights(p, fixed)
			}
			w, isFixed := q.state.Step(p, fixed)
			marks.Assign(nd.Scalar(1), nd.Pick(isFixed))
			s.record("W", w)
			s.record("I", marks)
			return w
		},
	}
}
