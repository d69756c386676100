package model

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Call runs the model, and returns the values of the given names: outputs, or any other values of the model. Without
// names it returns the model's outputs. Inputs that the outputs do not need may be missing.
//
// A missing input, or one of another dtype or shape, is an *nd.Error before anything runs. An operation that refuses its
// inputs is an *nd.Error that names the operation.
func (m *Model) Call(inputs map[string]*nd.Array, outputs ...string) []*nd.Array {
	const fn nd.Func = "Model.Call"
	in := make(map[string]Value, len(inputs))
	for name, x := range inputs {
		in[name] = x
	}
	values := m.call(fn, in, outputs)
	arrays := make([]*nd.Array, len(values))
	for i, v := range values {
		x, ok := v.(*nd.Array)
		if !ok {
			panic(fn.Errorf(nil, "the output %q is a %T, not an array: use CallValues", m.names(outputs)[i], v))
		}
		arrays[i] = x
	}
	return arrays
}

// CallValues is Call for inputs and outputs that need not be arrays.
func (m *Model) CallValues(inputs map[string]Value, outputs ...string) []Value {
	return m.call("Model.CallValues", inputs, outputs)
}

// inside is the Caller of an operation, which runs in a call of m.
func (r *run) inside(s *step) Caller {
	return func(m *Model, inputs ...Value) []Value {
		if len(inputs) != len(m.def.Inputs) {
			panic(r.fn.Errorf(nil, "%s: %d inputs of the model inside, want %d", s.title(), len(inputs), len(m.def.Inputs)))
		}
		view := *m
		view.scope = r.model.scope
		return view.observed(r.fn, inputs, nil, r.observe.inside(s))
	}
}

func (m *Model) names(outputs []string) []string {
	if len(outputs) == 0 {
		return m.def.Outputs
	}
	return outputs
}

func (m *Model) call(fn nd.Func, inputs map[string]Value, outputs []string) []Value {
	return m.observed(fn, m.inOrder(fn, inputs), outputs, nil)
}

// inOrder returns the inputs in the order of the definition.
func (m *Model) inOrder(fn nd.Func, inputs map[string]Value) []Value {
	all := make([]Value, len(m.def.Inputs))
	for name, v := range inputs {
		id, ok := m.ids[name]
		if !ok || m.values[id].input < 0 {
			panic(fn.Errorf(nil, "the model has no input %q: its inputs are %q", name, inputNames(m.def.Inputs)))
		}
		if x, ok := v.(*nd.Array); !ok || x != nil {
			all[m.values[id].input] = v
		}
	}
	return all
}

// observed is call; observe, if set, is told of each operation.
func (m *Model) observed(fn nd.Func, inputs []Value, outputs []string, observe *observer) []Value {
	known := m.cached(fn)
	plan := known.whole
	if len(outputs) > 0 {
		plan = m.plan(m.wanted(fn, outputs), known.ids)
	}
	run := m.start(fn, plan)
	run.observe = observe
	run.set(inputs)
	for i, id := range known.ids {
		run.values[id] = known.values[i]
	}
	run.all()
	results := make([]Value, len(plan.wanted))
	for i, id := range plan.wanted {
		results[i] = run.values[id]
		if x, ok := results[i].(*nd.Array); ok && plan.kept[i] && run.owners[x] == 0 {
			results[i] = x.Copy() // the caller may write to a result
		}
	}
	return results
}

// wanted returns the ids of values.
func (m *Model) wanted(fn nd.Func, names []string) []int {
	ids := make([]int, len(names))
	for i, name := range names {
		id, ok := m.ids[name]
		if !ok {
			panic(fn.Errorf(nil, "the model has no value %q", name))
		}
		ids[i] = id
	}
	return ids
}

// plan is what a call has to do.
type plan struct {
	wanted []int  // the values
	kept   []bool // by index of a wanted value: the model may keep it for later calls
	uses   []int  // how often each value is used, by id
	steps  []*step
}

// plan plans the computation of some values from others that are known.
func (m *Model) plan(wanted, known []int) *plan {
	p := &plan{wanted: wanted, uses: make([]int, len(m.values))}
	isKnown, needed := make([]bool, len(m.values)), make([]bool, len(m.order))
	for _, id := range known {
		isKnown[id] = true
	}
	use := func(id int) {
		p.uses[id]++
		if at := m.values[id].step; at >= 0 && !isKnown[id] {
			needed[at] = true
		}
	}
	for _, id := range wanted {
		use(id)
		p.kept = append(p.kept, isKnown[id] || m.stepOf(id) != nil && m.stepOf(id).ofShapes)
	}
	for i := len(m.order) - 1; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, id := range m.order[i].in {
			if id >= 0 {
				use(id)
			}
		}
	}
	for i, run := range needed {
		if run {
			p.steps = append(p.steps, &m.order[i])
		}
	}
	return p
}

// run is the state of a call.
type run struct {
	model  *Model
	fn     nd.Func
	plan   *plan
	values []Value           // by id
	uses   []int             // that are left, by id
	owners map[*nd.Array]int // values that refer to an array which an operation made

	observe *observer
}

// start begins a call.
func (m *Model) start(fn nd.Func, p *plan) *run {
	return &run{model: m, fn: fn, plan: p, values: make([]Value, len(m.values)), uses: slices.Clone(p.uses), owners: map[*nd.Array]int{}}
}

// all runs the steps.
func (r *run) all() {
	for _, s := range r.plan.steps {
		r.step(s)
	}
}

// set checks the inputs and sets them and the parameters.
func (r *run) set(inputs []Value) {
	m := r.model
	for id := range m.values {
		v := &m.values[id]
		switch {
		case r.uses[id] == 0:
		case v.path != "":
			r.values[id] = m.scope.Get(v.path)
		case v.input >= 0:
			in := &m.def.Inputs[v.input]
			if x := inputs[v.input]; x != nil {
				r.check(in, x)
				r.values[id] = x
			} else if !in.Optional {
				panic(r.fn.Errorf(nil, "the input %q is missing", v.name))
			}
		}
	}
}

func inputNames(all []Input) []string {
	names := make([]string, len(all))
	for i, in := range all {
		names[i] = in.Name
	}
	return names
}

// check refuses a value that the input does not allow.
func (r *run) check(in *Input, v Value) {
	x, ok := v.(*nd.Array)
	if !ok {
		return
	}
	r.fn.Check(x)
	if in.DType.Valid() && x.DType() != in.DType {
		panic(r.fn.Errorf([]*nd.Array{x}, "the input %q has dtype %s, want %s", in.Name, x.DType(), in.DType))
	}
	fits := in.Shape == nil || slices.EqualFunc(in.Shape, x.Shape(), func(want, n int) bool { return want < 0 || want == n })
	if !fits {
		panic(r.fn.Errorf([]*nd.Array{x}, "the input %q has shape %s, want %s (-1 is any length)", in.Name,
			broadcast.FormatShape(x.Shape()), broadcast.FormatShape(in.Shape)))
	}
}

// step runs an operation, and releases what is not used any more.
func (r *run) step(s *step) {
	in := make([]Value, len(s.in))
	for k, id := range s.in {
		if id >= 0 {
			in[k] = r.values[id]
		}
	}
	start := r.observe.start()
	out, kept := r.again(s, in)
	if !kept {
		out = r.compute(s, in)
		kept = r.keep(s, in, out)
	}
	r.observe.end(r.model, s, in, out, start)
	if len(out) < len(s.out) {
		panic(r.fn.Errorf(nil, "%s has %d results, want %d", s.title(), len(out), len(s.out)))
	}
	switch {
	case kept:
	case slices.ContainsFunc(in, isContainer) || slices.ContainsFunc(out, isContainer):
		r.share(in)
	default:
		r.adopt(out, in)
	}
	for k, v := range out {
		if k < len(s.out) && s.out[k] >= 0 && r.uses[s.out[k]] > 0 {
			r.values[s.out[k]] = v
		} else {
			r.drop(v)
		}
	}
	for _, id := range s.in {
		if id < 0 {
			continue
		}
		if r.uses[id]--; r.uses[id] == 0 {
			v := r.values[id]
			r.values[id] = nil
			r.drop(v)
		}
	}
}

// compute calls the operation's function. An error names the operation.
func (r *run) compute(s *step, in []Value) (out []Value) {
	err := nd.Catch(func() { out = s.run(r, in) })
	if err != nil {
		refused := err.(*nd.Error)
		renamed := *refused
		renamed.Func, renamed.Within = r.fn, refused.Func
		renamed.Msg = fmt.Sprintf("%s: %s: %s", s.title(), refused.Func, refused.Msg)
		renamed.Err = refused
		panic(&renamed)
	}
	return out
}

func (s *step) run(r *run, in []Value) []Value {
	if s.RunModels != nil {
		return s.RunModels(r.model.scope, r.inside(s), in)
	}
	return s.Run(r.model.scope, in)
}

// isContainer reports whether a value may contain arrays.
func isContainer(v Value) bool {
	_, isArray := v.(*nd.Array)
	return v != nil && !isArray
}

// share leaves the arrays among an operation's inputs to the GC: a container may refer to them. The arrays among its
// outputs have no owner, either: they may be in a container.
func (r *run) share(in []Value) {
	for _, v := range in {
		if x, ok := v.(*nd.Array); ok {
			delete(r.owners, x)
		}
	}
}

// adopt counts the values that refer to an array which an operation has made. Arrays that come from outside are not
// counted: inputs, parameters, and what an operation returns of these.
func (r *run) adopt(out, in []Value) {
	for _, v := range out {
		x, _ := v.(*nd.Array)
		if x == nil {
			continue
		}
		if _, known := r.owners[x]; known || !slices.Contains(in, v) {
			r.owners[x]++
		}
	}
}

// drop releases an array with the last value that refers to it, unless a tape has recorded it.
func (r *run) drop(v Value) {
	x, ok := v.(*nd.Array)
	if !ok || r.owners[x] == 0 {
		return
	}
	if r.owners[x]--; r.owners[x] > 0 {
		return
	}
	delete(r.owners, x)
	if node, _ := x.Node(); node == nil {
		x.Release()
	}
}
