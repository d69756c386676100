package optim

import (
	"iter"
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Gradients are the gradients of a loss with respect to the trained parameters of a scope, in the order of
// [nn.Scope.All].
//
// Statements such as Scale, WeightDecay and ClipByNorm record operations on the gradients, in the order of the calls.
// The optimizer carries them out in its pass over the parameters. A clip by a norm needs another pass before, which
// reads the gradients, but it does not wait for the device. Gradients are valid until the tape is reset.
type Gradients struct{ list []*gradient }

// gradient is the gradient of one parameter, with the statements about it. value may share its memory with other
// gradients and is never written.
type gradient struct {
	name  string
	param *nn.Param
	value *nd.Array // nil if no gradient flows
	steps []step

	computed   *nd.Array // the last result of compute
	computedAt int       // the number of steps that computed includes
}

// GradientsOf returns the gradients of a loss with respect to the trained parameters of a scope, which must come from
// [nn.Scope.Watch]. A parameter that loss does not depend on has no gradient. The loss must have one element: the losses
// of several examples need a mean or a sum, which scales the gradients. If the scope computes in another dtype (the option
// Compute of [nn.Scope.Watch]), the loss must have the parameters' dtype.
func GradientsOf(scope *nn.Scope, loss *nd.Array) *Gradients {
	const fn nd.Func = "optim.GradientsOf"
	fn.Check(loss)
	tape := scope.Tape()
	if tape == nil {
		panic(fn.Errorf([]*nd.Array{loss}, "the scope is not watched: compute with the result of Scope.Watch"))
	}
	if loss.Size() != 1 {
		panic(fn.Errorf([]*nd.Array{loss}, "the loss has shape %s: want one number, such as ops.Mean(loss)", broadcast.FormatShape(loss.Shape())))
	}
	if t := scope.ComputeDType(); t != scope.DType() && loss.DType() == t {
		panic(fn.Errorf([]*nd.Array{loss}, "the loss is %s, the dtype in which the layers compute: compute it from scores in %s, by scores.AsType(params.DType())",
			t, scope.DType()))
	}
	g := &Gradients{}
	var watched []*nd.Array
	var at []int
	for name, p := range scope.All() {
		if !p.NeedGrad() {
			continue
		}
		if w := scope.Watched(p); w != nil {
			watched, at = append(watched, w), append(at, len(g.list))
		}
		g.list = append(g.list, &gradient{name: name, param: p})
	}
	for k, value := range tape.Gradient(loss, watched...) {
		g.list[at[k]].value = value
	}
	return g
}

// NewGradients returns given gradients of the scope's trained parameters, by their names. A parameter that is missing
// in the map has no gradient.
func NewGradients(scope *nn.Scope, values map[string]*nd.Array) *Gradients {
	const fn nd.Func = "optim.NewGradients"
	g := &Gradients{}
	for name, p := range scope.All() {
		if !p.NeedGrad() {
			continue
		}
		value := values[name]
		if value != nil {
			fn.Check(p.Value(), value)
			if !broadcast.Equal(value.Shape(), p.Value().Shape()) {
				panic(fn.Errorf([]*nd.Array{p.Value(), value}, "the gradient of %q has another shape", p.Path()))
			}
			value = value.Detach()
		}
		g.list = append(g.list, &gradient{name: name, param: p, value: value})
	}
	for name, value := range values {
		if p := scope.Param(name); value != nil && (p == nil || !p.NeedGrad()) {
			panic(fn.Errorf([]*nd.Array{value}, "%q is not a trained parameter of the scope", name))
		}
	}
	return g
}

// All yields the names of the trained parameters with their gradients, as Get returns them.
func (g *Gradients) All() iter.Seq2[string, *nd.Array] {
	return func(yield func(string, *nd.Array) bool) {
		for _, e := range g.list {
			if !yield(e.name, e.compute()) {
				return
			}
		}
	}
}

// Get returns the gradient of the parameter of that name, after all statements so far. It returns nil if no gradient
// flows, or if no trained parameter has the name. The gradient has the parameter's dtype, and includes weight decay.
func (g *Gradients) Get(name string) *nd.Array {
	for _, e := range g.list {
		if e.name == name {
			return e.compute()
		}
	}
	return nil
}

// compute carries out the steps, and keeps the result for the next call.
func (e *gradient) compute() *nd.Array {
	if e.value == nil || len(e.steps) == 0 {
		return e.value
	}
	if e.computed == nil || e.computedAt != len(e.steps) {
		e.computed, e.computedAt = e.applied("Gradients.Get", e.param.Value().DType()), len(e.steps)
	}
	return e.computed
}

// Where returns the gradients of the parameters whose names pass a test. They are the gradients of g themselves, not
// copies. So statements can apply to some parameters only, and several optimizers can each move their own kind of
// parameter:
//
//	g.Where(isWeight).WeightDecay(1e-4)
func (g *Gradients) Where(test func(name string) bool) *Gradients {
	some := &Gradients{}
	for _, e := range g.list {
		if test(e.name) {
			some.list = append(some.list, e)
		}
	}
	return some
}

// FillMissing gives zero gradients to the parameters that no gradient flows to. Optimizers then count the update for
// these parameters and apply their momentum, like Chainer's optimizers. Earlier statements do not apply to the new
// gradients.
func (g *Gradients) FillMissing() {
	for _, e := range g.list {
		if e.value == nil {
			w := e.param.Value()
			zero := nd.Zeros(nil, nd.ArrayOptions{DType: dtype.ComputeType(w.DType()), Device: w.Device()})
			e.value, e.steps = zero.BroadcastTo(w.Shape()...), nil
		}
	}
}

// Scale multiplies the gradients by factor.
// NNabla: scale_grad.
func (g *Gradients) Scale(factor float64) {
	for _, e := range g.list {
		if last := e.last(scaled); last != nil {
			last.by *= factor
		} else {
			e.steps = append(e.steps, step{kind: scaled, by: factor})
		}
	}
}

// WeightDecay makes the parameters decay at the given rate. The optimizer decides what that means. Most optimizers add
// rate times the parameter to its gradient, which is the gradient of rate/2·Σw²: later statements, such as clips,
// include it. SGDW, AdamW, Lars, Lamb, Lion and AdaBelief with WeightDecouple leave the gradient as it is. For this
// update they use the rate (the sum of all rates) instead of the rate of their options: see there.
// NNabla: weight_decay.
func (g *Gradients) WeightDecay(rate float64) {
	g.add(decayed, rate)
}

// Lasso adds rate times the sign of the parameter to its gradient, the gradient of rate·Σ|w|: parameters move towards 0
// by steps of constant size. For every optimizer it is part of the gradient. The sign of 0 is 0. Lasso refuses complex
// gradients.
// Chainer: optimizer.Lasso.
func (g *Gradients) Lasso(rate float64) {
	g.wantReal("Gradients.Lasso", "complex numbers have no sign")
	g.add(signed, rate)
}

// add records a statement about all gradients. If the last statement about a gradient has the same kind, add adds rate
// to it instead.
func (g *Gradients) add(kind stepKind, rate float64) {
	for _, e := range g.list {
		if last := e.last(kind); last != nil {
			last.by += rate
		} else {
			e.steps = append(e.steps, step{kind: kind, by: rate})
		}
	}
}

// Noise adds normal noise with mean 0 and the given standard deviation to every element. [AnnealedNoise] gives a
// deviation that decreases from update to update. Each parameter has its own stream, split from rng: the noise depends
// on the order of the parameters, but not on how often or by whom gradients are read. It is drawn when gradients are
// read. Noise refuses complex gradients.
// Chainer: optimizer.GradientNoise.
func (g *Gradients) Noise(rng *nd.Rand, deviation float64) {
	const fn nd.Func = "Gradients.Noise"
	if !(deviation >= 0) || math.IsInf(deviation, 1) {
		panic(fn.Errorf(nil, "a standard deviation of %v: want a number that is at least 0", deviation))
	}
	g.wantReal(fn, "noise of complex numbers has no agreed meaning")
	for _, e := range g.list {
		e.steps = append(e.steps, step{kind: noisy, by: deviation, noise: rng.Split()})
	}
}

// AnnealedNoise returns the standard deviation √(eta/(1+t)^0.55) for [Gradients.Noise] after t updates (Neelakantan et
// al. 2015, who choose eta from 0.01, 0.3 and 1):
//
//	g.Noise(rng, optim.AnnealedNoise(0.3, opt.Updates()))
func AnnealedNoise(eta float64, t int) float64 {
	const fn nd.Func = "optim.AnnealedNoise"
	checkNonNegative(fn, "eta", eta)
	if t < 0 {
		panic(fn.Errorf(nil, "after %d updates: want a number that is at least 0", t))
	}
	return math.Sqrt(eta / math.Pow(1+float64(t), 0.55))
}

// last returns the last step, to be changed, if it has the given kind, otherwise nil.
func (e *gradient) last(kind stepKind) *step {
	k := len(e.steps) - 1
	if k < 0 || e.steps[k].kind != kind {
		return nil
	}
	e.computed = nil
	return &e.steps[k]
}
