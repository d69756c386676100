package nd_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func ExampleTidy() {
	w := nd.FromSlice([]float64{0.5, -1, 2, 0.25}, 2, 2)
	answer := func(request []float64) []float64 {
		y := nd.Tidy(nd.FromSlice(request), func(x *nd.Array) *nd.Array {
			return ops.Tanh(ops.MatMul(ops.Subtract(x, ops.Mean(x)), w)) // one of these four arrays remains
		})
		defer y.Release()
		return nd.ToSlice[float64](y)
	}
	fmt.Printf("%.3f\n", answer([]float64{1, 3}))
	// Output: [0.905 0.848]
}

func ExampleTidyAll() {
	x, v := nd.FromSlice([]float64{1, 2}), nd.FromSlice([]float64{0, 0}) // two oscillators, and their velocities
	h := nd.Scalar(0.01)
	for range 314 {
		nd.TidyAll(func() {
			v = ops.Subtract(v, ops.Multiply(x, h))
			x = ops.Add(x, ops.Multiply(v, h))
		}, &x, &v)
	}
	fmt.Printf("%.2v\n", x) // after half a period
	// Output: [-1. -2.]
}

// cube returns x³ + 2, and passes its temporaries to seen too.
func cube(x *nd.Array, seen func(x *nd.Array)) *nd.Array {
	xx := ops.Square(x)
	xxx := ops.Multiply(xx, x)
	seen(x)
	seen(xx)
	seen(xxx)
	return ops.Add(xxx, 2.0)
}

// TestTidyReleasesAllButTheResult: using an array that left the scope in another way panics and names its maker; the
// argument does not change.
func TestTidyReleasesAllButTheResult(t *testing.T) {
	for _, n := range sizes {
		x := nd.Full([]int{n}, 3.0)
		var out []*nd.Array
		f := func(x *nd.Array) *nd.Array { return cube(x, func(y *nd.Array) { out = append(out, y) }) }
		y := nd.Tidy(x, f)
		z := nd.Tidy(y, f) // the result can be used repeatedly
		again := nd.Tidy(y, f)
		for i, maker := range []string{"nd.Full", "ops.Square", "ops.Multiply"} {
			refused(t, func() { ops.Add(out[i], x) }, "made by "+maker+" in a scope of nd.Tidy", "return it")
		}
		churn(n)
		intact(t, "the argument", nd.ToSlice[float64](x), 3)
		intact(t, "the result", nd.ToSlice[float64](y), 29)
		intact(t, "the second result", nd.ToSlice[float64](z), 29*29*29+2)
		intact(t, "the third result", nd.ToSlice[float64](again), 29*29*29+2)
		z.Release()
		x.Release()
		churn(n)
		intact(t, "a result without its argument", nd.ToSlice[float64](y), 29)
	}
}

// TestTidyReturnsAnything: results that are not new arrays.
func TestTidyReturnsAnything(t *testing.T) {
	other := nd.Full([]int{2, 50}, 7.0)
	for what, f := range map[string]func(x *nd.Array) *nd.Array{
		"the argument":      func(x *nd.Array) *nd.Array { return x },
		"a view of it":      func(x *nd.Array) *nd.Array { return x.T() },
		"a view of a view":  func(x *nd.Array) *nd.Array { return ops.Add(x, 0).T().Index(nd.At(1)) },
		"what was there":    func(*nd.Array) *nd.Array { return other },
		"of other arrays":   func(*nd.Array) *nd.Array { return ops.Add(other, 0) },
		"of an inner scope": func(x *nd.Array) *nd.Array { return nd.Tidy(x, func(x *nd.Array) *nd.Array { return ops.Absolute(x) }) },
		"of another's scope": func(x *nd.Array) *nd.Array {
			return nd.Tidy(other, func(y *nd.Array) *nd.Array { return ops.Maximum(x, y) })
		},
		"kept of an arena": func(x *nd.Array) *nd.Array {
			a := nd.NewArena()
			defer a.Release()
			return a.Keep(ops.Absolute(a.Adopt(x)))
		},
		"of an arena dropped": func(x *nd.Array) *nd.Array { return ops.Absolute(nd.NewArena().Adopt(x)) },
		"the same type":       func(x *nd.Array) *nd.Array { return x.AsType(dtype.Float64).Contiguous() },
	} {
		x := nd.Full([]int{2, 50}, 7.0)
		y := nd.Tidy(x, f)
		churn(100)
		intact(t, what, nd.ToSlice[float64](y), 7)
		y.Release()
		churn(100)
		intact(t, what+": the argument", nd.ToSlice[float64](x), 7)
		if y == other {
			other = nd.Full([]int{2, 50}, 7.0)
		}
	}
	x := nd.Ones([]int{3})
	if y := nd.Tidy(x, func(*nd.Array) *nd.Array { return nil }); y != nil {
		t.Error("nil became an array")
	}
	if y := nd.Tidy(x, func(*nd.Array) *nd.Array { return nd.Scalar(2) }); !y.IsScalar() {
		t.Error("a Scalar became an array")
	}
	if y := nd.Tidy(nd.Scalar(2), func(x *nd.Array) *nd.Array { return ops.Square(x) }); nd.Value[int](y) != 4 {
		t.Errorf("of a Scalar: %v", y)
	}
	refused(t, func() { nd.Tidy(nil, func(x *nd.Array) *nd.Array { return x }) }, "nd.Tidy", "nil")
	refused(t, func() { nd.Tidy(x, nil) }, "nd.Tidy", "no function")
	refused(t, func() {
		nd.Tidy(x, func(x *nd.Array) *nd.Array {
			tape := grad.NewTape()
			defer tape.Release()
			return ops.Square(tape.Watch(x))
		})
	}, "nd.Tidy", "ops.Square", "under a released tape: Keep it")
}

// TestTidyNests: the outer scope owns the result of an inner scope.
func TestTidyNests(t *testing.T) {
	x := nd.Full([]int{100}, 2.0)
	var inner, state *nd.Array
	y := nd.Tidy(x, func(x *nd.Array) *nd.Array {
		inner = nd.Tidy(x, func(x *nd.Array) *nd.Array { return ops.Square(x) })
		state = inner
		for range 3 {
			nd.TidyAll(func() { state = ops.Add(ops.Add(state, x), x) }, &state)
		}
		return ops.Add(inner, state)
	})
	refused(t, func() { ops.Absolute(inner) }, "ops.Square in a scope")
	refused(t, func() { ops.Absolute(state) }, "ops.Add in a scope")
	intact(t, "the result", nd.ToSlice[float64](y), 20)
	arena := nd.NewArena()
	z := nd.Tidy(arena.Adopt(x), func(x *nd.Array) *nd.Array { return ops.Square(x) })
	arena.Release()
	refused(t, func() { ops.Absolute(z) }, "under a released arena")
}

// TestTidyOnPanic: the scope is released, and the variables get back their arrays.
func TestTidyOnPanic(t *testing.T) {
	x, first := nd.Full([]int{100}, 2.0), nd.Full([]int{100}, 3.0)
	var out *nd.Array
	refused(t, func() {
		nd.Tidy(x, func(x *nd.Array) *nd.Array {
			out = ops.Square(x)
			return ops.Add(out, nd.Ones([]int{7}))
		})
	}, "ops.Add", "(7,)")
	refused(t, func() { ops.Absolute(out) }, "ops.Square in a scope")
	a, b := first, first
	for range 2 { // the second time with states that TidyAll has left
		before := a
		refused(t, func() {
			nd.TidyAll(func() {
				a = ops.Square(b)
				nd.TidyAll(func() { a = ops.Square(a) }, &a)
				b = nil
				ops.Add(a, nd.Ones([]int{7}))
			}, &a, &b)
		}, "ops.Add")
		if a != before || b != before {
			t.Error("the variables have other arrays")
		}
		intact(t, "after a panic", nd.ToSlice[float64](a), 3)
		nd.TidyAll(func() { a = ops.Absolute(a); b = a }, &a, &b)
	}
	refused(t, func() {
		nd.TidyAll(func() {
			tape := grad.NewTape()
			a = ops.Square(tape.Watch(a))
			tape.Reset()
		}, &a)
	}, "nd.TidyAll", "under a released tape")
	intact(t, "after a result that was released", nd.ToSlice[float64](a), 3)
}

func TestTidyOnOtherDevices(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	x := nd.Full([]int{100}, 2.0).To(ref)
	var out *nd.Array
	y := nd.Tidy(x, func(x *nd.Array) *nd.Array {
		out = ops.Square(x)
		return ops.Add(out, x)
	})
	if !out.IsReleased() || nd.Value[int](y, 99) != 6 || y.Device() != ref {
		t.Errorf("got %v", y)
	}
}

// TestTidyManyAtOnce: scopes in several goroutines share arrays.
func TestTidyManyAtOnce(t *testing.T) {
	x := nd.Full([]int{1000}, 2.0)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			y := x
			for range 50 {
				y = nd.Tidy(y, func(y *nd.Array) *nd.Array { return ops.Subtract(ops.Multiply(y, x), y) })
				nd.TidyAll(func() { y = ops.Add(ops.Subtract(y, x), x) }, &y)
			}
			intact(t, "beside others", nd.ToSlice[float64](y), 2)
		})
	}
	wg.Wait()
}
