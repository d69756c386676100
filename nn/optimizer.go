package nn

import (
	"strings"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
)

// Optimizer moves parameters along their gradients, in place. It keeps state for every parameter that it has moved. It is
// used from one goroutine.
type Optimizer struct {
	rule   *rule
	rate   float64
	values func(rate float64, t int) []float64 // the rule's scalars, at a parameter's update number t
	states map[*Param]*state
}

// rule is how a kind of optimizer moves a parameter: one elementwise program of the parameter w, the gradient g and the
// states, whose values before are w_old, and the state's name and _old.
type rule struct {
	name    string
	states  []string // 0 at first
	scalars []string
	body    string
	complex bool // whether the rule has a meaning for complex parameters

	once    sync.Once
	program program
}

func newOptimizer(r *rule, rate float64, values func(rate float64, t int) []float64) *Optimizer {
	return &Optimizer{rule: r, rate: rate, values: values, states: map[*Param]*state{}}
}

// Name returns the kind of optimizer, such as "Adam".
func (o *Optimizer) Name() string { return o.rule.name }

// LearningRate returns the learning rate.
func (o *Optimizer) LearningRate() float64 { return o.rate }

// SetLearningRate sets the learning rate of the updates to come.
func (o *Optimizer) SetLearningRate(rate float64) { o.rate = rate }

// Update moves every parameter that has a gradient; the others, and their states, stay as they are. The parameters are
// written: gradients cannot be asked of the same record again.
func (o *Optimizer) Update(g *Gradients) {
	fn := o.rule.name + ".Update"
	for i := range g.list {
		if e := &g.list[i]; e.value != nil && !e.param.value.DType().IsFloat() && !o.rule.complex {
			panic(nd.Errorf(fn, []*nd.Array{e.param.value}, "the parameter %q: complex parameters have no meaning here", e.param.path))
		}
	}
	for i := range g.list {
		if e := &g.list[i]; e.value != nil {
			o.move(fn, e)
		}
	}
}

func (o *Optimizer) move(fn string, e *gradient) {
	w := e.param.value
	s := o.states[e.param]
	if s == nil {
		s = o.rule.newState(w)
		o.states[e.param] = s
	}
	s.t++
	out := append([]*nd.Array{w}, s.arrays...)
	in := append(append([]*nd.Array{w}, s.arrays...), e.value)
	scalars := append([]float64{e.scale, e.decay}, o.values(o.rate, s.t)...)
	o.rule.fused().run(fn, w.DType(), scalars, out, in)
}

// fused returns the program of one update.
func (r *rule) fused() *program {
	r.once.Do(func() {
		out := append([]string{"T w"}, declared(r.states, "")...)
		in := append(append([]string{"T w_old"}, declared(r.states, "_old")...), "T g_given")
		r.program.source.Name = "nn." + r.name
		r.program.source.Inputs = strings.Join(in, ", ")
		r.program.source.Outputs = strings.Join(out, ", ")
		r.program.source.Scalars = strings.Join(append([]string{"T scale", "T decay"}, declared(r.scalars, "")...), ", ")
		r.program.source.Body = "g = scale*g_given + decay*w_old; " + r.body
	})
	return &r.program
}

func declared(names []string, suffix string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = "T " + name + suffix
	}
	return list
}
