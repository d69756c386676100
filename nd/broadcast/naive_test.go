package broadcast

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// table is the meaning of a view, written out: the offset of each element in C order. Its operations work on indices
// alone and know no strides.
type table struct {
	shape   []int
	offsets []int
}

// positions lists all indices of a shape in C order.
func positions(shape []int) [][]int {
	all := [][]int{{}}
	for _, d := range shape {
		var longer [][]int
		for _, head := range all {
			for i := range d {
				longer = append(longer, append(slices.Clone(head), i))
			}
		}
		all = longer
	}
	return all
}

func tableOf(v View) table {
	t := table{shape: slices.Clone(v.Shape)}
	for _, index := range positions(v.Shape) {
		offset := v.Offset
		for axis, i := range index {
			offset += i * v.Strides[axis]
		}
		t.offsets = append(t.offsets, offset)
	}
	return t
}

func (t table) at(index []int) int {
	for n, p := range positions(t.shape) {
		if slices.Equal(p, index) {
			return t.offsets[n]
		}
	}
	panic("index out of range")
}

// gather returns the table of the given shape whose element at index is element from(index) of t.
func (t table) gather(shape []int, from func(index []int) []int) table {
	out := table{shape: shape}
	for _, index := range positions(shape) {
		out.offsets = append(out.offsets, t.at(from(index)))
	}
	return out
}

func requireTable(t *testing.T, what string, got View, want table) {
	t.Helper()
	if !slices.Equal(got.Shape, want.shape) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape, want.shape)
	}
	if len(got.Strides) != len(got.Shape) {
		t.Fatalf("%s: %d strides for shape %v", what, len(got.Strides), got.Shape)
	}
	if have := tableOf(got); !slices.Equal(have.offsets, want.offsets) {
		t.Fatalf("%s: shape %v offsets %v, want %v", what, got.Shape, have.offsets, want.offsets)
	}
}

func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(1, uint64(len(t.Name()))))
}

// randomShape draws up to maxRank axes of length 0 to 4, with many of length 1.
func randomShape(r *rand.Rand, maxRank int) []int {
	shape := make([]int, r.IntN(maxRank+1))
	for i := range shape {
		shape[i] = []int{0, 1, 1, 2, 2, 3, 3, 4, 2, 3}[r.IntN(10)]
	}
	return shape
}

// randomView draws a view into a block of at most a few hundred elements: sliced, flipped, permuted or broadcast from a
// fresh array. It does not use the methods that are tested with it.
func randomView(r *rand.Rand, maxRank int) View {
	shape := randomShape(r, maxRank)
	v := View{Shape: shape}
	step := 1 + r.IntN(2)
	order := r.Perm(len(shape))
	v.Strides = make([]int, len(shape))
	for _, axis := range order {
		d := shape[axis]
		if d > 1 && r.IntN(6) == 0 {
			continue // broadcast
		}
		by := 1 + r.IntN(2)*r.IntN(3)
		v.Strides[axis] = step * by
		step *= by * max(d, 1)
		if r.IntN(3) == 0 {
			v.Strides[axis] *= -1
			v.Offset += max(d-1, 0) * step
		}
		if d == 1 {
			v.Strides[axis] = r.IntN(200) - 100 // free
		}
	}
	return v
}
