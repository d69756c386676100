package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// entry says what a function type of a network is.
type entry struct {
	typ  string // as in the network; empty for a documented function that networks do not have
	name string // documented name; the arguments are in the message NAME_param
	make func(a *arguments) operation
	why  string // why networks do not have the function
}

// operation is a function with resolved arguments.
type operation struct {
	least, most int // number of inputs; most is -1 for any number
	run         func(c *call) []*nd.Array
}

// call is what an operation gets: as many inputs as it may have, nil for those that are left out.
type call struct {
	scope *nn.Scope
	in    []*nd.Array
	batch int // the batch size, if a shape needs it
}

// table returns the entries by type. It is made when a network is read, so that other programs do not carry it.
func table() map[string]entry {
	all := map[string]entry{}
	for _, e := range entries() {
		if e.typ != "" {
			all[e.typ] = e
		}
	}
	return all
}

func entries() (all []entry) {
	for _, chapter := range []func() []entry{layers, activations, normalizations, reductions, arithmetic, logic, mathematics,
		arrays, indexing, randomness, losses, signals, quantizations} {
		all = append(all, chapter()...)
	}
	return all
}

// shape returns a shape with the batch size of the call.
func (c *call) shape(of []int) []int {
	shape := append([]int{}, of...)
	if len(shape) > 0 && shape[0] < 0 {
		shape[0] = c.batch
	}
	return shape
}

// like are the options of arrays that no input determines.
func (c *call) like() nd.ArrayOptions {
	return nd.ArrayOptions{DType: c.scope.DType(), Device: c.scope.Device()}
}

// statistic returns an array that the function updates: in training the parameter itself, otherwise a copy.
func (c *call) statistic(k int) *nd.Array {
	if c.scope.Training() {
		return c.in[k].Detach()
	}
	return c.in[k].Copy()
}

// store writes values to an input in training.
func (c *call) store(k int, values *nd.Array) {
	if !c.scope.Training() {
		return
	}
	to, from := c.in[k].Detach(), values.Detach()
	defer to.Release()
	defer from.Release()
	to.Assign(from)
}

// taking makes an operation with one result.
func taking(least, most int, f func(c *call) *nd.Array) operation {
	return operation{least, most, func(c *call) []*nd.Array { return []*nd.Array{f(c)} }}
}

func one(f func(x *nd.Array) *nd.Array) operation {
	return taking(1, 1, func(c *call) *nd.Array { return f(c.in[0]) })
}

func two(f func(x, y *nd.Array) *nd.Array) operation {
	return taking(2, 2, func(c *call) *nd.Array { return f(c.in[0], c.in[1]) })
}

// plain is a function of one array and no arguments.
func plain(f func(x *nd.Array) *nd.Array) func(*arguments) operation {
	return func(*arguments) operation { return one(f) }
}

// unary is an elementwise function.
func unary(f func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array, opts ...ops.UfuncOption) func(*arguments) operation {
	return plain(func(x *nd.Array) *nd.Array { return f(x, opts...) })
}

// binary is an elementwise function of two arrays.
func binary(f func(x, y *nd.Array, opts ...ops.UfuncOption) *nd.Array, opts ...ops.UfuncOption) func(*arguments) operation {
	return func(*arguments) operation {
		return two(func(x, y *nd.Array) *nd.Array { return f(x, y, opts...) })
	}
}

// withScalar is an elementwise function of an array and the number val; reversed is one of val and an array.
func withScalar(f func(x, y *nd.Array, opts ...ops.UfuncOption) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		v := nd.Scalar(a.float("val"))
		return one(func(x *nd.Array) *nd.Array { return f(x, v) })
	}
}

func reversed(f func(x, y *nd.Array, opts ...ops.UfuncOption) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		v := nd.Scalar(a.float("val"))
		return one(func(x *nd.Array) *nd.Array { return f(v, x) })
	}
}

// many is a function of any number of arrays.
func many(f func(xs ...*nd.Array) *nd.Array) func(*arguments) operation {
	return func(*arguments) operation { return taking(1, -1, func(c *call) *nd.Array { return f(c.in...) }) }
}

// logical makes the results of an operation floats: all arrays of NNabla's networks are floats, so that the sum of two
// comparisons is a count.
func logical(make func(*arguments) operation) func(*arguments) operation {
	return func(a *arguments) operation {
		o := make(a)
		run := o.run
		o.run = func(c *call) []*nd.Array {
			out := run(c)
			for i := range out {
				out[i] = c.floats(out[i])
			}
			return out
		}
		return o
	}
}

// floats returns y in the dtype of the inputs if it is an array of bools or integers.
func (c *call) floats(y *nd.Array) *nd.Array {
	if y.DType().IsInexact() {
		return y
	}
	to := dtype.Float32
	for _, x := range c.in {
		if x != nil && x.DType().IsInexact() {
			to = x.DType()
			break
		}
	}
	z := y.AsType(to)
	y.Release()
	return z
}

// indices calls f with the indices in x, which may be floats.
func indices(x *nd.Array, f func(at *nd.Array) *nd.Array) *nd.Array {
	return converted(x, dtype.Int64, f)
}

// truth calls f with the truth of the elements of x.
func truth(x *nd.Array, f func(mask *nd.Array) *nd.Array) *nd.Array {
	return converted(x, dtype.Bool, f)
}

func converted(x *nd.Array, to dtype.DType, f func(*nd.Array) *nd.Array) *nd.Array {
	if x.DType() == to || to == dtype.Int64 && !x.DType().IsInexact() {
		return f(x)
	}
	y := x.Detach().AsType(to)
	defer y.Release()
	return f(y)
}
