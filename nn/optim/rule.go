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

// Rule defines how a kind of optimizer moves a parameter. It is an elementwise program, in the language of
// ops.NewKernel, which runs as one pass over all arrays that it reads. [NewOptimizer] makes an optimizer from a Rule.
type Rule struct {
	// Name is the kind of optimizer, such as "Adam".
	Name string
	// LearningRate is the initial learning rate.
	LearningRate float64
	// States are the names of the arrays that are kept for every parameter. They have its shape.
	States []string
	// Initial holds the initial values of states that do not begin at 0, by name.
	Initial map[string]float64
	// Scalars are the names of the numbers that Values appends. A scalar named step is the learning rate with the
	// rule's corrections, which [Optimizer.EffectiveRate] returns.
	Scalars []string
	// Values appends the scalars of an update, in their order. It is called whenever its argument changes.
	Values func(scalars []float64, at Step) []float64
	// Norms are L2 norms that Body needs, such as the norm of the parameter. Each norm takes a separate pass before
	// Body.
	Norms []Norm
	// Body computes the parameter w and the states, such as m, from their old values, w_old and m_old, the gradient
	// grad, the scalars and the norms. All have type T, except the norms, which have T's real type R. T is the
	// parameter's dtype, or float32 for a 16-bit parameter.
	Body string
	// Decoupled keeps weight decay out of the gradient: Values gets the rate, and Body applies it.
	Decoupled bool
	// Decay is the rate of weight decay if Gradients.WeightDecay states none. If the rule is not decoupled, Decay times
	// the parameter is added to the gradient, after all statements about it.
	Decay float64
	// Complex says that the rule is defined for complex parameters. Otherwise they are refused.
	Complex bool

	options func() any // returns the options, with all defaults
	chainer []string   // the states' names in Chainer's files; "-" before a name marks the opposite sign
}

// Step is the input of a rule's Values.
type Step struct {
	T            int     // the number of this update of the parameter, counted from 1
	LearningRate float64 // of the optimizer
	Decay        float64 // the rate of weight decay; 0 unless the rule is decoupled
}

// Norm is √Σ|y|², where a body computes y for each element.
type Norm struct {
	// Name is the name of the norm in the rule's body.
	Name string
	// Body computes y from the names of the rule's body, except the norms.
	Body string
}

// NewOptimizer returns an optimizer that follows a custom rule. It refuses a rule that does not compile.
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
	for i, name := range names { // names with the prefix given_ belong to the chain
		if !legal.MatchString(name) || strings.HasPrefix(name, "given_") || slices.Contains(names[:i], name) {
			panic(fn.Errorf(nil, "the rule %s: %q cannot be a name, or is one already", r.Name, name))
		}
	}
	for state := range r.Initial {
		if !slices.Contains(r.States, state) {
			panic(fn.Errorf(nil, "the rule %s: an initial value of %q, which is not a state", r.Name, state))
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

// newOptimizer returns an optimizer that follows a rule known to be valid.
func newOptimizer(r Rule) *Optimizer {
	o := &Optimizer{rule: r, rate: r.LearningRate, states: map[*nn.Param]*state{}, program: stepPrograms{source: r.update()}}
	o.norms = make([]norm, len(r.Norms))
	for i, n := range r.Norms {
		o.norms[i].set(&r, n)
	}
	return o
}

// update returns the source of the program for one update.
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

// declared returns declarations of names.
func declared(kind string, names []string, suffix string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = kind + name + suffix
	}
	return list
}
