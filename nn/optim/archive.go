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

// Of returns what an archive keeps of the optimizer for the parameters below a scope: "learning_rate", and for a parameter "W" its
// states, such as "W/mean", and "W/t", the number of its updates. Options are not part of it: make the optimizer with the same.
//
// States are loaded into the dtypes that they have here, and their shapes are checked. States of parameters that do not exist yet
// wait for them, until the first update. Parameters of the scope that the archive has no states of begin anew.
func (o *Optimizer) Of(s *nn.Scope) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		f := &optimizerFile{Archive: a, o: o, scope: s, names: o.rule.States}
		f.rate()
		f.states()
	})
}

// ChainerOf is [Optimizer.Of] in the form that Chainer gives it: "t", the number of updates, and "epoch", which is 0; for a parameter
// "W" its states under Chainer's names, such as "W/m", or "W/v" of the other sign for [NewMomentum]; and "W/t", which Chainer has had
// since version 2. Both of its forms are read, and what is written serves both: so all trained parameters have states there, also such
// as were never moved. Chainer keeps no learning rate: "learning_rate" is written beside, and read where it is there. Rules that Chainer
// lacks have their own names. chainer.Optimizer.serialize.
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

// The names of what is no parameter's, and of each parameter's own count.
const (
	rateName  = "learning_rate"
	epochName = "epoch"
	countName = "t"
)

// optimizerFile is an optimizer in an archive that is written or read.
type optimizerFile struct {
	*archive.Archive
	o       *Optimizer
	scope   *nn.Scope
	names   []string // of the states; one that has the other sign there has "-" before its name
	chainer bool
	t       int // Chainer's number of updates, of all parameters
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
		case o.states[p] != nil || o.waiting[p.Path()] != nil:
			f.save(name, o.stateOf(p))
		case f.chainer && p.NeedGrad():
			f.save(name, o.rule.newState(p.Value()))
		}
	}
	for _, full := range slices.Sorted(maps.Keys(f.o.waiting)) {
		if name, ok := strings.CutPrefix(full, f.scope.Path()); ok && (f.scope.Path() == "" || name[0] == '/') {
			f.save(strings.TrimPrefix(name, "/"), f.o.waiting[full])
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

// load reads the states of all parameters that the archive has.
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
	f.AfterLoad(func() { f.o.take(f.scope, existing, found, f.t) })
}

// isNew reports whether Chainer has counted no updates of a parameter, and made no states yet, and notes that this was read.
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

// loadState reads the state of one parameter, which is nil where it does not exist yet. The archive writes it at the end.
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

// take gives the optimizer states that were found, of existing parameters of a scope and of others, after so many updates at least.
func (o *Optimizer) take(s *nn.Scope, existing map[string]*nn.Param, found map[string]*state, updates int) {
	for _, p := range existing {
		delete(o.states, p)
		delete(o.waiting, p.Path())
	}
	o.updates = updates
	for name, st := range found {
		o.updates = max(o.updates, st.t)
		if p := existing[name]; p != nil {
			o.states[p] = st
			continue
		}
		if o.waiting == nil {
			o.waiting = map[string]*state{}
		}
		o.waiting[path.Join(s.Path(), name)] = st
	}
}
