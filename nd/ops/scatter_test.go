package ops_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestGathers(t *testing.T) {
	x := nd.ArangeInt(0, 12, 1).Reshape(2, 3, 2)
	rows := nd.FromSlice([]int{2, 0, 1, 1}, 2, 2)
	opstest.Repr(t, ops.Gather(x, rows, ops.Over(1), 1), "array([[[4, 5], [0, 1]], [[8, 9], [8, 9]]])")
	opstest.Repr(t, ops.Gather(x, nd.FromSlice([]int{1}), ops.Over(-1), 0), "array([[[ 1], [ 3], [ 5]], [[ 7], [ 9], [11]]])")
	opstest.Repr(t, ops.Gather(x, nd.FromSlice([]int{1, 0}), ops.Over(2), 1), "array([[ 1, 3, 5], [ 6, 8, 10]])")
	opstest.Repr(t, ops.GatherND(x, nd.FromSlice([]int{1, 0, 0, 2}, 2, 2)), "array([[6, 7], [4, 5]])")
	opstest.Refuses(t, "2 batch axes", func() { ops.Gather(x, rows, ops.Over(1), 2) })
	opstest.Refuses(t, "the first of length 1 to 3", func() { ops.GatherND(x, nd.Zeros([]int{4, 1}, dtype.Int64)) })
	opstest.Refuses(t, "index 2 is outside", func() { ops.GatherND(x, nd.FromSlice([]int{2}, 1, 1)) })
}

func TestScatters(t *testing.T) {
	v := nd.FromSlice([]float32{1, 2, 4})
	at := nd.FromSlice([]int{1, 0, 1}, 1, 3)
	opstest.Repr(t, ops.ScatterND(v, at, []int{3}), "array([2., 4., 0.], dtype=float32)")
	opstest.Repr(t, ops.ScatterND(v, at, []int{3}, ops.ScatterOptions{Add: true}), "array([2., 5., 0.], dtype=float32)")
	base := nd.FromSlice([]float32{10, 20, 30})
	opstest.Repr(t, ops.ScatterND(v, at, nil, ops.ScatterOptions{Onto: base}), "array([ 2., 4., 30.], dtype=float32)")
	opstest.Repr(t, ops.ScatterND(v, at, []int{3}, ops.ScatterOptions{Onto: base, Add: true}), "array([12., 25., 30.], dtype=float32)")
	opstest.Repr(t, ops.ScatterND(v.AsType(dtype.Int64), at, nil, ops.ScatterOptions{Onto: base.Flip()}), "array([ 2., 4., 10.], dtype=float32)")
	opstest.Repr(t, base, "array([10., 20., 30.], dtype=float32)")
	opstest.Refuses(t, "ops.ScatterND: shape (2,), and Onto has another", func() { ops.ScatterND(v, at, []int{2}, ops.ScatterOptions{Onto: base}) })
	opstest.Refuses(t, "ops.ScatterND: want integer indices", func() { ops.ScatterND(v, at.Reshape(3), nil, ops.ScatterOptions{Onto: base}) })
	x := nd.Zeros([]int{2, 3}, dtype.Float32)
	opstest.Repr(t, ops.AddAlongAxis(x, nd.FromSlice([]int{2, 2, 0}, 1, 3), v.Reshape(1, 3), ops.Over(1)), "array([[4., 0., 3.], [0., 0., 0.]], dtype=float32)")
	opstest.Repr(t, ops.OneHot(nd.FromSlice([]int{1, 0, 0, 2}, 2, 2), []int{2, 3}, dtype.Int8),
		"array([[[0, 0, 0], [1, 0, 0]], [[0, 0, 1], [0, 0, 0]]], dtype=int8)")
	opstest.Repr(t, ops.OneHot(nd.FromSlice([]int{2}), []int{3}), "array([False, False, True])")
	opstest.Refuses(t, "outside axis 0, of length 3", func() { ops.OneHot(nd.FromSlice([]int{3}), []int{3}) })
	opstest.Refuses(t, "index 3 is outside", func() { ops.ScatterND(v, nd.FromSlice([]int{3, 0, 0}, 1, 3), []int{3}) })
	opstest.Refuses(t, "more than the others", func() { ops.AddAlongAxis(x, nd.FromSlice([]int{0, 0}, 2, 1), v.Reshape(1, 3), ops.Over(0)) })
}

// TestOneHotOfNothing writes nothing, on both devices.
func TestOneHotOfNothing(t *testing.T) {
	for _, dev := range []device.Device{nd.Empty(nil).Device(), ref.New()} {
		for _, c := range []struct{ indices, shape, want []int }{
			{[]int{0, 1}, []int{5}, []int{0, 5}},
			{[]int{3, 0, 2}, []int{5, 2}, []int{3, 0, 5, 2}},
			{[]int{0, 1}, []int{0}, []int{0, 0}},
			{[]int{2, 0}, nil, []int{2}},
		} {
			y := ops.OneHot(nd.Zeros(c.indices, nd.ArrayOptions{DType: dtype.Int64, Device: dev}), c.shape)
			if !slices.Equal(y.Shape(), c.want) {
				t.Errorf("%s: indices of shape %v with %v give shape %v, want %v", dev.Name(), c.indices, c.shape, y.Shape(), c.want)
			}
		}
	}
}

func TestScatterGradients(t *testing.T) {
	x, v := opstest.Normal(40, dtype.Float64, 2, 3), opstest.Normal(41, dtype.Float64, 2, 2)
	at := nd.FromSlice([]int{1, 1, 0, 2}, 2, 2)
	for name, f := range map[string]gradcheck.Function{
		"Gather":    func(xs ...*nd.Array) *nd.Array { return ops.Multiply(ops.Gather(xs[0], at, ops.Over(1), 1), xs[1]) },
		"GatherND":  func(xs ...*nd.Array) *nd.Array { return ops.GatherND(xs[0], at.Index(nd.At(0)).Reshape(2, 1)) },
		"ScatterND": func(xs ...*nd.Array) *nd.Array { return ops.ScatterND(xs[1], at.Reshape(1, 2, 2), []int{3}) },
		"add": func(xs ...*nd.Array) *nd.Array {
			return ops.ScatterND(xs[1], at.Reshape(1, 2, 2), []int{3}, ops.ScatterOptions{Add: true})
		},
		"onto": func(xs ...*nd.Array) *nd.Array {
			return ops.ScatterND(xs[1], at.Index(nd.Until(1)), nil, ops.ScatterOptions{Onto: ops.Square(xs[0]).Index(nd.All(), nd.Until(2))})
		},
		"add onto": func(xs ...*nd.Array) *nd.Array {
			return ops.ScatterND(xs[1], at.Index(nd.Until(1)), nil, ops.ScatterOptions{Onto: xs[0].Index(nd.All(), nd.Until(2)), Add: true})
		},
		"AddAlongAxis": func(xs ...*nd.Array) *nd.Array { return ops.AddAlongAxis(xs[0], at, xs[1], ops.Over(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(f(xs...)) }, x, v)
		})
	}
}
