package broadcast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// An outcome is the result of an operation on a view, and on its table.
type outcome struct {
	got  View
	want table
	err  error
}

// A viewOp draws arguments and applies one operation to a view and to its table.
// The outcome is nil when the view has no legal arguments.
type viewOp struct {
	name  string
	apply func(r *rand.Rand, v View, t table) *outcome
}

// oneOf draws an axis, given from the front or from the back.
func oneOf(r *rand.Rand, rank int) (axis, given int) {
	axis = r.IntN(rank)
	return axis, axis - r.IntN(2)*rank
}

var viewOps = []viewOp{
	{"Slice", func(r *rand.Rand, v View, t table) *outcome {
		if v.Rank() == 0 {
			return nil
		}
		axis, given := oneOf(r, v.Rank())
		start, stop := r.IntN(12)-6, r.IntN(12)-6
		step := []int{-3, -2, -1, 1, 2, 3, math.MinInt, math.MaxInt}[r.IntN(8)]
		first, count, step, err := ResolveRange(&start, &stop, &step, v.Shape[axis])
		if err != nil {
			return &outcome{err: err}
		}
		got, err := v.Slice(given, first, count, step)
		shape := slices.Clone(t.shape)
		shape[axis] = count
		return &outcome{got, t.gather(shape, func(index []int) []int {
			from := slices.Clone(index)
			from[axis] = first + index[axis]*step
			return from
		}), err}
	}},
	{"Index", func(r *rand.Rand, v View, t table) *outcome {
		if v.Rank() == 0 {
			return nil
		}
		axis, given := oneOf(r, v.Rank())
		n := v.Shape[axis]
		if n == 0 {
			return nil
		}
		at, givenAt := oneOf(r, n)
		got, err := v.Index(given, givenAt)
		return &outcome{got, t.gather(slices.Delete(slices.Clone(t.shape), axis, axis+1), func(index []int) []int {
			return slices.Insert(slices.Clone(index), axis, at)
		}), err}
	}},
	{"Windows", func(r *rand.Rand, v View, t table) *outcome {
		if v.Rank() == 0 {
			return nil
		}
		axis, given := oneOf(r, v.Rank())
		first := r.IntN(v.Shape[axis] + 1)
		second := r.IntN(v.Shape[axis] + 2 - first) // windows of windows
		got, err := v.Windows([]int{first, second}, []int{given, axis})
		shape := append(slices.Clone(t.shape), first, second)
		shape[axis] += 2 - first - second
		return &outcome{got, t.gather(shape, func(index []int) []int {
			from := slices.Clone(index[:v.Rank()])
			from[axis] += index[v.Rank()] + index[v.Rank()+1]
			return from
		}), err}
	}},
	{"NewAxis", func(r *rand.Rand, v View, t table) *outcome {
		axis, given := oneOf(r, v.Rank()+1)
		got, err := v.NewAxis(given)
		return &outcome{got, t.gather(slices.Insert(slices.Clone(t.shape), axis, 1), func(index []int) []int {
			return slices.Delete(slices.Clone(index), axis, axis+1)
		}), err}
	}},
	{"ExpandDims", func(r *rand.Rand, v View, t table) *outcome {
		axes := r.Perm(v.Rank() + 2)[:2]
		got, err := v.ExpandDims([]int{axes[0], axes[1] - v.Rank() - 2})
		slices.Sort(axes)
		shape := slices.Insert(slices.Insert(slices.Clone(t.shape), axes[0], 1), axes[1], 1)
		return &outcome{got, t.gather(shape, func(index []int) []int {
			from := slices.Delete(slices.Clone(index), axes[1], axes[1]+1)
			return slices.Delete(from, axes[0], axes[0]+1)
		}), err}
	}},
	{"Squeeze", func(r *rand.Rand, v View, t table) *outcome {
		var ones []int
		for axis, d := range v.Shape {
			if d == 1 {
				ones = append(ones, axis)
			}
		}
		var axes []int // nil means all
		if r.IntN(2) == 0 {
			ones = ones[:r.IntN(len(ones)+1)]
			axes = []int{}
			for _, axis := range ones {
				axes = append(axes, axis-r.IntN(2)*v.Rank())
			}
		}
		got, err := v.Squeeze(axes)
		var shape []int
		for axis, d := range v.Shape {
			if !slices.Contains(ones, axis) {
				shape = append(shape, d)
			}
		}
		return &outcome{got, t.gather(shape, func(index []int) []int {
			from := slices.Clone(index)
			for _, axis := range ones {
				from = slices.Insert(from, axis, 0)
			}
			return from
		}), err}
	}},
	{"Permute", func(r *rand.Rand, v View, t table) *outcome {
		perm := r.Perm(v.Rank())
		given := slices.Clone(perm)
		for i := range given {
			given[i] -= r.IntN(2) * v.Rank()
		}
		got, err := v.Permute(given)
		return &outcome{got, permuted(t, perm), err}
	}},
	{"Transpose", func(_ *rand.Rand, v View, t table) *outcome {
		perm := make([]int, v.Rank())
		for i := range perm {
			perm[len(perm)-1-i] = i
		}
		return &outcome{v.Transpose(), permuted(t, perm), nil}
	}},
	{"BroadcastTo", func(r *rand.Rand, v View, t table) *outcome {
		shape := slices.Clone(v.Shape)
		for axis, d := range shape {
			if d == 1 {
				shape[axis] = r.IntN(4)
			}
		}
		lead := r.IntN(3)
		for range lead {
			shape = slices.Insert(shape, 0, r.IntN(3))
		}
		got, err := v.BroadcastTo(shape)
		return &outcome{got, t.gather(shape, func(index []int) []int {
			from := slices.Clone(index[lead:])
			for axis, d := range t.shape {
				if d == 1 {
					from[axis] = 0
				}
			}
			return from
		}), err}
	}},
	{"Diagonal", func(r *rand.Rand, v View, t table) *outcome {
		if v.Rank() < 2 {
			return nil
		}
		axes := r.Perm(v.Rank())[:2]
		axis1, axis2 := axes[0], axes[1]
		offset := r.IntN(7) - 3
		got, err := v.Diagonal(offset, axis1, axis2-v.Rank())
		length := 0
		for i := range t.shape[axis1] {
			if j := i + offset; j >= 0 && j < t.shape[axis2] {
				length++
			}
		}
		var shape []int
		for axis, d := range t.shape {
			if axis != axis1 && axis != axis2 {
				shape = append(shape, d)
			}
		}
		return &outcome{got, t.gather(append(shape, length), func(index []int) []int {
			last := len(index) - 1
			i, j := index[last], index[last]
			if offset > 0 {
				j += offset
			} else {
				i -= offset
			}
			from := slices.Clone(index[:last])
			if axis1 < axis2 {
				return slices.Insert(slices.Insert(from, axis1, i), axis2, j)
			}
			return slices.Insert(slices.Insert(from, axis2, j), axis1, i)
		}), err}
	}},
	{"Flip", func(r *rand.Rand, v View, t table) *outcome {
		axes := r.Perm(v.Rank())
		given := []int(nil)
		if r.IntN(2) == 0 {
			axes = axes[:r.IntN(len(axes)+1)]
			given = append([]int{}, axes...)
		}
		got, err := v.Flip(given)
		return &outcome{got, t.gather(t.shape, func(index []int) []int {
			from := slices.Clone(index)
			for _, axis := range axes {
				from[axis] = t.shape[axis] - 1 - index[axis]
			}
			return from
		}), err}
	}},
}

func permuted(t table, perm []int) table {
	shape := make([]int, len(perm))
	for i, axis := range perm {
		shape[i] = t.shape[axis]
	}
	return t.gather(shape, func(index []int) []int {
		from := make([]int, len(perm))
		for i, axis := range perm {
			from[axis] = index[i]
		}
		return from
	})
}

func TestViewOperationsByEnumeration(t *testing.T) {
	for _, op := range viewOps {
		t.Run(op.name, func(t *testing.T) {
			r := newRand(t)
			for range 600 {
				v := randomView(r, 3)
				before := v.clone()
				out := op.apply(r, v, tableOf(v))
				if out == nil {
					continue
				}
				if out.err != nil {
					t.Fatalf("on %+v: %v", v, out.err)
				}
				got := out.got
				requireTable(t, op.name, got, out.want)
				if got.Size() == 0 && got.Offset != v.Offset {
					t.Fatalf("an empty view of %+v moved to offset %d", v, got.Offset)
				}
				for i := range got.Shape {
					got.Shape[i], got.Strides[i] = -1, -1
				}
				if v.Offset != before.Offset || !slices.Equal(v.Shape, before.Shape) || !slices.Equal(v.Strides, before.Strides) {
					t.Fatalf("%+v became %+v", before, v)
				}
			}
		})
	}
}

func TestViewReshape(t *testing.T) {
	v := NewView([]int{2, 3, 4})
	flat, ok, err := v.Reshape([]int{-1}, false)
	if err != nil || !ok || !Equal(flat.Shape, []int{24}) || !Equal(flat.Strides, []int{1}) {
		t.Errorf("got %+v, %v, %v", flat, ok, err)
	}
	even, err := flat.Slice(0, 23, 8, -3)
	if err != nil {
		t.Fatal(err)
	}
	grid, ok, err := even.Reshape([]int{4, 2}, false)
	if err != nil || !ok || grid.Offset != 23 || !Equal(grid.Strides, []int{-6, -3}) {
		t.Errorf("got %+v, %v, %v", grid, ok, err)
	}
	for _, fortran := range []bool{false, true} {
		copied, ok, err := v.Transpose().Reshape([]int{4, 6}, false)
		if fortran {
			copied, ok, err = v.Reshape([]int{4, 6}, true)
		}
		if err != nil || ok || copied.Offset != 0 || copied.IsContiguous() == fortran || copied.IsFortran() != fortran {
			t.Errorf("got %+v, %v, %v", copied, ok, err)
		}
	}
	if _, _, err := v.Reshape([]int{5, 5}, false); err == nil || err.Error() != "24 elements do not fill shape (5,5)" {
		t.Errorf("error %v", err)
	}
}

func TestRavel(t *testing.T) {
	r := newRand(t)
	for range 5000 {
		v := randomView(r, 3)
		for _, fortran := range []bool{false, true} {
			elements := inOrder(v, fortran)
			got, ok := v.Ravel(fortran)
			if ok != isRun(elements) {
				t.Fatalf("%+v, Fortran %v: a view is %v", v, fortran, ok)
			}
			if !ok {
				elements = tableOf(NewView([]int{v.Size()})).offsets
			}
			requireTable(t, "Ravel", got, table{[]int{v.Size()}, elements})
			if !got.IsContiguous() {
				t.Fatalf("%+v became %+v", v, got)
			}
		}
	}
}

func TestNewViews(t *testing.T) {
	r := newRand(t)
	for range 200 {
		shape := randomShape(r, 4)
		c, fortran := NewView(shape), NewFortranView(shape)
		if !c.IsContiguous() || !fortran.IsFortran() || c.Size() != Size(shape) || c.Rank() != len(shape) {
			t.Fatalf("%v gave %+v and %+v", shape, c, fortran)
		}
		if !Equal(c.Strides, Strides(shape)) || !Equal(fortran.Strides, FortranStrides(shape)) {
			t.Fatalf("%v gave strides %v and %v", shape, c.Strides, fortran.Strides)
		}
	}
}

func TestOffsetsVisitsElementsInOrder(t *testing.T) {
	r := newRand(t)
	for range 500 {
		v := randomView(r, 3)
		if got := slices.Collect(v.Offsets()); !slices.Equal(got, tableOf(v).offsets) {
			t.Fatalf("%+v yields %v", v, got)
		}
	}
	for offset := range NewView([]int{4}).Offsets() {
		if offset == 2 {
			break
		}
	}
}

func TestViewOperationsRefuse(t *testing.T) {
	v := NewView([]int{2, 1, 3})
	deep := NewView(make([]int, MaxRank))
	first := func(v View, err error) error { return err }
	for what, err := range map[string]error{
		"slice beyond the end":         first(v.Slice(2, 1, 3, 1)),
		"slice before the start":       first(v.Slice(2, 1, 3, -1)),
		"slice starting outside":       first(v.Slice(2, 3, 1, 1)),
		"slice starting below":         first(v.Slice(2, -1, 1, 1)),
		"slice of negative count":      first(v.Slice(2, 0, -1, 1)),
		"slice standing still":         first(v.Slice(2, 0, 2, 0)),
		"slice of a missing axis":      first(v.Slice(3, 0, 1, 1)),
		"slice by an enormous step":    first(v.Slice(2, 1, 2, math.MaxInt)),
		"slice back an enormous step":  first(v.Slice(2, 1, 2, math.MinInt)),
		"slice of enormous count":      first(v.Slice(2, 0, math.MaxInt, 2)),
		"index at the length":          first(v.Index(0, 2)),
		"index below":                  first(v.Index(0, -3)),
		"index of a missing axis":      first(v.Index(-4, 0)),
		"new axis too far":             first(v.NewAxis(4)),
		"new axis too far back":        first(v.NewAxis(-5)),
		"new axis over the limit":      first(deep.NewAxis(0)),
		"the same new axis twice":      first(v.ExpandDims([]int{0, -5})),
		"squeeze of length 2":          first(v.Squeeze([]int{0})),
		"squeeze of the same twice":    first(v.Squeeze([]int{1, -2})),
		"permutation too short":        first(v.Permute([]int{0, 1})),
		"permutation with a repeat":    first(v.Permute([]int{0, 1, 1})),
		"broadcast to another length":  first(v.BroadcastTo([]int{3, 1, 3})),
		"broadcast to fewer axes":      first(v.BroadcastTo([]int{1, 3})),
		"broadcast to negative length": first(v.BroadcastTo([]int{2, -1, 3})),
		"broadcast to too many":        first(v.BroadcastTo([]int{math.MaxInt, 2, 1, 3})),
		"diagonal of a vector":         first(NewView([]int{3}).Diagonal(0, 0, 1)),
		"diagonal of one axis":         first(v.Diagonal(0, 1, -2)),
		"diagonal of a missing axis":   first(v.Diagonal(0, 0, 3)),
		"diagonal of missing axis 1":   first(v.Diagonal(0, 3, 0)),
		"flip of a missing axis":       first(v.Flip([]int{3})),
		"flip of the same axis twice":  first(v.Flip([]int{0, 0})),
	} {
		if err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

func TestDiagonalFarAwayIsEmpty(t *testing.T) {
	for _, offset := range []int{math.MinInt, -3, 3, math.MaxInt} {
		got, err := NewView([]int{3, 3}).Diagonal(offset, 0, 1)
		if err != nil || !Equal(got.Shape, []int{0}) || got.Offset != 0 {
			t.Errorf("offset %d: %+v, %v", offset, got, err)
		}
	}
}
