package ops_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

func TestUnique(t *testing.T) {
	x := nd.FromSlice([]float64{3, nan, 1, 3, nan, 1}, 2, 3)
	u := ops.UniqueAll(x)
	opstest.Repr(t, u.Values, "array([ 1., 3., nan])")
	opstest.Repr(t, u.Indices, "array([2, 0, 1])")
	opstest.Repr(t, u.Inverse, "array([[1, 2, 0], [1, 2, 0]])")
	opstest.Repr(t, u.Counts, "array([2, 2, 2])")
	opstest.Repr(t, ops.Unique(x, ops.UniqueOptions{EqualNaN: new(false)}), "array([ 1., 3., nan, nan])")
	opstest.Repr(t, ops.Unique(nd.Zeros([]int{0, 3})), "array([], dtype=float64)")
	opstest.Repr(t, ops.UniqueAll(nd.Zeros([]int{0})).Counts, "array([], dtype=int64)")
	opstest.Repr(t, ops.Unique(nd.Scalar(7)), "array([7])")
	opstest.Repr(t, ops.Unique(nd.FromSlice([]float64{0, negative})), "array([0.])") // the first of the equal elements
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Unique(x) }, nd.FromSlice([]float64{2, 1, 2}))
	opstest.Repr(t, g, "array([1., 1., 0.])")
}

func TestUniqueSlices(t *testing.T) {
	x := nd.FromSlice([]float64{1, 0, 1, 0, 2, 0, 1, nan, 1, nan}, 5, 2)
	u := ops.UniqueAll(x, ops.Over(0))
	opstest.Repr(t, u.Values, "array([[ 1., 0.], [ 1., nan], [ 2., 0.]])")
	opstest.Repr(t, u.Indices, "array([0, 3, 2])")
	opstest.Repr(t, u.Inverse, "array([0, 0, 2, 1, 1])")
	opstest.Repr(t, u.Counts, "array([2, 2, 1])")
	opstest.Repr(t, ops.Unique(x.T(), ops.UniqueOptions{Axis: ops.Over(-1), EqualNaN: new(false)}).Index(nd.At(0)), "array([1., 1., 1., 2.])")
	opstest.Repr(t, ops.Unique(nd.Zeros([]int{3, 0}), ops.Over(0)), "array([], shape=(1, 0), dtype=float64)")
	opstest.Refuses(t, "outside", func() { ops.Unique(x, ops.Over(2)) })
}

func TestSets(t *testing.T) {
	a, b := nd.FromSlice([]int{3, 1, 2, 3}, 2, 2), nd.FromSlice([]float64{2, 5, 3})
	opstest.Repr(t, ops.IsIn(a, b), "array([[ True, False], [ True, True]])")
	opstest.Repr(t, ops.IsIn(a, b, ops.IsInOptions{Invert: true}), "array([[False, True], [False, False]])")
	opstest.Repr(t, ops.IsIn(nd.Scalar(2), a), "array(True)")
	opstest.Repr(t, ops.IsIn(a, nd.Zeros([]int{0})), "array([[False, False], [False, False]])")
	opstest.Repr(t, ops.IsIn(nd.FromSlice([]float64{nan}), nd.FromSlice([]float64{nan})), "array([False])")
	opstest.Repr(t, ops.Union1D(a, b), "array([1., 2., 3., 5.])")
	opstest.Repr(t, ops.Intersect1D(a, b), "array([2., 3.])")
	opstest.Repr(t, ops.SetDiff1D(a, b), "array([1])")
	opstest.Repr(t, ops.SetXor1D(a, b), "array([1., 5.])")
	common, inA, inB := ops.Intersect1DWithIndex(a, b)
	opstest.Repr(t, common, "array([2., 3.])")
	opstest.Repr(t, inA, "array([2, 0])")
	opstest.Repr(t, inB, "array([0, 2])")
}

func TestArraysAreEqual(t *testing.T) {
	x := nd.FromSlice([]float64{1, nan})
	for _, c := range []struct {
		what      string
		got, want bool
	}{
		{"NaN", ops.ArrayEqual(x, x), false},
		{"EqualNaN", ops.ArrayEqual(x, x, ops.ArrayEqualOptions{EqualNaN: true}), true},
		{"dtypes", ops.ArrayEqual(nd.FromSlice([]int{1, 2}), nd.FromSlice([]float32{1, 2})), true},
		{"shapes", ops.ArrayEqual(nd.Ones([]int{2}), nd.Ones([]int{1, 2})), false},
		{"shapes that broadcast", ops.ArrayEquiv(nd.Ones([]int{2}), nd.Ones([]int{3, 1})), true},
		{"shapes that do not", ops.ArrayEquiv(nd.Ones([]int{2}), nd.Ones([]int{3})), false},
		{"nothing", ops.ArrayEqual(nd.Ones([]int{0}), nd.Zeros([]int{0})), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: %t", c.what, c.got)
		}
	}
}

func TestPartition(t *testing.T) {
	x := nd.FromSlice([]int{4, 1, 3, 2, 5, 0}, 2, 3)
	opstest.Repr(t, ops.Partition(x, []int{1}).Index(nd.All(), nd.At(1)), "array([3, 2])")
	at := ops.ArgPartition(x, []int{0, -1}, ops.Over(0))
	opstest.Repr(t, ops.TakeAlongAxis(x, at, ops.Over(0)), "array([[2, 1, 0], [4, 5, 3]])")
	opstest.Refuses(t, "kth", func() { ops.Partition(x, []int{3}) })
	opstest.Refuses(t, "outside the array's 0 axes", func() { ops.Partition(nd.Zeros(nil), nil) })
	if dt := at.DType(); dt != dtype.Int64 {
		t.Errorf("positions of dtype %s", dt)
	}
}

// TestPartitionOfRows checks the order of short and long rows, in all dtypes: with many equal elements, NaN, and zeros of both signs.
func TestPartitionOfRows(t *testing.T) {
	for _, n := range []int{200, 2000, 1 << 14} {
		checkPartitions(t, n)
	}
}

func checkPartitions(t *testing.T, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = []float64{float64(rng.IntN(256)), 7, math.Copysign(0, -1), 0}[rng.IntN(4)]
	}
	withNaN := slices.Clone(numbers)
	for i := range 100 {
		withNaN[rng.IntN(n)] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[i%3]
	}
	for dt := dtype.Bool; dt.Valid(); dt++ {
		x := nd.FromSlice(numbers).AsType(dt)
		if dt.IsInexact() {
			x = nd.FromSlice(withNaN).AsType(dt)
		}
		sorted := nd.ToSlice[complex128](ops.Sort(x).AsType(dtype.Complex128))
		for _, k := range []int{0, 1, n / 3, n / 2, n - 40, -1} {
			at := ops.ArgPartition(x, []int{k})
			for _, values := range []*nd.Array{ops.Partition(x, []int{k}), ops.Take(x, at)} {
				k := (k + n) % n
				before, after := values.Index(nd.Span(0, k)), values.Index(nd.Span(k, n))
				joined := slices.Concat(nd.ToSlice[complex128](ops.Sort(before).AsType(dtype.Complex128)), nd.ToSlice[complex128](ops.Sort(after).AsType(dtype.Complex128)))
				if !slices.EqualFunc(joined, sorted, func(a, b complex128) bool { return a == b || cmplx.IsNaN(a) && cmplx.IsNaN(b) }) {
					t.Errorf("%s, kth %d of %d: an element is on the wrong side", dt, k, n)
				}
				if got := nd.ToSlice[complex128](values.AsType(dtype.Complex128))[k]; got != sorted[k] && !cmplx.IsNaN(got) {
					t.Errorf("%s: element %d of %d is %v, want %v", dt, k, n, got, sorted[k])
				}
			}
			if all := ops.Sort(at); !ops.ArrayEqual(all, nd.ArangeInt(0, n, 1)) {
				t.Errorf("%s: the indices are no permutation", dt)
			}
		}
	}
}

// TestIsInTable looks up elements in sets of integers that are close together, at the ends of their dtypes.
func TestIsInTable(t *testing.T) {
	const n = 5000
	for _, base := range []int64{math.MinInt64, -100, 0, math.MaxInt64 - 60} {
		x, want := make([]int64, n), make([]bool, n)
		for i := range x {
			x[i] = base + int64(i%61)
			want[i] = i%61 == 3 || i%61 == 40
		}
		x[0], x[1], want[0], want[1] = math.MinInt64, math.MaxInt64, false, false
		set := nd.FromSlice([]int64{base + 40, base + 3, base + 3})
		if got := nd.ToSlice[bool](ops.IsIn(nd.FromSlice(x, 50, 100), set)); !slices.Equal(got, want) {
			t.Errorf("from %d on: the elements of the set are wrong", base)
		}
	}
}
