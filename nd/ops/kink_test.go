package ops_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// functionsWithKink are the functions that have a Kink.
var functionsWithKink = map[string]func(kink ops.Kink, xs ...*nd.Array) *nd.Array{
	"Absolute": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return ops.Absolute(xs[0], ops.UfuncOptions{Kink: kink})
	},
	"HardSigmoid": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return ops.HardSigmoid(xs[0], ops.UfuncOptions{Kink: kink})
	},
	"PReLU": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return ops.PReLU(xs[0], xs[1], ops.PReLUOptions{BaseAxis: new(0), Kink: kink})
	},
	"loss.AbsoluteError": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return loss.AbsoluteError(xs[0], xs[1], ops.UfuncOptions{Kink: kink})
	},
	"Maximum": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return ops.Maximum(xs[0], xs[1], ops.UfuncOptions{Kink: kink})
	},
	"Minimum": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return ops.Minimum(xs[0], xs[1], ops.UfuncOptions{Kink: kink})
	},
	"Max": func(kink ops.Kink, xs ...*nd.Array) *nd.Array { return ops.Max(xs[0], ops.ReduceOptions{Kink: kink}) },
	"Min": func(kink ops.Kink, xs ...*nd.Array) *nd.Array { return ops.Min(xs[0], ops.ReduceOptions{Kink: kink}) },
	"Maxout": func(kink ops.Kink, xs ...*nd.Array) *nd.Array {
		return ops.Maxout(xs[0], 3, ops.MaxoutOptions{Axis: ops.Over(0), Kink: kink})
	},
}

// TestKinks compares the gradients of sums with the slopes beside the corners, and with the parts at ties.
func TestKinks(t *testing.T) {
	negativeZero := math.Copysign(0, -1)
	for _, test := range []struct {
		function string
		kink     ops.Kink
		at, want at
	}{
		{"Absolute", ops.KinkLeft, at{{0, negativeZero, 2, -2, inf}}, at{{-1, -1, 1, -1, 1}}},
		{"Absolute", ops.KinkRight, at{{0, negativeZero, 2, -2, -inf}}, at{{1, 1, 1, -1, -1}}},
		{"Absolute", ops.KinkLeast, at{{0, 2}}, at{{0, 1}}},
		{"Absolute", ops.KinkEven, at{{0, 2}}, at{{0, 1}}},
		{"HardSigmoid", ops.KinkLeft, at{{-2.5, 2.5, 0, 3, nan}}, at{{0, 0.2, 0.2, 0, nan}}},
		{"HardSigmoid", ops.KinkRight, at{{-2.5, 2.5, 0}}, at{{0.2, 0, 0.2}}},
		{"HardSigmoid", ops.KinkLeast, at{{-2.5, 2.5, 0}}, at{{0, 0, 0.2}}},
		{"HardSigmoid", ops.KinkEven, at{{-2.5, 2.5, 0}}, at{{0.1, 0.1, 0.2}}},
		{"PReLU", ops.KinkLeft, at{{0, 1, -3}, {0.25, 0.25, 0.25}}, at{{0.25, 1, 0.25}, {0, 0, -3}}},
		{"PReLU", ops.KinkRight, at{{0, 1, 0}, {0.25, 0.25, inf}}, at{{1, 1, 1}, {0, 0, 0}}},
		{"PReLU", ops.KinkLeast, at{{0, 0, 0}, {0.25, -1, 4}}, at{{0.25, 0, 1}, {0, 0, 0}}},
		{"PReLU", ops.KinkEven, at{{0, 0, -1}, {0.5, -1, 4}}, at{{0.75, 0, 4}, {0, 0, -1}}},
		{"loss.AbsoluteError", ops.KinkLeft, at{{1, 2, 0}, {1, 1, 1}}, at{{-1, 1, -1}, {1, -1, 1}}},
		{"loss.AbsoluteError", ops.KinkRight, at{{1, 2, 0}, {1, 1, 1}}, at{{1, 1, -1}, {-1, -1, 1}}},
		{"loss.AbsoluteError", ops.KinkEven, at{{1, 2, 0}, {1, 1, 1}}, at{{0, 1, -1}, {0, -1, 1}}},
		{"loss.AbsoluteError", ops.KinkLeast, at{{1}, {1}}, at{{0}, {0}}},
		{"Maximum", ops.KinkFirst, at{{1, 2, nan, 1}, {1, 1, nan, nan}}, at{{1, 1, 1, 0}, {0, 0, 0, 1}}},
		{"Maximum", ops.KinkLast, at{{1, 2, nan, 1}, {1, 1, nan, nan}}, at{{0, 1, 0, 0}, {1, 0, 1, 1}}},
		{"Maximum", ops.KinkAll, at{{1, 2, nan, 0}, {1, 1, 1, negativeZero}}, at{{1, 1, 1, 1}, {1, 0, 0, 1}}},
		{"Maximum", ops.KinkEven, at{{1, 2, inf}, {1, 3, inf}}, at{{0.5, 0, 0.5}, {0.5, 1, 0.5}}},
		{"Minimum", ops.KinkFirst, at{{1, 2}, {1, 1}}, at{{1, 0}, {0, 1}}},
		{"Minimum", ops.KinkLast, at{{1, 2, nan}, {1, 1, 1}}, at{{0, 0, 1}, {1, 1, 0}}},
		{"Minimum", ops.KinkAll, at{{1, 2}, {1, 1}}, at{{1, 0}, {1, 1}}},
		{"Minimum", ops.KinkEven, at{{1, 2}, {1, 1}}, at{{0.5, 0}, {0.5, 1}}},
		{"Max", ops.KinkFirst, at{{3, 1, 3}}, at{{1, 0, 0}}},
		{"Max", ops.KinkLast, at{{3, 1, 3, 2}}, at{{0, 0, 1, 0}}},
		{"Max", ops.KinkAll, at{{3, 1, 3}}, at{{1, 0, 1}}},
		{"Max", ops.KinkEven, at{{3, 1, 3}}, at{{0.5, 0, 0.5}}},
		{"Max", ops.KinkEven, at{{3, nan, 3, nan}}, at{{0, 0.5, 0, 0.5}}},
		{"Max", ops.KinkLast, at{{3, nan, 3, nan, 1}}, at{{0, 0, 0, 1, 0}}},
		{"Max", ops.KinkAll, at{{inf, 1, inf}}, at{{1, 0, 1}}},
		{"Min", ops.KinkLast, at{{1, 2, 1}}, at{{0, 0, 1}}},
		{"Min", ops.KinkAll, at{{1, 2, 1}}, at{{1, 0, 1}}},
		{"Min", ops.KinkEven, at{{1, 1, 1, 1}}, at{{0.25, 0.25, 0.25, 0.25}}},
		{"Maxout", ops.KinkFirst, at{{1, 1, 0, 2, 5, 5}}, at{{1, 0, 0, 0, 1, 0}}},
		{"Maxout", ops.KinkLast, at{{1, 1, 0, 2, 5, 5}}, at{{0, 1, 0, 0, 0, 1}}},
		{"Maxout", ops.KinkAll, at{{1, 1, 0, 2, 5, 5}}, at{{1, 1, 0, 0, 1, 1}}},
		{"Maxout", ops.KinkEven, at{{1, 1, 0, 2, 5, 5}}, at{{0.5, 0.5, 0, 0, 0.5, 0.5}}},
	} {
		f := functionsWithKink[test.function]
		in, tape := make([]*nd.Array, len(test.at)), grad.NewTape()
		for k, values := range test.at {
			in[k] = tape.Watch(opstest.Vector(values...))
		}
		y := f(test.kink, in...)
		opstest.Floats(t, test.function+" with "+test.kink.String(), y, nd.ToSlice[float64](f(0, in...).Ravel())...)
		for k, g := range tape.Gradient(y, in...) {
			opstest.Floats(t, "the gradient of "+test.function+" with "+string(test.kink), ops.Add(g, 0), test.want[k]...)
		}
	}
}

// TestKinksOfManyKinds tests views, axes, dtypes, outputs and empty arrays.
func TestKinksOfManyKinds(t *testing.T) {
	x := nd.FromRows([][]float64{{3, 1}, {5, 1}, {3, 7}, {5, 7}})
	along := func(o ops.ReduceOptions, x *nd.Array) *nd.Array {
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Max(x.T(), o) }, x)
		return g
	}
	opstest.Floats(t, "along an axis of a view", along(ops.ReduceOptions{Axes: ops.Over(-1), Kink: ops.KinkEven}, x), 0, 0, 0.5, 0, 0, 0.5, 0.5, 0.5)
	opstest.Floats(t, "with kept axes", along(ops.ReduceOptions{Axes: ops.Over(1), KeepDims: true, Kink: ops.KinkAll}, x), 0, 0, 1, 0, 0, 1, 1, 1)
	opstest.Floats(t, "along no axes", along(ops.ReduceOptions{Axes: ops.Over(), Kink: ops.KinkEven}, x), 1, 1, 1, 1, 1, 1, 1, 1)
	opstest.Floats(t, "in another dtype", along(ops.ReduceOptions{DType: dtype.Float16, Kink: ops.KinkEven}, ops.Add(x, 1e-9)), 0, 0, 0, 0, 0, 0.5, 0, 0.5)
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32} {
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Absolute(x, ops.UfuncOptions{Kink: ops.KinkRight}) }, nd.Zeros([]int{2}, dt))
		if g.DType() != dt {
			t.Errorf("the gradient of %s has dtype %s", dt, g.DType())
		}
		opstest.Floats(t, "Absolute of "+dt.String(), g, 1, 1)
	}
	z := nd.FromSlice([]complex128{1i, 1i, 1})
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Real(ops.Min(x, ops.ReduceOptions{Kink: ops.KinkAll})) }, z)
	opstest.Repr(t, g, "array([1.+0.j, 1.+0.j, 0.+0.j])")
	opstest.Repr(t, ops.Absolute(nd.FromSlice([]int8{-3, 0}), ops.UfuncOptions{Kink: ops.KinkRight}), "array([3, 0], dtype=int8)")
	opstest.Repr(t, ops.Max(nd.FromSlice([]int8{-3, 0}), ops.ReduceOptions{Kink: ops.KinkAll}), "array(0, dtype=int8)")
	opstest.Repr(t, ops.Maximum(nd.FromSlice([]int8{-3, 0}), 0, ops.UfuncOptions{Kink: ops.KinkLast}), "array([0, 0], dtype=int8)")
	_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return ops.Real(ops.Maximum(x, nd.FromSlice([]complex128{1i, 2, 0}), ops.UfuncOptions{Kink: ops.KinkEven}))
	}, z)
	opstest.Repr(t, g, "array([0.5+0.j, 0. +0.j, 1. +0.j])")
	out := nd.Zeros([]int{2})
	ops.Maximum(nd.FromSlice([]float32{1, 3}), 2, ops.UfuncOptions{Out: out, Kink: ops.KinkEven})
	opstest.Floats(t, "Out", out, 2, 3)
	_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Maximum(2, x, ops.UfuncOptions{Kink: ops.KinkEven}) }, opstest.Vector(1.0, 2, 3))
	opstest.Floats(t, "with a scalar", g, 0, 0.5, 1)
	column := nd.FromRows([][]float64{{1}, {2}})
	_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return ops.Maximum(column, x, ops.UfuncOptions{Kink: ops.KinkLast})
	}, opstest.Vector(1.0, 2))
	opstest.Floats(t, "broadcast", g, 1, 2)
	for name, f := range functionsWithKink {
		kink := ops.KinkEven
		empty := []*nd.Array{nd.Zeros([]int{0, 2}), nd.Zeros([]int{0, 2})}
		if name != "Max" && name != "Min" {
			if y := f(kink, empty...); y.Size() != 0 {
				t.Errorf("%s of an empty array: shape %v", name, y.Shape())
			}
		}
		if name != "Maxout" && name != "PReLU" {
			y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return f(kink, x, nd.Full(nil, 1.0)) }, nd.Full(nil, 2.0))
			if y.Rank() != 0 || g.Rank() != 0 {
				t.Errorf("%s of a 0-d array: shapes %v and %v", name, y.Shape(), g.Shape())
			}
		}
	}
}

// TestKinksAwayFromKinks compares gradients with differences.
func TestKinksAwayFromKinks(t *testing.T) {
	a, b := opstest.Vector(0.5, -1.5, 2.25, -3, 0.75, 4), opstest.Vector(1.5, -0.5, 0.25, -2, 0.25, 3)
	for name, f := range functionsWithKink {
		for _, kink := range []ops.Kink{ops.KinkLeft, ops.KinkRight, ops.KinkLeast, ops.KinkFirst, ops.KinkLast, ops.KinkAll, ops.KinkEven} {
			if nd.Catch(func() { f(kink, a, b) }) != nil {
				continue
			}
			square := func(xs ...*nd.Array) *nd.Array { return ops.Square(f(kink, xs...)) }
			in := []*nd.Array{a, b}
			if name == "Absolute" || name == "HardSigmoid" || name == "Max" || name == "Min" || name == "Maxout" {
				in = in[:1]
			}
			gradcheck.Check(t, square, in...)
			gradcheck.CheckSecondOrder(t, square, in...)
		}
	}
}

// TestKinksThatFunctionsRefuse tests the errors.
func TestKinksThatFunctionsRefuse(t *testing.T) {
	x := opstest.Vector(1.0, 2, 3)
	out := nd.Zeros([]int{3}, dtype.Float64)
	for name, f := range functionsWithKink {
		opstest.Refuses(t, `Kink "Kink(99)": want`, func() { f(99, x, x) })
		wrong, want := ops.KinkFirst, "left, right, least or even"
		if name[:3] == "Max" || name[:3] == "Min" {
			wrong, want = ops.KinkLeft, "first, last, all or even"
		}
		opstest.Refuses(t, want, func() { f(wrong, x, x) })
		if name == "loss.AbsoluteError" || name == "Maxout" {
			continue
		}
		if err := nd.Catch(func() { f(wrong, x, x) }); !strings.Contains(err.Error(), "ops."+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	opstest.Refuses(t, "it has no Kink", func() { ops.Exp(x, ops.UfuncOptions{Kink: ops.KinkLeft, Out: out}) })
	opstest.Refuses(t, "it has no Kink", func() { loss.SquaredError(x, x, ops.UfuncOptions{Kink: ops.KinkLeft, Out: out}) })
	opstest.Refuses(t, "it has no Kink", func() { ops.Sum(x, ops.ReduceOptions{Kink: ops.KinkAll}) })
	opstest.Refuses(t, "it has no Kink", func() { ops.LogSumExp(x, ops.ReduceOptions{Kink: ops.KinkAll}) })
	opstest.Refuses(t, "Where and Initial", func() { ops.Max(x, ops.ReduceOptions{Kink: ops.KinkAll, Initial: nd.Scalar(1)}) })
	opstest.Refuses(t, "complex", func() { ops.Absolute(nd.Zeros([]int{1}, dtype.Complex64), ops.UfuncOptions{Kink: ops.KinkLeft}) })
	opstest.Refuses(t, "complex", func() {
		loss.AbsoluteError(x, nd.Zeros([]int{1}, dtype.Complex64), ops.UfuncOptions{Kink: ops.KinkLeft})
	})
	opstest.Floats(t, "an output after refusals", out, 0, 0, 0)
}

// TestKinksAreDocumented checks that the second table of docs/gradients.md names exactly the functions that have a Kink.
func TestKinksAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/gradients.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| function | field | by default | other systems |\n")
	if !found {
		t.Fatal("docs/gradients.md has no table of functions that have a Kink")
	}
	named := map[string]bool{}
	for line := range strings.SplitSeq(table, "\n") {
		if functions, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && strings.HasPrefix(functions, "`") {
			for part := range strings.SplitSeq(functions, ", ") {
				if strings.HasPrefix(part, "`") {
					named[strings.Trim(part, "`")] = true
				}
			}
		}
	}
	for name := range functionsWithKink {
		if !named[name] {
			t.Errorf("the table has no %s", name)
		}
		delete(named, name)
	}
	for name := range named {
		t.Errorf("%s of the table is not tested", name)
	}
}
