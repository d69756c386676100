package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// view says how a use of a scope sees its parameters. The zero view is that of evaluation.
type view struct {
	watch        *watch               // nil unless a tape watches the arrays
	replacements map[*Param]*nd.Array // replaces the parameters' own arrays
	fixed        bool                 // parameters are constants
	evaluate     bool                 // functions behave as in evaluation although parameters are watched
	rand         *nd.Rand             // the stream for dropout and similar layers
	compute      dtype.DType          // the dtype in which layers compute; not valid for that of the parameters
	comm         *comm.Communicator   // connects the replicas of a training; nil if there is one
	uses         *parameterUses       // records which parameters are read; nil if not needed
}

// watch holds the arrays that a tape watches for a tree of parameters.
type watch struct {
	tape     *grad.Tape
	arrays   map[*Param]*nd.Array
	computed map[*Param]computed
}

// WatchOptions are the options of [Scope.Watch].
type WatchOptions struct {
	// Rand is the stream that [Dropout] and similar layers draw from. Without it they panic.
	Rand *nd.Rand
	// Test makes functions behave as in evaluation although gradients flow, to fine-tune a network with its statistics
	// frozen.
	Test bool
	// Compute is the dtype in which layers compute, for mixed precision: float16, bfloat16, or another real float dtype.
	// By default it is that of the parameters.
	//
	// The parameters stay as they are. Layers use them converted to Compute, and convert their inputs to it; gradients
	// arrive in the parameters' dtype. Normalisations, the losses of package link and the layers of package quant compute
	// in the parameters' dtype, and give results of it. Running statistics are not converted. A loss must have the
	// parameters' dtype, too: convert the scores that it is computed from, by scores.AsType(params.DType()).
	Compute dtype.DType
	// Comm connects the goroutines and processes that train replicas of the parameters at the same time.
	// [SyncBatchNormalization] takes its statistics over all of them.
	Comm *comm.Communicator
}

// Watch returns a view of s for one training step. The tape watches its trained parameters, so that gradients flow to
// them. Functions that behave differently in training, such as [BatchNormalization] and [Dropout], do so with the view.
// A parameter is watched when it is first used; a parameter created through the view is created in s. The view, and the
// result of Sub on it, are valid until the tape is reset.
func (s *Scope) Watch(tape *grad.Tape, opts ...WatchOptions) *Scope {
	const fn nd.Func = "Scope.Watch"
	o := options.Read(fn, opts)
	if o.Compute != dtype.Unspecified && !o.Compute.IsFloat() {
		panic(fn.Errorf(nil, "Compute is %s: want a real float dtype", o.Compute))
	}
	v := *s
	v.view.watch = &watch{tape: tape, arrays: map[*Param]*nd.Array{}, computed: map[*Param]computed{}}
	v.view.evaluate, v.view.rand, v.view.compute, v.view.comm = o.Test, o.Rand, o.Compute, o.Comm
	return &v
}

// Fixed returns a view of s whose parameters are constants: results computed with it pass no gradient to them, while
// statistics are updated as with s. In other views the parameters stay trained. NNabla's fix_parameters does this.
func (s *Scope) Fixed() *Scope {
	v := *s
	v.view.fixed = true
	return &v
}

// Training reports whether functions of the scope behave as in training: true for a view of Watch without Test.
func (s *Scope) Training() bool { return s.view.watch != nil && !s.view.evaluate }

// Rand returns the stream of random numbers that [Scope.Watch] was given for a training step. It panics without one.
func (s *Scope) Rand() *nd.Rand {
	if s.view.rand == nil {
		panic(nd.Func("Scope.Rand").Errorf(nil, "no stream of random numbers: give Scope.Watch one, as nn.WatchOptions{Rand: rng}"))
	}
	return s.view.rand
}

// Comm returns the communicator that [Scope.Watch] was given, or nil.
func (s *Scope) Comm() *comm.Communicator { return s.view.comm }

// Span names the operations of a layer, until the returned function is called:
//
//	defer s.Span("Linear", x)()
//
// A picture of the model draws the operations as one. in are the input arrays of the layer. See grad.Tape.Span. For a
// scope that is not a view of Watch, Span does nothing.
func (s *Scope) Span(name string, in ...*nd.Array) (end func()) {
	if s.view.watch == nil {
		return noSpan
	}
	return s.view.watch.tape.Span(name, in...)
}

func noSpan() {}

// array returns the parameter as the view's users see it.
func (s *Scope) array(p *Param) *nd.Array {
	x := s.view.array(p)
	s.view.uses.record(p, x, s.Training())
	return x
}

func (v *view) array(p *Param) *nd.Array {
	if x, ok := v.replacements[p]; ok {
		if v.fixed {
			return x.Detach()
		}
		return x
	}
	if v.watch == nil || v.fixed || !p.NeedGrad() {
		return p.value
	}
	w := v.watch.arrays[p]
	if w != nil && w.IsReleased() {
		panic(nd.Func("Scope.Parameter").Errorf(nil, "a view of Scope.Watch is valid until its tape is reset: call Watch again for the next step"))
	}
	if w == nil {
		w = v.watch.tape.Watch(p.value)
		n, _ := w.Node()
		n.Name = p.path
		v.watch.arrays[p] = w
	}
	return w
}

// Tape returns the tape that watches the parameters of a view of [Scope.Watch], or nil for other scopes.
func (s *Scope) Tape() *grad.Tape {
	if s.view.watch == nil {
		return nil
	}
	return s.view.watch.tape
}

// Watched returns the array that the tape of a view of [Scope.Watch] watches for a parameter, or nil if nothing has
// used the parameter yet. It is for authors of optimizers: package nn/optim finds gradients with it.
func (s *Scope) Watched(p *Param) *nd.Array {
	if s.view.watch == nil {
		return nil
	}
	return s.view.watch.arrays[p]
}
