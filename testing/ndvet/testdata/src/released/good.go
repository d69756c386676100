package released

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func show(xs ...any) {}

func assignedAgain(x, y *nd.Array) *nd.Array {
	z := ops.Add(x, y)
	z.Release()
	z = ops.Add(x, x)
	return z
}

func eitherWay(x *nd.Array, done bool) *nd.Array {
	if done {
		x.Release()
		return nil
	}
	return ops.Tanh(x)
}

func mayBe(x *nd.Array, done bool) *nd.Array {
	if done {
		x.Release()
	}
	return ops.Tanh(x)
}

func described(x *nd.Array) []int {
	x.Release()
	x.Release()
	if x.IsReleased() {
		return x.Shape()
	}
	return nil
}

func views(x *nd.Array) *nd.Array {
	y := x.T()
	x.Release()
	return y
}

func steps(x, step *nd.Array, n int) *nd.Array {
	for range n {
		next := ops.Add(x, step)
		x.Release()
		x = next
	}
	return x
}

func eachRound(x *nd.Array, n int) {
	for range n {
		y := ops.Tanh(x)
		show(y)
		y.Release()
	}
	var y *nd.Array
	for range n {
		y = ops.Tanh(x)
		show(y)
		y.Release()
	}
}

func deferredValue(x *nd.Array) float64 {
	y := ops.Sum(x)
	defer y.Release()
	return nd.Value[float64](y)
}

func keptOf(x *nd.Array) *nd.Array {
	a := nd.NewArena()
	defer a.Release()
	return a.Keep(ops.Sum(a.Adopt(x)))
}

func keptBefore(x *nd.Array) *nd.Array {
	a := nd.NewArena()
	y := ops.Sum(a.Adopt(x))
	a.Keep(y)
	a.Release()
	return y
}

func notOfArena(x *nd.Array) *nd.Array {
	a := nd.NewArena()
	defer a.Release()
	show(ops.Tanh(a.Adopt(x)))
	return ops.Tanh(x)
}

func step(w, x *nd.Array, n int) {
	t := grad.NewTape()
	for range n {
		W := t.Watch(w)
		loss := ops.Mean(ops.MatMul(x, W))
		g := t.Gradient(loss, W)[0]
		ops.Subtract(w, g, ops.UfuncOptions{Out: w})
		show(loss)
		t.Reset()
	}
	out := ops.Subtract(w, t.Watch(w), ops.UfuncOptions{Out: w})
	t.Reset()
	show(out)
}

func keeper(t *grad.Tape, x *nd.Array) *nd.Array { return t.Keep(ops.Tanh(x)) }

func keptElsewhere(x *nd.Array) *nd.Array {
	t := grad.NewTape()
	y := keeper(t, t.Watch(x))
	t.Reset()
	return y
}

func twoArenas(x *nd.Array) *nd.Array {
	a, b := nd.NewArena(), nd.NewArena()
	y := ops.Add(a.Adopt(x), b.Adopt(x))
	a.Release()
	return y
}

func tidyGood(x, v, data *nd.Array, n int) *nd.Array {
	for range n {
		nd.TidyAll(func() { x, v = ops.Add(x, v), ops.Multiply(v, data) }, &x, &v)
	}
	var seen int
	var other *nd.Array
	y := nd.Tidy(x, func(x *nd.Array) *nd.Array {
		seen = x.Shape()[0]
		other = ops.Tanh(data)
		return ops.Tanh(x)
	})
	show(seen, other)
	return y
}
