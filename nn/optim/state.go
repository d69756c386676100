package optim

import (
	"path"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// state is the optimizer's state for one parameter.
type state struct {
	arrays []*nd.Array // in the order of Rule.States
	t      int         // updates so far
}

// newState returns the initial values. States of 16-bit parameters are float32, the dtype of the computation.
func (r *Rule) newState(w *nd.Array) *state {
	s := &state{arrays: make([]*nd.Array, len(r.States))}
	for i, name := range r.States {
		like := nd.ArrayOptions{DType: dtype.ComputeType(w.DType()), Device: w.Device()}
		if v := r.Initial[name]; v != 0 {
			s.arrays[i] = nd.Full(w.Shape(), v, like)
		} else {
			s.arrays[i] = nd.Zeros(w.Shape(), like)
		}
	}
	return s
}

// converted returns a copy of a restored state for a parameter, in the dtype and on the device of the parameter's states.
func (r *Rule) converted(s *state, w *nd.Array) *state {
	fresh := r.newState(w)
	fresh.t = s.t
	for i, x := range s.arrays {
		layer.Overwrite(fresh.arrays[i], x)
	}
	return fresh
}

// stateOf returns the state of a parameter: the existing state, a restored state that waits for it, or a new one.
func (o *Optimizer) stateOf(p *nn.Param) *state {
	s := o.states[p]
	if s != nil {
		return s
	}
	if waiting := o.restored[p.Path()]; waiting != nil {
		s = o.rule.converted(waiting, p.Value())
		delete(o.restored, p.Path())
	} else {
		s = o.rule.newState(p.Value())
	}
	o.states[p] = s
	return s
}

// Setup makes the optimizer begin anew with the parameters below a scope: it discards all states, including restored ones,
// sets Updates to 0, and gives every trained parameter its initial states. The learning rate stays. Without Setup a
// parameter gets its states at its first update.
// Chainer: Optimizer.setup.
func (o *Optimizer) Setup(scope *nn.Scope) {
	fn := o.fn("Setup")
	for _, p := range scope.Trained() {
		o.checkDType(fn, p)
	}
	o.updates, o.restored = 0, nil
	clear(o.states)
	for _, p := range scope.Trained() {
		o.stateOf(p)
	}
}

// Prepare gives initial states to the trained parameters below a scope that have none, or the restored states that wait
// for them. States on another device than their parameter move there. No parameter changes.
// Chainer: Optimizer.prepare.
func (o *Optimizer) Prepare(scope *nn.Scope) {
	fn := o.fn("Prepare")
	for _, p := range scope.Trained() {
		o.check(fn, p)
	}
	for _, p := range scope.Trained() {
		s := o.stateOf(p)
		for i, x := range s.arrays {
			s.arrays[i] = x.To(p.Value().Device())
		}
	}
}

// InitState gives one parameter its initial states, on its device, instead of those that it had. It returns them as
// [Optimizer.State] does, but with the names of the states alone, such as "mean", and without "t".
// Chainer: Optimizer.init_state.
func (o *Optimizer) InitState(p *nn.Param) nd.NamedArrays {
	o.checkDType(o.fn("InitState"), p)
	delete(o.restored, p.Path())
	s := o.rule.newState(p.Value())
	o.states[p] = s
	var all nd.NamedArrays
	for i, x := range s.arrays {
		all = append(all, nd.Named{Name: o.rule.States[i], Array: x})
	}
	return all
}

// SetState makes the optimizer use the given arrays as states of one parameter, by the names that InitState returns, such
// as "m". Updates write to them. The state "t", one whole number, is the count of the parameter's updates, and Updates is
// then at least that. States that are not given stay. SetState refuses an unknown name, and an array without the
// parameter's shape and device or with another dtype than InitState gives.
func (o *Optimizer) SetState(p *nn.Param, states nd.NamedArrays) {
	fn, w := o.fn("SetState"), p.Value()
	o.check(fn, p)
	like := dtype.ComputeType(w.DType())
	count := -1
	for _, s := range states {
		if s.Name == countName {
			fn.Check(s.Array)
			if s.Array.Size() == 1 && s.Array.DType().IsInteger() {
				count = nd.Value[int](s.Array)
			}
			if count < 0 {
				panic(fn.Errorf([]*nd.Array{s.Array}, "the state %q: want one whole number that is at least 0", s.Name))
			}
			continue
		}
		fn.Check(w, s.Array)
		if !slices.Contains(o.rule.States, s.Name) {
			panic(fn.Errorf([]*nd.Array{s.Array}, "the state %q: want one of %q", s.Name, o.rule.States))
		}
		if s.Array.DType() != like || !broadcast.Equal(s.Array.Shape(), w.Shape()) {
			panic(fn.Errorf([]*nd.Array{w, s.Array}, "the state %q: want the parameter's shape, and %s", s.Name, like))
		}
	}
	own := o.stateOf(p)
	for _, s := range states {
		if s.Name == countName {
			own.t = count
			o.updates = max(o.updates, count)
			continue
		}
		own.arrays[slices.Index(o.rule.States, s.Name)] = s.Array
	}
}

// Forget discards the states of parameters: they begin anew at their next update. Updates stays.
func (o *Optimizer) Forget(params ...*nn.Param) {
	for _, p := range params {
		delete(o.states, p)
		delete(o.restored, p.Path())
	}
}

// State returns the optimizer's states of the parameters below the scope: for the parameter "W" arrays such as
// "W/mean", and "W/t", the number of its updates. The arrays are the optimizer's own, except t, which is a copy.
// [Optimizer.Of] saves them in a file.
func (o *Optimizer) State(scope *nn.Scope) nd.NamedArrays {
	var all nd.NamedArrays
	for name, p := range scope.All() {
		s := o.states[p]
		if s == nil {
			continue
		}
		for i, x := range s.arrays {
			all = append(all, nd.Named{Name: path.Join(name, o.rule.States[i]), Array: x})
		}
		all = append(all, nd.Named{Name: path.Join(name, countName), Array: nd.FromSlice([]int64{int64(s.t)}).Reshape()})
	}
	return all
}
