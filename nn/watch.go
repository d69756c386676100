package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// view is how a use of a scope sees its parameters. The zero view is that of evaluation.
type view struct {
	watch *watch               // nil where the arrays are not a tape's
	given map[*Param]*nd.Array // in place of the parameters' own
	fixed bool                 // parameters are constants
	test  bool                 // functions behave as in evaluation although parameters are watched
	rand  *nd.Rand             // what dropout and its like draw from
	uses  *uses                // takes down which parameters are asked for; nil where nobody wants to know
}

// watch has the arrays that a tape watches for a tree of parameters.
type watch struct {
	tape   *grad.Tape
	arrays map[*Param]*nd.Array
}

// WatchOptions are the options of [Scope.Watch].
type WatchOptions struct {
	// Rand is the stream that [Dropout] and its like draw from. Without one they refuse.
	Rand *nd.Rand
	// Test lets functions behave as in evaluation although gradients flow, so that a network is tuned with its statistics frozen.
	Test bool
}

// Watch returns a view of s for one step of training: its trained parameters are arrays that the tape watches, so that gradients
// flow to them, and functions that behave otherwise in training, such as [BatchNormalization] and [Dropout], do so. A parameter
// is watched when it is first used; one that is created through the view is created in s. The view, and what Sub returns of it,
// are valid until the tape is reset.
func (s *Scope) Watch(tape *grad.Tape, opts ...WatchOptions) *Scope {
	const fn nd.Func = "Scope.Watch"
	o := options.Read(fn, opts)
	v := *s
	v.view.watch = &watch{tape: tape, arrays: map[*Param]*nd.Array{}}
	v.view.test, v.view.rand = o.Test, o.Rand
	return &v
}

// Fixed returns a view of s whose parameters are constants: no gradient flows to them from what is computed with it, while
// statistics go on as s's do. The parameters themselves stay trained ones elsewhere. nnabla's fix_parameters.
func (s *Scope) Fixed() *Scope {
	v := *s
	v.view.fixed = true
	return &v
}

// Training reports whether functions of the scope behave as in training: whether it is a view of Watch, without Test.
func (s *Scope) Training() bool { return s.view.watch != nil && !s.view.test }

// Rand returns the stream of random numbers of a step of training, which [Scope.Watch] was given; it refuses where that is none.
func (s *Scope) Rand() *nd.Rand {
	if s.view.rand == nil {
		panic(nd.Func("Scope.Rand").Errorf(nil, "no stream of random numbers: give Scope.Watch one, as nn.WatchOptions{Rand: rng}"))
	}
	return s.view.rand
}

// Span gives the operations of a layer a name, until the function that it returns is called:
//
//	defer s.Span("Linear", x)()
//
// A picture of the model draws them as one; in are the arrays that the layer is given. See grad.Tape.Span. Of a scope that is not a
// view of Watch it does nothing.
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
	s.view.uses.note(p, x, s.Training())
	return x
}

func (v *view) array(p *Param) *nd.Array {
	if x, ok := v.given[p]; ok {
		if v.fixed {
			return x.Detach()
		}
		return x
	}
	if v.watch == nil || v.fixed || !p.NeedGrad() {
		return p.value
	}
	w := v.watch.arrays[p]
	if w == nil {
		w = v.watch.tape.Watch(p.value)
		n, _ := w.Node()
		n.Name = p.path
		v.watch.arrays[p] = w
	}
	return w
}

// Tape returns the tape that watches the parameters of a view of [Scope.Watch]; nil of other scopes.
func (s *Scope) Tape() *grad.Tape {
	if s.view.watch == nil {
		return nil
	}
	return s.view.watch.tape
}

// Watched returns the array that the tape of a view of [Scope.Watch] watches for a parameter; nil where nothing has used the parameter
// yet. It is for authors of optimizers: package nn/optim finds gradients with it.
func (s *Scope) Watched(p *Param) *nd.Array {
	if s.view.watch == nil {
		return nil
	}
	return s.view.watch.arrays[p]
}
