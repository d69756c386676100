package nd_test

import (
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// product is a composite function: (x - w)·w + ones, or x itself.
func product(x, w *nd.Array, itself bool) (y, smuggled *nd.Array) {
	const fn nd.Func = "test.product"
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	if itself {
		return made.Keep(x), nil
	}
	ones := made.Own(nd.Ones(x.Shape()))
	smuggled = ops.Subtract(x, w)
	return made.Keep(ops.Add(ops.Multiply(smuggled, w), ones).Reshape(-1)), smuggled
}

func TestTemporaries(t *testing.T) {
	const n = 5000
	x, w := nd.Full([]int{n}, 3.0), nd.Full([]int{n}, 2.0)
	if y, _ := product(x, nil, true); y != x {
		t.Error("an argument is not returned unchanged")
	}
	if y, _ := product(x, x, false); nd.ToSlice[float64](y)[0] != 1 {
		t.Error("the same argument twice is not itself")
	}
	y, difference := product(x, w, false)
	intact(t, "(3-2)·2 + 1", nd.ToSlice[float64](y), 3)
	refused(t, func() { ops.Square(difference) }, "released", "ops.Subtract")
	if !y.IsExclusive() {
		t.Error("another header shares the memory of the result")
	}
	a := nd.NewArena()
	owned, _ := product(a.Adopt(x), w, false)
	a.Release()
	if !owned.IsReleased() {
		t.Error("the result does not belong to the arena of an argument")
	}
	before, _ := cpu.BlocksMade()
	for range 20 {
		y.Release()
		y, _ = product(x, w, false)
	}
	if after, _ := cpu.BlocksMade(); after-before > 3 {
		t.Errorf("20 calls with released results make %d blocks", after-before)
	}
}

// TestTemporariesOfATape releases recorded arrays; the tape holds the values that its gradients read.
func TestTemporariesOfATape(t *testing.T) {
	const n = 5000
	tape := grad.NewTape()
	x, w := tape.Watch(nd.Full([]int{n}, 3.0)), tape.Watch(nd.Full([]int{n}, 2.0))
	y, difference := product(x, w, false)
	if !difference.IsReleased() {
		t.Error("a recorded temporary is not released")
	}
	churn(n)
	g := tape.Gradient(y, x, w)
	intact(t, "the gradient to x", nd.ToSlice[float64](g[0]), 2)
	intact(t, "the gradient to w", nd.ToSlice[float64](g[1]), 3-2*2)
	tape.Reset()
	if !y.IsReleased() {
		t.Error("the result does not belong to the tape")
	}
}

// TestTemporariesOfManyGoroutines calls one function with the same arguments from several goroutines. Each must get the
// right result and leave the arguments unchanged.
func TestTemporariesOfManyGoroutines(t *testing.T) {
	x, w := nd.Full([]int{500}, 3.0), nd.Full([]int{500}, 2.0)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				y, _ := product(x, w, false)
				if v := nd.Value[float64](y, 499); v != 3 {
					t.Errorf("the last element is %v, want 3", v)
				}
				y.Release()
			}
		})
	}
	group.Wait()
	if !x.IsExclusive() || !w.IsExclusive() {
		t.Error("a header that replaced an argument is left")
	}
}
