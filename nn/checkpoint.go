package nn

import (
	"maps"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// Checkpoint returns f(scope, x) and keeps no intermediate result of f: the backward pass computes f again. This trades
// time for memory: a deep network can be trained in blocks, with one block at a time in memory. Values, gradients,
// running statistics and random draws equal those of a plain call. The second call of f gets the same random numbers,
// and the statistics from before the first call, and changes neither.
//
// f may use parameters of the scope that it is given, and creates missing ones. Checkpoint refuses any other array that
// a tape tracks. f must change nothing else, such as a [State], because it is called twice. See grad.Checkpoint for
// functions without parameters.
// PyTorch: utils.checkpoint.checkpoint.
func Checkpoint(scope *Scope, f func(scope *Scope, x *nd.Array) *nd.Array, x *nd.Array) *nd.Array {
	op := &checkpoint{scope: scope, f: f}
	if r := scope.view.rand; r != nil {
		op.rand = *r
	}
	r := grad.Recomputed{Name: "nn.Checkpoint", First: op.first, Again: op.again}
	return r.Call(x)[0]
}

// checkpoint is a call of Checkpoint. Its inputs are x and the parameters.
type checkpoint struct {
	scope      *Scope
	f          func(scope *Scope, x *nd.Array) *nd.Array
	params     []*Param
	statistics map[*Param]*nd.Array // the statistics before the call
	rand       nd.Rand              // the random stream before the call
}

// first calls f with constants, and returns the parameters that f reads.
func (op *checkpoint) first(in []*nd.Array) (out, more []*nd.Array) {
	const fn nd.Func = "nn.Checkpoint"
	used := &parameterUses{outer: op.scope.view.uses, statistics: map[*Param]*nd.Array{}}
	s := *op.scope
	s.view.fixed, s.view.uses = true, used
	y := op.f(&s, in[0])
	fn.Check(y)
	if n, _ := y.Node(); n != nil {
		panic(fn.Errorf(in, "the result depends on an array that a tape tracks, which is neither x nor a parameter of the scope %q", s.path))
	}
	for _, p := range used.params {
		w := op.scope.array(p)
		if n, _ := w.Node(); n == nil && used.statistics[p] != nil {
			continue
		}
		delete(used.statistics, p)
		op.params, more = append(op.params, p), append(more, w)
	}
	op.statistics = used.statistics
	return []*nd.Array{y}, more
}

// again calls f with the given parameters, and with the random stream and the statistics from before the first call.
func (op *checkpoint) again(in []*nd.Array) []*nd.Array {
	s := *op.scope
	given := maps.Clone(s.view.replacements)
	if given == nil {
		given = map[*Param]*nd.Array{}
	}
	for i, p := range op.params {
		given[p] = in[1+i]
	}
	for p, value := range op.statistics {
		copied := value.Copy()
		defer copied.Release()
		given[p] = copied
	}
	rand := op.rand
	s.view.replacements, s.view.uses = given, nil
	if s.view.rand != nil {
		s.view.rand = &rand
	}
	return []*nd.Array{op.f(&s, in[0])}
}

// parameterUses records the parameters that are read through a view.
type parameterUses struct {
	outer      *parameterUses
	params     []*Param             // in the order of their first use
	statistics map[*Param]*nd.Array // copies of the parameters that training may write to
}

// record records that x was returned for p.
func (u *parameterUses) record(p *Param, x *nd.Array, training bool) {
	for ; u != nil; u = u.outer {
		if !slices.Contains(u.params, p) {
			u.params = append(u.params, p)
			if training && !p.NeedGrad() {
				u.statistics[p] = x.Copy()
			}
		}
	}
}
