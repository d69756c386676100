package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

func releases(n int) *nd.Array {
	x, step := load(), load()
	for range n {
		y := ops.Multiply(x, step)
		next := ops.Add(x, y)
		y.Release()
		x.Release()
		x = next
	}
	return x
}

func deferred(n int) {
	x := load()
	for range n {
		func() {
			y := ops.Multiply(x, x)
			defer y.Release()
			use(nd.ToSlice[float64](y))
		}()
	}
}

func inArena(n int) {
	x := load()
	arena := nd.NewArena()
	defer arena.Release()
	for range n {
		a := arena.Adopt(x)
		use(nd.ToSlice[float64](ops.Tanh(ops.Add(a, a))))
		arena.Release()
	}
}

func inTape(n int) {
	w, b := load(), load()
	tape := grad.NewTape()
	defer tape.Release()
	for range n {
		W := tape.Watch(w)
		g := tape.Gradient(ops.Mean(ops.Square(ops.Add(W, b))), W)[0]
		ops.Subtract(w, ops.Multiply(g, 0.1), ops.UfuncOptions{Out: w})
		tape.Reset()
	}
}

func inTidy(n int) *nd.Array {
	g := load()
	for range n {
		g = nd.Tidy(g, tidied)
	}
	for range n {
		g = nd.Tidy(g, func(g *nd.Array) *nd.Array {
			for range n {
				g = ops.Add(g, ops.Tanh(g))
			}
			return g
		})
	}
	v := load()
	for range n {
		nd.TidyAll(func() {
			g = ops.Add(g, ops.Tanh(v))
			v = leap(g, v)
		}, &g, &v)
	}
	return v
}

func tidied(g *nd.Array) *nd.Array { return ops.Add(ops.Tanh(g), ops.Square(g)) }

func leap(g, v *nd.Array) *nd.Array { return ops.Add(ops.Tanh(g), ops.Square(v)) }

// layers is called under a tape: what it computes is the tape's.
func layers(x *nd.Array, weights []*nd.Array) *nd.Array {
	for _, w := range weights {
		x = ops.ReLU(ops.MatMul(x, w))
	}
	return x
}

func train(n int) {
	x := load()
	weights := []*nd.Array{load(), load()}
	tape := grad.NewTape()
	for range n {
		var watched []*nd.Array
		for _, w := range weights {
			watched = append(watched, tape.Watch(w))
		}
		_ = tape.Gradient(ops.Mean(layers(x, watched)), watched...)
		tape.Reset()
	}
}

// Exported functions of a library may be called with arrays of an arena.
type Model struct{ weights []*nd.Array }

func (m *Model) forward(scope *nn.Scope, x *nd.Array) *nd.Array {
	for range m.weights {
		x = ops.Tanh(nn.Affine(scope, x, 10))
	}
	return x
}

func infer(n int) {
	a := nd.NewArena()
	m := &Model{}
	for range n {
		use(nd.ToSlice[float64](m.forward(nn.NewScope(), a.Adopt(load()))))
		a.Release()
	}
}

// elsewhere the tape is in a literal, or handed on.
func elsewhere(n int) {
	x, tape := load(), grad.NewTape()
	forward := func(x *nd.Array) *nd.Array { return ops.Tanh(tape.Watch(x)) }
	for range n {
		use(nd.ToSlice[float64](ops.Square(forward(x))))
		use(nd.ToSlice[float64](ops.Square(watch(tape, x))))
		tape.Reset()
	}
}

func watch(tape *grad.Tape, x *nd.Array) *nd.Array { return tape.Watch(x) }

// methods as values are called by a scope.
type system struct{ rate *nd.Array }

func (s *system) step(x *nd.Array) *nd.Array {
	for range s.rate.Shape() {
		x = ops.Add(x, ops.Multiply(x, s.rate))
	}
	return x
}

func methods(n int) *nd.Array {
	s, x := &system{rate: load()}, load()
	for range n {
		x = nd.Tidy(x, s.step)
	}
	return x
}

// authors of functions have an arena for one call.
func powers(x *nd.Array, n int) *nd.Array {
	made := nd.Func("powers").Temporaries(&x)
	defer made.Release()
	y := x
	for range n {
		y = ops.Multiply(y, ops.Add(x, made.Own(load())))
	}
	return made.Keep(y)
}

// fewRounds are not worth a line.
func fewRounds() {
	x := load()
	for range 10 {
		x = ops.Add(x, x)
	}
	for _, shape := range [][]int{{2, 3}, {3, 2}} {
		use(nd.ToSlice[float64](ops.Tanh(x.Reshape(shape...))))
	}
	for i := -20; i <= 20; i += 2 {
		x = ops.Add(x, x)
	}
	for _, c := range table {
		use(nd.ToSlice[float64](ops.Tanh(x.Reshape(c))))
	}
}

var table = []int{1, 2, 3}

// small arrays cost what a header costs.
func small(n int) {
	x := nd.FromSlice([]float64{1, 2, 3})
	w := nd.Zeros([]int{1, 1})
	big := load()
	for range n {
		x = ops.Add(x, ops.Multiply(x, nd.Scalar(2.0)))
		w = ops.Add(w, nd.Scalar(1))
		use([]float64{nd.Value[float64](ops.Sqrt(ops.Mean(big)))})
	}
}

func show(x any) {}

// kept arrays are somebody's.
func kept(n int) []*nd.Array {
	x := load()
	var all []*nd.Array
	byName := map[string]*nd.Array{}
	results := make(chan *nd.Array, n)
	for range n {
		all = append(all, ops.Tanh(x))
		byName["last"] = ops.Square(x)
		results <- ops.Sqrt(x)
		show(ops.Add(x, x))
		use(nd.Data[float64](ops.Add(x, x)))
	}
	return all
}

// intoOut makes nothing.
func intoOut(n int) {
	x, y := load(), load()
	o := ops.UfuncOptions{Out: y}
	for range n {
		ops.Add(x, y, o)
		use(nd.ToSlice[float64](ops.Sum(x, ops.ReduceOptions{Out: y})))
		use(nd.ToSlice[float64](ops.Tanh(x, ops.UfuncOptions{Out: y})))
	}
}

// unknown functions may keep what they get.
func unknown(n int, f func(*nd.Array)) {
	x := load()
	for range n {
		f(ops.Tanh(x))
	}
}

func init() {
	releases(1)
	deferred(1)
	inArena(1)
	inTape(1)
	inTidy(1)
	train(1)
	infer(1)
	elsewhere(1)
	methods(1)
	powers(load(), 1)
	fewRounds()
	small(1)
	kept(1)
	intoOut(1)
	unknown(1, nil)
}
