package nn

import (
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Optimizer moves parameters along their gradients, in place. It keeps state for every parameter that it has moved. It is
// used from one goroutine.
type Optimizer struct {
	rule   *rule
	rate   float64
	values values
	states map[*Param]*state

	scalars   []float64 // of the last update: scale, decay, then values, which stay valid for the same t and rate
	scalarsAt struct {
		t    int
		rate float64
	}
	operands []*nd.Array // of the last update, kept for its memory
}

// values appends a rule's scalars for update t of a parameter, counted from 1.
type values func(scalars []float64, rate float64, t int) []float64

// rule is how a kind of optimizer moves a parameter: one elementwise program that computes the parameter w and the states from
// the gradient g and their values before, w_old and, for a state m, m_old.
type rule struct {
	name    string
	states  []string // 0 at first
	scalars []string
	body    string
	complex bool // whether the rule has a meaning for complex parameters

	programs device.Programs
}

func newOptimizer(r *rule, rate float64, values values) *Optimizer {
	return &Optimizer{rule: r, rate: rate, values: values, states: map[*Param]*state{}}
}

// Name returns the kind of optimizer, such as "Adam".
func (o *Optimizer) Name() string { return o.rule.name }

// LearningRate returns the learning rate.
func (o *Optimizer) LearningRate() float64 { return o.rate }

// SetLearningRate sets the learning rate of the updates to come.
func (o *Optimizer) SetLearningRate(rate float64) { o.rate = rate }

// Update moves every parameter that has a gradient; the others, and their states, stay as they are. As the
// parameters are overwritten, the tape cannot compute gradients of the same loss again.
func (o *Optimizer) Update(g *Gradients) {
	fn := nd.Func(o.rule.name + ".Update")
	for i := range g.list {
		if e := &g.list[i]; e.value != nil && !e.param.value.DType().IsFloat() && !o.rule.complex {
			panic(fn.Errorf([]*nd.Array{e.param.value}, "the parameter %q: complex parameters have no meaning here", e.param.path))
		}
	}
	for i := range g.list {
		if e := &g.list[i]; e.value != nil {
			o.move(fn, e)
		}
	}
}

func (o *Optimizer) move(fn nd.Func, e *gradient) {
	w := e.param.value
	s := o.states[e.param]
	if s == nil {
		s = o.rule.newState(w)
		o.states[e.param] = s
	}
	s.t++
	outputs := 1 + len(s.arrays)
	o.operands = append(o.operands[:0], w)
	o.operands = append(o.operands, s.arrays...)
	o.operands = append(o.operands, o.operands...)
	o.operands = append(o.operands, e.value)
	p := o.rule.programs.OfSource(dtype.ComputeType(w.DType()), o.rule.source)
	run(fn, p, o.scalarsFor(e, s.t), o.operands[:outputs], o.operands[outputs:])
	clear(o.operands)
}

// scalarsFor returns the scalars of update t with a gradient. Most often t is the same for all parameters.
func (o *Optimizer) scalarsFor(e *gradient, t int) []float64 {
	if at := &o.scalarsAt; at.t != t || at.rate != o.rate {
		at.t, at.rate = t, o.rate
		o.scalars = o.values(append(o.scalars[:0], 1, 0), o.rate, t)
	}
	o.scalars[0], o.scalars[1] = e.scale, e.decay
	return o.scalars
}

// source makes the program of one update.
func (r *rule) source(dtype.DType) device.Source {
	out := append([]string{"T w"}, declared(r.states, "")...)
	in := append(append([]string{"T w_old"}, declared(r.states, "_old")...), "T g_given")
	return device.Source{
		Name:    "nn." + r.name,
		Inputs:  strings.Join(in, ", "),
		Scalars: strings.Join(append([]string{"T scale", "T decay"}, declared(r.scalars, "")...), ", "),
		Outputs: strings.Join(out, ", "),
		Body:    "g = scale*g_given + decay*w_old; " + r.body,
	}
}

func declared(names []string, suffix string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = "T " + name + suffix
	}
	return list
}
