package optim

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Rule is how a kind of optimizer moves a parameter: an elementwise program, in the language of ops.NewKernel, that one pass runs
// over all it reads. [NewOptimizer] makes an optimizer of it.
type Rule struct {
	// Name is the kind of optimizer, such as "Adam".
	Name string
	// LearningRate is that of the first updates.
	LearningRate float64
	// States are the names of what is kept of every parameter: arrays of its shape.
	States []string
	// Initial are the values of states that do not begin at 0, by their names.
	Initial map[string]float64
	// Scalars are the names of the numbers that Values gives. One that is called step is the learning rate with the rule's
	// corrections, which [Optimizer.EffectiveRate] shows.
	Scalars []string
	// Values appends the scalars of an update, in their order. It is called whenever what it is given changes.
	Values func(scalars []float64, at Step) []float64
	// Norms are L2 norms that Body needs, such as that of the parameter. Each is a pass of its own before.
	Norms []Norm
	// Body computes the parameter w and the states, such as m, from what they were, w_old and m_old, the gradient grad, the
	// scalars and the norms. All are of type T, but the norms, which are of T's real type R. T is the parameter's dtype, or float32
	// where that has 16 bits.
	Body string
	// Decoupled says that weight decay is not added to the gradient: Values is told the rate, and Body does what it will with it.
	Decoupled bool
	// Decay is the rate of weight decay where Gradients.WeightDecay says none. A rule that is not decoupled has Decay times the parameter
	// added to the gradient, after all statements about it.
	Decay float64
	// Complex says that the rule has a meaning for complex parameters. Without it they are refused.
	Complex bool

	chainer []string // what Chainer's files call the states; one that has the other sign there has "-" before its name
}

// Step is what a rule's scalars depend on.
type Step struct {
	T            int     // the number of this update of the parameter, counted from 1
	LearningRate float64 // of the optimizer
	Decay        float64 // the rate of weight decay; 0 where the rule is not decoupled
}

// Norm is √Σ|y|² of what a body computes for each element.
type Norm struct {
	// Name is that of the norm in the rule's body.
	Name string
	// Body computes y from what the rule's body has, without the norms.
	Body string
}

// NewOptimizer returns an optimizer that follows a rule of the caller's own. A rule that does not compile is refused.
func NewOptimizer(r Rule) *Optimizer {
	const fn nd.Func = "optim.NewOptimizer"
	if r.Name == "" || r.Values == nil && len(r.Scalars) > 0 {
		panic(fn.Errorf(nil, "the rule %q: want a name, and Values for the scalars %q", r.Name, r.Scalars))
	}
	checkRate(fn, r.LearningRate)
	checkNonNegative(fn, "Decay", r.Decay)
	names := slices.Concat([]string{"w", "w_old", "grad", "t"}, r.States, r.Scalars)
	for _, state := range r.States {
		names = append(names, state+"_old")
	}
	for _, n := range r.Norms {
		names = append(names, n.Name)
	}
	legal := regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)
	for i, name := range names { // those that begin with given_ are the chain's
		if !legal.MatchString(name) || strings.HasPrefix(name, "given_") || slices.Contains(names[:i], name) {
			panic(fn.Errorf(nil, "the rule %s: %q cannot be a name, or is one already", r.Name, name))
		}
	}
	for state := range r.Initial {
		if !slices.Contains(r.States, state) {
			panic(fn.Errorf(nil, "the rule %s: an initial value of %q, which is no state", r.Name, state))
		}
	}
	r.States, r.Scalars, r.Norms = slices.Clone(r.States), slices.Clone(r.Scalars), slices.Clone(r.Norms)
	r.Initial = maps.Clone(r.Initial)
	o := newOptimizer(r)
	sources := []device.Source{new(chain).source(o.program.source)}
	for i := range o.norms {
		norm := &o.norms[i]
		if len(norm.reads) == 0 && !norm.gradient {
			panic(fn.Errorf(nil, "the rule %s: the norm %s reads neither the parameter nor its gradient or states", r.Name, r.Norms[i].Name))
		}
		sources = append(sources, norm.source())
	}
	for _, source := range sources {
		if _, err := source.Compile(func(byte) dtype.DType { return dtype.Float32 }); err != nil {
			panic(fn.Errorf(nil, "the rule %s: %v", r.Name, err))
		}
	}
	return o
}

// newOptimizer returns an optimizer that follows a rule which is known to be right.
func newOptimizer(r Rule) *Optimizer {
	o := &Optimizer{rule: r, rate: r.LearningRate, states: map[*nn.Param]*state{}, program: stepPrograms{source: r.update()}}
	o.norms = make([]norm, len(r.Norms))
	for i, n := range r.Norms {
		o.norms[i].set(&r, n)
	}
	return o
}

// update is the program of one update.
func (r *Rule) update() device.Source {
	in := append([]string{parameterInput}, declared("T ", r.States, "_old")...)
	for _, n := range r.Norms {
		in = append(in, "R "+n.Name)
	}
	return device.Source{
		Name:    "optim." + r.Name,
		Inputs:  strings.Join(in, ", "),
		Scalars: strings.Join(declared("T ", r.Scalars, ""), ", "),
		Outputs: strings.Join(append([]string{"T w"}, declared("T ", r.States, "")...), ", "),
		Body:    r.Body,
	}
}

// declared are declarations of names.
func declared(kind string, names []string, suffix string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = kind + name + suffix
	}
	return list
}
