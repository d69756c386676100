package nd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// viewSteps are operations that move elements without changing them; each takes an array of any shape.
var viewSteps = []struct {
	name string
	f    func(r *rand.Rand, x *nd.Array) *nd.Array
}{
	{"transpose", func(r *rand.Rand, x *nd.Array) *nd.Array { return x.Transpose(r.Perm(x.Rank())...) }},
	{"flip", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Rank() == 0 {
			return x
		}
		return x.Flip(r.IntN(x.Rank()))
	}},
	{"flatten", func(r *rand.Rand, x *nd.Array) *nd.Array { return x.Reshape(-1) }},
	{"fold", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Size() == 0 || x.Size()%2 != 0 {
			return x.ReshapeFortran(-1, 1)
		}
		return x.Reshape(2, -1)
	}},
	{"slice", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Rank() == 0 {
			return x.Index(nd.NewAxis())
		}
		return x.Index(nd.Ellipsis(), nd.From(r.IntN(2)).By([]int{1, 2, -1}[r.IntN(3)]))
	}},
	{"diagonal", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Rank() < 2 {
			return x
		}
		return x.Diagonal(r.IntN(3)-1, 0, -1)
	}},
	{"expand", func(r *rand.Rand, x *nd.Array) *nd.Array { return x.ExpandDims(r.IntN(x.Rank() + 1)) }},
	{"does not have length 1", func(r *rand.Rand, x *nd.Array) *nd.Array { return x.Squeeze() }},
	{"broadcast", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Rank() > 4 || x.Size() > 100 {
			return x
		}
		return x.BroadcastTo(append([]int{2}, x.Shape()...)...)
	}},
	{"windows", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Rank() == 0 || x.Rank() > 4 || x.Size() > 100 {
			return x
		}
		return x.SlidingWindows([]int{r.IntN(x.Dim(0) + 1)}, 0)
	}},
	{"strided", func(r *rand.Rand, x *nd.Array) *nd.Array {
		if x.Size() < 10 || x.Size() > 100 {
			return x
		}
		return x.Contiguous().AsStrided([]int{3, 2, 2}, []int{r.IntN(4), r.IntN(2), r.IntN(3)})
	}},
	{"copy", func(r *rand.Rand, x *nd.Array) *nd.Array { return x.CopyFortran() }},
	{"contiguous", func(r *rand.Rand, x *nd.Array) *nd.Array { return x.Contiguous() }},
	{"cast", func(r *rand.Rand, x *nd.Array) *nd.Array {
		return x.AsType([]dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex128}[r.IntN(3)])
	}},
}

// TestGradientsOfChainsOfViews compares the gradient of a chain of views, for arrays with any strides, with the effect
// of the chain on numbered elements: the gradient of an element is the number of times it is shown.
func TestGradientsOfChainsOfViews(t *testing.T) {
	for seed := range uint64(1500) {
		layout := rand.New(rand.NewPCG(seed, 1))
		shape := make([]int, layout.IntN(4))
		for k := range shape {
			shape[k] = layout.IntN(4)
		}
		numbers := nd.Arange(0, float64(size(shape)), 1).Reshape(shape...)
		if len(shape) > 0 && layout.IntN(2) == 0 {
			numbers = numbers.Flip(0).CopyFortran().Flip(0)
		}
		var names []string
		chain := func(x *nd.Array) *nd.Array {
			r := rand.New(rand.NewPCG(seed, 2))
			names = nil
			for range 1 + r.IntN(5) {
				step := viewSteps[r.IntN(len(viewSteps))]
				names = append(names, step.name)
				x = step.f(r, x)
			}
			return x
		}
		shown := nd.ToSlice[float64](chain(numbers).AsType(dtype.Float64))
		wanted := make([]float64, numbers.Size())
		for _, number := range shown {
			wanted[int(number)]++
		}
		tape := grad.NewTape()
		w := tape.Watch(numbers)
		y := chain(w)
		if got := nd.ToSlice[float64](y.AsType(dtype.Float64)); !slices.Equal(got, shown) {
			t.Fatalf("seed %d, %v of shape %v: under a tape %v, else %v", seed, names, shape, got, shown)
		}
		g := tape.Gradient(y, w)[0]
		if got := nd.ToSlice[float64](g); !slices.Equal(got, wanted) {
			t.Fatalf("seed %d, %v of shape %v: the gradient is %v, want %v", seed, names, shape, got, wanted)
		}
		tape.Release()
	}
}

func TestViewsShareMemory(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	for name, y := range map[string]*nd.Array{
		"T": x.T(), "Reshape": x.Reshape(4, 6), "SwapAxes": x.SwapAxes(0, 2), "MoveAxis": x.MoveAxis([]int{0, 1}, []int{-1, 0}),
		"RollAxis": x.RollAxis(2, 0), "Flip": x.Flip(1), "Diagonal": x.Diagonal(1, 0, 2), "Ravel": x.Ravel(),
		"BroadcastTo": x.BroadcastTo(5, 2, 3, 4), "ExpandDims": x.ExpandDims(0, 2), "Detach": x.Detach(), "View": x.View(dtype.Uint8),
	} {
		if !y.SharesMemory(x) {
			t.Errorf("%s copies", name)
		}
	}
	for name, y := range map[string]*nd.Array{
		"Copy": x.Copy(), "Flatten": x.Flatten(), "Reshape of T": x.T().Reshape(24), "Ravel of a step": x.Reshape(24).Index(nd.All().By(2)).Ravel(),
		"AsType": x.AsType(dtype.Int32),
	} {
		if y.SharesMemory(x) {
			t.Errorf("%s does not copy", name)
		}
	}
	if got := fmt.Sprint(x.T().AsType(dtype.Int8).Strides()); got != "[1 4 12]" {
		t.Errorf("a converted transpose has strides %s, want the order of its memory: [1 4 12]", got)
	}
	if got := fmt.Sprint(nd.ZerosLike(x.Transpose(1, 0, 2)).Strides()); got != "[4 12 1]" {
		t.Errorf("ZerosLike of a view has strides %s, want [4 12 1]", got)
	}
}

func TestViewRefusals(t *testing.T) {
	x := nd.Zeros([]int{2, 3})
	refused(t, func() { x.Reshape(4, -1) }, "elements do not fill shape")
	refused(t, func() { x.Reshape(-1, -1) }, "Array.Reshape")
	refused(t, func() { x.Transpose(0, 0) }, "one is named twice")
	refused(t, func() { x.Squeeze(0) }, "does not have length 1")
	refused(t, func() { x.ExpandDims(3) }, "outside")
	refused(t, func() { x.BroadcastTo(3, 3) }, "broadcast")
	refused(t, func() { x.Diagonal(0, 1, 1) }, "two different axes")
	refused(t, func() { x.Flip(2) }, "outside")
	refused(t, func() { x.SlidingWindows([]int{2}) }, "1 lengths of windows for 2 axes")
	refused(t, func() { x.SlidingWindows([]int{4}, 1) }, "Array.SlidingWindows: windows of length 4 along axis 1: want 0 to 3")
	refused(t, func() { nd.Fill(x.SlidingWindows([]int{2}, 1), 1) }, "strides [3 1 1] repeat elements: write to a Copy")
	refused(t, func() { x.AsStrided([]int{2, 3}, []int{1, 1}).Assign(nd.Scalar(1)) }, "strides [1 1] repeat elements")
	refused(t, func() { x.AsStrided([]int{2, 3}, []int{2, 2}) }, "strides [2 2] of shape (2, 3) reach the elements 0 to 6 of 6")
	refused(t, func() { x.AsStrided([]int{2}, []int{-1}) }, "reach the elements -1 to 0 of 6")
	refused(t, func() { x.AsStrided([]int{2, 3}, []int{1}) }, "1 strides for 2 axes")
	refused(t, func() { x.T().AsStrided([]int{2}, []int{1}) }, "use Contiguous")
	refused(t, func() { nd.Zeros([]int{0, 3}).View(dtype.Complex128) }, "its last axis is not a whole number of elements")
	refused(t, func() { x.View(dtype.Bool) }, "not all bytes are bools")
	refused(t, func() { x.T().View(dtype.Float32) }, "the last axis must be contiguous")
	refused(t, func() { x.View(dtype.Complex128) }, "its last axis is not a whole number of elements")
	refused(t, func() { nd.Zeros(nil).View(dtype.Float32) }, "a 0-d array")
}

func TestViewReadsTheSameBits(t *testing.T) {
	x := nd.FromSlice([]float32{1, -2}, 1, 2)
	wantRepr(t, x.View(dtype.Uint32), "array([[1065353216, 3221225472]], dtype=uint32)")
	wantRepr(t, x.View(dtype.Int16), "array([[ 0, 16256, 0, -16384]], dtype=int16)")
	bytes := nd.FromSlice([]uint8{1, 0, 2, 0, 3, 0, 4, 0}, 2, 4)
	wantRepr(t, bytes.View(dtype.Uint16), "array([[1, 2], [3, 4]], dtype=uint16)")
	wantRepr(t, bytes.Index(nd.At(1)).View(dtype.Uint32), "array([262147], dtype=uint32)")
	bytes.View(dtype.Uint32).Assign(nd.Scalar(257), nd.At(0))
	wantRepr(t, bytes, "array([[1, 1, 0, 0], [3, 0, 4, 0]], dtype=uint8)")
	refused(t, func() { bytes.Index(nd.All(), nd.From(1)).View(dtype.Uint16) }, "its offset")
}

func TestGrids(t *testing.T) {
	wantRepr(t, nd.Eye(2, 3, 1), "array([[0., 1., 0.], [0., 0., 1.]])")
	wantRepr(t, nd.Eye(3, 2, -1, dtype.Bool), "array([[False, False], [ True, False], [False, True]])")
	wantRepr(t, nd.Identity(0), "array([], shape=(0, 0), dtype=float64)")
	wantRepr(t, nd.Tri(2, 3, 1, dtype.Int8), "array([[1, 1, 0], [1, 1, 1]], dtype=int8)")
	wantRepr(t, nd.Linspace(0, 1, 5), "array([0. , 0.25, 0.5 , 0.75, 1. ])")
	wantRepr(t, nd.Linspace(0, 1, 4, nd.SpaceOptions{Endpoint: new(false)}), "array([0. , 0.25, 0.5 , 0.75])")
	wantRepr(t, nd.Linspace(2, -1, 3, dtype.Int32), "array([ 2, 0, -1], dtype=int32)")
	wantRepr(t, nd.Linspace(3, 9, 1), "array([3.])")
	wantRepr(t, nd.Linspace(0, 1, 0), "array([], dtype=float64)")
	wantRepr(t, nd.Logspace(0, 2, 3, 10), "array([ 1., 10., 100.])")
	wantRepr(t, nd.Logspace(0, 3, 4, 2, dtype.Int8), "array([1, 2, 4, 8], dtype=int8)")
	third := 1.0 / 3 // 49·(1/49) is not 1: the last number must be stop itself
	if last := nd.Value[float64](nd.Linspace(0, third, 50), 49); last != third {
		t.Errorf("Linspace ends at %v, want %v", last, third)
	}
	grid := nd.Meshgrid([]*nd.Array{nd.FromSlice([]int{1, 2, 3}), nd.FromSlice([]int{8, 9})})
	wantRepr(t, grid[0], "array([[1, 2, 3], [1, 2, 3]])")
	wantRepr(t, grid[1], "array([[8, 8, 8], [9, 9, 9]])")
	wantRepr(t, nd.Indices([]int{2, 2})[1], "array([[0, 1], [0, 1]])")
	if got := nd.Meshgrid([]*nd.Array{grid[0].Ravel()}, nd.MeshgridOptions{Sparse: true})[0].Shape(); !slices.Equal(got, []int{6}) {
		t.Errorf("a sparse grid of one vector has shape %v", got)
	}
	refused(t, func() { nd.Linspace(0, 1, -1) }, "nd.Linspace", "at least 0")
	refused(t, func() { nd.Eye(-1, 1, 0) }, "nd.Eye")
	refused(t, func() { nd.Meshgrid([]*nd.Array{grid[0]}) }, "want one")
	refused(t, func() { nd.Meshgrid(nil, nd.MeshgridOptions{Indexing: "yx"}) }, "want xy or ij")
	refused(t, func() { nd.ArangeInt(0, 3, -1, dtype.Uint8).Index(nd.At(0)) }, "outside")
	refused(t, func() { nd.ArangeInt(-1, 3, 1, dtype.Uint8) }, "the integer -1 is out of bounds for uint8")
}

// TestViewOfNoElements views empty arrays as elements of another size: only the bytes of the last axis must match; the
// layout does not matter.
func TestViewOfNoElements(t *testing.T) {
	for _, c := range []struct {
		x    *nd.Array
		to   dtype.DType
		want []int
	}{
		{nd.Zeros([]int{0, 4}, dtype.Float32), dtype.Float64, []int{0, 2}},
		{nd.Zeros([]int{3, 0}, dtype.Float32), dtype.Float64, []int{3, 0}},
		{nd.Zeros([]int{0}, dtype.Int8), dtype.Complex128, []int{0}},
		{nd.Zeros([]int{0, 3}), dtype.Int8, []int{0, 24}},
		{nd.Zeros([]int{3, 0, 2}).T(), dtype.Float32, []int{2, 0, 6}},
		{nd.Zeros([]int{0, 8}).Index(nd.All(), nd.All().By(-2)), dtype.Complex128, []int{0, 2}},
		{nd.Zeros([]int{2, 6}).Index(nd.From(2), nd.From(1).By(3)), dtype.Float32, []int{0, 4}},
	} {
		y := c.x.View(c.to)
		if !slices.Equal(y.Shape(), c.want) || y.DType() != c.to {
			t.Errorf("%v of %v as %s: %v of %v, want shape %v", c.x.Shape(), c.x.DType(), c.to, y.Shape(), y.DType(), c.want)
		}
		y.Copy()
	}
}

func TestMemoryOrder(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4).Transpose(2, 0, 1)
	if order := x.MemoryOrder(); !slices.Equal(order, []int{1, 2, 0}) {
		t.Errorf("the memory order is %v", order)
	}
	if flat := x.Transpose(x.MemoryOrder()...).Ravel(); !flat.SharesMemory(x) || flat.Strides()[0] != 1 {
		t.Error("the elements in memory order are no view")
	}
	part := x.Index(nd.All().By(2), nd.All(), nd.Until(2))
	y := part.CopyInOrder()
	if y.SharesMemory(x) || !slices.Equal(y.Strides(), []int{1, 4, 2}) {
		t.Errorf("the copy has strides %v", y.Strides())
	}
	if !slices.Equal(nd.ToSlice[int](y), nd.ToSlice[int](part)) {
		t.Errorf("the copy is %v, want %v", y, part)
	}
	if y := nd.Scalar(3).CopyInOrder(); y.IsScalar() || y.Rank() != 0 {
		t.Errorf("the copy of a Scalar is %v", y)
	}
	if y := nd.Zeros([]int{0, 2}).T().CopyInOrder(); !slices.Equal(y.Shape(), []int{2, 0}) {
		t.Errorf("the copy of an empty array has shape %v", y.Shape())
	}
	refused(t, func() { (*nd.Array)(nil).MemoryOrder() }, "Array.MemoryOrder")
}

// TestMergeAxes checks which axes of a view merge, and that the result has the same elements in the same memory.
func TestMergeAxes(t *testing.T) {
	x := nd.Arange(0, 24, 1).Reshape(2, 3, 4)
	for name, c := range map[string]struct {
		x    *nd.Array
		want []int
	}{
		"contiguous":         {x, []int{24}},
		"leading part":       {x.Index(nd.Until(1)), []int{12}},
		"rows of a part":     {x.Index(nd.All(), nd.Until(2)), []int{2, 8}},
		"columns of a part":  {x.Index(nd.All(), nd.All(), nd.Until(2)), []int{6, 2}},
		"transposed":         {x.T(), []int{4, 3, 2}},
		"flipped":            {x.Flip(0, 1, 2), []int{24}},
		"axes of length 1":   {x.Index(nd.All(), nd.Until(2)).ExpandDims(0, 2), []int{2, 8}},
		"repeated":           {nd.Arange(0, 3, 1).Reshape(3, 1, 1).BroadcastTo(3, 2, 5), []int{3, 10}},
		"one element":        {nd.Ones([]int{1, 1}), []int{1}},
		"no elements":        {nd.Ones([]int{2, 0, 3}), []int{0}},
		"a step of one axis": {nd.Arange(0, 6, 1).Index(nd.All().By(2)), []int{3}},
		"0-d":                {nd.Ones(nil), []int{}},
	} {
		y := c.x.MergeAxes()
		if !slices.Equal(y.Shape(), c.want) {
			t.Errorf("%s: shape %v, want %v", name, y.Shape(), c.want)
		}
		if !slices.Equal(nd.ToSlice[float64](y), nd.ToSlice[float64](c.x)) {
			t.Errorf("%s: elements %v, want those of %v", name, y, c.x)
		}
		if c.x.Size() > 0 && !y.SharesMemory(c.x) {
			t.Errorf("%s: a copy", name)
		}
	}
	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(nd.Ones([]int{2, 3}))
	if g := tape.Gradient(w.MergeAxes(), w)[0]; !slices.Equal(g.Shape(), []int{2, 3}) {
		t.Errorf("the gradient has shape %v", g.Shape())
	}
}
