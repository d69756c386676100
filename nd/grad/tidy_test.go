package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestTidyUnderATape: scopes change no gradient, of any order; the tape owns the results of scopes; values that no
// gradient reads are released with the scope.
func TestTidyUnderATape(t *testing.T) {
	w := vector(2, 3)
	cube := func(x *nd.Array) *nd.Array { return ops.Multiply(ops.Square(x), x) }
	var inside *nd.Array
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"no scope": cube,
		"Tidy":     func(x *nd.Array) *nd.Array { return nd.Tidy(x, cube) },
		"of another array": func(x *nd.Array) *nd.Array {
			return nd.Tidy(vector(1, 1), func(one *nd.Array) *nd.Array { return cube(ops.Multiply(x, one)) })
		},
		"TidyAll": func(x *nd.Array) *nd.Array {
			y := x
			for range 2 {
				nd.TidyAll(func() { y = ops.Multiply(ops.Add(y, 0.0), x) }, &y)
			}
			return y
		},
		"nested": func(x *nd.Array) *nd.Array {
			return nd.Tidy(x, func(x *nd.Array) *nd.Array {
				return ops.Multiply(nd.Tidy(x, func(x *nd.Array) *nd.Array { inside = ops.Absolute(x); return ops.Square(inside) }), x)
			})
		},
		"the argument": func(x *nd.Array) *nd.Array { return cube(nd.Tidy(x, func(x *nd.Array) *nd.Array { return x })) },
		"a view": func(x *nd.Array) *nd.Array {
			return cube(nd.Tidy(x, func(x *nd.Array) *nd.Array { return x.Flip() })).Flip()
		},
	} {
		t.Run(name, func(t *testing.T) {
			tape := grad.NewTape()
			for range 2 {
				x := tape.Watch(w)
				y := f(x)
				near(t, "the result", y, 8, 27)
				first := tape.GradientRecorded(y, x)[0]
				near(t, "the gradient", first, 12, 27)
				second := tape.Keep(tape.Gradient(first, x)[0])
				tape.Reset()
				if !y.IsReleased() {
					t.Error("the result outlived the tape's Reset")
				}
				near(t, "the second order", second, 12, 18)
			}
			near(t, "what was watched", w, 2, 3)
		})
	}
	if !inside.IsReleased() {
		t.Error("an array that was computed in a scope is not released")
	}
}

// TestTapeInAScope: a tape within a scope, as in a step of gradient descent.
func TestTapeInAScope(t *testing.T) {
	w, rate := vector(2, 3), nd.Scalar(0.25)
	for range 3 {
		nd.TidyAll(func() {
			tape := grad.NewTape()
			defer tape.Release()
			x := tape.Watch(w)
			g := tape.Gradient(ops.Square(x), x)[0]
			w = tape.Keep(ops.Subtract(w, ops.Multiply(g, rate)))
		}, &w)
	}
	near(t, "three steps", w, 0.25, 0.375)
}
