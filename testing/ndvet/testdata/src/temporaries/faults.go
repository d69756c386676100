// Package temporaries has loops that leave arrays to the GC, and loops that do not.
package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func load() *nd.Array { return nd.Ones([]int{1000}) }

// operands are nested calls, and a variable of one round.
func operands(n int) *nd.Array {
	a, b := load(), load()
	sum := nd.Zeros([]int{1000})
	for range n {
		y := ops.Multiply(a, b) // want `every round of this loop leaves 3 arrays to the garbage collector \(ops.Multiply, ops.Sqrt, ops.Add\)`
		sum = ops.Add(sum, ops.Sqrt(y))
	}
	return sum
}

// state is dropped when the next one comes.
func state() float64 {
	x, step := load(), load()
	for i := 0; i < 500; i++ {
		x = ops.Add(x, step) // want `leaves 1 array to the garbage collector \(ops.Add\)`
	}
	return nd.Value[float64](ops.Sum(x))
}

// time is counted in parts of one, and from far below zero.
func time() {
	x, step := load(), load()
	for t := 0.0; t < 10; t += 0.001 {
		x = ops.Add(x, step) // want `leaves 1 array`
	}
	for i := -1000; i < 10; i++ {
		x = ops.Add(x, step) // want `leaves 1 array`
	}
	show(x)
}

// life calls a function of the package, which leaves three arrays, and the state.
func life(rounds int) *nd.Array {
	g := load()
	for range rounds {
		g = generation(g) // want `leaves 4 arrays to the garbage collector \(generation, ops.Add in generation, ops.Less in generation, ops.Tanh in generation\)`
	}
	return g
}

func generation(g *nd.Array) *nd.Array {
	neighbours := ops.Add(g.T(), g)
	return ops.Where(ops.Less(neighbours, nd.Scalar(3)), g, ops.Tanh(neighbours))
}

// several are three states, one of which a conditional keeps, and functions that only read.
func walk(rng *nd.Rand, n int) float64 {
	x := load()
	at, total := energy(x), 0.0
	for range n {
		proposal := ops.Add(x, random.Normal(rng, 0, 1, []int{1000})) // want `leaves 3 arrays to the garbage collector \(random.Normal, ops.Add, ops.Square in energy\)`
		if e := energy(proposal); e < at {
			x, at = proposal, e
		}
		total += at
	}
	return total
}

func energy(x *nd.Array) float64 { return nd.Value[float64](ops.Sum(ops.Square(x))) }

// variadic arguments, lists, views, kernels, methods and several results are read too.
func variadic(k *ops.Kernel, n int) {
	x := load()
	for range n {
		y := ops.AddN(x.Copy().Reshape(10, 100), k.Call(x)) // want `leaves 6 arrays to the garbage collector`
		q, r := ops.DivMod(y, x)
		use(nd.ToSlice[float64](ops.Concatenate([]*nd.Array{q, r})))
	}
}

func use(numbers []float64) {}

// field is of a value that this package makes and nobody else has.
type simulation struct{ u, v *nd.Array }

func (s *simulation) advance(n int) {
	for range n {
		s.u.Assign(ops.Add(s.u, s.v)) // want `leaves 1 array`
	}
}

func simulate() {
	s := &simulation{u: load(), v: load()}
	s.advance(1000)
}

// nested loops are two loops, and the inner one is named.
func nested(n int) {
	x := load()
	for range n {
		for k := range n {
			use(nd.ToSlice[float64](ops.MatMul(x, x))[k:]) // want `leaves 1 array to the garbage collector \(ops.MatMul\)`
		}
	}
}

// few rounds of an inner loop are the outer one's.
func few(n int) {
	x := load()
	for range n {
		for range 3 {
			use(nd.ToSlice[float64](ops.MatMul(x, x))) // want `leaves 1 array to the garbage collector \(ops.MatMul\)`
		}
	}
}

// last has one round's array afterwards: those before are dropped.
func last(n int) *nd.Array {
	x := load()
	var y *nd.Array
	for range n {
		y = ops.Tanh(x) // want `leaves 1 array`
	}
	return y
}

// integrate gets a function, and literals are functions too.
func integrate(f func(x *nd.Array) *nd.Array, x *nd.Array, n int) *nd.Array {
	for range n {
		slope := f(x)
		x = ops.Add(x, ops.Multiply(slope, nd.Scalar(0.1))) // want `leaves 1 array to the garbage collector \(ops.Multiply\)`
	}
	return x
}

func literals(n int) {
	rate := load()
	show(integrate(func(x *nd.Array) *nd.Array { return ops.Multiply(x, rate) }, load(), 1000))
	size := func(x *nd.Array) float64 { return nd.Value[float64](ops.Sum(ops.Square(x))) }
	total := 0.0
	for range n {
		total += size(ops.Tanh(rate)) // want `leaves 2 arrays to the garbage collector \(ops.Tanh, ops.Square in a literal\)`
	}
	run := func() {
		for range n {
			total += nd.Value[float64](ops.Sum(ops.Tanh(rate))) // want `leaves 1 array to the garbage collector \(ops.Tanh\)`
		}
	}
	run()
	use([]float64{total})
}

// generic functions are not looked into.
func generic[T any](x *nd.Array, labels []T) {
	for range labels {
		use(nd.ToSlice[float64](ops.Tanh(x)))
	}
}

func tapes(n int) {
	w := load()
	for range n {
		tape := grad.NewTape() // want `every round of this loop leaves the arrays of its tape to the garbage collector: Reset it`
		W := tape.Watch(w)
		g := tape.Gradient(ops.Mean(W), W)[0]
		ops.Subtract(w, g, ops.UfuncOptions{Out: w})
	}
	for range n {
		a := nd.NewArena() // want `every round of this loop leaves the arrays of its arena to the garbage collector: Release it`
		use(nd.ToSlice[float64](ops.Tanh(a.Adopt(w))))
	}
	tape := grad.NewTape()
	for range n {
		W := tape.Watch(w)
		g := tape.Gradient(ops.Mean(W), W)[0] // want `the tape grows with every round of this loop: Reset it at the end`
		ops.Subtract(w, g, ops.UfuncOptions{Out: w})
	}
	params, other := nn.NewScope(), grad.NewTape()
	for range n {
		model := params.Watch(other) // want `the tape grows with every round`
		optim.GradientsOf(model, ops.Mean(nn.Affine(model, w, 10)))
	}
}

func main() {
	operands(1)
	state()
	time()
	life(1)
	walk(nd.NewRand(1), 1)
	variadic(nil, 1)
	simulate()
	nested(1)
	few(1)
	last(1)
	tapes(1)
	literals(1)
	generic(load(), []int{1})
}
