// Package released has arrays that are used after their release, and others that are not.
package released

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func straight(x, y *nd.Array) *nd.Array {
	z := ops.Add(x, y)
	z.Release()
	return ops.Tanh(z) // want `the array is used after its Release`
}

func branch(x *nd.Array, print bool) {
	x.Release()
	if print {
		show(x) // want `the array is used after its Release`
	}
}

func method(x *nd.Array) *nd.Array {
	x.Release()
	return x.T() // want `the array is used after its Release`
}

func deferred(x *nd.Array) *nd.Array {
	y := ops.Tanh(x)
	defer y.Release()
	return y // want `the array is used after its Release`
}

func loop(x, step *nd.Array, n int) {
	for range n {
		y := ops.Add(x, step) // want `the array is used after its Release in the round before`
		x.Release()
		if y.Shape()[0] > 10 {
			continue
		}
		x = y
	}
}

func carried(x *nd.Array, n int) float64 {
	y := x.Copy()
	total := 0.0
	for range n {
		total += nd.Value[float64](y) // want `the array is used after its Release in the round before`
		y = ops.Tanh(x)
		y.Release()
	}
	return total
}

func arena(x *nd.Array) *nd.Array {
	a := nd.NewArena()
	y := ops.Tanh(ops.Square(a.Adopt(x)))
	a.Release()
	return ops.Add(y, x) // want `the array is used after Arena.Release without Keep`
}

func deferredArena(x *nd.Array) *nd.Array {
	a := nd.NewArena()
	defer a.Release()
	return ops.Sum(a.Adopt(x)) // want `the array is used after Arena.Release without Keep`
}

func tape(w, x *nd.Array) (float64, *nd.Array) {
	t := grad.NewTape()
	W := t.Watch(w)
	loss := ops.Mean(model(x, W))
	g := t.Gradient(loss, W)
	step := ops.Multiply(g[0], nd.Scalar(0.1))
	t.Reset()
	value := nd.Value[float64](loss)    // want `the array is used after Tape.Reset without Keep`
	return value, ops.Subtract(w, step) // want `the array is used after Tape.Reset without Keep`
}

func model(x, w *nd.Array) *nd.Array { return ops.Tanh(ops.MatMul(x, w)) }

func recurrent(w, h *nd.Array, n int) {
	t := grad.NewTape()
	defer t.Release()
	for range n {
		h = ops.Tanh(ops.MatMul(h, t.Watch(w))) // want `the array is used after Tape.Reset without Keep in the round before`
		t.Reset()
	}
}

func lastLoss(w *nd.Array, n int) float64 {
	t := grad.NewTape()
	var loss *nd.Array
	for range n {
		loss = ops.Mean(t.Watch(w))
		t.Reset()
	}
	return nd.Value[float64](loss) // want `the array is used after Tape.Reset without Keep`
}

func tidy(x *nd.Array) *nd.Array {
	var half *nd.Array
	y := nd.Tidy(x, func(x *nd.Array) *nd.Array {
		half = ops.Multiply(x, nd.Scalar(0.5))
		return ops.Tanh(half)
	})
	return ops.Add(y, half) // want `the array is used after the end of its scope: it is not among the results of nd.Tidy`
}

func tidyAll(x, v *nd.Array, n int) {
	var loss *nd.Array
	for range n {
		nd.TidyAll(func() {
			x = ops.Add(x, v)
			loss = ops.Sum(ops.Square(x))
		}, &x, &v)
		show(loss) // want `the array is used after the end of its scope: it is not among the results of nd.TidyAll`
	}
}

func appended(x *nd.Array, n int) {
	var losses []*nd.Array
	nd.TidyAll(func() {
		for range n {
			x = model(x, x)
			losses = append(losses, ops.Mean(x))
		}
	}, &x)
	show(losses[0], len(losses)) // want `the array is used after the end of its scope`
}

func converged(x, v *nd.Array) *nd.Array {
	for {
		before := x
		nd.TidyAll(func() { x = model(x, v) }, &x, &v)
		if nd.Value[float64](ops.Sum(ops.Subtract(x, before))) == 0 { // want `the array is used after the next nd.TidyAll, which releases the state before it: keep a Copy`
			return x
		}
	}
}

func best(x, v *nd.Array, n int) *nd.Array {
	found, least := x, 0.0
	for range n {
		nd.TidyAll(func() { x = model(x, v) }, &x, &v)
		if now := nd.Value[float64](ops.Sum(x)); now < least {
			found, least = x, now
		}
	}
	return found // want `the array is used after the next nd.TidyAll`
}

func gradients(w *nd.Array) []*nd.Array {
	t := grad.NewTape()
	defer t.Release()
	W := t.Watch(w)
	return t.Gradient(ops.Mean(W), W) // want `the array is used after Tape.Release without Keep`
}

func gradientsLater(w *nd.Array) {
	t := grad.NewTape()
	W := t.Watch(w)
	gs := t.Gradient(ops.Mean(W), W)
	t.Reset()
	for _, g := range gs {
		show(g) // want `the array is used after Tape.Reset without Keep`
	}
}

func watchedOnce(w, x *nd.Array, n int) {
	t := grad.NewTape()
	W := t.Watch(w)
	for range n {
		g := t.Gradient(ops.Mean(ops.MatMul(x, W)), W) // want `the array is used after Tape.Reset without Keep in the round before`
		ops.Subtract(w, g[0], ops.Into(w))
		t.Reset()
	}
}

func releasedEachRound(x *nd.Array, n int) {
	for i := 0; i < n; i++ {
		show(x) // want `the array is used after its Release in the round before`
		x.Release()
	}
}
