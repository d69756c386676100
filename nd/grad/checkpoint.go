package grad

import "github.com/ndgrad/ndgrad/nd"

// Checkpoint returns f(in…) and keeps no intermediate result of f: they are released when f returns, and the backward
// pass computes f again. It trades time for memory: of a chain of blocks the tape holds the results of the blocks, and
// the intermediate results of one block at a time. f must be a pure function of its arguments: recorded arrays must be
// passed, not captured, and random streams must be made inside f from a fixed seed. For functions with parameters see
// nn.Checkpoint.
// Chainer: forget.
func Checkpoint(f func(in []*nd.Array) []*nd.Array, in ...*nd.Array) []*nd.Array {
	r := Recomputed{Name: "grad.Checkpoint", Again: f,
		First: func(in []*nd.Array) (out, more []*nd.Array) { return f(in), nil }}
	return r.Call(in...)
}

// Recomputed is an operation that is computed again in the backward pass, for authors of functions such as [Checkpoint]
// and nn.Checkpoint. The tape keeps nothing but its inputs.
type Recomputed struct {
	// Name is the function's name in messages.
	Name string
	// First computes the results from unrecorded arrays; everything else that it computes from them is released. more
	// are further inputs of the operation, which First found while it computed, such as parameters.
	First func(in []*nd.Array) (out, more []*nd.Array)
	// Again computes the same results from the inputs and more, with differentiable functions.
	Again func(in []*nd.Array) []*nd.Array
}

// Call computes the results. It records the operation if a tape knows one of its inputs.
func (r *Recomputed) Call(in ...*nd.Array) []*nd.Array {
	fn := nd.Func(r.Name)
	fn.Check(in...)
	constants := make([]*nd.Array, len(in))
	arguments := make([]**nd.Array, len(in))
	for i := range in {
		constants[i], arguments[i] = in[i], &constants[i]
	}
	made := fn.Temporaries(arguments...)
	defer made.Release()
	results, more := r.First(detached(constants))
	out := make([]*nd.Array, len(results))
	for i, y := range results {
		fn.Check(y)
		if n, _ := y.Node(); n != nil {
			panic(fn.Errorf(in, "result %d depends on a recorded array that is not an argument: pass it", i))
		}
		out[i] = made.Keep(y.Detach()) // a header of its own: y may be an array that others hold
	}
	in = append(in[:len(in):len(in)], more...)
	if t := tapeOf(in); t != nil {
		for _, y := range out {
			t.arena.Own(y) // also if no input has an owner
		}
	}
	fn.Record(recomputation(r.Again), in, out...)
	return out
}

// recomputation is Recomputed.Again as an Op of the record. It is also its definition, which recorded gradients use.
type recomputation func(in []*nd.Array) []*nd.Array

func (again recomputation) Claims() nd.Claims { return nd.Claims{In: ^uint64(0)} }

func (again recomputation) Composed(in []*nd.Array) []*nd.Array { return again(in) }

// VJP computes the function again on its own tape, and differentiates it there.
func (again recomputation) VJP(c *nd.Call) {
	inner := NewTape()
	defer inner.Release()
	in := make([]*nd.Array, c.Inputs())
	for i := range in {
		in[i] = c.In(i)
		if c.Needs(i) {
			in[i] = inner.Watch(in[i])
		}
	}
	differentiateThrough(c, in, again(in), func(ys, gys, xs []*nd.Array) []*nd.Array {
		gxs := inner.keepAll(inner.VJP(ys, gys, xs...))
		for _, g := range gxs {
			if g != nil {
				c.Own(g)
			}
		}
		return gxs
	})
}
