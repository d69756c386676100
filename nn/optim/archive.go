package optim

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Of returns the archive object of the optimizer for the parameters below a scope. It saves "learning_rate", and for a
// parameter "W" its states, such as "W/mean", and "W/t", the number of its updates. It does not save options: construct
// the optimizer with the same options.
//
// Loading converts states to the dtypes that they have here, and checks their shapes. States of parameters that do not
// exist yet wait for them until the first update. Parameters of the scope whose states are missing in the archive start
// anew.
func (o *Optimizer) Of(s *nn.Scope) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		f := &optimizerFile{Archive: a, o: o, scope: s, names: o.rule.States}
		f.rate()
		f.states()
	})
}

// ChainerOf is [Optimizer.Of] in Chainer's form. It has "t", the number of updates, and "epoch", which is 0. For a
// parameter "W" it has the states under Chainer's names, such as "W/m", or "W/v" with the opposite sign for
// [NewMomentum], and "W/t", which Chainer has since version 2. ChainerOf reads files of both kinds, and writes files
// for both: so all trained parameters have states in the file, even if they were never moved. Chainer saves no learning
// rate: ChainerOf adds "learning_rate", and reads it if it exists. Rules that Chainer lacks have their own names.
// Chainer: Optimizer.serialize.
func (o *Optimizer) ChainerOf(s *nn.Scope) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		f := &optimizerFile{Archive: a, o: o, scope: s, names: o.rule.States, chainer: true, t: o.updates}
		if o.rule.chainer != nil {
			f.names = o.rule.chainer
		}
		epoch := 0
		a.Immediate().Int(epochName, &epoch)
		a.Immediate().Int(countName, &f.t)
		f.checkCount(countName, f.t)
		if !a.Loading() || a.Has(rateName) {
			f.rate()
		}
		f.states()
	})
}

// The names of the values that belong to no parameter, and of each parameter's own count.
const (
	rateName  = "learning_rate"
	epochName = "epoch"
	countName = "t"
)

// optimizerFile is an optimizer in an archive that is being written or read.
type optimizerFile struct {
	*archive.Archive
	o       *Optimizer
	scope   *nn.Scope
	names   []string // of the states; "-" before a name marks the opposite sign in the file
	chainer bool
	t       int // Chainer's number of updates of all parameters together
}

func (f *optimizerFile) rate() {
	rate := f.o.rate
	f.Immediate().Float(rateName, &rate)
	if !isRate(rate) {
		f.Fail(fmt.Errorf("%q is %v", rateName, rate))
	}
	f.AfterLoad(func() { f.o.rate = rate })
}

func (f *optimizerFile) checkCount(name string, t int) {
	if t < 0 {
		f.Fail(fmt.Errorf("%q is %d updates", name, t))
	}
}

func (f *optimizerFile) states() {
	if f.Loading() {
		f.load()
		return
	}
	for name, p := range f.scope.All() {
		switch o := f.o; {
		case o.states[p] != nil || o.restored[p.Path()] != nil:
			f.save(name, o.stateOf(p))
		case f.chainer && p.NeedGrad():
			f.save(name, o.rule.newState(p.Value()))
		}
	}
	for _, full := range slices.Sorted(maps.Keys(f.o.restored)) {
		if name, ok := strings.CutPrefix(full, f.scope.Path()); ok && (f.scope.Path() == "" || name[0] == '/') {
			f.save(strings.TrimPrefix(name, "/"), f.o.restored[full])
		}
	}
}

func (f *optimizerFile) save(name string, s *state) {
	f.Int(path.Join(name, countName), &s.t)
	for i, x := range s.arrays {
		kind, negated := strings.CutPrefix(f.names[i], "-")
		if negated {
			x = ops.Negative(x)
		}
		f.Array(path.Join(name, kind), x)
	}
}

// load reads the states of all parameters in the archive.
func (f *optimizerFile) load() {
	found, existing := map[string]*state{}, maps.Collect(f.scope.All())
	for _, entry := range f.Names() {
		if entry == rateName || f.chainer && (entry == countName || entry == epochName) {
			continue
		}
		cut := max(strings.LastIndexByte(entry, '/'), 0)
		name, kind := entry[:cut], strings.TrimPrefix(entry[cut:], "/")
		if name == "" || kind != countName && !slices.Contains(f.names, kind) && !slices.Contains(f.names, "-"+kind) {
			f.Fail(fmt.Errorf("%q: %s has no such state", entry, f.o.rule.Name))
			continue
		}
		if found[name] == nil && !f.isNew(name) {
			found[name] = f.loadState(name, existing[name])
		}
	}
	f.AfterLoad(func() { f.o.setStates(f.scope, existing, found, f.t) })
}

// isNew reports whether Chainer counted no updates of a parameter and has no states for it yet. It marks the entries as
// read.
func (f *optimizerFile) isNew(name string) bool {
	count := path.Join(name, countName)
	if !f.chainer || !f.Has(count) || slices.ContainsFunc(f.names, func(kind string) bool {
		return f.Has(path.Join(name, strings.TrimPrefix(kind, "-")))
	}) {
		return false
	}
	t := -1
	f.Immediate().Int(count, &t)
	return t == 0
}

// loadState reads the state of one parameter; p is nil if the parameter does not exist yet. The archive writes the
// state at the end.
func (f *optimizerFile) loadState(name string, p *nn.Param) *state {
	st := &state{arrays: make([]*nd.Array, len(f.names)), t: f.t}
	if p != nil {
		st.arrays = f.o.rule.newState(p.Value()).arrays
	}
	if count := path.Join(name, countName); !f.chainer || f.Has(count) {
		f.Immediate().Int(count, &st.t)
		f.checkCount(count, st.t)
	}
	for i, kind := range f.names {
		kind, negated := strings.CutPrefix(kind, "-")
		entry := path.Join(name, kind)
		switch {
		case p != nil:
			f.Array(entry, st.arrays[i])
		case f.Has(entry):
			f.NewArray(entry, &st.arrays[i])
		default:
			f.Fail(fmt.Errorf("%q is missing", entry))
		}
		if negated {
			f.AfterLoad(func() { st.arrays[i] = ops.Negative(st.arrays[i]) })
		}
	}
	return st
}

// setStates gives the optimizer the states found for existing and for missing parameters of a scope. updates is a lower
// bound of Updates.
func (o *Optimizer) setStates(s *nn.Scope, existing map[string]*nn.Param, found map[string]*state, updates int) {
	for _, p := range existing {
		delete(o.states, p)
		delete(o.restored, p.Path())
	}
	o.updates = updates
	for name, st := range found {
		o.updates = max(o.updates, st.t)
		if p := existing[name]; p != nil {
			o.states[p] = st
			continue
		}
		if o.restored == nil {
			o.restored = map[string]*state{}
		}
		o.restored[path.Join(s.Path(), name)] = st
	}
}
