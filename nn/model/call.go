package model

import (
	"fmt"
	"slices"
	"time"

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

func (m *Model) names(outputs []string) []string {
	if len(outputs) == 0 {
		return m.def.Outputs
	}
	return outputs
}

func (m *Model) call(fn nd.Func, inputs map[string]Value, outputs []string) []Value {
	return m.observed(fn, inputs, outputs, nil)
}

// observed is call; observe, if set, is called after each operation, with the time that it took.
func (m *Model) observed(fn nd.Func, inputs map[string]Value, outputs []string, observe func(s *step, in, out []Value, took time.Duration)) []Value {
	wanted := m.wanted(fn, m.names(outputs))
	known := m.cached(fn)
	uses, steps := m.uses(wanted, known)
	run := &run{model: m, fn: fn, values: make([]Value, len(m.values)), uses: uses, owners: map[*nd.Array]int{}, observe: observe}
	run.set(inputs)
	for id, v := range known {
		run.values[id] = v
	}
	for i, needed := range steps {
		if needed {
			run.step(&m.order[i])
		}
	}
	results := make([]Value, len(wanted))
	for i, id := range wanted {
		results[i] = run.values[id]
		if x, ok := known[id].(*nd.Array); ok {
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

// uses returns how often each value is used if the wanted ones are computed, and which steps must run, except for those of
// known values.
func (m *Model) uses(wanted []int, known map[int]Value) (uses []int, steps []bool) {
	uses, steps = make([]int, len(m.values)), make([]bool, len(m.order))
	use := func(id int) {
		uses[id]++
		if _, ok := known[id]; ok {
			return
		}
		if at := m.values[id].step; at >= 0 {
			steps[at] = true
		}
	}
	for _, id := range wanted {
		use(id)
	}
	for i := len(m.order) - 1; i >= 0; i-- {
		if !steps[i] {
			continue
		}
		for _, id := range m.order[i].in {
			if id >= 0 {
				use(id)
			}
		}
	}
	return uses, steps
}

// run is the state of a call.
type run struct {
	model  *Model
	fn     nd.Func
	values []Value           // by id
	uses   []int             // that are left, by id
	owners map[*nd.Array]int // values that refer to an array which an operation made

	observe func(s *step, in, out []Value, took time.Duration)
}

// set checks the inputs and sets them and the parameters.
func (r *run) set(inputs map[string]Value) {
	m := r.model
	for name := range inputs {
		if id, ok := m.ids[name]; !ok || m.values[id].input < 0 {
			panic(r.fn.Errorf(nil, "the model has no input %q: its inputs are %q", name, inputNames(m.def.Inputs)))
		}
	}
	for id, v := range m.values {
		switch {
		case r.uses[id] == 0:
		case v.path != "":
			r.values[id] = m.scope.Get(v.path)
		case v.input >= 0:
			x, given := inputs[v.name]
			in := m.def.Inputs[v.input]
			if array, ok := x.(*nd.Array); given && (!ok || array != nil) {
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
func (r *run) check(in Input, v Value) {
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
	var start time.Time
	if r.observe != nil {
		start = time.Now()
	}
	out := r.compute(s, in)
	if r.observe != nil {
		r.observe(s, in, out, time.Since(start))
	}
	if len(out) < len(s.out) {
		panic(r.fn.Errorf(nil, "%s has %d results, want %d", s.title(), len(out), len(s.out)))
	}
	if slices.ContainsFunc(in, isContainer) || slices.ContainsFunc(out, isContainer) {
		r.share(in)
	} else {
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
	err := nd.Catch(func() { out = s.Run(r.model.scope, in) })
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
