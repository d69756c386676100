package nn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Of returns what an archive keeps of the optimizer for the parameters below a scope: "learning_rate", and for a parameter "W" its
// states, such as "W/mean", and "W/t", the number of its updates. Options are not part of it: make the optimizer with the same.
//
// States are loaded into the dtypes that they have here, and their shapes are checked. States of parameters that do not exist yet
// wait for them, until the first update. Parameters of the scope that the archive has no states of begin anew.
func (o *Optimizer) Of(s *Scope) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		rate := o.rate
		a.Float(rateName, &rate)
		if a.Loading() {
			a.Then(func() { o.rate = rate })
			o.load(s, a)
			return
		}
		for name, p := range s.All() {
			if o.states[p] != nil || o.waiting[p.path] != nil {
				o.save(a, name, o.stateOf(p))
			}
		}
		for _, path := range slices.Sorted(maps.Keys(o.waiting)) {
			if name, ok := strings.CutPrefix(path, s.path); ok && (s.path == "" || name[0] == '/') {
				o.save(a, strings.TrimPrefix(name, "/"), o.waiting[path])
			}
		}
	})
}

const rateName = "learning_rate"

func (o *Optimizer) save(a *archive.Archive, name string, s *state) {
	a.Int(join(name, "t"), &s.t)
	for i, x := range s.arrays {
		a.Array(join(name, o.rule.States[i]), x)
	}
}

// load reads the states of all parameters that the archive has.
func (o *Optimizer) load(s *Scope, a *archive.Archive) {
	found, existing := map[string]*state{}, maps.Collect(s.All())
	for _, entry := range a.Names() {
		if entry == rateName {
			continue
		}
		cut := max(strings.LastIndexByte(entry, '/'), 0)
		name, kind := entry[:cut], strings.TrimPrefix(entry[cut:], "/")
		if name == "" || kind != "t" && !slices.Contains(o.rule.States, kind) {
			a.Fail(fmt.Errorf("%q: %s has no such state", entry, o.rule.Name))
			continue
		}
		if found[name] == nil {
			found[name] = o.loadState(a, name, existing[name])
		}
	}
	a.Then(func() {
		for _, p := range existing {
			delete(o.states, p)
			delete(o.waiting, p.path)
		}
		for name, st := range found {
			if p := existing[name]; p != nil {
				o.states[p] = st
				continue
			}
			if o.waiting == nil {
				o.waiting = map[string]*state{}
			}
			o.waiting[join(s.path, name)] = st
		}
	})
}

// loadState reads the state of one parameter, which is nil where it does not exist yet. The archive writes it at the end.
func (o *Optimizer) loadState(a *archive.Archive, name string, p *Param) *state {
	st := &state{arrays: make([]*nd.Array, len(o.rule.States))}
	if p != nil {
		st = o.rule.newState(p.value)
	}
	a.AtOnce().Int(join(name, "t"), &st.t)
	if st.t < 0 {
		a.Fail(fmt.Errorf("%q is %d updates", join(name, "t"), st.t))
	}
	for i, kind := range o.rule.States {
		entry := join(name, kind)
		switch {
		case p != nil:
			a.Array(entry, st.arrays[i])
		case a.Has(entry):
			a.NewArray(entry, &st.arrays[i])
		default:
			a.Fail(fmt.Errorf("%q is missing", entry))
		}
	}
	return st
}

// Archive saves or restores the scale, and how many good updates there were since it changed.
func (s *LossScaler) Archive(a *archive.Archive) {
	a.Float("scale", &s.scale)
	a.Int("good", &s.good)
}
