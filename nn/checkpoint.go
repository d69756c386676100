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
	const fn nd.Func = "nn.Checkpoint"
	fn.Check(x)
	op := &checkpoint{scope: scope, f: f}
	if r := scope.view.rand; r != nil {
		op.rand = *r
	}
	used := &parameterUses{outer: scope.view.uses, statistics: map[*Param]*nd.Array{}}
	y := op.compute(fn, used, x)
	if w := scope.view.watch; w != nil && y != x {
		w.tape.Arena().Own(y) // also if x has no owner
	}
	in := []*nd.Array{x}
	for _, p := range used.params {
		w := scope.array(p)
		if n, _ := w.Node(); n == nil && used.statistics[p] != nil {
			continue
		}
		delete(used.statistics, p)
		op.params, in = append(op.params, p), append(in, w)
	}
	op.statistics = used.statistics
	fn.Record(op, in, y)
	return y
}

// checkpoint is a call of Checkpoint as the tape records it. Its inputs are x and the parameters.
type checkpoint struct {
	scope      *Scope
	f          func(scope *Scope, x *nd.Array) *nd.Array
	params     []*Param
	statistics map[*Param]*nd.Array // the statistics before the call
	rand       nd.Rand              // the random stream before the call
}

// compute calls f with constants and releases everything but the result.
func (op *checkpoint) compute(fn nd.Func, used *parameterUses, x *nd.Array) *nd.Array {
	s := *op.scope
	s.view.fixed, s.view.uses = true, used
	given := x
	made := fn.Temporaries(&x)
	defer made.Release()
	if !x.IsScalar() {
		x = x.Detach()
	}
	y := op.f(&s, x)
	fn.Check(y)
	if n, _ := y.Node(); n != nil {
		panic(fn.Errorf([]*nd.Array{given}, "the result depends on an array that a tape tracks, which is neither x nor a parameter of the scope %q", s.path))
	}
	if slices.Contains(used.arrays, y) {
		y = y.Detach() // y is a parameter, which must not be recorded itself
	}
	return made.Keep(y)
}

// Composed calls f again.
func (op *checkpoint) Composed(in []*nd.Array) []*nd.Array {
	s := *op.scope
	given := maps.Clone(s.view.replacements)
	if given == nil {
		given = map[*Param]*nd.Array{}
	}
	for i, p := range op.params {
		given[p] = in[1+i]
	}
	for p, value := range op.statistics {
		again := value.Copy()
		defer again.Release()
		given[p] = again
	}
	rand := op.rand
	s.view.replacements, s.view.uses = given, nil
	if s.view.rand != nil {
		s.view.rand = &rand
	}
	return []*nd.Array{op.f(&s, in[0])}
}

// VJP computes f again on a separate tape and runs the backward pass of that tape.
func (op *checkpoint) VJP(c *nd.Call) {
	tape := grad.NewTape()
	defer tape.Release()
	in := make([]*nd.Array, c.Inputs())
	var wanted []*nd.Array
	for i := range in {
		if in[i] = c.In(i); c.Needs(i) {
			in[i] = tape.Watch(in[i])
			wanted = append(wanted, in[i])
		}
	}
	gradients := tape.VJP(op.Composed(in), []*nd.Array{c.Gy(0)}, wanted...)
	for i := range in {
		if !c.Needs(i) {
			continue
		}
		if g := gradients[0]; g != nil {
			c.SetGx(i, c.Own(tape.Keep(g)))
		}
		gradients = gradients[1:]
	}
}

// parameterUses records the parameters that are read through a view.
type parameterUses struct {
	outer      *parameterUses
	params     []*Param             // in the order of their first use
	arrays     []*nd.Array          // the arrays that were returned for them
	statistics map[*Param]*nd.Array // copies of the parameters that training may write to
}

// record records that x was returned for p.
func (u *parameterUses) record(p *Param, x *nd.Array, training bool) {
	for ; u != nil; u = u.outer {
		u.arrays = append(u.arrays, x)
		if !slices.Contains(u.params, p) {
			u.params = append(u.params, p)
			if training && !p.NeedGrad() {
				u.statistics[p] = x.Copy()
			}
		}
	}
}
