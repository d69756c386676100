package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func wantShape(t *testing.T, x *nd.Array, shape ...int) {
	t.Helper()
	if !slices.Equal(x.Shape(), shape) {
		t.Errorf("shape %v, want %v", x.Shape(), shape)
	}
}

func TestReshapeCodes(t *testing.T) {
	reversed := ops.ReshapeCodesOptions{Reverse: true}
	for _, c := range []struct {
		shape, codes, want []int
		opts               []ops.ReshapeCodesOptions
	}{
		{[]int{2, 3, 8}, []int{-2, -2, 2, -1}, []int{2, 3, 2, 4}, nil},
		{[]int{8, 3, 3, 3, 4, 4}, []int{-6, 2, -1, -4}, []int{2, 4, 3, 3, 3, 4, 4}, nil},
		{[]int{8, 3, 3, 3, 4, 4}, []int{-5, -4}, []int{24, 3, 3, 4, 4}, nil},
		{[]int{8, 3, 3, 3, 8}, []int{-4, -1, 2, -6}, []int{8, 3, 3, 3, 4, 2}, []ops.ReshapeCodesOptions{reversed}},
		{[]int{1, 8, 3, 3}, []int{-3, -2, -5}, []int{8, 9}, nil},
		{[]int{8, 3, 4}, []int{-6, 2, -1, -5}, []int{2, 4, 12}, nil},
		{[]int{2, 3, 4}, []int{6, 1, -1}, []int{6, 1, 4}, nil},
		{[]int{2, 3, 4}, []int{-2, -1}, []int{2, 12}, nil},
		{[]int{0, 3}, []int{-2, -2}, []int{0, 3}, nil},
		{[]int{0}, []int{-6, 0, 5}, []int{0, 5}, nil},
		{nil, []int{-4}, nil, nil},
		{nil, []int{1, -1}, []int{1, 1}, nil},
	} {
		wantShape(t, ops.ReshapeCodes(nd.Zeros(c.shape), c.codes, c.opts...), c.want...)
	}
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	opstest.Repr(t, ops.ReshapeCodes(x.Transpose(), []int{-5, -4}).Index(nd.At(1)), "array([ 4, 16])")
	codes := []int{-2, -1}
	ops.ReshapeCodes(x, codes, reversed)
	if !slices.Equal(codes, []int{-2, -1}) {
		t.Errorf("the codes became %v", codes)
	}
	for text, codes := range map[string][]int{
		"no axis is left for -2":                  {-4, -2},
		"no axis is left for -5":                  {-2, -2, -5},
		"-3 drops an axis of length 2: want 1":    {-3},
		"two lengths must follow -6":              {-6, 2},
		"the lengths after -6 do not split 2":     {-6, 2, 2},
		"code -7: want lengths, or codes from -6": {-7},
	} {
		opstest.Refuses(t, text, func() { ops.ReshapeCodes(x, codes) })
	}
	opstest.Refuses(t, "do not split 2", func() { ops.ReshapeCodes(x, []int{-6, -1, 0}) })
	opstest.Refuses(t, "do not split 2", func() { ops.ReshapeCodes(x, []int{-6, -1, -1}) })
	opstest.Refuses(t, "ops.ReshapeCodes", func() { ops.ReshapeCodes(x, []int{5, -1}) })
	gradcheck.CheckSecondOrder(t, func(in ...*nd.Array) *nd.Array {
		return ops.Square(ops.ReshapeCodes(in[0], []int{-5, -6, 2, -1}))
	}, opstest.Normal(1, dtype.Float64, 2, 3, 4))
}

func TestReshapeLike(t *testing.T) {
	x, like := nd.ArangeInt(0, 30, 1).Reshape(30), nd.Zeros([]int{2, 3, 5})
	wantShape(t, ops.ReshapeLike(x, like), 2, 3, 5)
	bounds := func(begin, end, likeBegin, likeEnd int) ops.ReshapeLikeOptions {
		return ops.ReshapeLikeOptions{Begin: &begin, End: &end, LikeBegin: &likeBegin, LikeEnd: &likeEnd}
	}
	deep := x.Reshape(5, 6, 1)
	wantShape(t, ops.ReshapeLike(deep, like, bounds(1, 2, 0, -1)), 5, 2, 3, 1)
	wantShape(t, ops.ReshapeLike(deep, like, bounds(-1, 3, 3, 3)), 5, 6)
	wantShape(t, ops.ReshapeLike(deep, like, ops.ReshapeLikeOptions{Begin: new(0), End: new(2)}), 2, 3, 5, 1)
	wantShape(t, ops.ReshapeLike(nd.Full(nil, 1), nd.Zeros([]int{1, 1})), 1, 1)
	wantShape(t, ops.ReshapeLike(nd.Zeros([]int{0}), nd.Zeros([]int{3, 0})), 3, 0)
	if y := ops.ReshapeLike(x, like); !y.SharesMemory(x) {
		t.Error("it copies")
	}
	opstest.Refuses(t, "ops.ReshapeLike", func() { ops.ReshapeLike(x, nd.Zeros([]int{7})) })
	opstest.Refuses(t, "axes from 2 to 1: want a range of the 3 axes", func() { ops.ReshapeLike(deep, like, bounds(2, 1, 0, 1)) })
	opstest.Refuses(t, "axes from 0 to 4", func() { ops.ReshapeLike(deep, like, bounds(0, 3, 0, 4)) })
	opstest.Refuses(t, "axes from -4 to 3", func() { ops.ReshapeLike(deep, like, bounds(-4, 3, 0, 3)) })
	gradcheck.Check(t, func(in ...*nd.Array) *nd.Array {
		return ops.ReshapeLike(in[0].Transpose(), nd.Zeros([]int{6, 4}))
	}, opstest.Normal(1, dtype.Float64, 2, 3, 4))
}

func TestBroadcastLike(t *testing.T) {
	x, like := nd.FromSlice([]int8{1, 2, 3}, 1, 3), nd.Zeros([]int{4, 2, 3})
	wantShape(t, ops.BroadcastLike(x, like), 4, 2, 3)
	opstest.Repr(t, ops.BroadcastLike(x, nd.Zeros([]int{2, 3})), "array([[1, 2, 3], [1, 2, 3]], dtype=int8)")
	wantShape(t, ops.BroadcastLike(x, like, ops.Over(0)), 4, 3)
	column := nd.FromSlice([]int8{1, 2}, 1, 2, 1)
	wantShape(t, ops.BroadcastLike(column, like, ops.BroadcastLikeOptions{Axes: ops.Over(-1, 0), LikeAxes: ops.Over(-3, 2)}), 3, 2, 4)
	wantShape(t, ops.BroadcastLike(column, like, ops.BroadcastLikeOptions{Axes: ops.Over(0, 2), LikeAxes: ops.Over(1, 1)}), 2, 2, 2)
	wantShape(t, ops.BroadcastLike(column, like, ops.Over()), 1, 2, 1)
	wantShape(t, ops.BroadcastLike(nd.Full(nil, 1), nd.Zeros([]int{0, 2})), 0, 2)
	opstest.Refuses(t, "ops.BroadcastLike", func() { ops.BroadcastLike(x, nd.Zeros([]int{3, 2})) })
	opstest.Refuses(t, "axis 1 has length 3: want 1", func() { ops.BroadcastLike(x, like, ops.Over(1)) })
	opstest.Refuses(t, "want as many", func() {
		ops.BroadcastLike(x, like, ops.BroadcastLikeOptions{Axes: ops.Over(0), LikeAxes: ops.Over(0, 1)})
	})
	opstest.Refuses(t, "Axes", func() { ops.BroadcastLike(x, like, ops.Over(2)) })
	opstest.Refuses(t, "LikeAxes", func() {
		ops.BroadcastLike(x, like, ops.BroadcastLikeOptions{Axes: ops.Over(0), LikeAxes: ops.Over(3)})
	})
	gradcheck.CheckSecondOrder(t, func(in ...*nd.Array) *nd.Array {
		return ops.Square(ops.BroadcastLike(in[0], like, ops.BroadcastLikeOptions{Axes: ops.Over(1), LikeAxes: ops.Over(0)}))
	}, opstest.Normal(1, dtype.Float64, 2, 1, 3))
}

func TestAlignLike(t *testing.T) {
	images, bias := nd.Zeros([]int{2, 3, 4, 5}), nd.FromSlice([]float64{1, 2, 3})
	wantShape(t, ops.AlignLike(bias, images, ops.Over(1)), 1, 3, 1, 1)
	wantShape(t, ops.AlignLike(bias, images, ops.Over(-3)), 1, 3, 1, 1)
	wantShape(t, ops.AlignLike(nd.Zeros([]int{3, 1}), images, ops.Over(1)), 1, 3, 1, 1)
	wantShape(t, ops.AlignLike(nd.Zeros([]int{2, 3, 4, 5}), images, ops.Over(0)), 2, 3, 4, 5)
	wantShape(t, ops.AlignLike(nd.Full(nil, 1), images, ops.Over(2)), 1, 1, 1, 1)
	wantShape(t, ops.AlignLike(nd.Full(nil, 1), nd.Full(nil, 2), ops.Over(0)))
	opstest.Floats(t, "the sum", ops.Add(images, ops.AlignLike(bias, images, ops.Over(1))).Index(nd.At(1), nd.All(), nd.At(3), nd.At(4)), 1, 2, 3)
	opstest.Refuses(t, "axis 0 of x has length 3: want 4, as axis 2 of like, or 1", func() { ops.AlignLike(bias, images, ops.Over(2)) })
	opstest.Refuses(t, "do not fit from axis 4 on", func() { ops.AlignLike(bias, images, ops.Over(4)) })
	opstest.Refuses(t, "do not fit from axis -5 on", func() { ops.AlignLike(bias, images, ops.Over(-5)) })
	opstest.Refuses(t, "do not fit from axis 0 on", func() { ops.AlignLike(images, bias, ops.Over(0)) })
	opstest.Refuses(t, "2 axes: want one", func() { ops.AlignLike(bias, images, ops.Over(0, 1)) })
	gradcheck.CheckSecondOrder(t, func(in ...*nd.Array) *nd.Array {
		return ops.Multiply(in[0], ops.AlignLike(in[1], in[0], ops.Over(1)))
	}, opstest.Normal(1, dtype.Float64, 2, 3, 2), opstest.Normal(2, dtype.Float64, 3))
}

func TestSliceLike(t *testing.T) {
	x, like := nd.ArangeInt(0, 12, 1).Reshape(3, 4), nd.Zeros([]int{2, 3})
	opstest.Repr(t, ops.SliceLike(x, like), "array([[0, 1, 2], [4, 5, 6]])")
	opstest.Repr(t, ops.SliceLike(x, like, ops.Over(-1)), "array([[ 0, 1, 2], [ 4, 5, 6], [ 8, 9, 10]])")
	opstest.Repr(t, ops.SliceLike(x.Flip(1), nd.Zeros([]int{2}), ops.Over(0)), "array([[3, 2, 1, 0], [7, 6, 5, 4]])")
	wantShape(t, ops.SliceLike(x, like, ops.Over()), 3, 4)
	wantShape(t, ops.SliceLike(x, nd.Zeros([]int{0, 4})), 0, 4)
	wantShape(t, ops.SliceLike(nd.Full(nil, 1), nd.Full(nil, 2)))
	if !ops.SliceLike(x, like).SharesMemory(x) {
		t.Error("it copies")
	}
	opstest.Refuses(t, "want as many axes", func() { ops.SliceLike(x, nd.Zeros([]int{2})) })
	opstest.Refuses(t, "axis 0: want an axis of both", func() { ops.SliceLike(x, nd.Zeros([]int{4, 4})) })
	opstest.Refuses(t, "axis 1: want an axis of both", func() { ops.SliceLike(x, nd.Zeros([]int{2}), ops.Over(1)) })
	opstest.Refuses(t, "ops.SliceLike", func() { ops.SliceLike(x, like, ops.Over(2)) })
	gradcheck.CheckSecondOrder(t, func(in ...*nd.Array) *nd.Array {
		return ops.Square(ops.SliceLike(in[0], like))
	}, opstest.Normal(1, dtype.Float64, 3, 4))
}

func TestArangeLike(t *testing.T) {
	x := nd.Zeros([]int{2, 3}, dtype.Float32)
	opstest.Repr(t, ops.ArangeLike(x), "array([[0., 1., 2.], [3., 4., 5.]], dtype=float32)")
	opstest.Repr(t, ops.ArangeLike(x, ops.Over(-1)), "array([0., 1., 2.], dtype=float32)")
	opstest.Repr(t, ops.ArangeLike(x, ops.ArangeLikeOptions{Start: 1, Step: new(-0.5), Repeat: 2}),
		"array([[1. , 1. , 0.5], [0.5, 0. , 0. ]], dtype=float32)")
	opstest.Repr(t, ops.ArangeLike(x, ops.ArangeLikeOptions{Step: new(0.0), Start: 7, Repeat: math.MaxInt}),
		"array([[7., 7., 7.], [7., 7., 7.]], dtype=float32)")
	opstest.Repr(t, ops.ArangeLike(x.AsType(dtype.Int64).Transpose(), ops.ArangeLikeOptions{Start: 1 << 52, Step: new(float64(1 << 50))}),
		"array([[ 4503599627370496, 5629499534213120], [ 6755399441055744, 7881299347898368], [ 9007199254740992, 10133099161583616]])")
	far := ops.ArangeLike(x.AsType(dtype.Int64), ops.ArangeLikeOptions{Start: 1<<53 - 1, Axis: ops.Over(1)})
	opstest.Repr(t, far, "array([9007199254740991, 9007199254740992, 9007199254740993])") // which float64 does not hold
	opstest.Repr(t, ops.ArangeLike(x.AsType(dtype.Int8), ops.ArangeLikeOptions{Step: new(0.6)}), "array([[0, 0, 1], [1, 2, 3]], dtype=int8)")
	opstest.Repr(t, ops.ArangeLike(x.AsType(dtype.Bool)), "array([[False, True, True], [ True, True, True]])")
	opstest.Repr(t, ops.ArangeLike(nd.Zeros([]int{2}, dtype.Complex64)), "array([0.+0.j, 1.+0.j], dtype=complex64)")
	opstest.Repr(t, ops.ArangeLike(nd.Zeros([]int{0, 2})), "array([], shape=(0, 2), dtype=float64)")
	opstest.Repr(t, ops.ArangeLike(nd.Full(nil, math.NaN()), ops.ArangeLikeOptions{Start: math.Inf(1)}), "array(inf)")
	opstest.Refuses(t, "Repeat -1: want at least 1", func() { ops.ArangeLike(x, ops.ArangeLikeOptions{Repeat: -1}) })
	opstest.Refuses(t, "ops.ArangeLike", func() { ops.ArangeLike(x, ops.Over(2)) })
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	if y := ops.ArangeLike(x.To(ref)); y.Device() != ref {
		t.Error("the numbers are on another device")
	}
}
