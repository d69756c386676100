package conv_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestFractionalMaxPooling has 3 windows of 2 of 7 elements, at the distance 2.5: with u = 0 they begin at 0, 2 and 5,
// with u = 0.9 at 0, ⌊4.75⌋ - ⌊2.25⌋ = 2 and 5, with u = 0.25 at 0, ⌊3.125⌋ - 0 = 3 and 5.
func TestFractionalMaxPooling(t *testing.T) {
	x := nd.FromSlice([]float64{4, 1, 2, 7, 3, 5, 6}, 1, 7)
	three := nd.FromSlice([]float64{0, 0.9, 0.25}, 3, 1)
	y, index := conv.FractionalMaxPoolingWithIndex(x.BroadcastTo(3, 7), three, []int{2}, []int{3})
	opstest.Repr(t, y, "array([[4., 7., 6.], [4., 7., 6.], [4., 7., 6.]])")
	opstest.Repr(t, index, "array([[0, 3, 6], [0, 3, 6], [0, 3, 6]])")
	opstest.Repr(t, conv.FractionalMaxPooling(nd.ArangeInt(7, 0, -1).BroadcastTo(3, 7), three, []int{2}, []int{3}), "array([[7, 5, 2], [7, 5, 2], [7, 4, 2]])")
	opstest.Repr(t, conv.FractionalMaxPooling(x, nd.Zeros([]int{1}), []int{3}, []int{1}), "array([[6.]])")
	opstest.Repr(t, conv.FractionalMaxPooling(nd.FromSlice([]float64{1, math.NaN(), 2, 3}, 1, 4), nd.Zeros([]int{1, 1}, dtype.Float16), []int{2}, []int{2}), "array([[nan, 3.]])")
	opstest.Repr(t, conv.FractionalMaxPooling(nd.Zeros([]int{0, 2, 4, 4}), nd.Zeros([]int{0, 2, 2}), []int{2}, []int{3}), "array([], shape=(0, 2, 3, 3), dtype=float64)")

	rng := nd.NewRand(4)
	for _, c := range []struct{ shape, kernel, size []int }{{[]int{2, 3, 6, 9}, []int{2, 3}, []int{5, 4}}, {[]int{2, 5, 6, 4}, []int{2, 2, 1}, []int{3, 5, 2}}, {[]int{3, 4, 8, 8}, []int{2}, []int{4}}} {
		x := random.Normal(rng, 0, 1, c.shape)
		r := max(len(c.kernel), 2)
		samples := random.Uniform(rng, 0, 1, append(append([]int{}, c.shape[:4-r]...), r))
		y, index := conv.FractionalMaxPoolingWithIndex(x, samples, c.kernel, c.size)
		flat := x.Reshape(append(append([]int{}, c.shape[:4-r]...), -1)...)
		at := index.Reshape(append(append([]int{}, c.shape[:4-r]...), -1)...)
		if !ops.ArrayEqual(ops.TakeAlongAxis(flat, at, ops.Over(-1)).Reshape(y.Shape()...), y) {
			t.Errorf("%v: the indices %v are not those of the results", c, index)
		}
		for name, given := range map[string]*nd.Array{"a view": x.CopyFortran(), "": x} {
			if again := conv.FractionalMaxPooling(given, samples, c.kernel, c.size); !ops.ArrayEqual(again, y) {
				t.Errorf("%v, %s: %v, want %v", c, name, again, y)
			}
		}
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return ops.Square(conv.FractionalMaxPooling(xs[0], samples, c.kernel, c.size))
		}, x)
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
			y, _ := conv.FractionalMaxPoolingWithIndex(xs[0], samples, c.kernel, c.size)
			return y
		}, x)
	}
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return conv.FractionalMaxPooling(x, nd.Zeros([]int{1}), []int{2}, []int{2})
	}, nd.Ones([]int{1, 3}))
	opstest.Repr(t, g, "array([[1., 1., 0.]])")
}

func TestFractionalMaxPoolingRefuses(t *testing.T) {
	x, u := nd.Zeros([]int{2, 3, 4, 4}), nd.Zeros([]int{2, 3, 2})
	for what, f := range map[string]func(){
		"too many windows":     func() { conv.FractionalMaxPooling(x, u, []int{2}, []int{4}) },
		"no windows":           func() { conv.FractionalMaxPooling(x, u, []int{2}, []int{0}) },
		"no elements":          func() { conv.FractionalMaxPooling(x, u, []int{0}, []int{2}) },
		"unequal lists":        func() { conv.FractionalMaxPooling(x, u, []int{2, 2}, []int{2, 2, 2}) },
		"huge numbers":         func() { conv.FractionalMaxPooling(x, u, []int{math.MaxInt}, []int{math.MaxInt}) },
		"samples of one axis":  func() { conv.FractionalMaxPooling(x, nd.Zeros([]int{3}), []int{2}, []int{2}) },
		"samples of integers":  func() { conv.FractionalMaxPooling(x, u.AsType(dtype.Int64), []int{2}, []int{2}) },
		"complex numbers":      func() { conv.FractionalMaxPooling(x.AsType(dtype.Complex64), u, []int{2}, []int{2}) },
		"more axes than x has": func() { conv.FractionalMaxPoolingWithIndex(nd.Zeros([]int{4}), u, []int{2, 2}, []int{2, 2}) },
	} {
		opstest.Refused(t, what, f)
	}
}
