package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestGradientsThatAreNotNew: VJPs return arrays that already have an owner as gradients, which are added to and
// propagated. The owners' arrays must not change.
func TestGradientsThatAreNotNew(t *testing.T) {
	tape := grad.NewTape()
	constant, ofTape := vector(5, 6), ops.Square(tape.Watch(vector(3, 4))) // [9, 16]
	arena := nd.NewArena()
	ofArena := ops.Square(arena.Adopt(vector(1, 2))) // [1, 4]
	for name, c := range map[string]struct {
		backward func(c *nd.Call)
		want     [2]float64 // of a and of b, in sum 0
		element  int
	}{
		"a constant, twice":     {func(c *nd.Call) { c.SetGx(0, constant); c.SetGx(1, constant) }, [2]float64{5 + 7, 5 + 7}, 0},
		"of the tape":           {func(c *nd.Call) { c.SetGx(0, ofTape); c.SetGx(1, ofTape) }, [2]float64{9 + 7, 9 + 7}, 0},
		"of another arena":      {func(c *nd.Call) { c.SetGx(0, ofArena); c.SetGx(1, constant) }, [2]float64{4 + 7, 6 + 7}, 1},
		"that of the result":    {func(c *nd.Call) { c.SetGx(0, c.Gy(0)); c.SetGx(1, c.Gy(0)) }, [2]float64{3 + 7, 3 + 7}, 0},
		"once, and a view":      {func(c *nd.Call) { c.SetGx(0, c.Gy(0)); c.SetGx(1, c.Gy(0).Index(nd.All())) }, [2]float64{3 + 7, 3 + 7}, 1},
		"what is computed once": {func(c *nd.Call) { g := ops.Square(c.Gy(0)); c.SetGx(0, g); c.SetGx(1, g) }, [2]float64{9 + 7, 9 + 7}, 0},
		"an argument":           {func(c *nd.Call) { c.SetGx(0, c.In(1)); c.SetGx(1, c.In(0)) }, [2]float64{40 + 7, 20 + 7}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := grad.Function{
				Name:     "test.function",
				Forward:  func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Add(in[0], in[1])} },
				Backward: c.backward,
			}
			for _, first := range []bool{true, false} { // the other use comes before or after this one in the backward pass
				a, b := tape.Watch(vector(10, 20)), tape.Watch(vector(30, 40))
				a2, b2 := ops.Positive(a), ops.Positive(b)
				use := func() *nd.Array { return ops.Multiply(ops.Add(a2, b2), 7) }
				var y *nd.Array
				if first {
					y = ops.Multiply(f.Call(a2, b2)[0], 3)
					y = ops.Add(y, use())
				} else {
					other := use()
					y = ops.Add(other, ops.Multiply(f.Call(a2, b2)[0], 3))
				}
				seed := vector(1, 1)
				for range 2 {
					gs := tape.VJP([]*nd.Array{y}, []*nd.Array{seed}, a, b, a2)
					for i, want := range c.want {
						if got := nd.Value[float64](gs[i], c.element); got != want {
							t.Errorf("the gradient of argument %d is %v, want %v", i, got, want)
						}
					}
					for _, g := range gs {
						g.Assign(nd.Scalar(0))
					}
				}
				near(t, "the seed", seed, 1, 1)
				near(t, "the arguments", ops.Add(a, b), 40, 60)
				near(t, "the constant", constant, 5, 6)
				near(t, "the tape's", ofTape, 9, 16)
				near(t, "the arena's", ofArena, 1, 4)
			}
		})
	}
	tape.Reset()
	near(t, "the constant", constant, 5, 6)
	near(t, "the arena's", ofArena, 1, 4)
}

// TestGradientsBelongToTheTape: this also holds for gradients that were computed only from a gradient that the caller
// passed.
func TestGradientsBelongToTheTape(t *testing.T) {
	tape := grad.NewTape()
	x := tape.Watch(vector(1, 2))
	gs := tape.VJP([]*nd.Array{ops.Negative(x)}, []*nd.Array{vector(3, 4)}, x)
	near(t, "the gradient", gs[0], -3, -4)
	tape.Reset()
	if !gs[0].IsReleased() {
		t.Error("Reset left it")
	}
}

// TestWhatHooksComputeStays: arrays that hooks compute stay until the tape is reset.
func TestWhatHooksComputeStays(t *testing.T) {
	tape := grad.NewTape()
	var seen []*nd.Array
	tape.OnGradient = func(n *nd.Node, gy, gx []*nd.Array) {
		seen = append(seen, ops.Square(gy[0]), ops.Square(gx[0]))
	}
	x := tape.Watch(vector(1, 2))
	near(t, "the gradient", tape.Gradient(ops.Square(ops.Negative(ops.Positive(x))), x)[0], 2, 4)
	for i, want := range [][]float64{{1, 1}, {4, 16}, {4, 16}, {4, 16}, {4, 16}, {4, 16}} {
		near(t, "a square", seen[i], want...)
	}
	tape.Reset()
	if !seen[0].IsReleased() {
		t.Error("Reset left it")
	}
}
