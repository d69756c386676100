package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestPut(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	ops.Put(x.T(), nd.FromSlice([]int{1, -1, 1}), nd.FromSlice([]float64{10.5, 20}))
	opstest.Repr(t, x, "array([[ 0, 1, 2], [10, 4, 20]])") // in a transposed view, the last value counts, and the values repeat
	ops.Put(x, nd.Scalar(7), nd.Scalar(-1), ops.TakeOptions{Mode: "wrap"})
	ops.Put(x, nd.FromSlice([]int{-9, 99}), nd.Scalar(5), ops.TakeOptions{Mode: "clip"})
	opstest.Repr(t, x, "array([[ 5, -1, 2], [10, 4, 5]])")
	ops.Put(x, nd.FromSlice([]int{}), nd.FromSlice([]int{}))
	opstest.Refuses(t, "outside", func() { ops.Put(x, nd.FromSlice([]int{0, 6}), nd.Scalar(7)) })
	ops.Put(x, nd.Scalar(0), nd.FromSlice([]int{}))
	opstest.Refuses(t, "no elements", func() { ops.Put(nd.Zeros([]int{0}), nd.Scalar(0), nd.Scalar(1)) })
	opstest.Refuses(t, "repeat elements", func() { ops.Put(nd.Zeros([]int{1}).BroadcastTo(3), nd.Scalar(0), nd.Scalar(1)) })
	opstest.Repr(t, x, "array([[ 5, -1, 2], [10, 4, 5]])")
}

func TestPlaceAndPutMask(t *testing.T) {
	mask := nd.FromSlice([]bool{false, true, false, true, true})
	values := nd.FromSlice([]float64{10, 20, 30})
	x, y := nd.Zeros([]int{5}), nd.Zeros([]int{5})
	ops.Place(x, mask, values)
	ops.PutMask(y, mask, values)
	opstest.Repr(t, x, "array([ 0., 10., 0., 20., 30.])")
	opstest.Repr(t, y, "array([ 0., 20., 0., 10., 20.])")
	ops.Place(x, ops.Less(x, 0), nd.FromSlice([]float64{}))
	opstest.Refuses(t, "x's size", func() { ops.Place(x, mask.Index(nd.From(1)), values) })
	opstest.Refuses(t, "x's shape", func() { ops.PutMask(x, mask.Reshape(5, 1), values) })
}

func TestFillDiagonal(t *testing.T) {
	x := nd.Zeros([]int{5, 2})
	ops.FillDiagonal(x, nd.Scalar(1), false)
	opstest.Repr(t, x.Ravel(), "array([1., 0., 0., 1., 0., 0., 0., 0., 0., 0.])")
	ops.FillDiagonal(x, nd.FromSlice([]int{2, 3}), true)
	opstest.Repr(t, x.T(), "array([[2., 0., 0., 2., 0.], [0., 3., 0., 0., 3.]])")
	cube := nd.Zeros([]int{2, 2, 2})
	ops.FillDiagonal(cube, nd.Scalar(1), false)
	opstest.Repr(t, cube.Ravel(), "array([1., 0., 0., 0., 0., 0., 0., 1.])")
	ops.FillDiagonal(nd.Zeros([]int{0, 3}), nd.Scalar(1), false)
	opstest.Refuses(t, "equal lengths", func() { ops.FillDiagonal(nd.Zeros([]int{2, 2, 3}), nd.Scalar(1), false) })
	opstest.Refuses(t, "two axes", func() { ops.FillDiagonal(nd.Zeros([]int{2}), nd.Scalar(1), false) })
}

func TestCopyTo(t *testing.T) {
	x := nd.Zeros([]int{2, 3})
	ops.CopyTo(x, nd.FromSlice([]int{1, 2, 3}), ops.CopyToOptions{Where: nd.FromSlice([]bool{true, false, true})})
	opstest.Repr(t, x, "array([[1., 0., 3.], [1., 0., 3.]])")
	ops.CopyTo(x.T(), nd.FromSlice([]float64{7, 8}), ops.CopyToOptions{Where: nd.FromSlice([]bool{false, true, false}, 3, 1)})
	opstest.Repr(t, x, "array([[1., 7., 3.], [1., 8., 3.]])")
	ops.CopyTo(x, nd.Scalar(math.NaN()), ops.CopyToOptions{Where: ops.Equal(x, 3)})
	opstest.Repr(t, x, "array([[ 1., 7., nan], [ 1., 8., nan]])")
	row := x.Index(nd.At(0))
	ops.CopyTo(row, row.Flip(), ops.CopyToOptions{Where: nd.Full(nil, true)}) // it reads src before it writes
	opstest.Repr(t, row, "array([nan, 7., 1.])")

	small := nd.Zeros([]int{3}, dtype.Int8)
	ops.CopyTo(small, nd.Ones([]int{1, 3}, dtype.Int64))
	opstest.Repr(t, small, "array([1, 1, 1], dtype=int8)")
	ops.CopyTo(small, nd.Scalar(3), ops.CopyToOptions{Casting: dtype.CastNo})
	opstest.Repr(t, small, "array([3, 3, 3], dtype=int8)")
	ops.CopyTo(small, nd.Scalar(2.5), ops.CopyToOptions{Casting: dtype.CastUnsafe, Where: nd.FromSlice([]bool{true, false, false})})
	opstest.Repr(t, small, "array([2, 3, 3], dtype=int8)")
	ops.CopyTo(nd.Zeros([]int{0, 3}), nd.Scalar(1), ops.CopyToOptions{Where: nd.Full(nil, true)})
	for text, f := range map[string]func(){
		"cannot cast float64 to dtype int8 with casting rule same_kind": func() { ops.CopyTo(small, nd.Scalar(0.5)) },
		"cannot cast int64 to dtype int8 with casting rule safe": func() {
			ops.CopyTo(small, nd.Ones([]int{3}, dtype.Int64), ops.CopyToOptions{Casting: dtype.CastSafe})
		},
		"casting rule Casting(6)":                   func() { ops.CopyTo(small, small, ops.CopyToOptions{Casting: dtype.CastUnsafe + 1}) },
		"out of bounds for int8":                    func() { ops.CopyTo(small, nd.Scalar(300), ops.CopyToOptions{Where: nd.Full(nil, false)}) },
		"src does not broadcast to shape (3,)":      func() { ops.CopyTo(small, nd.Ones([]int{2}, dtype.Int8)) },
		"a mask of dtype int8":                      func() { ops.CopyTo(small, small, ops.CopyToOptions{Where: small}) },
		"the mask does not broadcast to shape (3,)": func() { ops.CopyTo(small, small, ops.CopyToOptions{Where: nd.FromSlice([]bool{true, true})}) },
		"ops.CopyTo: strides [0] repeat elements":   func() { ops.CopyTo(nd.Ones([]int{1}).BroadcastTo(2), nd.Scalar(1)) },
		"ops.CopyTo: a Scalar cannot be written to": func() { ops.CopyTo(nd.Scalar(1), small) },
	} {
		opstest.Refuses(t, text, f)
	}
	opstest.Repr(t, small, "array([2, 3, 3], dtype=int8)")

	mask := nd.FromSlice([]bool{true, false, true, false}, 2, 2)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		y := ops.Square(xs[0])
		ops.CopyTo(y, ops.Square(xs[1]), ops.CopyToOptions{Where: mask})
		return ops.Square(y)
	}, opstest.Normal(5, dtype.Float64, 2, 2), opstest.Normal(6, dtype.Float64, 2))
}

// TestPutUnderTape checks that in-place writers notify the tape.
func TestPutUnderTape(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{1, 2, 3, 4}))
	v := tape.Watch(nd.FromSlice([]float64{5}))
	y := ops.Multiply(x, 2)
	ops.Put(y, nd.FromSlice([]int{1, 3}), v)
	ops.PutMask(y, nd.FromSlice([]bool{true, false, false, false}), v)
	gs := tape.Gradient(ops.Sum(ops.Square(y)), x, v)
	opstest.Repr(t, gs[0], "array([ 0., 0., 24., 0.])")
	opstest.Repr(t, gs[1], "array([30.])")
}

func TestChoices(t *testing.T) {
	choices := []*nd.Array{nd.FromSlice([]int{0, 1, 2}), nd.FromSlice([]int{10, 11, 12}), nd.Scalar(-5)}
	at := nd.FromSlice([]int{2, 0, 1})
	opstest.Repr(t, ops.Choose(at, choices), "array([-5, 1, 12])")
	opstest.Repr(t, ops.Choose(nd.Scalar(1), choices), "array([10, 11, 12])")
	outside := nd.FromSlice([]int{3, -1, 1})
	opstest.Repr(t, ops.Choose(outside, choices, ops.TakeOptions{Mode: "wrap"}), "array([ 0, -5, 12])")
	opstest.Repr(t, ops.Choose(outside, choices, ops.TakeOptions{Mode: "clip"}), "array([-5, 1, 12])")
	opstest.Refuses(t, "not among", func() { ops.Choose(outside, choices) })
	opstest.Refuses(t, "at least one", func() { ops.Choose(at, nil) })
	x := nd.FromSlice([]float64{-2, 0.5, 3})
	small, large := ops.Less(x, 0), ops.Greater(x, 1)
	opstest.Repr(t, ops.Select([]*nd.Array{small, large}, []*nd.Array{nd.Scalar(0), ops.Square(x)}, x), "array([0. , 0.5, 9. ])")
	opstest.Repr(t, ops.Select([]*nd.Array{small, small}, []*nd.Array{nd.Scalar(1), nd.Scalar(2)}, nil), "array([1, 0, 0])") // the first counts
	opstest.Refuses(t, "conditions for", func() { ops.Select([]*nd.Array{small}, nil, nil) })
	opstest.Repr(t, ops.Extract(large, x), "array([3.])")
	opstest.Refuses(t, "beyond", func() { ops.Extract(nd.Ones([]int{4}), x) })
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Choose(at, []*nd.Array{xs[0], xs[1], ops.Square(xs[0])})
	}, x, ops.Exp(x))
}

func TestWithDiagonal(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	for _, c := range [][3]int{{0, 0, 1}, {1, 0, 1}, {-1, 1, 2}, {2, 2, 0}, {0, -1, -2}, {3, 1, 2}, {4, 1, 2}, {-2, 0, 2}} {
		part := x.Diagonal(c[0], c[1], c[2])
		v := ops.Negative(part)
		want := x.Copy()
		want.Diagonal(c[0], c[1], c[2]).Assign(v)
		for name, given := range map[string]*nd.Array{"": x, "a view": x.CopyFortran()} {
			if y := ops.WithDiagonal(given, v, c[0], c[1], c[2]); !ops.ArrayEqual(y, want) {
				t.Errorf("%v, %s: %v, want %v", c, name, y, want)
			}
		}
	}
	opstest.Repr(t, ops.WithDiagonal(nd.Zeros([]int{2, 3}), nd.Scalar(7), 1, 0, 1), "array([[0., 7., 0.], [0., 0., 7.]])")
	opstest.Repr(t, ops.WithDiagonal(nd.Zeros([]int{2, 2}, dtype.Int8), nd.FromSlice([]float64{2.5}), 0, 0, 1), "array([[2, 0], [0, 2]], dtype=int8)")
	opstest.Repr(t, ops.WithDiagonal(nd.Zeros([]int{0, 2}), nd.Zeros([]int{0}), 0, 0, 1), "array([], shape=(0, 2), dtype=float64)")
	zeros := nd.Zeros([]int{2, 3})
	for what, f := range map[string]func(){
		"one axis":                func() { ops.WithDiagonal(nd.Zeros([]int{3}), nd.Scalar(1), 0, 0, 1) },
		"one axis twice":          func() { ops.WithDiagonal(zeros, nd.Scalar(1), 0, 1, -1) },
		"a long diagonal":         func() { ops.WithDiagonal(zeros, nd.Zeros([]int{3}), 0, 0, 1) },
		"a diagonal of two axes":  func() { ops.WithDiagonal(zeros, nd.Zeros([]int{2, 2}), 0, 0, 1) },
		"a scalar that misfits":   func() { ops.WithDiagonal(nd.Zeros([]int{2, 2}, dtype.Int8), nd.Scalar(300), 0, 0, 1) },
		"an axis that is missing": func() { ops.WithDiagonal(zeros, nd.Scalar(1), 0, 0, 2) },
	} {
		opstest.Refused(t, what, f)
	}
	for _, c := range [][3]int{{0, 0, 1}, {-1, 2, 0}} {
		a, v := opstest.Normal(1, dtype.Float64, 2, 3, 4), opstest.Normal(2, dtype.Complex128, 2, 3, 4).Diagonal(c[0], c[1], c[2]).Copy()
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.WithDiagonal(xs[0], xs[1], c[0], c[1], c[2])) },
			a.AsType(dtype.Complex128), v)
	}
}
