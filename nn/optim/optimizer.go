package optim

import (
	"math"
	"path"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Optimizer moves parameters along their gradients, in place. It keeps state for every parameter that it has moved. Use
// an Optimizer from one goroutine.
type Optimizer struct {
	rule     Rule
	rate     float64
	updates  int
	states   map[*nn.Param]*state
	restored map[string]*state // restored states of parameters that do not exist yet, by path
	program  stepPrograms
	norms    []norm // for rule.Norms

	scalars         []float64 // of the last update; they stay valid for the same Step
	scalarsAt       Step
	scalarArguments []float64   // the scalars of the chain, then of the rule
	operands        []*nd.Array // of the last update; only the memory is reused
	chain           chain
	measured        []*nd.Array // the norms
}

// Name returns the kind of optimizer, such as "Adam".
func (o *Optimizer) Name() string { return o.rule.Name }

// Options returns the options that the optimizer was made with, such as an [AdamOptions], with the default of every option
// that was not given. Its LR is the first learning rate. The result is nil for an optimizer that [NewOptimizer] made.
func (o *Optimizer) Options() any {
	if o.rule.options == nil {
		return nil
	}
	return o.rule.options()
}

// LearningRate returns the learning rate.
func (o *Optimizer) LearningRate() float64 { return o.rate }

// EffectiveRate returns the learning rate that the last update used. For Adam and similar optimizers it is corrected,
// α·√(1-β2ᵗ)/(1-β1ᵗ), which matters in the first updates; for others it is LearningRate. Chainer's Adam.lr is this
// number.
func (o *Optimizer) EffectiveRate() float64 {
	if i := slices.Index(o.rule.Scalars, "step"); i >= 0 && len(o.scalars) > 0 {
		return o.scalars[i]
	}
	return o.rate
}

// SetLearningRate sets the learning rate of the following updates, which may be 0. It refuses a negative rate, which
// would lead away from the minimum, and a rate that is not finite.
func (o *Optimizer) SetLearningRate(rate float64) {
	checkRate(o.fn("SetLearningRate"), rate)
	o.rate = rate
}

// Updates returns how often Update was called. After a training is restored the count continues. [Optimizer.Of]
// restores the largest update count of any parameter.
func (o *Optimizer) Updates() int { return o.updates }

func (o *Optimizer) fn(method string) nd.Func { return nd.Func(o.rule.Name + "." + method) }

// checkRate refuses a rate that is negative or not finite.
func checkRate(fn nd.Func, rate float64) {
	if !isRate(rate) {
		panic(fn.Errorf(nil, "learning rate %v: want a number that is at least 0", rate))
	}
}

func isRate(rate float64) bool { return rate >= 0 && !math.IsInf(rate, 1) }

// Update moves every parameter that has a gradient. Other parameters, and their states, stay as they are. Update
// overwrites parameters, so that the tape cannot compute gradients of the same loss again.
func (o *Optimizer) Update(g *Gradients) {
	fn := o.fn("Update")
	g.checkValid(fn)
	for _, e := range g.list {
		if e.value != nil {
			o.check(fn, e.param)
		}
	}
	for _, e := range g.list {
		if e.value != nil {
			o.move(fn, e)
		}
	}
	o.updates++
}

// UpdateOne is Update for one parameter, which g must have: the other parameters stay, and so does Updates. Without a
// gradient the parameter stays too. The corrections of rules such as Adam count the updates of each parameter.
// Chainer: GradientMethod.update_one.
func (o *Optimizer) UpdateOne(g *Gradients, p *nn.Param) {
	fn := o.fn("UpdateOne")
	i := slices.IndexFunc(g.list, func(e *gradient) bool { return e.param == p })
	if i < 0 {
		panic(fn.Errorf(nil, "the parameter is none of those of the gradients"))
	}
	if e := g.list[i]; e.value != nil {
		checkValid(fn, e)
		o.check(fn, p)
		o.move(fn, e)
	}
}

// check refuses a parameter that does not fit the rule, or a restored state that waits for it.
func (o *Optimizer) check(fn nd.Func, p *nn.Param) {
	o.checkDType(fn, p)
	w := p.Value()
	if s := o.restored[p.Path()]; s != nil {
		for i, x := range s.arrays {
			if !broadcast.Equal(x.Shape(), w.Shape()) {
				panic(fn.Errorf([]*nd.Array{w, x}, "the restored state %q has another shape than its parameter",
					path.Join(p.Path(), o.rule.States[i])))
			}
		}
	}
}

// checkDType refuses a parameter whose dtype does not fit the rule.
func (o *Optimizer) checkDType(fn nd.Func, p *nn.Param) {
	if w := p.Value(); !w.DType().IsFloat() && !o.rule.Complex {
		panic(fn.Errorf([]*nd.Array{w}, "the parameter %q: complex parameters have no meaning here", p.Path()))
	}
}

// move updates one parameter.
func (o *Optimizer) move(fn nd.Func, e *gradient) {
	s := o.stateOf(e.param)
	w, c := e.param.Value(), &o.chain
	scalars, reading := o.scalarsFor(e, s.t+1), coupled
	if o.rule.Decoupled {
		reading = decoupled
	}
	r := roomBeside(len(scalars), 2*(1+len(s.arrays))+len(o.norms)+1)
	c.read(fn, e, len(e.steps), reading, r)
	if rate := o.added(e); rate != 0 {
		c.add(fn, e, &step{kind: decayed, by: rate}, reading, r)
	}
	t := dtype.ComputeType(w.DType())
	o.scalarArguments = append(append(o.scalarArguments[:0], c.scalars...), scalars...)

	o.operands = append(append(o.operands[:0], w), s.arrays...)
	outputs := len(o.operands)
	o.operands = append(o.operands, o.operands...)
	for i := range o.norms {
		o.measured = append(o.measured, o.norms[i].compute(fn, c, scalars, o.operands[outputs:]))
	}
	o.operands = append(append(append(o.operands, o.measured...), c.value), c.extraInputs...)
	run(fn, o.program.of(t, c), o.scalarArguments, o.operands[:outputs], o.operands[outputs:])
	s.t++
	for _, norm := range o.measured {
		norm.Release()
	}
	o.measured = o.measured[:0]
	clear(o.operands)
	c.releaseTemporaries()
}

// scalarsFor returns the rule's scalars for update t with a gradient. They are usually the same for all parameters.
func (o *Optimizer) scalarsFor(e *gradient, t int) []float64 {
	at := Step{T: t, LearningRate: o.rate}
	if o.rule.Decoupled {
		rate, said := e.decay()
		if !said {
			rate = o.rule.Decay
		}
		at.Decay = rate
	}
	if at != o.scalarsAt && o.rule.Values != nil {
		o.scalarsAt, o.scalars = at, o.rule.Values(o.scalars[:0], at)
		if len(o.scalars) != len(o.rule.Scalars) {
			o.scalarsAt = Step{}
			panic(o.fn("Update").Errorf(nil, "the rule's Values gave %d numbers for the scalars %q", len(o.scalars), o.rule.Scalars))
		}
	}
	return o.scalars
}

// added returns the rate of weight decay that the rule adds to a gradient without WeightDecay statements.
func (o *Optimizer) added(e *gradient) float64 {
	if o.rule.Decoupled || o.rule.Decay == 0 {
		return 0
	}
	if _, said := e.decay(); said {
		return 0
	}
	return o.rule.Decay
}

// decay returns the total rate of the WeightDecay statements about the gradient, and whether there are any.
func (e *gradient) decay() (rate float64, said bool) {
	for i := range e.steps {
		if s := &e.steps[i]; s.kind == decayed {
			rate, said = rate+s.by, true
		}
	}
	return rate, said
}
