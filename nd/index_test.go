package nd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// wantRepr compares an array with its repr in NumPy, ignoring line breaks.
func wantRepr(t *testing.T, got *nd.Array, repr string) {
	t.Helper()
	if text := strings.Join(strings.Fields(fmt.Sprintf("%#v", got)), " "); text != repr {
		t.Errorf("got  %s\nwant %s", text, repr)
	}
}

// drawnItem is an item of an index, and its meaning in the naive model: indices along one axis, which stays an axis of
// the result; an array of indices, with a shape; or a new axis.
type drawnItem struct {
	item      nd.Index
	text      string
	positions []int
	shape     []int // of an index array
	array     bool
	integer   bool
	newAxis   bool
}

// drawIndex makes a random index that covers all axes of an array.
func drawIndex(r *rand.Rand, shape []int) []drawnItem {
	var items []drawnItem
	common := [][]int{{3}, {2, 1}, {1, 3}, {}, {1}}
	for axis := 0; axis < len(shape); axis++ {
		n := shape[axis]
		for r.IntN(6) == 0 {
			items = append(items, drawnItem{item: nd.NewAxis(), text: "newaxis", newAxis: true})
		}
		switch kind := r.IntN(5); {
		case kind == 0 && n > 0:
			i := r.IntN(2*n) - n
			items = append(items, drawnItem{item: nd.At(i), text: fmt.Sprint(i), positions: []int{(i + n) % n}, integer: true})
		case kind == 1 && n > 0:
			s := common[r.IntN(len(common))]
			d := drawnItem{shape: s, array: true}
			values := make([]int, size(s))
			for k := range values {
				values[k] = r.IntN(2*n) - n
				d.positions = append(d.positions, (values[k]+n)%n)
			}
			d.item, d.text = nd.Pick(nd.FromSlice(values, s...)), fmt.Sprint("pick", values, s)
			items = append(items, d)
		case kind == 2:
			step := []int{1, 2, -1, -3}[r.IntN(4)]
			start, stop := r.IntN(2*n+5)-n-2, r.IntN(2*n+5)-n-2
			d := drawnItem{item: nd.Span(start, stop).By(step), text: fmt.Sprint(start, ":", stop, ":", step)}
			d.positions = pythonRange(start, stop, step, n)
			items = append(items, d)
		default:
			d := drawnItem{item: nd.All(), text: ":"}
			for i := range n {
				d.positions = append(d.positions, i)
			}
			items = append(items, d)
		}
	}
	return items
}

// pythonRange walks from start to stop as a slice does, by trying all indices.
func pythonRange(start, stop, step, n int) []int {
	if start < 0 {
		start += n
	}
	if stop < 0 {
		stop += n
	}
	positions := []int{}
	if step > 0 {
		for i := max(start, 0); i < min(stop, n); i += step {
			positions = append(positions, i)
		}
	} else {
		for i := min(start, n-1); i > max(stop, -1); i += step {
			positions = append(positions, i)
		}
	}
	return positions
}

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// modelIndex returns the shape of an indexed array and the flat indices of its elements, one by one.
func modelIndex(shape []int, items []drawnItem) (result, flat []int) {
	anyArray := slices.ContainsFunc(items, func(d drawnItem) bool { return d.array })
	advanced := func(d drawnItem) bool { return d.array || d.integer && anyArray }
	var block []int // the broadcast shape of the index arrays
	first, last, count := -1, -1, 0
	for k, d := range items {
		if advanced(d) {
			if first < 0 {
				first = k
			}
			last, count = k, count+1
			for len(block) < len(d.shape) {
				block = append([]int{1}, block...)
			}
			for j := range d.shape {
				if at := len(block) - len(d.shape) + j; d.shape[j] != 1 {
					block[at] = d.shape[j]
				}
			}
		}
	}
	front := count > 0 && last-first+1 != count
	if front {
		result = append(result, block...)
	}
	resultAxis := map[int]int{} // item → axis of the result
	blockAt := 0
	for k, d := range items {
		switch {
		case advanced(d):
			if k == first && !front {
				blockAt = len(result)
				result = append(result, block...)
			}
		case d.newAxis:
			result = append(result, 1)
		case d.integer:
		default:
			resultAxis[k] = len(result)
			result = append(result, len(d.positions))
		}
	}
	index := make([]int, len(result))
	for e := range size(result) {
		for k, rest := len(result)-1, e; k >= 0; k-- {
			index[k] = rest % result[k]
			rest /= result[k]
		}
		at, axis := 0, 0
		for k, d := range items {
			if d.newAxis {
				continue
			}
			i := 0
			switch {
			case advanced(d):
				for j := range d.shape {
					b := index[blockAt+len(block)-len(d.shape)+j]
					if d.shape[j] == 1 {
						b = 0
					}
					i = i*d.shape[j] + b
				}
			case !d.integer:
				i = index[resultAxis[k]]
			}
			at = at*shape[axis] + d.positions[i]
			axis++
		}
		flat = append(flat, at)
	}
	return result, flat
}

func TestIndexingAgreesWithNaiveModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		shape := make([]int, r.IntN(5))
		for k := range shape {
			shape[k] = r.IntN(5)
		}
		items := drawIndex(r, shape)
		ix := make([]nd.Index, len(items))
		texts := make([]string, len(items))
		for k, d := range items {
			ix[k], texts[k] = d.item, d.text
		}
		name := fmt.Sprintf("x%v[%s]", shape, strings.Join(texts, ", "))
		wanted, flat := modelIndex(shape, items)
		x := nd.ArangeInt(0, size(shape), 1).Reshape(shape...)
		if len(shape) > 0 && r.IntN(2) == 0 {
			x = x.Flip(0).Copy().Flip(0) // the same elements, a negative stride
		}
		y := x.Index(ix...)
		if !slices.Equal(y.Shape(), append([]int{}, wanted...)) {
			t.Fatalf("%s has shape %v, want %v", name, y.Shape(), wanted)
		}
		got := nd.ToSlice[int64](y)
		for k, at := range flat {
			if got[k] != int64(at) {
				t.Fatalf("%s: element %d is %d, want %d", name, k, got[k], at)
			}
		}
		if !slices.ContainsFunc(items, func(d drawnItem) bool { return d.array }) && y.Size() > 0 && !y.SharesMemory(x) {
			t.Fatalf("%s is a copy", name)
		}

		written := nd.ToSlice[int64](x)
		for k, at := range flat {
			written[at] = int64(1000 + k)
		}
		values := nd.ArangeInt(1000, 1000+len(flat), 1, dtype.Float32).Reshape(wanted...)
		if with := x.With(values, ix...); !slices.Equal(nd.ToSlice[int64](with), written) {
			t.Fatalf("%s = …: got %v, want %v", name, with, written)
		}
		if x.Assign(values, ix...); !slices.Equal(nd.ToSlice[int64](x), written) {
			t.Fatalf("%s = … in place: got %v, want %v", name, x, written)
		}
	}
}

func TestIndexingByBools(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	even := nd.FromSlice([]bool{true, false, true, false, true, false}, 2, 3)
	wantRepr(t, x.Index(nd.Pick(even)), "array([0, 2, 4])")
	wantRepr(t, x.Index(nd.Pick(nd.FromSlice([]bool{false, true})), nd.From(1)), "array([[4, 5]])")
	wantRepr(t, x.Index(nd.Pick(nd.FromSlice([]bool{true, true})), nd.Pick(nd.FromSlice([]int{0, 2}))), "array([0, 5])")
	wantRepr(t, x.Index(nd.Pick(nd.Full(nil, true))), "array([[[0, 1, 2], [3, 4, 5]]])")
	wantRepr(t, x.Index(nd.Pick(nd.Full(nil, false))), "array([], shape=(0, 2, 3), dtype=int64)")
	wantRepr(t, x.Index(nd.Ellipsis(), nd.Pick(nd.FromSlice([]bool{false, false, true}))), "array([[2], [5]])")
	wantRepr(t, x.With(nd.FromSlice([]int{7, 8, 9}), nd.Pick(even)), "array([[7, 1, 8], [3, 9, 5]])")
	none := func(shape ...int) nd.Index { return nd.Pick(nd.Zeros(shape, dtype.Bool)) } // fits axes of any length
	wantRepr(t, x.Index(none(0)), "array([], shape=(0, 3), dtype=int64)")
	wantRepr(t, x.Index(nd.All(), none(0)), "array([], shape=(2, 0), dtype=int64)")
	wantRepr(t, x.Index(none(0, 3)), "array([], dtype=int64)")
	wantRepr(t, x.Index(none(2, 0)), "array([], dtype=int64)")
	wantRepr(t, x.With(nd.Scalar(9), none(0)), "array([[0, 1, 2], [3, 4, 5]])")
	refused(t, func() { x.Index(none(4, 0)) }, "boolean index did not match", "axis 0")
	refused(t, func() { x.Index(nd.Pick(nd.FromSlice([]bool{true, false, true}))) }, "boolean index did not match", "axis 0")
	refused(t, func() { x.With(nd.FromSlice([]int{7, 8, 9}, 1, 3), nd.Pick(even)) }, "a value with at most one axis")
}

func TestIndexRefusals(t *testing.T) {
	x := nd.Zeros([]int{2, 3})
	refused(t, func() { x.Index(nd.At(2)) }, "Array.Index", "index 2 is outside")
	refused(t, func() { x.Index(nd.At(0), nd.At(0), nd.At(0)) }, "3 axes are indexed, the array has 2")
	refused(t, func() { x.Index(nd.Ellipsis(), nd.Ellipsis()) }, "single ellipsis")
	refused(t, func() { x.Index(nd.All().By(0)) }, "a step of 0")
	refused(t, func() { x.Index(nd.Pick(nd.Zeros([]int{1}))) }, "integers or bools")
	refused(t, func() { x.Index(nd.Pick(nd.FromSlice([]int{0, 1})), nd.Pick(nd.FromSlice([]int{0, 1, 2}))) }, "broadcast")
	refused(t, func() { x.Index(nd.Pick(nd.FromSlice([]int{0, -3}))) }, "index -3 is outside axis 0, of length 2")
	refused(t, func() { x.Index(nd.At(1), nd.At(3)) }, "index 3 is outside axis 1, of length 3")
	bad, good := nd.Pick(nd.FromSlice([]int{0, 3})), nd.Pick(nd.FromSlice([]int{0, 1}))
	refused(t, func() { x.Index(good, bad) }, "index 3 is outside axis 1, of length 3")
	refused(t, func() { x.Index(nd.NewAxis(), nd.All(), bad) }, "index 3 is outside axis 1, of length 3")
	refused(t, func() { x.Index(nd.At(2), nd.NewAxis(), bad) }, "index 2 is outside axis 0, of length 2")
	refused(t, func() { x.Index(nd.Pick(nd.FromSlice([]bool{true}).Reshape()), good, bad) }, "index 3 is outside axis 1, of length 3")
	refused(t, func() { x.Index(nd.Until(0), bad) }, "index 3 is outside axis 1, of length 3")
	refused(t, func() { x.Assign(x, nd.At(0), nd.At(-4)) }, "Array.Assign", "index -4 is outside axis 1, of length 3")
	refused(t, func() { x.Assign(nd.Scalar(1), nd.All(), bad) }, "Array.Assign", "index 3 is outside axis 1, of length 3")
	refused(t, func() { x.With(nd.Scalar(1), nd.NewAxis(), good, bad) }, "Array.With", "index 3 is outside axis 1, of length 3")
	refused(t, func() { x.Index(nd.At(-4), nd.Pick(nd.FromSlice([]int{0}))) }, "index -4 is outside")
	refused(t, func() { x.Assign(nd.Zeros([]int{2}), nd.At(0)) }, "could not broadcast", "(2,)", "(3,)")
	refused(t, func() { nd.Scalar(1).Assign(nd.Scalar(2)) }, "a Scalar cannot be written to")
	wantRepr(t, x, "array([[0., 0., 0.], [0., 0., 0.]])")
}

func TestAssignConvertsAndBroadcasts(t *testing.T) {
	x := nd.Zeros([]int{2, 3}, dtype.Int8)
	x.Assign(nd.FromSlice([]float64{1.9, -1.9, 300}))
	wantRepr(t, x, "array([[ 1, -1, 127], [ 1, -1, 127]], dtype=int8)")
	x.Assign(nd.Scalar(5), nd.All(), nd.At(-1))
	x.Assign(nd.FromSlice([]int{8, 9}, 1, 1, 2, 1), nd.All(), nd.Until(2))
	wantRepr(t, x, "array([[8, 8, 5], [9, 9, 5]], dtype=int8)")
	x.Assign(x.Index(nd.All().By(-1)))
	wantRepr(t, x, "array([[9, 9, 5], [8, 8, 5]], dtype=int8)")
	x.Assign(nd.FromSlice([]int{1, 2, 3}), nd.At(0), nd.Pick(nd.FromSlice([]int{0, 0, 0})))
	wantRepr(t, x, "array([[3, 9, 5], [8, 8, 5]], dtype=int8)") // the last of several values
	refused(t, func() { x.Assign(nd.Scalar(200)) }, "the integer 200 is out of bounds for int8")
	nd.Fill(x.Index(nd.At(1)), -2.5)
	wantRepr(t, x, "array([[ 3, 9, 5], [-2, -2, -2]], dtype=int8)")
}

func TestIndexGradients(t *testing.T) {
	rng := nd.NewRand(3)
	draw := func(shape ...int) *nd.Array {
		x := nd.Zeros(shape)
		for i := range x.Size() {
			x.Reshape(-1).Assign(nd.Scalar(float64(rng.IntN(1000))/100-5), nd.At(i))
		}
		return x
	}
	x := draw(3, 4, 2).Transpose(2, 0, 1).Flip(1) // of shape (2, 3, 4)
	twice := nd.Pick(nd.FromSlice([]int{1, -1, 1, 0}, 2, 2))
	mask := nd.Pick(nd.FromSlice([]bool{true, false, true}))
	for name, ix := range map[string][]nd.Index{
		"basic":          {nd.At(1), nd.All().By(-2), nd.NewAxis(), nd.From(1)},
		"array":          {twice},
		"arrays":         {nd.All(), mask, nd.Pick(nd.FromSlice([]int{3, 3}))},
		"apart":          {twice, nd.From(1), nd.At(0)},
		"bool of two":    {nd.All(), nd.Pick(nd.FromSlice([]bool{true, false, true, true, false, false, false, true, true, false, false, true}, 3, 4))},
		"nothing":        {nd.Span(1, 1)},
		"new axes apart": {nd.Pick(nd.FromSlice([]int{0, 0})), nd.NewAxis(), nd.Ellipsis(), nd.At(2)},
	} {
		t.Run(name, func(t *testing.T) {
			part := x.Index(ix...)
			v := draw(part.Shape()...)
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(xs[0].Index(ix...)) }, x)
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(xs[0].With(xs[1], ix...)) }, x, v)
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
				y := ops.Multiply(xs[0], xs[0])
				y.Assign(xs[1], ix...) // in place, under the tape
				return ops.Multiply(y, y)
			}, x, v)
		})
	}
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(xs[0].With(xs[1], twice, nd.At(0))) // broadcast, with repeated indices
	}, x, draw(2, 1))
}
