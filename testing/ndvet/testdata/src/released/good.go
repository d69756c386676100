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
		ops.Subtract(w, g, ops.Into(w))
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

func statesOfOneRound(x, v *nd.Array, n int) *nd.Array {
	total := 0.0
	var last *nd.Array
	for i := 0; i < n; i++ {
		if last != nil {
			total += nd.Value[float64](ops.Sum(ops.Subtract(x, last)))
		}
		nd.TidyAll(func() { x = ops.Add(x, v) }, &x, &v)
		last = x
	}
	show(total)
	return last
}

func bestOf(x, v *nd.Array, n int) *nd.Array {
	best, least := x, 0.0
	for range n {
		nd.TidyAll(func() {
			x = ops.Add(x, v)
			if now := nd.Value[float64](ops.Sum(x)); now < least {
				best, least = x, now
			}
		}, &x, &v, &best)
	}
	return best
}

func copies(x, v *nd.Array, n int) *nd.Array {
	best, least := x, 0.0
	for range n {
		before := x.Copy()
		nd.TidyAll(func() { x = ops.Add(x, v) }, &x, &v)
		if now := nd.Value[float64](ops.Sum(ops.Subtract(x, before))); now < least {
			best, least = x.Copy(), now
		}
	}
	return best
}

func askedGradients(w *nd.Array) bool {
	t := grad.NewTape()
	W := t.Watch(w)
	gs := t.Gradient(ops.Mean(W), W)
	show(gs[0])
	t.Reset()
	return gs[0].IsReleased() && len(gs) == 1
}

func dataStays(x, data *nd.Array, n int) {
	for range n {
		rows := data
		nd.TidyAll(func() { x = ops.Add(x, data) }, &x, &data)
		show(rows)
	}
}

func keptGradients(w *nd.Array) []*nd.Array {
	t := grad.NewTape()
	defer t.Release()
	W := t.Watch(w)
	gs := t.Gradient(ops.Mean(W), W)
	for _, g := range gs {
		t.Keep(g)
	}
	return gs
}

func numbers(x *nd.Array, n int) {
	var losses []float64
	nd.TidyAll(func() {
		x = ops.Tanh(x)
		losses = append(losses, nd.Value[float64](ops.Mean(x)))
	}, &x)
	show(losses)
}

func ownArena(x *nd.Array) *nd.Array {
	var kept *nd.Array
	y := nd.Tidy(x, func(x *nd.Array) *nd.Array {
		a := nd.NewArena()
		kept = a.Keep(ops.Tanh(a.Adopt(x)))
		a.Release()
		return ops.Tanh(x)
	})
	return ops.Add(y, kept)
}

func releasedOnce(x, y *nd.Array, n int) {
	t := grad.NewTape()
	W := t.Watch(y)
	for i := range n {
		show(x)
		if i == n-1 {
			x.Release()
		}
	}
	for {
		show(y)
		if len(y.Shape()) == 0 {
			y.Release()
			break
		}
	}
	for range n {
		if show(W); n == 3 {
			t.Reset()
			return
		}
	}
}
