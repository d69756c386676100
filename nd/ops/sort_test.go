package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestSort(t *testing.T) {
	nan := math.NaN()
	x := nd.FromSlice([]float64{3, nan, 1, 2, 1, nan}, 2, 3)
	opstest.Repr(t, ops.Sort(x), "array([[ 1., 3., nan], [ 1., 2., nan]])")
	opstest.Repr(t, ops.Sort(x, ops.SortOptions{Descending: true}), "array([[ 3., 1., nan], [ 2., 1., nan]])")
	opstest.Repr(t, ops.ArgSort(x), "array([[2, 0, 1], [1, 0, 2]])")
	opstest.Repr(t, ops.Sort(x.T(), ops.Over(0)), "array([[ 1., 1.], [ 3., 2.], [nan, nan]])")
	opstest.Repr(t, ops.Sort(nd.FromSlice([]bool{true, false, true})), "array([False, True, True])")
	opstest.Repr(t, ops.Sort(nd.FromSlice([]complex64{2i, 1, 1i, -1})), "array([-1.+0.j, 0.+1.j, 0.+2.j, 1.+0.j], dtype=complex64)")
	opstest.Repr(t, ops.Sort(nd.Zeros([]int{2, 0})), "array([], shape=(2, 0), dtype=float64)")
	opstest.Repr(t, ops.ArgSort(nd.FromSlice([]int{1, 0, 1, 0})), "array([1, 3, 0, 2])")
	opstest.Repr(t, ops.ArgSort(nd.FromSlice([]int{1, 0, 1, 0}), ops.SortOptions{Descending: true}), "array([0, 2, 1, 3])")
	opstest.Refuses(t, "outside the array's 0 axes", func() { ops.Sort(nd.Scalar(1)) })
}

func TestTopK(t *testing.T) {
	x := nd.FromSlice([]int{5, 9, 1, 7}, 2, 2)
	values, at := ops.TopK(x.Ravel(), 2)
	opstest.Repr(t, values, "array([9, 7])")
	opstest.Repr(t, at, "array([1, 3])")
	values, at = ops.TopK(x, 1, ops.TopKOptions{Axis: ops.Over(0), Smallest: true})
	opstest.Repr(t, values, "array([[1, 7]])")
	opstest.Repr(t, at, "array([[1, 1]])")
	opstest.Refuses(t, "k = 3: want 0 to 2", func() { ops.TopK(x, 3) })
}

func TestTopKMask(t *testing.T) {
	x := nd.FromRows([][]float64{{5, 9, 1}, {7, math.NaN(), 7}})
	opstest.Repr(t, ops.TopKMask(x, 2), "array([[ True, True, False], [ True, False, True]])")
	opstest.Repr(t, ops.TopKMask(x, 1, ops.TopKOptions{Smallest: true}), "array([[False, False, True], [ True, False, False]])")
	opstest.Repr(t, ops.TopKMask(x.T(), 1, ops.Over(-1)), "array([[False, True], [ True, False], [False, True]])")
	opstest.Repr(t, ops.TopKMask(nd.FromSlice([]int8{1, 3, 3}), 1), "array([False, True, False])")
	opstest.Repr(t, ops.TopKMask(x, 0), "array([[False, False, False], [False, False, False]])")
	opstest.Repr(t, ops.TopKMask(nd.Zeros([]int{2, 0}), 0), "array([], shape=(2, 0), dtype=bool)")
	tape := grad.NewTape()
	if n, _ := ops.TopKMask(tape.Watch(x), 1).Node(); n != nil {
		t.Error("a gradient flows through the mask")
	}
	opstest.Refuses(t, "ops.TopKMask: k = 4: want 0 to 3", func() { ops.TopKMask(x, 4) })
	opstest.Refuses(t, "ops.TopKMask", func() { ops.TopKMask(nd.Full(nil, 1.0), 1) })
}

func TestLexSort(t *testing.T) {
	surnames := nd.FromSlice([]int{2, 1, 2, 1, 3})
	names := nd.FromSlice([]int{1, 9, 0, 2, 5})
	opstest.Repr(t, ops.LexSort([]*nd.Array{names, surnames}), "array([3, 1, 2, 0, 4])")
}

func TestSortGradients(t *testing.T) {
	x := opstest.Normal(16, dtype.Float64, 3, 5)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Sort(xs[0], ops.SortOptions{Axis: ops.Over(0), Descending: true}))
	}, x)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		values, _ := ops.TopK(xs[0], 2)
		return ops.Square(values)
	}, x)
	tape := grad.NewTape()
	w := tape.Watch(nd.FromSlice([]float64{3, 1, 2}))
	y := ops.Sort(w)
	g := tape.VJP([]*nd.Array{y}, []*nd.Array{nd.FromSlice([]float64{10, 20, 30})}, w)[0]
	opstest.Repr(t, g, "array([30., 10., 20.])")
}

func TestSearchSorted(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, sorted := range [][]float64{{}, {1}, {1, 1, 2, 2, 2, 5, 8}, {-inf, 0, 0, inf, nan, nan}, make([]float64, 100)} {
		values := []float64{-inf, -1, 0, 0.5, 1, 2, 3, 5, 8, 9, inf, nan}
		for _, right := range []bool{false, true} {
			got := nd.ToSlice[int64](ops.SearchSorted(nd.FromSlice(sorted), nd.FromSlice(values), ops.SearchOptions{Right: right}))
			for i, v := range values {
				wanted := int64(0)
				for _, s := range sorted {
					below := s < v || math.IsNaN(v) && !math.IsNaN(s)
					if right {
						below = below || s == v || math.IsNaN(s) && math.IsNaN(v)
					}
					if below {
						wanted++
					}
				}
				if got[i] != wanted {
					t.Errorf("%v in %v (right %v): got %d, want %d", v, sorted, right, got[i], wanted)
				}
			}
		}
	}
	rows := nd.FromSlice([]int{1, 3, 5, 2, 2, 9}, 2, 3)
	opstest.Repr(t, ops.SearchSorted(rows, nd.FromSlice([]int{3, 6, 2, 10}, 2, 2)), "array([[1, 3], [0, 3]])")
	opstest.Repr(t, ops.SearchSorted(rows.Flip(1).Flip(1), nd.FromSlice([]float64{3.5, 2.5}, 2, 1)), "array([[2], [2]])")
	opstest.Repr(t, ops.SearchSorted(nd.FromSlice([]int{1, 2}), nd.Scalar(2)), "array(1)")
	opstest.Refuses(t, "want rows of values", func() { ops.SearchSorted(rows, nd.Zeros([]int{3, 2})) })
	for _, wrong := range []int{-3, 3} {
		sorter := nd.FromSlice([]int{1, 2, wrong})
		opstest.Refuses(t, fmt.Sprintf("ops.SearchSorted: Sorter[2] is %d: want an index from 0 to 2 [operands: int64(3,) int64(3,)]", wrong), func() {
			ops.SearchSorted(nd.FromSlice([]int{3, 1, 2}), nd.FromSlice([]int{1}), ops.SearchOptions{Sorter: sorter})
		})
	}
}

func TestFinding(t *testing.T) {
	x := nd.FromSlice([]int{0, 3, 0, 4, 5, 0}, 2, 3)
	at := ops.Nonzero(x.T())
	opstest.Repr(t, at[0], "array([0, 1, 1])")
	opstest.Repr(t, at[1], "array([1, 0, 1])")
	opstest.Repr(t, ops.FlatNonzero(x.Flip()), "array([1, 2, 4])")
	opstest.Repr(t, ops.ArgWhere(x), "array([[0, 1], [1, 0], [1, 1]])")
	opstest.Repr(t, ops.ArgWhere(nd.Full(nil, 5)), "array([], shape=(1, 0), dtype=int64)")
	opstest.Repr(t, ops.FlatNonzero(nd.Zeros([]int{0})), "array([], dtype=int64)")
	opstest.Refuses(t, "nonzero of a 0-d array", func() { ops.Nonzero(nd.Full(nil, 5)) })
}

func TestBincount(t *testing.T) {
	x := nd.FromSlice([]uint8{1, 4, 1})
	opstest.Repr(t, ops.Bincount(x), "array([0, 2, 0, 0, 1])")
	opstest.Repr(t, ops.Bincount(x, ops.BincountOptions{Weights: nd.FromSlice([]float32{0.5, 2, 1}), MinLength: 6}), "array([0. , 1.5, 0. , 0. , 2. , 0. ])")
	opstest.Repr(t, ops.Bincount(nd.FromSlice([]int{}), ops.BincountOptions{MinLength: 2}), "array([0, 0])")
	opstest.Refuses(t, "negative number -1", func() { ops.Bincount(nd.FromSlice([]int{1, -1})) })
	opstest.Refuses(t, "want integers on one axis", func() { ops.Bincount(nd.FromSlice([]float64{1})) })
	opstest.Refuses(t, "want a weight for every number", func() { ops.Bincount(x, ops.BincountOptions{Weights: nd.Ones([]int{2})}) })
}

func TestTakes(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	indices := nd.FromSlice([]int{2, -1, 0}, 3, 1)
	opstest.Repr(t, ops.Take(x, indices, ops.Over(1)).Reshape(2, 3), "array([[2, 2, 0], [5, 5, 3]])")
	opstest.Repr(t, ops.Take(x, nd.FromSlice([]int{7, -8}), ops.TakeOptions{Mode: "wrap"}), "array([1, 4])")
	opstest.Repr(t, ops.Take(x, nd.FromSlice([]int{7, -8}), ops.TakeOptions{Mode: "clip"}), "array([5, 0])")
	opstest.Repr(t, ops.TakeAlongAxis(x, nd.FromSlice([]int{1, 0}, 2, 1), ops.Over(1)), "array([[1], [3]])")
	opstest.Repr(t, ops.PutAlongAxis(x, nd.FromSlice([]int{1, 0}, 2, 1), nd.Scalar(9), ops.Over(1)), "array([[0, 9, 2], [9, 4, 5]])")
	opstest.Repr(t, ops.PutAlongAxis(x, nd.FromSlice([]int{1, 1, 0}, 1, 3), nd.FromSlice([]float64{7.5, 8, 9}), ops.Over(0)), "array([[0, 1, 9], [7, 8, 5]])")
	opstest.Repr(t, ops.Compress(nd.FromSlice([]bool{false, true}), x, ops.Over(0)), "array([[3, 4, 5]])")
	opstest.Repr(t, ops.AddAt(x, nd.Scalar(10), nd.At(1), nd.Pick(nd.FromSlice([]int{0, 0, 2}))), "array([[ 0, 1, 2], [23, 4, 15]])")
	opstest.Repr(t, ops.AddAt(x, nd.FromSlice([]int8{1, 2, 3}, 1, 1, 3), nd.All().By(-1)), "array([[1, 3, 5], [4, 6, 8]])")
	opstest.Refuses(t, "index 6 is outside axis 0, of length 6", func() { ops.Take(x, nd.FromSlice([]int{6})) })
	opstest.Refuses(t, "indices must be integers", func() { ops.Take(x, nd.FromSlice([]float64{1})) })
	opstest.Refuses(t, "cannot cast the addend from float64", func() { ops.AddAt(x, nd.Full(nil, 0.5)) })
	opstest.Refuses(t, "to which the addend does not broadcast", func() { ops.AddAt(x, nd.FromSlice([]int{1, 2}), nd.At(0)) })
	opstest.Refuses(t, "as many axes as the array", func() { ops.PutAlongAxis(x, nd.FromSlice([]int{1}), nd.Scalar(1), ops.Over(0)) })
}

func TestTakeGradients(t *testing.T) {
	x, v := opstest.Normal(17, dtype.Float64, 3, 4), opstest.Normal(18, dtype.Float64, 2, 4)
	twice := nd.FromSlice([]int{1, 1, 0})
	at := nd.FromSlice([]int{0, 2, 1, 1, 2, 0, 0, 2}, 2, 4)
	for name, f := range map[string]gradcheck.Function{
		"Take": func(xs ...*nd.Array) *nd.Array { return ops.Take(xs[0], twice, ops.Over(1)) },
		"TakeAlongAxis": func(xs ...*nd.Array) *nd.Array {
			return ops.Multiply(ops.TakeAlongAxis(xs[0], at, ops.Over(0)), xs[1])
		},
		"PutAlongAxis": func(xs ...*nd.Array) *nd.Array { return ops.PutAlongAxis(xs[0], at, xs[1], ops.Over(0)) },
		"AddAt": func(xs ...*nd.Array) *nd.Array {
			return ops.AddAt(xs[0], xs[1], nd.Pick(nd.FromSlice([]int{2, 2})))
		},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(f(xs...)) }, x, v)
		})
	}
	if !slices.Equal(twice.Shape(), []int{3}) {
		t.Error("the indices changed")
	}
}
